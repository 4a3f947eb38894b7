// How the fees of a transaction stand beside the market's levels: pure.
import { UnavailableError } from '../errors';
import { larger, smaller } from '../eth/hex';
import type { Market, StoredLevels } from '../state/public-state';

// Fees that no market ever had: a server that tells them is wrong, or lies.

/** 100,000 gwei for a unit of gas, in wei: a plain transfer costs two coins then. */
export const MAX_PLAUSIBLE_FEE = 10n ** 14n;

/**
 * Refuses fees of 100,000 gwei or more for a unit of gas.
 *
 * @throws {UnavailableError} Naming the source.
 */
export function assertPlausible(source: FeeSource, fees: readonly bigint[]): void {
  if (fees.every((fee) => fee < MAX_PLAUSIBLE_FEE)) return;
  throw new UnavailableError(`The fees suggested (${source}) are not plausible.`);
}

// What fee levels are, and what is done with them whatever they came from.

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

// How levels are made of a base fee and of what is paid on top of it: one row a level,
// for every source that is computed here.

/** How a level is made. */
export type LevelRule = {
  /** Of the priority fees that were paid in a block. */
  percentile: number;
  /** The base fee can rise by 12.5 % a block, so the higher levels still cover it after
   * two and four full blocks. */
  basePercent: bigint;
  /** Of the one priority fee that a rollup's estimate tells. */
  priorityPercent: bigint;
  /** Used when no transaction says what is paid; in wei. */
  defaultPriorityFee: bigint;
  /** Blocks until inclusion. */
  waitBlocks: { min: number; max: number };
};

/** The rules by level; no figure but the waits falls from row to row. */
export const levelRules: Record<LevelName, LevelRule> = {
  low: {
    percentile: 20,
    basePercent: 100n,
    priorityPercent: 100n,
    defaultPriorityFee: 50_000_000n,
    waitBlocks: { min: 1, max: 5 },
  },
  medium: {
    percentile: 50,
    basePercent: 135n,
    priorityPercent: 100n,
    defaultPriorityFee: 100_000_000n,
    waitBlocks: { min: 1, max: 4 },
  },
  high: {
    percentile: 80,
    basePercent: 170n,
    priorityPercent: 120n,
    defaultPriorityFee: 300_000_000n,
    waitBlocks: { min: 1, max: 2 },
  },
};

/** Pair a priority fee with a maximum that covers it and the level's share of base fee. */
export function toFeePair(
  { basePercent }: LevelRule,
  baseFee: bigint,
  maxPriorityFeePerGas: bigint,
): FeePair {
  return {
    maxFeePerGas: percentOf(baseFee, basePercent) + maxPriorityFeePerGas,
    maxPriorityFeePerGas,
  };
}

/** Take a percentage of an amount, rounded up to a wei. */
export function percentOf(amount: bigint, percent: bigint): bigint {
  return (amount * percent + 99n) / 100n;
}

/** How fees stand beside the levels. */
export type FeeStanding = {
  /** The highest level that they reach; undefined if they wait longer than the low one. */
  level: LevelName | undefined;
  /** Whether the base fee has to fall before they suffice at all. */
  isBelowBaseFee: boolean;
  /** How many times the high level's maximum fee they are, in tenths, rounded down. */
  tenthsOfHigh: bigint;
};

const fromHighest: readonly LevelName[] = ['high', 'medium', 'low'];

/**
 * Compare fees with the levels. What a block's builder gets decides about the wait: the
 * priority fee, or what the maximum leaves of it above the base fee.
 *
 * @param fees - In wei for a unit of gas; both are the gas price where there is only one.
 */
export function compareFees(fees: FeePair, levels: FeeLevels): FeeStanding {
  const { estimatedBaseFee: baseFee, high } = levels;
  const isBelowBaseFee = fees.maxFeePerGas < baseFee;
  const tip = tipOf(fees, baseFee);
  const reached = fromHighest.find((name) => tip >= tipOf(levels[name], baseFee));
  return {
    level: isBelowBaseFee ? undefined : reached,
    isBelowBaseFee,
    tenthsOfHigh: (fees.maxFeePerGas * 10n) / larger(high.maxFeePerGas, 1n),
  };
}

function tipOf(
  { maxFeePerGas, maxPriorityFeePerGas }: FeePair,
  baseFee: bigint,
): bigint {
  return smaller(maxFeePerGas - baseFee, maxPriorityFeePerGas);
}
