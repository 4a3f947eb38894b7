// Fees of a rollup from its node's own estimate (spec 2.4), which knows what a place on
// the base layer costs: past blocks do not tell that of the next one. Pure.
import type { Hex } from '../eth/hex';
import type { FeeFigures, FeePair } from './level';
import { levelRules, percentOf, toFeePair } from './level-rules';
import type { LevelRule } from './level-rules';

/**
 * Compute the levels of a rollup.
 *
 * The base fee counts as in any other level. The priority fee is the estimate's own at the
 * medium level and at the low one too: Linea's nodes estimate, by default, the least that
 * a block takes, and what pays less stays in the pool. At the high level it is 120 %,
 * which outlasts a rise of the base layer's fees.
 *
 * @param estimate - Quantities in wei.
 */
export function computeRollupFees(estimate: {
  baseFeePerGas: Hex;
  priorityFeePerGas: Hex;
}): FeeFigures {
  const baseFee = BigInt(estimate.baseFeePerGas);
  const priorityFee = BigInt(estimate.priorityFeePerGas);
  const toPair = (rule: LevelRule): FeePair =>
    toFeePair(rule, baseFee, percentOf(priorityFee, rule.priorityPercent));
  return {
    low: toPair(levelRules.low),
    medium: toPair(levelRules.medium),
    high: toPair(levelRules.high),
    estimatedBaseFee: baseFee,
  };
}
