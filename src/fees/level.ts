// Fee levels: their types, the rules that compute them, and the comparison of fees with levels.
import { UnavailableError } from '../core/errors';
import { larger, smaller } from '../eth/hex';
import type { Market, StoredLevels } from '../state/public-state';
import { levelNames } from '../ui/i18n';
import type { LevelName } from '../ui/i18n';

/** Fees per gas. If no base fee is known, both are the gas price. */
export type FeePair<Fee = bigint> = { maxFeePerGas: Fee; maxPriorityFeePerGas: Fee };

export type LevelFees<Fee = bigint> = Record<LevelName, FeePair<Fee>> & {
  estimatedBaseFee: Fee;
};

/** The source of levels. `gas-price` means that no base fee is known. */
export type FeeSource = StoredLevels['source'];

/** Fee levels in wei: low ≤ medium ≤ high, and no priority fee exceeds its maximum fee. */
export type FeeLevels = LevelFees & {
  source: FeeSource;
  /** A source that was ignored because its fees were more than ten times the node's. */
  passedOver?: 'gas-api';
  /** Time of the fetch, in ms since 1970. */
  at: number;
  market?: Market;
};

export type LevelRule = {
  /** The priority fee sufficed in `percent` of the last `blocks` blocks. */
  enoughIn: { percent: number; blocks: number };
  /** Minimum priority fee in thousandths of the base fee, at most {@link MAX_LEAST_TIP}. */
  leastTipPermille: bigint;
  /** Percentage of the base fee. The base fee rises by at most 12.5% per block, or 60% after four
   * full blocks. */
  basePercent: bigint;
  /** Percentage of the priority fee in a rollup's estimate. */
  priorityPercent: bigint;
  /** In wei; used if recent blocks have no transactions, or the gas price has no priority fee. */
  defaultPriorityFee: bigint;
  waitBlocks: { min: number; max: number };
};

/** In wei. Few builders skip a priority fee of 1 gwei, however high the base fee is. */
export const MAX_LEAST_TIP = 10n ** 9n;

/** docs/guides/fees.md explains the rules, and `npm run bench -- fees` replays them. */
export const levelRules: Record<LevelName, LevelRule> = {
  low: {
    enoughIn: { percent: 25, blocks: 20 },
    leastTipPermille: 1n,
    basePercent: 150n,
    priorityPercent: 100n,
    defaultPriorityFee: 50_000_000n,
    waitBlocks: { min: 1, max: 8 },
  },
  medium: {
    enoughIn: { percent: 100, blocks: 5 },
    leastTipPermille: 10n,
    basePercent: 170n,
    priorityPercent: 100n,
    defaultPriorityFee: 100_000_000n,
    waitBlocks: { min: 1, max: 5 },
  },
  high: {
    enoughIn: { percent: 100, blocks: 5 },
    leastTipPermille: 100n,
    basePercent: 200n,
    priorityPercent: 120n,
    defaultPriorityFee: 300_000_000n,
    waitBlocks: { min: 1, max: 3 },
  },
};

/** 100,000 gwei per gas, in wei. A plain transfer would cost two units of the native currency, so a
 * server that suggests this fee is wrong or lies. */
export const MAX_PLAUSIBLE_FEE = 10n ** 14n;

/** Throws `UnavailableError`, with the source, if a fee is {@link MAX_PLAUSIBLE_FEE} or more. */
export function assertPlausible(source: FeeSource, fees: readonly bigint[]): void {
  if (fees.every((fee) => fee < MAX_PLAUSIBLE_FEE)) return;
  throw new UnavailableError(`The suggested fees (${source}) are not plausible.`);
}

export function perLevel<Value>(
  make: (name: LevelName) => Value,
): Record<LevelName, Value> {
  return { low: make('low'), medium: make('medium'), high: make('high') };
}

export function toFeePair(
  { basePercent }: LevelRule,
  baseFee: bigint,
  maxPriorityFeePerGas: bigint,
): FeePair {
  const maxFeePerGas = percentOf(baseFee, basePercent) + maxPriorityFeePerGas;
  return { maxFeePerGas, maxPriorityFeePerGas };
}

export function mapFees<Fee, Other>(
  fees: LevelFees<Fee>,
  write: (fee: Fee) => Other,
): LevelFees<Other> {
  return {
    ...perLevel((name) => ({
      maxFeePerGas: write(fees[name].maxFeePerGas),
      maxPriorityFeePerGas: write(fees[name].maxPriorityFeePerGas),
    })),
    estimatedBaseFee: write(fees.estimatedBaseFee),
  };
}

/** Returns the age of levels in ms; 0 if the clock has been set back since the fetch. */
export function ageOf({ at }: { at: number }, now: number): number {
  return Math.max(0, now - at);
}

export type FeeComparison = {
  /** The highest level that the fees reach; undefined if they wait longer than the low level. */
  level: LevelName | undefined;
  /** Whether the fees only suffice once the base fee falls. */
  isBelowBaseFee: boolean;
  /** Ratio of the maximum fee to the high level's, in tenths, rounded down. */
  tenthsOfHigh: bigint;
};

/** Compares fees in wei per gas with the levels. For a gas price, both fees are that price. The
 * wait depends on what the builder gets: the priority fee, or less if the maximum fee leaves less
 * above the base fee. */
export function compareFees(fees: FeePair, levels: FeeLevels): FeeComparison {
  const { estimatedBaseFee: baseFee, high } = levels;
  const tipOf = (pair: FeePair): bigint =>
    smaller(pair.maxFeePerGas - baseFee, pair.maxPriorityFeePerGas);
  const isBelowBaseFee = fees.maxFeePerGas < baseFee;
  const reached = levelNames.findLast((name) => tipOf(fees) >= tipOf(levels[name]));
  return {
    level: isBelowBaseFee ? undefined : reached,
    isBelowBaseFee,
    tenthsOfHigh: (fees.maxFeePerGas * 10n) / larger(high.maxFeePerGas, 1n),
  };
}

/** Returns a percentage of an amount, rounded up. */
export function percentOf(amount: bigint, percent: bigint): bigint {
  return (amount * percent + 99n) / 100n;
}

export function sorted(amounts: readonly bigint[]): bigint[] {
  return [...amounts].sort((one, other) => (one < other ? -1 : Number(one > other)));
}
