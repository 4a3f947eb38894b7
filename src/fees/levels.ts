// Fee levels and base fees by chain, stored in the public document with the servers' last answers.
// Concurrent callers share one fetch of a chain's levels. A cache that cannot be read or written
// counts as empty, and never blocks a signature.
import {
  HttpStatusError,
  NetworkError,
  RateLimitError,
  RpcError,
  TimeoutError,
} from '../../packages/client/src';
import { shareByChain } from '../chains/chain';
import type { Chain, Chains } from '../chains/chain';
import type { LiveChains } from '../chains/live-chains';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { toQuantity } from '../eth/hex';
import { MAX_BASE_FEES } from '../state/public-state';
import type {
  PublicState,
  PublicStore,
  ServerAnswer,
  ServerAnswers,
  StoredBaseFees,
  StoredLevels,
} from '../state/public-state';
import { mapFees } from './level';
import type { FeeLevels } from './level';
import { fetchLevels } from './level-sources';
import type { BlockTimes, NoteAnswer } from './level-sources';

type SeenLevels = { levels: FeeLevels; head: bigint | undefined };

export type LevelsByChain = {
  /** Gets a chain's levels. Reuses stored levels for up to a minute if the head has not changed
   * since the fetch; for five seconds if the head is not known. Throws the last source's error if
   * every source fails. */
  get: (chain: Chain) => Promise<FeeLevels>;
  /** Looks up stored levels and returns a getter. The getter sends its requests in the same tick,
   * so that they join the caller's batch. */
  prepare: (chain: Chain) => Promise<() => Promise<FeeLevels>>;
  /** Fetches and stores a chain's levels after a new block. Joins a running fetch, whose levels
   * count for the head at its start. */
  refresh: (chain: Chain) => Promise<FeeLevels>;
  /** Returns whether this worker called `get` or `prepare` for a chain in the last `ms`
   * milliseconds. */
  wasUsedWithin: (chainId: ChainId, ms: number) => boolean;
};

/** Maximum age in ms without a known head, since a block arrives every few seconds. */
const FRESH_MS = 5_000;

/** Maximum age in ms, even if the head is the same, since a subscription can go silent. */
const MAX_AGE_MS = 60_000;

/** Number of past blocks to fetch. The answer also contains the next block's base fee. */
const BASE_FEE_BLOCKS = 60;

/** Creates access to fee levels. Must be called only once per worker, because all callers share
 * fetches. Adds measured block times to `blockTimes`. */
export function createFeeLevels({
  store,
  now,
  epoch,
  blockTimes,
}: {
  store: PublicStore;
  now: () => number;
  epoch: () => number;
  blockTimes: BlockTimes;
}): LevelsByChain {
  const lastUsedAt = new Map<ChainId, number>();
  const fetchAndKeep = async (chain: Chain): Promise<FeeLevels> => {
    // The head is read before the fees, because a block that arrives in the meantime makes them
    // stale.
    const head = chain.head?.();
    const answers: ServerAnswers = {};
    const note: NoteAnswer = (server, error) => {
      answers[server] = toAnswer(error, now());
    };
    try {
      const levels = { ...(await fetchLevels(chain, { note, blockTimes })), at: now() };
      const stored = {
        ...levels,
        ...mapFees(levels, toQuantity),
        ...(head !== undefined && { head: toQuantity(head) }),
      };
      await keep(store, chain.id, { answers, levels: stored });
      return levels;
    } catch (error) {
      await keep(store, chain.id, { answers });
      throw error;
    }
  };
  const refresh = shareByChain(fetchAndKeep, epoch);
  const prepare: LevelsByChain['prepare'] = async (chain) => {
    lastUsedAt.set(chain.id, now());
    const seen = await findStoredLevels(store, chain.id);
    return async () =>
      seen && isFresh(seen, chain.head?.(), now()) ? seen.levels : refresh(chain);
  };
  return {
    get: async (chain) => (await prepare(chain))(),
    prepare,
    refresh,
    wasUsedWithin: (chainId, ms) => {
      const usedAt = lastUsedAt.get(chainId);
      return usedAt !== undefined && isWithin(ms, usedAt, now());
    },
  };
}

/** How long levels are refreshed after their last use, in ms. */
const IDLE_MS = 60_000;

/** Fee levels that follow the blocks. A chain with a WebSocket is watched from the first use of its
 * levels. */
type LiveLevels = Pick<LevelsByChain, 'get' | 'prepare'> & {
  /** Handles a new block. Never fails. */
  onHead: (chainId: ChainId) => Promise<void>;
};

/** Creates fee levels that are refreshed with every block while in use. After that, the snap may
 * sleep. */
export function createLiveLevels({
  levels,
  live,
  chains,
  isWatched,
}: {
  levels: LevelsByChain;
  live: LiveChains;
  chains: Chains;
  isWatched: (chainId: ChainId) => boolean;
}): LiveLevels {
  const prepare: LiveLevels['prepare'] = async (chain) => {
    const get = await levels.prepare(chain);
    return async () => {
      const watching = chain.head ? live.watch(chain.id) : undefined;
      try {
        return await get();
      } finally {
        // In a snap, work that no request waits for never ends, and the next watcher would wait
        // forever.
        await watching;
      }
    };
  };
  return {
    get: async (chain) => (await prepare(chain))(),
    prepare,
    onHead: async (chainId) => {
      try {
        if (levels.wasUsedWithin(chainId, IDLE_MS)) {
          await levels.refresh(await chains.connect(chainId));
        } else if (!isWatched(chainId)) {
          await live.unwatch(chainId);
        }
      } catch {
        // The next caller gets the error.
      }
    },
  };
}

export async function findStoredLevels(
  store: PublicStore,
  chainId: ChainId,
): Promise<SeenLevels | undefined> {
  const stored = (await readOrNothing(store)).levels?.[toCaip2(chainId)];
  if (!stored) return undefined;
  const { head, ...figures } = stored;
  const levels = { ...figures, ...mapFees(figures, BigInt) };
  return { levels, head: head === undefined ? undefined : BigInt(head) };
}

export async function findBaseFees(
  store: PublicStore,
  chainId: ChainId,
): Promise<{ at: number; baseFees: bigint[] } | undefined> {
  const stored = (await readOrNothing(store)).baseFees?.[toCaip2(chainId)];
  return stored && { at: stored.at, baseFees: stored.baseFees.map(BigInt) };
}

/** Fetches and stores a chain's base fees, unless the stored ones are fresh; throws the node's
 * error. Does not store base fees that are all zero, because they show no market. */
export async function refreshBaseFees(
  { id, node }: Chain,
  { store, now }: { store: PublicStore; now: () => number },
): Promise<void> {
  const seen = await findBaseFees(store, id);
  if (seen && Math.abs(now() - seen.at) < FRESH_MS) return;
  try {
    const blocks = toQuantity(BASE_FEE_BLOCKS);
    const history = await node.request('eth_feeHistory', [blocks, 'latest', []]);
    // A node may return more blocks than requested.
    const surplus = Math.max(0, history.baseFeePerGas.length - MAX_BASE_FEES);
    const oldest = toQuantity(BigInt(history.oldestBlock) + BigInt(surplus));
    const baseFees = history.baseFeePerGas.slice(surplus);
    const hasMarket = baseFees.some((fee) => BigInt(fee) > 0n);
    await keep(store, id, {
      answers: { node: toAnswer(undefined, now()) },
      ...(hasMarket && { baseFees: { at: now(), oldest, baseFees } }),
    });
  } catch (error) {
    await keep(store, id, { answers: { node: toAnswer(error, now()) } });
    throw error;
  }
}

async function readOrNothing(store: PublicStore): Promise<Partial<PublicState>> {
  return store.read().catch(() => ({}));
}

async function keep(
  store: PublicStore,
  chainId: ChainId,
  changes: { answers: ServerAnswers; levels?: StoredLevels; baseFees?: StoredBaseFees },
): Promise<void> {
  const chain = toCaip2(chainId);
  const { answers, levels, baseFees } = changes;
  const update = store.update((state) => ({
    ...state,
    ...(levels && { levels: { ...state.levels, [chain]: levels } }),
    ...(baseFees && { baseFees: { ...state.baseFees, [chain]: baseFees } }),
    answers: { ...state.answers, [chain]: { ...state.answers?.[chain], ...answers } },
  }));
  await update.catch(() => undefined);
}

// A server's message is not stored, because it could contain a key.
function toAnswer(error: unknown, at: number): ServerAnswer {
  if (error === undefined) return { at, kind: 'ok' };
  if (error instanceof RateLimitError) {
    const retryAt = Math.min(at + error.backoffSeconds * 1000, Number.MAX_SAFE_INTEGER);
    return { at, kind: 'limited', retryAt: Math.ceil(retryAt) };
  }
  if (error instanceof HttpStatusError || error instanceof RpcError) {
    const kinds = { 401: 'denied', 402: 'quota', 403: 'denied' } as const;
    return { at, kind: kinds[error.status as keyof typeof kinds] ?? 'failed' };
  }
  const isAway = error instanceof NetworkError || error instanceof TimeoutError;
  return { at, kind: isAway ? 'unreachable' : 'failed' };
}

function isFresh(
  { levels, head }: SeenLevels,
  newest: bigint | undefined,
  now: number,
): boolean {
  if (newest === undefined) return isWithin(FRESH_MS, levels.at, now);
  return head === newest && isWithin(MAX_AGE_MS, levels.at, now);
}

// A time in the future, after the clock was set back, is not within the limit.
function isWithin(ms: number, since: number, now: number): boolean {
  return now >= since && now - since < ms;
}
