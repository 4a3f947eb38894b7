// What a fee level is.
import type { StoredLevels } from '../state/public-state';

/** Names of the levels, lowest first. */
export type LevelName = 'low' | 'medium' | 'high';

/** Fees in wei. Without a base fee both are the gas price. */
export type FeePair = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };

/** Where levels came from. `gas-price` tells that the chain has no base fee. */
export type FeeSource = StoredLevels['source'];

/** Fee levels in wei. */
export type FeeLevels = Record<LevelName, FeePair> & {
  estimatedBaseFee: bigint;
  source: FeeSource;
  /** When they were fetched, in ms since 1970. */
  at: number;
};
