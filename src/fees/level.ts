// What fee levels are, and what is done with them whatever they came from.
import type { Market, StoredLevels } from '../state/public-state';

/** Names of the levels, lowest first. */
export const levelNames = ['low', 'medium', 'high'] as const;

/** Name of a level. */
export type LevelName = (typeof levelNames)[number];

/** Fees for a unit of gas. Without a base fee both are the gas price. */
export type FeePair<Fee = bigint> = { maxFeePerGas: Fee; maxPriorityFeePerGas: Fee };

/** The fees of all levels and the base fee that they were made for. */
export type FeeFigures<Fee = bigint> = Record<LevelName, FeePair<Fee>> & {
  estimatedBaseFee: Fee;
};

/** Where levels came from. `gas-price` tells that no base fee is known. */
export type FeeSource = StoredLevels['source'];

/** Fee levels in wei: low ≤ medium ≤ high, and no priority fee above its maximum. */
export type FeeLevels = FeeFigures & {
  source: FeeSource;
  /** A source that is not used, since it suggested more than ten times as much. */
  passedOver?: 'gas-api';
  /** When they were fetched, in ms since 1970. */
  at: number;
  /** How the market is, where the source tells. */
  market?: Market;
};

/**
 * Tell how old levels are.
 *
 * @param now - The time in ms since 1970.
 * @returns Milliseconds; 0 if the clock was set back since.
 */
export function ageOf({ at }: Pick<FeeLevels, 'at'>, now: number): number {
  return Math.max(0, now - at);
}

/** Write every fee another way, such as in hex. */
export function mapFees<Fee, Other>(
  { low, medium, high, estimatedBaseFee }: FeeFigures<Fee>,
  write: (fee: Fee) => Other,
): FeeFigures<Other> {
  const writePair = (pair: FeePair<Fee>): FeePair<Other> => ({
    maxFeePerGas: write(pair.maxFeePerGas),
    maxPriorityFeePerGas: write(pair.maxPriorityFeePerGas),
  });
  return {
    low: writePair(low),
    medium: writePair(medium),
    high: writePair(high),
    estimatedBaseFee: write(estimatedBaseFee),
  };
}

/** Sort amounts, lowest first; the array that is given stays as it is. */
export function sorted<Fees extends readonly bigint[]>(
  fees: Fees,
): { [Index in keyof Fees]: bigint } {
  return [...fees].sort((one, other) =>
    one < other ? -1 : Number(one > other),
  ) as never;
}
