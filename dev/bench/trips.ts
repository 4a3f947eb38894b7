// Counts a request's HTTP requests and round trips, for which its user waits: from the built snap
// to the gas service and the bundler.
import { createTestClient, http, parseEther } from 'viem';

import { entryPointVersions } from '../../src/core/entry-points';
import { createAccount, startWorld, type World } from '../demo/world';
import { withStopped } from '../stack/server';
import { approveAll, refuseAll } from '../wallet/user';
import type { Bench, Row } from './measure';
import { countTrips, startCountingProxy, type CountingProxy } from './servers';

const CHAIN_ID = 31_337;
const RECIPIENT = '0x000000000000000000000000000000000000dEaD';

/** Longer than fee levels count as fresh. */
const STALE_MS = 5_100;

/** The filling methods, and each one's requests in addition to filling. The simulation is separate,
 * since it must not delay the other calls; the balance shares their batch. The user refuses to
 * send: later requests do not belong to filling. */
const methods = { eth_fillTransaction: 0, eth_sendTransaction: 1 };

/** A situation for filling a transaction, and its limits. */
type Situation = {
  what: string;
  hasNoGasApi?: true;
  /** HTTP status of the gas API. */
  gasStatus?: number;
  /** Whether the previous filling's levels are still fresh. */
  isFresh?: true;
  allowed: Counted;
};

type Counted = { requests: number; trips: number };

export async function* benchTrips(): Bench {
  const sides = { ours: 'counted', theirs: 'allowed' };
  yield { name: 'filling a transaction', ...sides, rows: await countFills() };
  yield {
    name: 'sending a transaction that was approved',
    ours: 'counted',
    theirs: 'nonce first',
    // Once with an awaited receipt, and once without.
    rows: [...(await countSends(2)), ...(await countSends(12))],
  };
  yield {
    name: 'preparing a user operation',
    ours: 'counted',
    theirs: "MetaMask's example",
    rows: await countPreparations(),
  };
}

const ONE: Counted = { requests: 1, trips: 1 };
const TWO: Counted = { requests: 2, trips: 1 };

// The fee history, which the gas API is checked against, also replaces it.
const situations: readonly Situation[] = [
  { what: 'gas API', allowed: TWO },
  { what: 'levels known', isFresh: true, allowed: ONE },
  { what: 'no gas API', hasNoGasApi: true, allowed: ONE },
  { what: 'gas API refuses (403)', gasStatus: 403, allowed: TWO },
  { what: 'gas API down (503)', gasStatus: 503, allowed: TWO },
];

/** Counts the requests of filling a transaction in each situation, with their limits. */
export async function countFills(
  isCounted: (name: string) => boolean = () => true,
): Promise<Row[]> {
  return withDapp(12, async ({ proxy, configure, send }) => {
    const rows: Row[] = [];
    for (const [method, others] of Object.entries(methods)) {
      for (const { what, isFresh, hasNoGasApi, gasStatus, allowed } of situations) {
        const name = `${method}, ${what}`;
        if (!isCounted(name)) continue;
        if (!isFresh) {
          // Only refuses once configured: configuration checks the server.
          proxy.gasStatus = undefined;
          await configure(!hasNoGasApi);
          proxy.gasStatus = gasStatus;
          await new Promise((resolve) => setTimeout(resolve, STALE_MS));
        }
        const counted = await countWhile([proxy], async () => send(method));
        const { requests, trips } = allowed;
        rows.push(...toRows(name, counted, { requests: requests + others, trips }));
      }
    }
    return rows;
  });
}

async function withDapp<Result>(
  seconds: number,
  work: (dapp: Awaited<ReturnType<typeof openDapp>>) => Promise<Result>,
): Promise<Result> {
  return withStopped(startWorld(), async (world) =>
    withStopped(startCountingProxy(world.stack.service.url), async (proxy) =>
      work(await openDapp(world, proxy, seconds)),
    ),
  );
}

/** Opens a dapp whose wallet reaches the service through a proxy. */
async function openDapp(world: World, proxy: CountingProxy, seconds: number) {
  const { chain, service } = world.stack;
  const { companion, dapp } = world;
  const { user } = world.wallet;
  const node = createTestClient({ mode: 'anvil', transport: http(chain.url) });
  // As many as the block time is measured over.
  await node.mine({ blocks: 100, interval: seconds });
  const { address: from } = await createAccount(world, { type: 'eip155:eoa' });
  await node.setBalance({ address: from, value: parseEther('1') });
  await dapp.snap('eth_requestAccounts');
  const transfer = { from, to: RECIPIENT, value: '0x1', chainId: '0x7a69' };
  return {
    proxy,
    node,
    user,
    configure: async (hasGasApi: boolean) => {
      const { apiKey, apiKeySecret } = service;
      const row = { chainId: CHAIN_ID, rpcUrl: proxy.url, apiKey };
      const gas = hasGasApi
        ? { gasBaseUrl: proxy.url, apiKeySecret }
        : { gasBaseUrl: null };
      user.onDialog = approveAll;
      await companion.snap('tollkeeper_setChain', [{ ...row, ...gas }]);
      // An approval, since a site whose dialogs are always refused has to wait.
      await dapp.snap('personal_sign', ['0x68656c6c6f', from]);
      user.onDialog = refuseAll;
    },
    /** Fills or sends a transfer, which the user may refuse. */
    send: async (method: string) => {
      await dapp.snap(method, [transfer]).catch((error: { code?: number }) => {
        if (error.code !== 4001) throw error;
      });
    },
  };
}

// MetaMask's TransactionController, counted in its source: it asks for the next nonce after the
// approval (nonce-tracker's getNonceLock), then sends.
const NONCE_FIRST: Counted = { requests: 2, trips: 2 };

/** Counts the requests from the user's approval until the site has the hash, at a block interval of
 * some seconds. */
export async function countSends(seconds: number): Promise<Row[]> {
  const counted = await withDapp(
    seconds,
    async ({ proxy, node, user, configure, send }) => {
      await node.setAutomine(true);
      await configure(false);
      user.onDialog = async (dialog) => {
        proxy.exchanges.length = 0;
        await approveAll(dialog);
      };
      // The first request learns which methods the node lacks.
      await send('eth_sendTransaction');
      await send('eth_sendTransaction');
      const { exchanges } = proxy;
      return { requests: exchanges.length, trips: countTrips(exchanges) };
    },
  );
  return toRows(`approved, blocks of ${seconds} s`, counted, NONCE_FIRST);
}

// MetaMask's account-abstraction example, counted in its source (packages/snap/src/keyring.ts,
// #prepareUserOperation): it asks for the chain, then for the nonce, and leaves the gas limits to
// the wallet, which asks the bundler (UserOperationController, utils/gas.ts): three requests, each
// after the other.
const EXAMPLE: Counted = { requests: 3, trips: 3 };

/** Counts the requests of preparing a user operation, and compares MetaMask's example. */
export async function countPreparations(): Promise<Row[]> {
  return withStopped(startWorld(), async (world) => {
    const { service, bundler: own, fund } = world.stack;
    return withStopped(startCountingProxy(service.url), async (node) =>
      withStopped(startCountingProxy(own.url), async (bundler) => {
        const row = { chainId: CHAIN_ID, rpcUrl: node.url, apiKey: service.apiKey };
        await world.companion.snap('tollkeeper_setChain', [
          { ...row, bundlerUrl: bundler.url },
        ]);
        const intents = [{ to: RECIPIENT, value: '0x16345785d8a0000', data: '0x' }];
        const context = { chainId: String(CHAIN_ID) };
        const rows: Row[] = [];
        for (const entryPoint of entryPointVersions) {
          const { address } = await createAccount(world, {
            type: 'eip155:erc4337',
            entryPoint,
            scopes: ['eip155:31337'],
          });
          await fund(address, '1');
          const counted = await countWhile([node, bundler], async () =>
            world.wallet.keyring.prepareUserOperation(address, intents, context),
          );
          const name = `eth_prepareUserOperation, EntryPoint ${entryPoint}`;
          rows.push(...toRows(name, counted, EXAMPLE));
        }
        return rows;
      }),
    );
  });
}

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
