// Fee levels as they were last seen, by chain, in the public document. A cache that cannot
// be read or written is a cache without the levels: nobody's signature waits for it.
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { toQuantity } from '../eth/hex';
import type { PublicState, PublicStore, StoredLevels } from '../state/public-state';
import type { FeeLevels, FeePair } from './level';

type StoredPair = StoredLevels['low'];

/** Find the levels of a chain as they were last seen. */
export async function findCachedLevels(
  store: PublicStore,
  chainId: ChainId,
): Promise<FeeLevels | undefined> {
  const state = await store.read().catch((): Partial<PublicState> => ({}));
  const stored = state.levels?.[toCaip2(chainId)];
  return stored && mapLevels(stored, fromStoredPair, BigInt);
}

/** Keep the levels of a chain. */
export async function cacheLevels(
  store: PublicStore,
  chainId: ChainId,
  levels: FeeLevels,
): Promise<void> {
  const stored = mapLevels(levels, toStoredPair, toQuantity);
  const update = store.update((state) => ({
    ...state,
    levels: { ...state.levels, [toCaip2(chainId)]: stored },
  }));
  await update.catch(() => undefined);
}

type Levels<Pair, Fee> = Record<'low' | 'medium' | 'high', Pair> & {
  estimatedBaseFee: Fee;
  source: StoredLevels['source'];
  at: number;
};

function mapLevels<Pair, Fee, NewPair, NewFee>(
  { low, medium, high, estimatedBaseFee, source, at }: Levels<Pair, Fee>,
  mapPair: (pair: Pair) => NewPair,
  mapFee: (fee: Fee) => NewFee,
): Levels<NewPair, NewFee> {
  return {
    source,
    at,
    estimatedBaseFee: mapFee(estimatedBaseFee),
    low: mapPair(low),
    medium: mapPair(medium),
    high: mapPair(high),
  };
}

function toStoredPair({ maxFeePerGas, maxPriorityFeePerGas }: FeePair): StoredPair {
  return {
    maxFeePerGas: toQuantity(maxFeePerGas),
    maxPriorityFeePerGas: toQuantity(maxPriorityFeePerGas),
  };
}

function fromStoredPair({ maxFeePerGas, maxPriorityFeePerGas }: StoredPair): FeePair {
  return {
    maxFeePerGas: BigInt(maxFeePerGas),
    maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas),
  };
}
