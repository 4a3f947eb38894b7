// Fee levels by chain: fresh ones that are known, else fetched ones, which are kept. Those
// who ask at the same time share one fetch.
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { toQuantity } from '../eth/hex';
import type { PublicState, PublicStore, StoredLevels } from '../state/public-state';
import { mapFees } from './level';
import type { FeeLevels } from './level';
import { fetchLevels } from './level-sources';
import type { BlockTimes, FeeChain } from './level-sources';
import { collectAnswers, withAnswers } from './server-answers';
import type { ServerAnswers } from './server-answers';

// Fee levels as they were last seen, by chain, in the public document. A cache that cannot
// be read or written is a cache without the levels: nobody's signature waits for it.

/** Levels, and the number of the newest block when they were fetched, where known. */
export type SeenLevels = { levels: FeeLevels; head: bigint | undefined };

/** Find the levels of a chain as they were last seen. */
export async function findSeenLevels(
  store: PublicStore,
  chainId: ChainId,
): Promise<SeenLevels | undefined> {
  const state = await store.read().catch((): Partial<PublicState> => ({}));
  const stored = state.levels?.[toCaip2(chainId)];
  return stored && fromStored(stored);
}

/** Keep the levels of a chain, if there are any, and how its servers answered. */
export async function keepLevels(
  store: PublicStore,
  chainId: ChainId,
  { seen, answers }: { seen?: SeenLevels; answers: ServerAnswers },
): Promise<void> {
  const update = store.update((state) => {
    const own = seen && { [toCaip2(chainId)]: toStored(seen) };
    const levels = { ...state.levels, ...own };
    return withAnswers({ ...state, levels }, chainId, answers);
  });
  await update.catch(() => undefined);
}

function fromStored({ head, ...stored }: StoredLevels): SeenLevels {
  const levels = { ...stored, ...mapFees(stored, BigInt) };
  return { levels, head: head === undefined ? undefined : BigInt(head) };
}

function toStored({ levels, head }: SeenLevels): StoredLevels {
  const stored = { ...levels, ...mapFees(levels, toQuantity) };
  return head === undefined ? stored : { ...stored, head: toQuantity(head) };
}

/** Where no head is known, levels younger than this are used again: a block comes every
 * few seconds. */
const FRESH_MS = 5_000;

/** Even at the same head: a subscription can fall silent without a word. */
const MAX_AGE_MS = 60_000;

/** What fee levels need. */
export type LevelServices = {
  store: PublicStore;
  now: () => number;
  /** The number of the stretch of entry points: a fetch of an earlier one may never end. */
  stretch: () => number;
};

/** Gives the fee levels of chains. */
export type LevelsByChain = {
  /**
   * Get the levels of a chain.
   *
   * Known ones are used again while the head is the one they were fetched at, for a
   * minute at most; where no head is known, for five seconds.
   *
   * @throws {TollkeeperError} What the last source said, if every one fails.
   */
  get: (chain: FeeChain) => Promise<FeeLevels>;
  /**
   * Looks up what is known, and gives a way to get the levels: if servers have to be asked, it
   * asks them in the tick in which it is called, so in one batch with whatever else is asked
   * then.
   */
  prepare: (chain: FeeChain) => Promise<() => Promise<FeeLevels>>;
  /**
   * Fetch the levels of a chain and keep them, however fresh the known ones are: for when
   * a head arrives, which `chain.head` already tells. A fetch that is under way serves, and
   * its levels count for the head at which it began.
   *
   * @throws {TollkeeperError} As `get`.
   */
  refresh: (chain: FeeChain) => Promise<FeeLevels>;
  /**
   * Tell whether somebody got the levels of a chain in the last so many milliseconds;
   * refreshing is not getting. Known while the worker lives: after a stop nobody asked.
   */
  wasAskedWithin: (chainId: ChainId, ms: number) => boolean;
};

type Fetching = { since: number; result: Promise<FeeLevels> };

/** Create access to fee levels; once a worker, since fetches are shared within it. */
export function createFeeLevels({ store, now, stretch }: LevelServices): LevelsByChain {
  const asked = new Map<ChainId, number>();
  const blockTimes: BlockTimes = new Map();
  const fetchAndKeep = async (chain: FeeChain): Promise<FeeLevels> => {
    // The head before the fees: if a block comes meanwhile, nobody knows whose they are.
    const head = chain.head?.();
    const { note, answers } = collectAnswers(now);
    try {
      const levels = { ...(await fetchLevels(chain, note, blockTimes)), at: now() };
      await keepLevels(store, chain.id, { seen: { levels, head }, answers });
      return levels;
    } catch (error) {
      await keepLevels(store, chain.id, { answers });
      throw error;
    }
  };
  const refresh = shareByChain(fetchAndKeep, stretch);
  const prepare: LevelsByChain['prepare'] = async (chain) => {
    asked.set(chain.id, now());
    const seen = await findSeenLevels(store, chain.id);
    return async () =>
      seen && isFresh(seen, chain.head?.(), now()) ? seen.levels : refresh(chain);
  };
  return {
    get: async (chain) => (await prepare(chain))(),
    prepare,
    refresh,
    wasAskedWithin: (chainId, ms) => {
      const askedAt = asked.get(chainId);
      return askedAt !== undefined && isWithin(ms, askedAt, now());
    },
  };
}

// Those who ask while a fetch is under way get what it gets, unless it is one that may never
// end.
function shareByChain(
  fetch: (chain: FeeChain) => Promise<FeeLevels>,
  stretch: () => number,
): (chain: FeeChain) => Promise<FeeLevels> {
  const underWay = new Map<ChainId, Fetching>();
  return async (chain) => {
    const before = underWay.get(chain.id);
    if (before?.since === stretch()) return before.result;
    const fetching = { since: stretch(), result: fetch(chain) };
    underWay.set(chain.id, fetching);
    try {
      return await fetching.result;
    } finally {
      if (underWay.get(chain.id) === fetching) underWay.delete(chain.id);
    }
  };
}

function isFresh(
  { levels, head }: SeenLevels,
  newest: bigint | undefined,
  now: number,
): boolean {
  if (newest === undefined) return isWithin(FRESH_MS, levels.at, now);
  return head === newest && isWithin(MAX_AGE_MS, levels.at, now);
}

// A clock can be set back: what lies ahead of now was not within anything.
function isWithin(ms: number, since: number, now: number): boolean {
  return now >= since && now - since < ms;
}
