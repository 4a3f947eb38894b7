// Sends what waits in the pool: one transaction an EntryPoint, a moment after the first
// operation came, so that others can join it or replace it.
import { setTimeout as sleep } from 'node:timers/promises';

import { Mutex } from 'async-mutex';
import type { Hex } from 'viem';

import type { Send } from './bundle';
import type { Chain } from './chain';
import type { Entry, Pool } from './pool';

/** What bundles. */
export type Bundling = {
  /** To be called when an operation came. */
  wake: () => void;
  /** In `manual` nothing is bundled until `sendNow`. */
  setMode: (mode: 'manual' | 'auto') => void;
  /** Bundle what waits; resolves when it was sent. */
  sendNow: () => Promise<void>;
  stop: () => Promise<void>;
};

const WAIT_MS = 100;
const POLL_MS = 50;
const RETRY_MS = 1_000;

/** Polls after which a transaction counts as forgotten by a node that mines by itself. */
const PATIENCE = 10;

/** Create what bundles; it works until it is stopped. */
export function createBundling(chain: Chain, pool: Pool, send: Send): Bundling {
  const queue = new Mutex();
  const stopped = new AbortController();
  const { signal } = stopped;
  let mode: 'manual' | 'auto' = 'auto';
  let timer: NodeJS.Timeout | undefined;

  const bundle = async (waiting: Entry[]): Promise<void> => {
    try {
      const { bundle: sent, refused, left } = await send(waiting);
      pool.drop(refused);
      pool.putBack(left);
      if (left.length > 0) wake();
      if (sent) void follow(sent.entries, sent.hash);
    } catch (error) {
      pool.putBack(waiting);
      if (!signal.aborted) throw error;
    }
  };
  // One after the other: the account's nonce counts both. A bundle that fails takes nothing
  // of another one back.
  const bundleAll = async (): Promise<void> => {
    const waiting = pool.take();
    const failures: unknown[] = [];
    for (const version of ['0.7', '0.8']) {
      const own = waiting.filter(({ entryPoint }) => entryPoint.version === version);
      if (own.length > 0) await bundle(own).catch((error) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  };
  const run = async (): Promise<void> => queue.runExclusive(bundleAll);
  const wake = (delay = WAIT_MS): void => {
    if (mode === 'manual' || timer || signal.aborted) return;
    timer = setTimeout(() => {
      timer = undefined;
      run().catch(() => wake(RETRY_MS));
    }, delay);
  };
  // Until it is mined; what the node has forgotten is bundled once more.
  const follow = async (entries: Entry[], hash: Hex): Promise<void> => {
    const state = await waitForEnd(chain, hash, signal);
    if (state === 'done') return pool.settle(entries);
    if (state === 'reverted') return pool.drop(entries);
    pool.putBack(entries);
    wake();
  };
  return {
    wake,
    setMode: (wanted) => {
      mode = wanted;
      if (mode === 'auto') return wake();
      clearTimeout(timer);
      timer = undefined;
    },
    sendNow: run,
    stop: async () => {
      stopped.abort();
      clearTimeout(timer);
      await queue.waitForUnlock();
    },
  };
}

type State = 'done' | 'reverted' | 'pending' | 'lost';

async function waitForEnd(
  chain: Chain,
  hash: Hex,
  signal: AbortSignal,
): Promise<State> {
  for (let polls = 0; !signal.aborted; polls += 1) {
    const state = await findState(chain, hash).catch(() => 'pending' as const);
    if (state !== 'pending') return state;
    if (polls === PATIENCE) await nudge(chain).catch(() => undefined);
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
  return 'pending';
}

async function findState(chain: Chain, hash: Hex): Promise<State> {
  const params: [Hex] = [hash];
  const receipt = await chain.request({ method: 'eth_getTransactionReceipt', params });
  if (receipt) return receipt.status === '0x1' ? 'done' : 'reverted';
  const method = 'eth_getTransactionByHash';
  return (await chain.request({ method, params })) ? 'pending' : 'lost';
}

// anvil 1.7 forgets to mine some transactions that come while it mines a block.
async function nudge(chain: Chain): Promise<void> {
  const request = async (method: string): Promise<unknown> =>
    chain.request({ method, params: [] } as never);
  if ((await request('anvil_getAutomine')) === true) await request('evm_mine');
}
