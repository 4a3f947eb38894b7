// How often a request makes its user wait for a server: HTTP requests and round trips of the
// built snap, counted before the development service and the bundler.
import { createTestClient, http, parseEther, type Hex } from 'viem';

import { entryPointVersions } from '../../src/eth/user-operation';
import { createAccount, createSnapSite, startWorld } from '../demo/world';
import { withStopped } from '../stack/server';
import { COMPANION_ORIGIN } from '../wallet/options';
import { approveAll, refuseAll, type User } from '../wallet/user';
import { startWallet } from '../wallet/wallet';
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

/** Longer than fee levels count as fresh. */
const STALE_MS = 5_100;

/** The methods that fill, and the requests that each makes beside the filling. The simulation
 * goes on its own, since it must not hold up the other calls; the balance goes with them. The
 * user refuses to send: what follows is no part of filling. */
const methods = { eth_fillTransaction: 0, eth_sendTransaction: 1 };

/** What a transaction is filled from, and what that may take. */
type Situation = {
  what: string;
  hasNoGasApi?: true;
  /** What the gas API answers with instead of fees. */
  gasStatus?: number;
  /** Whether the levels of the fill before are still fresh. */
  isFresh?: true;
  allowed: Counted;
};

type Counted = { requests: number; trips: number };

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

/**
 * Counts what filling a transaction asks in every situation; the yardstick is what it may ask.
 *
 * @param isCounted - Which to count by name, a method and a situation; all where absent.
 */
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
          // What refuses is not configured: it does so from then on.
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

/** A dapp whose wallet reaches the service through a proxy. */
type Dapp = {
  proxy: CountingProxy;
  node: ReturnType<typeof createTestClient>;
  user: User;
  configure: (hasGasApi: boolean) => Promise<void>;
  /** Has a transfer filled or sent, which the user may refuse. */
  send: (method: string) => Promise<void>;
};

async function withDapp<Result>(
  seconds: number,
  work: (dapp: Dapp) => Promise<Result>,
): Promise<Result> {
  return withService(1, async ({ node: url, service }) =>
    withStopped(startCountingProxy(service), async (proxy) =>
      withStopped(startWallet({ chain: { url } }), async (wallet) => {
        const node = createTestClient({ mode: 'anvil', transport: http(url) });
        // As many as a block time is measured over.
        await node.mine({ blocks: 100, interval: seconds });
        const { keyring, snapId, user } = wallet;
        const { address } = await keyring.createAccount(snapId, {});
        const from = address as Hex;
        await node.setBalance({ address: from, value: parseEther('1') });
        wallet.connect(DAPP_ORIGIN);
        const dapp = createSnapSite(wallet, DAPP_ORIGIN);
        await dapp.snap('eth_requestAccounts');
        const companion = createSnapSite(wallet, COMPANION_ORIGIN);
        const transfer = { from, to: RECIPIENT, value: '0x1', chainId: '0x7a69' };
        return work({
          proxy,
          node,
          user,
          configure: async (hasGasApi) => {
            const row = { chainId: CHAIN_ID, rpcUrl: proxy.url, apiKey: BENCH_KEY };
            const gasBaseUrl = hasGasApi ? proxy.url : null;
            user.onDialog = approveAll;
            await companion.snap('tollkeeper_setChain', [{ ...row, gasBaseUrl }]);
            // A site whose dialogs are refused again and again has to wait, unless one is
            // approved.
            await dapp.snap('personal_sign', ['0x68656c6c6f', from]);
            user.onDialog = refuseAll;
          },
          send: async (method) => {
            await dapp.snap(method, [transfer]).catch((error: { code?: number }) => {
              if (error.code !== 4001) throw error;
            });
          },
        });
      }),
    ),
  );
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
  const counted = await withDapp(
    seconds,
    async ({ proxy, node, user, configure, send }) => {
      await node.setAutomine(true);
      await configure(false);
      user.onDialog = async (dialog) => {
        proxy.exchanges.length = 0;
        await approveAll(dialog);
      };
      // The first one learns what the node lacks.
      await send('eth_sendTransaction');
      await send('eth_sendTransaction');
      const { exchanges } = proxy;
      return { requests: exchanges.length, trips: countTrips(exchanges) };
    },
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
    const { service, bundler: own, fund } = world.stack;
    const { origin, pathname } = new URL(own.url);
    return withStopped(startCountingProxy(service.url), async (node) =>
      withStopped(startCountingProxy(origin), async (bundler) => {
        const row = { chainId: CHAIN_ID, rpcUrl: node.url, apiKey: service.apiKey };
        await world.companion.snap('tollkeeper_setChain', [
          { ...row, bundlerUrl: `${bundler.url}${pathname}` },
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
