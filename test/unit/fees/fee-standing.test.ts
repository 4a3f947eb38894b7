import { compareFees } from '../../../src/fees/fee-standing';
import type { FeeStanding } from '../../../src/fees/fee-standing';
import type { FeeLevels, FeePair } from '../../../src/fees/level';
import { PRICE_LEVELS } from '../../support/fees';

const pair = (maxFeePerGas: bigint, maxPriorityFeePerGas: bigint): FeePair => ({
  maxFeePerGas,
  maxPriorityFeePerGas,
});

const LEVELS: FeeLevels = {
  source: 'fee-history',
  at: 0,
  estimatedBaseFee: 100n,
  low: pair(101n, 1n),
  medium: pair(137n, 2n),
  high: pair(173n, 3n),
};

const standing = (
  level: FeeStanding['level'],
  tenthsOfHigh: number,
  isBelowBaseFee = false,
): Record<string, unknown> => ({
  level,
  isBelowBaseFee,
  tenthsOfHigh: String(tenthsOfHigh),
});

function compare(fees: FeePair, levels = LEVELS): Record<string, unknown> {
  const { tenthsOfHigh, ...rest } = compareFees(fees, levels);
  return { ...rest, tenthsOfHigh: String(tenthsOfHigh) };
}

describe('fees beside the levels', () => {
  it.each<[string, FeePair, Record<string, unknown>]>([
    ['of the low level', LEVELS.low, standing('low', 5)],
    ['of the medium level', LEVELS.medium, standing('medium', 7)],
    ['of the high level', LEVELS.high, standing('high', 10)],
    ['between two levels', pair(172n, 2n), standing('medium', 9)],
    ['with no priority fee', pair(200n, 0n), standing(undefined, 11)],
    ['of 3.2 times the high level', pair(554n, 3n), standing('high', 32)],
    ['whose maximum leaves little', pair(102n, 50n), standing('medium', 5)],
    ['below the base fee', pair(99n, 50n), standing(undefined, 5, true)],
    ['as one price, above the base fee', pair(110n, 110n), standing('high', 6)],
  ])('are %s', (_what, fees, expected) => {
    expect(compare(fees)).toStrictEqual(expected);
  });

  it('are compared as prices where there is no base fee', () => {
    expect(compare(pair(7n, 7n), PRICE_LEVELS)).toStrictEqual(standing('high', 10));
    expect(compare(pair(6n, 6n), PRICE_LEVELS)).toStrictEqual(standing(undefined, 8));
  });

  it('are compared with levels that cost nothing', () => {
    const free = pair(0n, 0n);
    const levels = { ...PRICE_LEVELS, low: free, medium: free, high: free };
    expect(compare(free, levels)).toStrictEqual(standing('high', 0));
  });
});
