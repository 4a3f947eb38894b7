// A served chain: its nodes, its newest block, and the services built on them.
import { HexQuantityStruct } from '../../../src/eth/hex';
import { HeadStruct } from '../../client/src/rpc/block';
import { createFinalCache } from './cache';
import type { NetworkOptions } from './config';
import { createGas, type Gas } from './gas';
import { fetchPace, Head, requireResult, type Pace } from './head';
import { createNodePool, type NodePool, type PoolServices } from './nodes';
import { createRpc, type Rpc } from './rpc';
import type { Store } from './store';
import { createSubscriptions, type Subscriptions } from './subscriptions';

type Health = {
  status: 'ok' | 'unavailable';
  chainId: number;
  block?: number;
  reason?: string;
  nodes?: ReturnType<NodePool['describe']>;
};

export type Network = {
  chainId: number;
  gas: Gas;
  rpc: Rpc;
  /** Undefined if no node has a WebSocket. */
  subscriptions?: Subscriptions | undefined;
  /** `ok` if a node is up and the newest block is at most three usual block times, or 5 s, old. */
  health: () => Promise<Health>;
  /** Fetches the genesis hash, because development chains may share an id. */
  fetchGenesis: () => Promise<string>;
  stop: () => Promise<void>;
};

const MAX_AGE_IN_BLOCKS = 3;

/** Minimum age limit. Timestamps are whole seconds, so fast chains would otherwise look stalled. */
const MIN_MAX_AGE_MS = 5_000;

/** Opens a chain. If its id is omitted and no node reports it, throws with the nodes' failures. */
export async function openNetwork(
  options: NetworkOptions,
  services: Pick<PoolServices, 'limits' | 'log' | 'metrics'> & { store: Store },
): Promise<Network> {
  let { chainId: known } = options;
  const { nodes } = options;
  const { limits, metrics, store } = services;
  const pool = createNodePool({ ...services, nodes, chainId: () => known });
  const { ask } = pool;
  const explain = async <Value>(asked: Promise<Value>): Promise<Value> => {
    try {
      return await asked;
    } catch (error) {
      const { message } = error as Error;
      throw new Error(`${message} Nodes: ${pool.list()}.`, { cause: error });
    }
  };
  try {
    const fetchId = async (): Promise<string> =>
      requireResult(await ask('eth_chainId', []), HexQuantityStruct);
    known ??= Number(await explain(fetchId()));
  } catch (error) {
    await pool.stop();
    throw error;
  }
  const chainId = known;
  await pool.open();
  let genesis: Promise<string> | undefined;
  const fetchGenesis = async (): Promise<string> => {
    genesis ??= ask('eth_getBlockByNumber', ['0x0', false]).then(
      (outcome) => requireResult(outcome, HeadStruct).hash,
    );
    genesis.catch(() => {
      genesis = undefined;
    });
    return explain(genesis);
  };

  const shared = store.ofChain(async () => `${chainId}:${await fetchGenesis()}`);
  const { share, exchange } = shared;
  const head = new Head(ask, { ...pool, maxAgeMs: limits.headMaxAgeMs, share });
  const gas = createGas(ask, { head, share, chainId });
  const { nearHead = false, blockMs } = options;
  const { batchLength, cacheBytes: bytes, nodeTimeoutMs: timeoutMs } = limits;
  const chain = String(chainId);
  const cache = createFinalCache({ ask, head, store: shared, bytes, metrics, chain });
  const shown = { gas, head, cache, metrics, chainId };
  const rpc = createRpc({ ...shown, upstream: pool, nearHead, batchLength });
  const subscriptions = nodes.some(({ wsUrl }) => wsUrl !== undefined)
    ? createSubscriptions(pool, { head, timeoutMs, exchange })
    : undefined;
  pool.watch({
    onLost: (name) => subscriptions?.leave(name),
    onChecked: (newest) => subscriptions?.check(newest, limits.nodeLag),
  });
  let last: (Pace & { key: string }) | undefined;
  const judge = async (): Promise<Health> => {
    const state: Health = { status: 'unavailable', chainId };
    try {
      const { key, number } = await head.fetch();
      const block = Number(number);
      metrics.headBlock.set({ chain }, block);
      if (last?.key !== key || last.bornMs === undefined) {
        last = { key, ...(await fetchPace(ask, number)) };
      }
      const { bornMs } = last;
      const usualMs = blockMs ?? last.blockMs ?? 0;
      const ageMs = bornMs === undefined ? -Infinity : Date.now() - bornMs;
      if (bornMs !== undefined) metrics.headAge.set({ chain }, ageMs / 1_000);
      if (!pool.isUp()) return { ...state, block, reason: 'no node is up' };
      const limitMs = Math.max(usualMs * MAX_AGE_IN_BLOCKS, MIN_MAX_AGE_MS);
      if (usualMs === 0 || ageMs <= limitMs) return { status: 'ok', chainId, block };
      return { ...state, block, reason: 'the newest block is too old' };
    } catch {
      return { ...state, reason: 'the newest block is not known' };
    }
  };
  const health = async (): Promise<Health> => {
    const state = await judge();
    const odd = pool.describe();
    return odd.length > 0 ? { ...state, nodes: odd } : state;
  };
  metrics.onShow.push(async () => void (await health()));
  const stop = async (): Promise<void> => {
    await subscriptions?.stop();
    exchange?.stop();
    await pool.stop();
  };
  return { chainId, gas, rpc, subscriptions, health, fetchGenesis, stop };
}
