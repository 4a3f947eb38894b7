// Fee levels as they were last seen, by chain, in the public document. A cache that cannot
// be read or written is a cache without the levels: nobody's signature waits for it.
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { toQuantity } from '../eth/hex';
import type { PublicState, PublicStore, StoredLevels } from '../state/public-state';
import { mapFees } from './level';
import type { FeeLevels } from './level';
import { withAnswers } from './server-answers';
import type { ServerAnswers } from './server-answers';

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
