// What a gas API suggests, made consistent: a server may say anything, and levels that
// contradict themselves cannot be signed or would never be included.
import type { SuggestedGasFees } from '../client';
import { UnavailableError } from '../errors';
import { smaller } from '../eth/hex';
import { sorted } from './level';
import type { FeeFigures, FeePair } from './level';
import { assertPlausible } from './plausible';

/**
 * Read the levels of a gas API's answer.
 *
 * Repaired are levels in the wrong order (maxima and priority fees are sorted, each for
 * themselves) and a priority fee above its maximum (lowered to it: the maximum is what
 * its user agrees to pay). A maximum somewhat below base plus priority fee stays: low
 * levels wait for the base fee to fall. Nothing is ever raised, so that no contradiction
 * makes a transaction dearer.
 *
 * @throws {UnavailableError} If a fee is not plausible, or if a maximum is less than half
 * of base plus priority fee: the base fee falls by an eighth a block at most, so this
 * would wait for more than five empty blocks in a row, and one of the figures is wrong.
 */
export function readSuggestedFees(fees: SuggestedGasFees): FeeFigures {
  const { low, medium, high, estimatedBaseFee } = fees;
  const maxima = sorted([
    low.suggestedMaxFeePerGas,
    medium.suggestedMaxFeePerGas,
    high.suggestedMaxFeePerGas,
  ] as const);
  const priorities = sorted([
    low.suggestedMaxPriorityFeePerGas,
    medium.suggestedMaxPriorityFeePerGas,
    high.suggestedMaxPriorityFeePerGas,
  ] as const);
  assertPlausible('gas-api', [...maxima, ...priorities, estimatedBaseFee]);
  const toPair = (level: 0 | 1 | 2): FeePair => ({
    maxFeePerGas: maxima[level],
    maxPriorityFeePerGas: smaller(priorities[level], maxima[level]),
  });
  const levels = { low: toPair(0), medium: toPair(1), high: toPair(2) };
  Object.values(levels).forEach((pair) => assertCovers(pair, estimatedBaseFee));
  return { ...levels, estimatedBaseFee };
}

function assertCovers(
  { maxFeePerGas, maxPriorityFeePerGas }: FeePair,
  baseFee: bigint,
): void {
  if (maxFeePerGas * 2n >= baseFee + maxPriorityFeePerGas) return;
  throw new UnavailableError(
    'The fees suggested (gas-api) contradict each other: a maximum fee is far below the base fee.',
  );
}
