// How levels are made of a base fee and of what is paid on top of it: one row a level,
// for every source that is computed here.
import type { FeePair, LevelName } from './level';

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
