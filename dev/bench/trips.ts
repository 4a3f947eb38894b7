// How often a request makes its user wait for a server: HTTP requests and round trips of the
// built snap, counted before the development service and the bundler.
import { createTestClient, http, parseEther } from 'viem';

import { createAccount, createSnapSite, startWorld, type World } from '../demo/world';
import { withStopped } from '../stack/server';
import { COMPANION_ORIGIN } from '../wallet/options';
import { approveAll, refuseAll } from '../wallet/user';
import { startWallet, type Wallet } from '../wallet/wallet';
import type { Row } from './measure';
import {
  BENCH_KEY,
  countTrips,
  startCountingProxy,
  withService,
  type CountingProxy,
} from './servers';

const CHAIN_ID = 31_337;
const DAPP_ORIGIN = 'https://dapp.example';
const RECIPIENT = '0x000000000000000000000000000000000000dEaD';

/** Far longer than what is asked at once takes to be asked. */
export const HOLD_MS = 100;

/** Longer than fee levels count as fresh. */
const STALE_MS = 5_100;

/** The methods that fill, and the requests that each makes beside the filling. The simulation
 * goes on its own, since it must not hold up the other calls; the balance goes with them. The
 * user refuses to send: what follows is no part of filling. */
const methods = { eth_fillTransaction: 0, eth_sendTransaction: 1 };

/** A gas API, and the status that it answers with instead of fees. */
type PlayedGasApi = { status?: number | undefined };

/** What a transaction is filled from, and what that may take. */
type Situation = {
  what: string;
  gasApi: PlayedGasApi | undefined;
  /** Whether the levels of the fill before are still fresh. */
  isFresh?: boolean;
  allowed: Counted;
};

type Counted = { requests: number; trips: number };

const ONE: Counted = { requests: 1, trips: 1 };
const TWO: Counted = { requests: 2, trips: 1 };

// The fee history, which the gas API is checked against, stands in for it as well.
const situations: readonly Situation[] = [
  { what: 'gas API', gasApi: {}, allowed: TWO },
  { what: 'levels known', gasApi: {}, isFresh: true, allowed: ONE },
  { what: 'no gas API', gasApi: undefined, allowed: ONE },
  { what: 'gas API refuses (403)', gasApi: { status: 403 }, allowed: TWO },
  { what: 'gas API down (503)', gasApi: { status: 503 }, allowed: TWO },
];

/**
 * Counts what filling a transaction asks in every situation; the yardstick is what it may ask.
 *
 * @param isCounted - Which to count by name, a method and a situation; all where absent.
 */
export async function countFills(
  isCounted: (name: string) => boolean = () => true,
): Promise<Row[]> {
  const gasApi: PlayedGasApi = {};
  const refuse = (path: string): number | undefined =>
    path.includes('/networks/') ? gasApi.status : undefined;
  return withService(1_000, async ({ node: nodeUrl, service }) =>
    withStopped(startCountingProxy(service, { holdMs: HOLD_MS, refuse }), (proxy) =>
      withStopped(startWallet({ chain: { url: nodeUrl } }), async (wallet) => {
        const node = createTestClient({ mode: 'anvil', transport: http(nodeUrl) });
        // As many as a block time is measured over.
        await node.mine({ blocks: 100, interval: 12 });
        const fill = await prepareFill(wallet, nodeUrl);
        const rows: Row[] = [];
        for (const [method, others] of Object.entries(methods)) {
          for (const { what, isFresh, allowed, ...situation } of situations) {
            const name = `${method}, ${what}`;
            if (!isCounted(name)) continue;
            if (!isFresh) {
              // What refuses is not configured: it does so from then on.
              gasApi.status = undefined;
              await configure(wallet, proxy, situation.gasApi !== undefined);
              gasApi.status = situation.gasApi?.status;
              await new Promise((resolve) => setTimeout(resolve, STALE_MS));
            }
            const counted = await countWhile([proxy], async () => fill(method));
            const { requests, trips } = allowed;
            rows.push(...toRows(name, counted, { requests: requests + others, trips }));
          }
        }
        return rows;
      }),
    ),
  );
}

async function prepareFill(
  wallet: Wallet,
  nodeUrl: string,
): Promise<(method: string) => Promise<void>> {
  const { address } = await wallet.keyring.createAccount(wallet.snapId, {});
  wallet.connect(DAPP_ORIGIN);
  const dapp = createSnapSite(wallet, DAPP_ORIGIN);
  await dapp.snap('eth_requestAccounts');
  const node = createTestClient({ mode: 'anvil', transport: http(nodeUrl) });
  const from = address as `0x${string}`;
  await node.setBalance({ address: from, value: parseEther('1') });
  const chainId = `0x${CHAIN_ID.toString(16)}`;
  const transaction = { from, to: RECIPIENT, value: '0x1', chainId };
  return async (method) => {
    const refusal = await dapp.snap(method, [transaction]).then(
      () => undefined,
      (error: unknown) => error as Error & { code?: number },
    );
    if (refusal && refusal.code !== 4001) throw refusal;
  };
}

async function configure(
  wallet: Wallet,
  { url }: CountingProxy,
  hasGasApi: boolean,
): Promise<void> {
  const row = { chainId: CHAIN_ID, rpcUrl: url, apiKey: BENCH_KEY };
  wallet.user.onDialog = approveAll;
  await createSnapSite(wallet, COMPANION_ORIGIN).snap('tollkeeper_setChain', [
    { ...row, gasBaseUrl: hasGasApi ? url : null },
  ]);
  // A site whose dialogs are refused again and again has to wait, unless one is approved.
  const dapp = createSnapSite(wallet, DAPP_ORIGIN);
  const [address = null] = (await dapp.snap('eth_accounts')) as string[];
  await dapp.snap('personal_sign', ['0x68656c6c6f', address]);
  wallet.user.onDialog = refuseAll;
}

// MetaMask's TransactionController, counted in its source: it asks for the next nonce when the user
// has approved (nonce-tracker's getNonceLock), then sends.
const NONCE_FIRST: Counted = { requests: 2, trips: 2 };

/**
 * Counts what sending asks from the user's approval on until the site has the hash.
 *
 * @param seconds - How far apart blocks come.
 */
export async function countSends(seconds: number): Promise<Row[]> {
  const counted = await withService(1, async ({ node: nodeUrl, service }) =>
    withStopped(startCountingProxy(service, { holdMs: HOLD_MS }), async (proxy) =>
      withStopped(startWallet({ chain: { url: nodeUrl } }), async (wallet) => {
        const node = createTestClient({ mode: 'anvil', transport: http(nodeUrl) });
        // As many as a block time is measured over.
        await node.mine({ blocks: 100, interval: seconds });
        await node.setAutomine(true);
        const fill = await prepareFill(wallet, nodeUrl);
        await configure(wallet, proxy, false);
        wallet.user.onDialog = async (dialog) => {
          proxy.exchanges.length = 0;
          await approveAll(dialog);
        };
        // The first one learns what the node lacks.
        await fill('eth_sendTransaction');
        await fill('eth_sendTransaction');
        const { exchanges } = proxy;
        return { requests: exchanges.length, trips: countTrips(exchanges) };
      }),
    ),
  );
  return toRows(`approved, blocks of ${seconds} s`, counted, NONCE_FIRST);
}

// MetaMask's account-abstraction example, counted in its source (packages/snap/src/keyring.ts,
// #prepareUserOperation): it asks for the chain, then for the nonce, and leaves the gas limits
// to the wallet, which then asks the bundler (UserOperationController, utils/gas.ts): three
// requests, each after the other.
const EXAMPLE: Counted = { requests: 3, trips: 3 };

/** Counts what preparing a user operation asks, with MetaMask's example beside it. */
export async function countPreparations(): Promise<Row[]> {
  return withStopped(startWorld(), async (world) => {
    const { service, bundler: own } = world.stack;
    const { origin, pathname } = new URL(own.url);
    return withStopped(startCountingProxy(service.url, { holdMs: HOLD_MS }), (node) =>
      withStopped(startCountingProxy(origin, { holdMs: HOLD_MS }), async (bundler) => {
        const row = { chainId: CHAIN_ID, rpcUrl: node.url, apiKey: service.apiKey };
        await world.companion.snap('tollkeeper_setChain', [
          { ...row, bundlerUrl: `${bundler.url}${pathname}` },
        ]);
        const rows: Row[] = [];
        for (const entryPoint of ['0.6', '0.7', '0.8', '0.9']) {
          const prepare = await preparePreparation(world, entryPoint);
          const counted = await countWhile([node, bundler], prepare);
          const name = `eth_prepareUserOperation, EntryPoint ${entryPoint}`;
          rows.push(...toRows(name, counted, EXAMPLE));
        }
        return rows;
      }),
    );
  });
}

async function preparePreparation(
  world: World,
  entryPoint: string,
): Promise<() => Promise<unknown>> {
  const { address } = await createAccount(world, {
    type: 'eip155:erc4337',
    entryPoint,
    scopes: ['eip155:31337'],
  });
  await world.stack.fund(address, '1');
  const value = `0x${parseEther('0.1').toString(16)}`;
  const intents = [{ to: RECIPIENT, value, data: '0x' }];
  const context = { chainId: String(CHAIN_ID) };
  return async () =>
    world.wallet.keyring.prepareUserOperation(address, intents, context);
}

/** Counts what passes through proxies while work is done. */
export async function countWhile(
  proxies: readonly CountingProxy[],
  work: () => Promise<unknown>,
): Promise<Counted> {
  for (const { exchanges } of proxies) exchanges.length = 0;
  await work();
  const exchanges = proxies.flatMap((proxy) => proxy.exchanges);
  return { requests: exchanges.length, trips: countTrips(exchanges) };
}

export function toRows(name: string, ours: Counted, theirs: Counted): Row[] {
  return (['requests', 'trips'] as const).map((what) => ({
    what: `${name}: ${what === 'trips' ? 'round trips' : what}`,
    ours: ours[what],
    theirs: theirs[what],
    unit: '',
    bound: { atMost: 1 },
  }));
}
