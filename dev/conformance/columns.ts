// Runs the conformance kit on Tollkeeper in MetaMask's packages, with an ordinary and with a smart
// account; on the wallet for tests; and on MetaMask's own provider without the snap.
import { Duplex } from 'node:stream';

import { eip6963AnnounceProvider, StreamProvider } from '@metamask/providers';
import { encodeFunctionData, numberToHex, parseAbi, type Address } from 'viem';

import { formatTable, runConformance } from '../../packages/conformance/src';
import type {
  Call,
  ConformanceOptions,
  ConformanceProvider,
  Result,
} from '../../packages/conformance/src';
import { announce, createProvider, type Provider } from '../../packages/provider/src';
import { createTollkeeper } from '../../packages/testing/src';
import { startBareNode } from '../bench/servers';
import { configureChain, createAccount, startWorld } from '../demo/world';
import type { DemoAccount, World } from '../demo/world';
import { withStopped } from '../stack/server';
import { approveWith, refuseAll } from '../wallet/user';
import type { Site } from '../wallet/wallet';

export const CONFORMANCE_PAGE = 'docs/reference/conformance.md';

export type Columns = Record<string, Result[]>;

const CHAIN_ID = 31_337;
const OTHER_CHAIN_ID = 4242;

const INTRODUCTION = `# Conformance

\`npm run conformance\` checks four providers against EIP-1193, EIP-6963, EIP-2255 and EIP-5792 (version 2.0.0), and writes this page. The kit is \`packages/conformance\`. It runs against any provider, in a page or in Node.

- **Tollkeeper**: \`createProvider()\` over the snap in MetaMask's packages, with an ordinary account.
- **Smart account**: the same with a smart account (EntryPoint 0.8).
- **In tests**: \`createTollkeeper()\` of [tollkeeper-snap/testing](../../packages/testing/README.md), on anvil. It cannot be removed, so one case does not apply.
- **MetaMask**: MetaMask's provider (\`@metamask/providers\`) over its published packages, without the snap. Accounts, signatures, permissions of sites and batches are part of the extension and not of its packages, so most cases do not apply.
`;

export function formatPage(columns: Columns): string {
  return `${INTRODUCTION}\n${formatTable(columns)}\n`;
}

export async function runColumns(): Promise<Columns> {
  // It is only selected: no other request is sent to it.
  return withStopped(startBareNode(numberToHex(OTHER_CHAIN_ID)), async ({ url }) =>
    withStopped(startWorld({ otherChains: [{ url }] }), async (world) => {
      await configureChain(world);
      const smart = await createAccount(world, {
        type: 'eip155:erc4337',
        entryPoint: '0.8',
        scopes: [`eip155:${CHAIN_ID}`],
      });
      const plain = await createAccount(world, { type: 'eip155:eoa' });
      const columns = {
        'Smart account': await runOurs(world, smart),
        'In tests': await runTesting(world),
        MetaMask: await runMetaMask(world),
      };
      // Last, since it removes the snap.
      const disconnect = async (): Promise<void> => world.wallet.removeSnap();
      return { Tollkeeper: await runOurs(world, plain, { disconnect }), ...columns };
    }),
  );
}

async function runOurs(
  world: World,
  account: DemoAccount,
  disconnects: { disconnect?: () => Promise<void> } = {},
): Promise<Result[]> {
  const { wallet, stack } = world;
  await stack.fund(account.address, '1');
  const origin = `https://${account.id}.example`;
  wallet.connect(origin);
  const reopen = (): Provider =>
    createProvider({ ethereum: wallet.site(origin), snapId: wallet.snapId });
  const approve = (): void => {
    wallet.user.onDialog = approveWith(account.id);
  };
  const reject = (): void => {
    wallet.user.onDialog = refuseAll;
  };
  const provider = reopen();
  return runInPage(provider, () => announce(provider), {
    user: { approve, reject, ...disconnects },
    loggingCall: createLoggingCall(world, account.address),
    reopen,
    unreachable: createProvider(),
  });
}

async function runTesting(world: World): Promise<Result[]> {
  const wallet = await createTollkeeper({
    chains: [{ id: CHAIN_ID, rpcUrl: world.stack.chain.url }, { id: OTHER_CHAIN_ID }],
  });
  const { provider, accounts } = wallet;
  return runInPage(provider, () => announce(provider), {
    user: {
      approve: () => (wallet.decide = 'approve'),
      reject: () => (wallet.decide = 'reject'),
    },
    loggingCall: createLoggingCall(world, accounts[0]?.address as Address),
    reopen: () => provider,
    unreachable: createProvider(),
  });
}

// MetaMask's own provider and announcement, over the engine of its packages.
async function runMetaMask({ wallet }: World): Promise<Result[]> {
  const site = wallet.site('https://metamask-alone.example');
  const { user } = wallet;
  const logger = { ...console, error: () => undefined, debug: () => undefined };
  const provider = new StreamProvider(createStream(site), { logger });
  await provider.initialize();
  const info = {
    uuid: crypto.randomUUID(),
    name: 'MetaMask Flask',
    icon: 'data:image/svg+xml,%3Csvg/%3E',
    rdns: 'io.metamask.flask',
  } as const;
  const announceIt = (): void => eip6963AnnounceProvider({ info, provider });
  return runInPage(provider as never, announceIt, {
    user: {
      approve: () => (user.allowInstall = true),
      reject: () => (user.allowInstall = false),
    },
  }).finally(() => (user.allowInstall = true));
}

type Message = { id: number; method: string; params?: unknown };

// What MetaMask's content script does between its page and its background.
function createStream(site: Site): Duplex {
  const answer = async ({ method, params }: Message): Promise<unknown> => {
    if (method !== 'metamask_getProviderState') return site.request({ method, params });
    const chainId = await site.request({ method: 'eth_chainId' });
    return { accounts: [], chainId, networkVersion: '1', isConnected: true };
  };
  const stream = new Duplex({
    objectMode: true,
    read: () => undefined,
    write: (message: Message, _encoding, done) => {
      const { id } = message;
      answer(message).then(
        (result) => stream.push({ jsonrpc: '2.0', id, result }),
        ({ code, message: text, data }: Record<string, unknown>) =>
          stream.push({ jsonrpc: '2.0', id, error: { code, message: text, data } }),
      );
      done();
    },
  });
  site.on('chainChanged', (chainId: string) => {
    const params = { chainId, networkVersion: '1', isConnected: true };
    stream.push({ jsonrpc: '2.0', method: 'metamask_chainChanged', params });
  });
  return stream;
}

/** A deposit of nothing, which the EntryPoint writes down. */
function createLoggingCall({ stack }: World, account: Address): Call {
  return {
    to: stack.contracts['0.7'].entryPoint,
    data: encodeFunctionData({
      abi: parseAbi(['function depositTo(address account) payable']),
      args: [account],
    }),
    value: '0x0',
  };
}

// Providers are announced on `window`.
async function runInPage(
  provider: ConformanceProvider,
  announceIt: () => unknown,
  options: Pick<ConformanceOptions, 'user' | 'loggingCall' | 'reopen' | 'unreachable'>,
): Promise<Result[]> {
  const global = globalThis as { window?: unknown };
  const page = new EventTarget();
  global.window = page;
  try {
    announceIt();
    return await runConformance(provider, {
      ...options,
      announce: page,
      chainId: CHAIN_ID,
      otherChainId: OTHER_CHAIN_ID,
    });
  } finally {
    delete global.window;
  }
}
