import type { FeeHistory } from '../../../src/client';
import {
  computeBaseFeePercentile,
  computeSuggestedFees,
  HISTORY_BLOCKS,
  REWARD_PERCENTILES,
} from '../../../src/fees/fee-history';

const GWEI = 1_000_000_000n;

type Hex = `0x${string}`;

const hex = (value: bigint | number): Hex => `0x${value.toString(16)}`;

/** Blocks as a node tells them: rewards at the percentiles, in wei. */
function historyOf(
  baseFees: (bigint | number)[],
  gasUsedRatio: number[] = [],
  rewards?: (bigint | number)[][],
): FeeHistory {
  return {
    oldestBlock: '0x1',
    baseFeePerGas: baseFees.map(hex),
    gasUsedRatio,
    ...(rewards === undefined ? {} : { reward: rewards.map((row) => row.map(hex)) }),
  };
}

describe('the suggested fees', () => {
  it('follow from the median of what the used blocks paid', () => {
    const history = historyOf(
      [100, 110, 120, 130, 140],
      [0.5, 0, 1, 0.25],
      // The second block is empty, so its rewards say nothing.
      [
        [1, 1, 20, 300, 500],
        [0, 0, 0, 0, 0],
        [2, 3, 10, 100, 100],
        [1, 2, 30, 200, 400],
      ],
    );
    expect(computeSuggestedFees(history, 2_000)).toStrictEqual({
      low: {
        suggestedMaxPriorityFeePerGas: 2n,
        suggestedMaxFeePerGas: 142n,
        minWaitTimeEstimate: 2_000,
        maxWaitTimeEstimate: 10_000,
      },
      medium: {
        suggestedMaxPriorityFeePerGas: 20n,
        // 140 × 1.35 + 20
        suggestedMaxFeePerGas: 209n,
        minWaitTimeEstimate: 2_000,
        maxWaitTimeEstimate: 8_000,
      },
      high: {
        suggestedMaxPriorityFeePerGas: 200n,
        // 140 × 1.7 + 200
        suggestedMaxFeePerGas: 438n,
        minWaitTimeEstimate: 2_000,
        maxWaitTimeEstimate: 4_000,
      },
      estimatedBaseFee: 140n,
      networkCongestion: 0.4375,
      // What was paid, not what the levels were made of.
      latestPriorityFeeRange: [1n, 400n],
      historicalPriorityFeeRange: [1n, 500n],
      historicalBaseFeeRange: [100n, 130n],
      // Medians of the used blocks: 20, 10, 30.
      priorityFeeTrend: 'up',
      baseFeeTrend: 'up',
    });
  });

  it('tell waits by the time of a slot of Ethereum where no other is known', () => {
    const { low, medium, high } = computeSuggestedFees(historyOf([1, 1]));
    const waits = [low, medium, high].map((level) => [
      level.minWaitTimeEstimate,
      level.maxWaitTimeEstimate,
    ]);
    expect(waits).toStrictEqual([
      [12_000, 60_000],
      [12_000, 48_000],
      [12_000, 24_000],
    ]);
  });

  it('are those of the blocks that were asked for, however many are told', () => {
    const asked = historyOf(
      Array<number>(21).fill(7),
      Array<number>(20).fill(1),
      Array<number[]>(20).fill([1, 2, 3, 4, 5]),
    );
    const told = historyOf(
      [...Array<number>(1_004).fill(9), ...Array<number>(21).fill(7)],
      [...Array<number>(1_004).fill(0.5), ...Array<number>(20).fill(1)],
      [
        ...Array<number[]>(1_004).fill([9, 9, 9, 9, 9]),
        ...Array<number[]>(20).fill([1, 2, 3, 4, 5, 6, 7, 8, 9]),
      ],
    );
    expect(computeSuggestedFees(told)).toStrictEqual(computeSuggestedFees(asked));
    expect(computeBaseFeePercentile(told)).toBe(7n);
  });

  it('round the maximum up to a wei', () => {
    const { medium, high } = computeSuggestedFees(historyOf([1, 1], [1], [[0, 0, 0]]));
    expect(medium.suggestedMaxFeePerGas).toBe(2n);
    expect(high.suggestedMaxFeePerGas).toBe(2n);
  });

  it.each<[string, FeeHistory]>([
    ['no rewards', historyOf([GWEI, GWEI], [1])],
    ['null for rewards', { ...historyOf([GWEI, GWEI], [1]), reward: null }],
    ['only empty blocks', historyOf([GWEI, GWEI], [0], [[9, 9, 9]])],
    ['no blocks', historyOf([GWEI])],
  ])('are defaults where the history has %s', (_what, history) => {
    const { low, medium, high, ...others } = computeSuggestedFees(history);
    const priority = [low, medium, high].map(
      ({ suggestedMaxPriorityFeePerGas }) => suggestedMaxPriorityFeePerGas,
    );
    expect(priority).toStrictEqual([50_000_000n, 100_000_000n, 300_000_000n]);
    expect(low.suggestedMaxFeePerGas).toBe(GWEI + 50_000_000n);
    expect(medium.suggestedMaxFeePerGas).toBe((GWEI * 135n) / 100n + 100_000_000n);
    expect(others).toMatchObject({
      estimatedBaseFee: GWEI,
      latestPriorityFeeRange: [0n, 0n],
      historicalPriorityFeeRange: [0n, 0n],
    });
  });

  it('need no base fee above zero', () => {
    const { low, high, estimatedBaseFee } = computeSuggestedFees(
      historyOf([0, 0], [0.5], [[5, 5, 6, 7, 7]]),
    );
    expect(estimatedBaseFee).toBe(0n);
    expect(low.suggestedMaxFeePerGas).toBe(5n);
    expect(high.suggestedMaxFeePerGas).toBe(7n);
  });

  it('are exact beyond 2^53', () => {
    const base = 2n ** 200n;
    const { medium } = computeSuggestedFees(
      historyOf([base, base], [1], [[base, base, base]]),
    );
    expect(medium.suggestedMaxPriorityFeePerGas).toBe(base);
    expect(medium.suggestedMaxFeePerGas).toBe((base * 135n + 99n) / 100n + base);
  });

  it.each<[string, number[][]]>([
    ['in the wrong order', [[300, 2, 10]]],
    ['with fewer percentiles', [[2, 10]]],
    ['with none', [[]]],
  ])('keep low ≤ medium ≤ high for rewards %s', (_what, rewards) => {
    const { low, medium, high } = computeSuggestedFees(historyOf([1, 1], [1], rewards));
    const fees = [low, medium, high].map(
      (level) => level.suggestedMaxPriorityFeePerGas,
    );
    expect(fees).toStrictEqual([...fees].sort((one, other) => Number(one - other)));
  });

  it.each([
    [[1, 1, 2, 2], 'up'],
    [[2, 2, 1, 1], 'down'],
    [[1, 1, 1, 1], 'down'],
    [[1, 2], 'up'],
    [[5], 'down'],
    // The one in the middle belongs to neither half.
    [[1, 9, 2], 'up'],
  ])('tell of base fees %j that the trend is %s', (baseFees, trend) => {
    expect(computeSuggestedFees(historyOf(baseFees)).baseFeeTrend).toBe(trend);
  });

  it.each([
    [[], 0],
    [[1, 1, 1], 1],
    [[0.25, 0.75], 0.5],
    // Some nodes tell more than all, or less than nothing.
    [[1.5, -0.5], 0.5],
  ])('tell of gas used %j that the congestion is %d', (ratios, congestion) => {
    const { networkCongestion } = computeSuggestedFees(historyOf([1, 1], ratios));
    expect(networkCongestion).toBe(congestion);
  });

  it('cannot be had without a base fee', () => {
    expect(() => computeSuggestedFees(historyOf([]))).toThrow(
      new RangeError('The history has no base fee.'),
    );
  });

  it('leave the history as it was', () => {
    const history = historyOf(
      [3, 1, 2],
      [1, 1],
      [
        [3, 2, 1],
        [1, 2, 3],
      ],
    );
    const copy = structuredClone(history);
    computeSuggestedFees(history);
    expect(history).toEqual(copy);
  });
});

describe('the percentile of base fees', () => {
  it.each([
    [[10, 20, 30, 99], 20n],
    [[30, 10, 20, 99], 20n],
    // Of four, two are at most the second.
    [[10, 20, 30, 40, 99], 20n],
    [[10, 10, 10, 40, 99], 10n],
    [[10, 99], 10n],
    [[0, 0, 0], 0n],
  ])('of %j, of which the last is yet to come, is %s', (baseFees, expected) => {
    expect(computeBaseFeePercentile(historyOf(baseFees))).toBe(expected);
  });

  it('cannot be had without a base fee', () => {
    expect(() => computeBaseFeePercentile(historyOf([]))).toThrow(
      new RangeError('The history has no base fee.'),
    );
  });
});

describe('what is asked for', () => {
  it('is what nodes take: rising percentiles, and at most 1,024 blocks', () => {
    const rising = [...REWARD_PERCENTILES].sort((one, other) => one - other);
    expect(REWARD_PERCENTILES).toStrictEqual(rising);
    expect(HISTORY_BLOCKS).toBeLessThanOrEqual(1_024);
  });
});
