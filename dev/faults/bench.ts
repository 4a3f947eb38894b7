// One run of a flow: a wallet, which starts from the flow's prepared disk if there is one, and a
// user who approves everything.
import type { Json } from '@metamask/utils';
import { createTestClient, type Hash, type Hex, http, publicActions } from 'viem';
import { foundry } from 'viem/chains';

import { createSnapSite } from '../demo/world';
import type { BundlerRelay } from '../stack/bundler-relay';
import type { WalletDisk } from '../wallet/controllers';
import type { SnapCall } from '../wallet/engine';
import { VirtualTime, type World } from '../wallet/in-process';
import { COMPANION_ORIGIN } from '../wallet/options';
import { startWallet } from '../wallet/wallet';
import {
  type Disturbance,
  listTransactions,
  nameOf,
  nameOfRequest,
  type Point,
  type Step,
} from './fault';

export const DAPP = 'https://dapp.example';

export type Servers = {
  nodeUrl: string;
  service: { url: string; apiKey: string; apiKeySecret: string };
  /** A bundler that sends bundles only on request. */
  bundler?: BundlerRelay;
};

export type Case = Awaited<ReturnType<typeof open>>;

type Start = {
  servers: Servers;
  disk?: WalletDisk;
  disturbance?: Disturbance | undefined;
};

export async function openCase(start: Start): Promise<Case> {
  return open(start);
}

async function open({ servers, disk, disturbance }: Start) {
  const state = { hung: 0, isMet: false, isOver: false, isCut: false };
  const points: Point[] = [];
  const note = (side: Point['side'], call: string): Point => {
    const before = points.filter((each) => each.side === side && each.call === call);
    const point = { side, call, nth: before.length + 1 };
    points.push(point);
    return point;
  };
  const transactions = new Set<string>();
  const isHere = (point: Point): boolean =>
    !state.isOver && JSON.stringify(point) === JSON.stringify(disturbance?.point);

  const meet = async (perform: () => Promise<unknown>): Promise<void> => {
    state.isMet = true;
    const steps: Record<Step, () => unknown> = {
      perform,
      fail: () => Promise.reject(new Error('Injected failure.')),
      stop: async () => wallet.stopSnap(),
      cutOff: () => (state.isCut = true),
      hang: async () => {
        // A request that waits for the user does not count as hung.
        const { call = '' } = disturbance?.point ?? {};
        if (!/^snap_(?:dialog|manageAccounts)/u.test(call)) state.hung += 1;
        return new Promise(() => undefined);
      },
    };
    for (const step of disturbance?.fault.steps ?? []) await steps[step]();
  };

  const world: World = {
    time: new VirtualTime(),
    asking: { count: 0 },
    fetch: async (input, init) => {
      const call = nameOfRequest(urlOf(input), init?.body);
      for (const each of listTransactions(init?.body)) transactions.add(each);
      // The snap's time limit aborts the snap's request, but not this one.
      const perform = async (): Promise<Response> => fetchWhole(urlOf(input), init);
      const point = note('network', call);
      if (state.isCut && !state.isOver) throw new TypeError('Failed to fetch');
      if (isHere(point)) await untilAborted(init?.signal, meet(perform));
      return perform();
    },
  };
  const onSnapCall = async (call: SnapCall): Promise<void> => {
    const point = note('platform', nameOf(call));
    if (isHere(point)) await meet(async () => wallet.perform(call));
  };
  const wallet = await startWallet({
    chain: { url: servers.nodeUrl },
    world,
    onSnapCall,
    ...(disk && { disk }),
  });
  if (!disk) wallet.connect(DAPP);
  // MetaMask wakes the snap when the wallet starts, which is not part of the flow.
  await untilQuiet(world, () => wallet.isRunning());
  const until = async (running: Promise<unknown>): Promise<Ending> =>
    drive(running, world, () => state.hung);
  return {
    servers,
    wallet,
    world,
    node: createTestClient({
      mode: 'anvil',
      chain: foundry,
      transport: http(servers.nodeUrl),
    }).extend(publicActions),
    companion: createSnapSite(wallet, COMPANION_ORIGIN),
    dapp: createSnapSite(wallet, DAPP),
    points,
    transactions,
    isMet: () => state.isMet,
    mend: () => (state.isOver = true),
    until,
    get: async <Result>(running: Promise<Result>): Promise<Result> => {
      const ending = await until(running);
      if ('error' in ending) throw ending.error;
      if ('waits' in ending) throw new Error('It waits forever.');
      return ending.result as Result;
    },
    end: async () => wallet.stop(),
  };

  async function untilAborted<Result>(
    signal: AbortSignal | null | undefined,
    running: Promise<Result>,
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      running.then(resolve, reject);
      signal?.addEventListener('abort', () => {
        if (state.hung > 0) state.hung -= 1;
        reject(new DOMException('This operation was aborted', 'AbortError'));
      });
    });
  }
}

function urlOf(input: string | URL | Request): string {
  return typeof input === 'object' && 'url' in input ? input.url : input.toString();
}

/** Fetches a complete response, so that none of it is in transit when the snap gets it. */
async function fetchWhole(url: string, init?: RequestInit): Promise<Response> {
  const { signal, ...rest } = init ?? {};
  const response = await fetch(url, signal?.aborted ? { signal, ...rest } : rest);
  const { status, headers } = response;
  return new Response(await response.arrayBuffer(), { status, headers });
}

export const POLL = { method: 'tollkeeper_poll' };

export type Sent = { hash: Hash; from: Hex; status: string };

export async function listActivity({ wallet }: Case): Promise<Sent[]> {
  const { encrypted } = await wallet.state();
  const { activity } = encrypted as { activity: Record<string, Sent> };
  return Object.values(activity).reverse();
}

export async function poll({ wallet, get }: Case): Promise<void> {
  await get(wallet.invoke('onCronjob', POLL));
}

export type Account = { id: string; address: Hex };

export async function createAccount(
  { companion, get }: Case,
  options: Record<string, Json> = {},
): Promise<Account> {
  const created = await get(companion.keyring('keyring_createAccount', { options }));
  return created as unknown as Account;
}

// If the snap's caller is still waiting after all the snap's requests have been answered, only a
// timer can continue the work. So the snap's clock advances to the next timer.

/** `waits` means that nothing in the snap can end the wait. */
export type Ending = { result: unknown } | { error: unknown } | { waits: true };

/** Longest wait, in ms of the snap's clock. */
const PATIENCE_MS = 10 * 60_000;

/** How many times to wait 10 ms before giving up on an idle wallet. */
const IDLE_ROUNDS = 150;

/** Number of idle turns of the event loop after which no further activity is expected. */
const QUIET_TURNS = 8;

async function drive(
  running: Promise<unknown>,
  { time, asking }: World,
  countHung: () => number,
): Promise<Ending> {
  const endings: Ending[] = [];
  running.then(
    (result) => endings.push({ result }),
    (error: unknown) => endings.push({ error }),
  );
  const limit = time.now() + PATIENCE_MS;
  let quiet = 0;
  let idle = 0;
  while (endings.length === 0 && time.now() < limit) {
    await new Promise(setImmediate);
    quiet = asking.count > countHung() ? 0 : quiet + 1;
    if (quiet < QUIET_TURNS) continue;
    quiet = 0;
    const next = time.next();
    if (next !== undefined) time.moveTo(Math.min(next, limit));
    // The wallet's own timers run in real time.
    else if (idle < IDLE_ROUNDS) {
      idle += 1;
      await new Promise((resolve) => setTimeout(resolve, 10));
    } else break;
  }
  return endings[0] ?? { waits: true };
}

export async function untilQuiet(
  { asking }: World,
  isSo: () => boolean,
): Promise<void> {
  for (let quiet = 0; quiet < QUIET_TURNS;) {
    await new Promise(setImmediate);
    quiet = asking.count === 0 && isSo() ? quiet + 1 : 0;
  }
}
