// The servers of the flows. Some flows need a chain that mines on request, and others a bundler
// that sends bundles on request.
import { parseEther } from 'viem';

import { startBundlerRelay } from '../stack/bundler-relay';
import { callRpc } from '../stack/server';
import { KEY, SECRET, startServiceBench } from '../stack/service-bench';
import { startDevStack } from '../stack/stack';
import { deployVerifiers } from '../stack/verifiers';
import type { WalletDisk } from '../wallet/controllers';
import { createAccount, openCase, type Account, type Servers } from './bench';

export type TestServers = {
  servers: Servers;
  disk: WalletDisk;
  /** An account that exists before and after each case. */
  kept: Account;
  stop: () => Promise<void>;
};

export async function startTestServers(): Promise<TestServers> {
  const bench = await startServiceBench();
  const { url } = bench.service;
  const servers: Servers = {
    nodeUrl: bench.nodeUrl,
    service: { url, apiKey: KEY, apiKeySecret: SECRET },
  };
  return setUp(servers, bench.stop);
}

export async function startOperationGround(): Promise<TestServers> {
  const stack = await startDevStack();
  const { chain, service, bundler } = stack;
  const relay = await startBundlerRelay(bundler.url);
  const servers: Servers = { nodeUrl: chain.url, service, bundler: relay };
  const stop = async (): Promise<void> => {
    await relay.stop();
    await stack.stop();
  };
  return setUp(servers, stop, async () => {
    await deployVerifiers(stack);
    await callRpc(bundler.url, 'debug_bundler_setBundlingMode', ['manual']);
  });
}

async function setUp(
  servers: Servers,
  stop: TestServers['stop'],
  arrange?: () => Promise<void>,
): Promise<TestServers> {
  try {
    await arrange?.();
    return { servers, ...(await setUpWallet(servers)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function setUpWallet(
  servers: Servers,
): Promise<{ disk: WalletDisk; kept: Account }> {
  const bench = await openCase({ servers });
  const { companion, dapp, get, node, wallet } = bench;
  try {
    const { url, apiKey, apiKeySecret } = servers.service;
    const row = { chainId: 31_337, rpcUrl: url, gasBaseUrl: url, apiKey, apiKeySecret };
    const bundler = servers.bundler ? { bundlerUrl: servers.bundler.url } : {};
    await get(companion.snap('tollkeeper_setChain', [{ ...row, ...bundler }]));
    const kept = await createAccount(bench);
    await node.setBalance({ address: kept.address, value: parseEther('1000') });
    await get(dapp.snap('eth_requestAccounts'));
    return { disk: await wallet.disk(), kept };
  } finally {
    await bench.end();
  }
}
