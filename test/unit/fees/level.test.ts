import { ageOf, mapFees, sorted } from '../../../src/fees/level';
import { levelRules, percentOf, toFeePair } from '../../../src/fees/level-rules';
import { assertPlausible } from '../../../src/fees/plausible';
import { computeRollupFees } from '../../../src/fees/rollup-fees';
import { SUGGESTED_LEVELS } from '../../support/fees';
import { refusalIn } from '../../support/refusal';

describe('ageOf', () => {
  it.each([
    [1_000, 1_000, 0],
    [1_000, 3_500, 2_500],
    // The clock was set back.
    [1_000, 999, 0],
  ])('of levels of %d at %d is %d ms', (at, now, age) => {
    expect(ageOf({ at }, now)).toBe(age);
  });
});

describe('mapFees', () => {
  it('writes every fee and leaves the rest out', () => {
    const { low, medium, high, estimatedBaseFee } = SUGGESTED_LEVELS;
    const fees = { low, medium, high, estimatedBaseFee };
    const written = mapFees(SUGGESTED_LEVELS, String);
    expect(written.low).toStrictEqual({
      maxFeePerGas: '16334026964',
      maxPriorityFeePerGas: '50000000',
    });
    expect(mapFees(written, BigInt)).toStrictEqual(fees);
  });
});

describe('sorted', () => {
  it.each<{ fees: bigint[]; expected: bigint[] }>([
    { fees: [], expected: [] },
    { fees: [1n], expected: [1n] },
    { fees: [3n, 1n, 2n, 1n], expected: [1n, 1n, 2n, 3n] },
    // Beyond what a float tells apart.
    { fees: [2n ** 200n + 1n, 2n ** 200n], expected: [2n ** 200n, 2n ** 200n + 1n] },
  ])(
    'puts amounts in order and leaves them as they were (case %#)',
    ({ fees, expected }) => {
      const before = [...fees];
      expect(sorted(fees)).toStrictEqual(expected);
      expect(fees).toStrictEqual(before);
    },
  );
});

describe('the rules of the levels', () => {
  it('fall nowhere from level to level, but for the waits', () => {
    const rules = [levelRules.low, levelRules.medium, levelRules.high];
    const rows = rules.map((rule) => [
      rule.percentile,
      Number(rule.basePercent),
      Number(rule.priorityPercent),
      Number(rule.defaultPriorityFee),
      -rule.waitBlocks.max,
    ]);
    const [low = [], medium = [], high = []] = rows;
    low.forEach((figure, index) => {
      expect(figure).toBeLessThanOrEqual(medium[index] ?? NaN);
      expect(medium[index]).toBeLessThan(high[index] ?? NaN);
    });
    expect(levelRules.low.basePercent).toBeGreaterThanOrEqual(100n);
  });

  it('are rounded up to a wei', () => {
    expect(percentOf(1n, 99n)).toBe(1n);
    expect(percentOf(10n, 135n)).toBe(14n);
    expect(percentOf(0n, 170n)).toBe(0n);
    expect(toFeePair(levelRules.high, 1n, 1n)).toStrictEqual({
      maxFeePerGas: 3n,
      maxPriorityFeePerGas: 1n,
    });
  });
});

describe('the priority fees of computeRollupFees', () => {
  it.each([
    { base: '0x0', priority: '0x0', expected: [0n, 0n, 0n] },
    { base: '0x7', priority: '0x0', expected: [0n, 0n, 0n] },
    { base: '0x0', priority: '0x1', expected: [1n, 1n, 2n] },
    { base: '0x7', priority: '0x03e8', expected: [1000n, 1000n, 1200n] },
  ] as const)('of $base and $priority', ({ base, priority, expected }) => {
    const { low, medium, high, estimatedBaseFee } = computeRollupFees({
      baseFeePerGas: base,
      priorityFeePerGas: priority,
    });
    const levels = [low, medium, high];
    expect(levels.map((pair) => pair.maxPriorityFeePerGas)).toStrictEqual(expected);
    expect(estimatedBaseFee).toBe(BigInt(base));
  });
});

describe('assertPlausible', () => {
  it('lets fees below 100,000 gwei pass, and none', () => {
    expect(() => assertPlausible('gas-price', [0n, 10n ** 14n - 1n])).not.toThrow();
    expect(() => assertPlausible('gas-price', [])).not.toThrow();
  });

  it.each([10n ** 14n, 2n ** 200n])('refuses %s wei by its source', async (fee) => {
    const refused = refusalIn(() => assertPlausible('rollup-estimate', [1n, fee]));
    expect(await refused).toStrictEqual({
      code: -32002,
      message: 'The fees suggested (rollup-estimate) are not plausible.',
    });
  });
});
