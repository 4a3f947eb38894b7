// npm start: builds the snaps, and serves the stack, the snaps and the development page for
// MetaMask Flask until Ctrl-C.
import { once } from 'node:events';

import { entryPointVersions } from '../../src/core/entry-points';
import { readArgs } from '../args';
import { buildDevSnap, buildInsightSnap, INSIGHT_SNAP } from '../build/build';
import { buildDapp } from '../build/dapp';
import { LOOPBACK } from '../build/policy';
import { heading, row, runCommand, step } from '../demo/print';
import { orDied } from '../stack/processes';
import { listenOnLoopback, withStopped } from '../stack/server';
import { type DevStack, startDevStack } from '../stack/stack';
import { deployVerifiers, verifiers } from '../stack/verifiers';
import { DEV_SNAP } from '../wallet/options';
import { servePage, startStaticServer } from './serve';

readArgs(`npm start

Builds the snaps, and serves a chain, contracts, a bundler, a paymaster, a service, the snaps and a
page for MetaMask Flask until Ctrl-C.`);

await runCommand(async () => {
  heading('Tollkeeper for MetaMask Flask');
  await step('Build the snaps', async () =>
    Promise.all([buildDevSnap(), buildInsightSnap()]),
  );
  const { folder } = await step('Build the page', async () =>
    buildDapp({ connect: LOOPBACK }),
  );
  const stack = await step(
    'Start chain, contracts, bundler, paymaster and service',
    startStack,
  );
  const stops = [stack.stop];
  try {
    await step('Create the contracts of delegations, Safes and Permit2', async () =>
      deployVerifiers(stack),
    );
    const snap = await startStaticServer({ port: 8080, folders: { '/': DEV_SNAP } });
    stops.push(snap.stop);
    const insight = await startStaticServer({
      port: 8081,
      folders: { '/': INSIGHT_SNAP },
    });
    stops.push(insight.stop);
    const page = await servePage(stack, { snapUrl: snap.url, folder, port: 8000 });
    stops.push(page.stop);
    printAddresses(stack, { snap: snap.url, insight: insight.url, page: page.url });
    const interrupted = ['SIGINT', 'SIGTERM'].map(async (name) => once(process, name));
    await orDied(Promise.race(interrupted), stack);
  } finally {
    await Promise.all(stops.map(async (stop) => stop()));
  }
  process.stdout.write('\nStopped.\n');
});

async function startStack(): Promise<DevStack> {
  const [chain = 0, bundler = 0, service = 0, paymaster = 0] = await Promise.all(
    [8545, 4337, 8787, 7677].map(choosePort),
  );
  return startDevStack({ ports: { chain, bundler, service, paymaster } });
}

// Prefers the usual port, so that earlier configurations still work. 0 means any free port.
async function choosePort(port: number): Promise<number> {
  const listening = listenOnLoopback(() => undefined, { port });
  return withStopped(listening, async () => Promise.resolve(port)).catch(() => 0);
}

function printAddresses(
  stack: DevStack,
  sites: { snap: string; insight: string; page: string },
): void {
  const { service, contracts, funded } = stack;
  heading('Everything listens on this machine only');
  row('page', sites.page);
  row('snap', sites.snap);
  row('insight snap', sites.insight);
  row('chain', `${stack.chain.url} (chain id ${stack.chainId})`);
  row('gas API', `${service.url}/networks/${stack.chainId}/suggestedGasFees`);
  row('JSON-RPC API', `${service.url}/v3/${service.apiKey}`);
  row('key, secret', `${service.apiKey}, ${service.apiKeySecret}`);
  row('bundler', stack.bundler.url);
  row('paymaster', stack.paymaster.url);
  for (const version of entryPointVersions) {
    row(`EntryPoint ${version}`, contracts[version].entryPoint);
  }
  for (const [version, address] of Object.entries(verifiers.simple7702)) {
    row(`delegation ${version}`, address);
  }
  row('funded account', funded.address);
  heading('Try it');
  row('1', 'Install MetaMask Flask in a separate browser profile.');
  row('2', `Open ${sites.page} and press “Install” (local:${sites.snap}).`);
  row('3', 'Send the first two requests: they set up the network.');
  row('4', 'Follow the page from top to bottom: account, connection, money, requests.');
  process.stdout.write('\nCtrl-C stops everything.\n');
}
