// How the fees of a transaction stand beside the market's levels: pure.
import { larger, smaller } from '../eth/hex';
import type { FeeLevels, FeePair, LevelName } from './level';

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
