// Suggested fees make sense for any history of a node.
import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';

import type { FeeHistory } from '../../packages/client/src';
import { toWire, SuggestedGasFeesStruct } from '../../packages/client/src/gas-api';
import { FeeHistoryStruct } from '../../packages/client/src/rpc/schema';
import {
  computeBaseFeePercentile,
  computeSuggestedFees,
} from '../../src/fees/fee-history';
import { parse } from '../../src/schema/parse';
import { runs } from '../support/runs';

const wei = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 200n }),
  fc.bigInt({ min: 0n, max: 200n * 10n ** 9n }),
  fc.constantFrom(0n, 1n),
);

const hex = wei.map((value): `0x${string}` => `0x${value.toString(16)}`);

const ratio = fc.oneof(
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.constantFrom(0, 1),
  // Nodes of rollups have returned more than 1.
  fc.double({ min: -1, max: 3, noNaN: true }),
);

const rewards = fc.oneof(
  fc.array(fc.array(hex, { minLength: 5, maxLength: 5 }), { maxLength: 25 }),
  fc.array(fc.array(hex, { maxLength: 7 }), { maxLength: 30 }),
  fc.constant(null),
);

/** Histories as nodes return them, with the oddities that were seen: arrays of lengths that
 * do not go together, no blocks, no rewards. */
const histories: Arbitrary<FeeHistory> = fc
  .tuple(fc.integer({ min: 0, max: 25 }), fc.boolean())
  .chain(([blocks, isRagged]) => {
    const lengths = isRagged
      ? { maxLength: 30 }
      : { minLength: blocks, maxLength: blocks };
    return fc.record(
      {
        oldestBlock: fc.constant('0x1' as const),
        baseFeePerGas: fc.array(hex, { minLength: blocks + 1, maxLength: blocks + 1 }),
        gasUsedRatio: fc.array(ratio, lengths),
        reward: rewards,
      },
      { requiredKeys: ['oldestBlock', 'baseFeePerGas', 'gasUsedRatio'] },
    );
  });

const isRising = (values: bigint[]): boolean =>
  values.every((value, index) => value >= (values[index - 1] ?? value));

describe('the fees suggested from any history', () => {
  it('rise from level to level and leave room for the base fee', () => {
    const property = fc.property(histories, (history) => {
      const fees = computeSuggestedFees(history);
      const levels = [fees.low, fees.medium, fees.high];
      expect(isRising(levels.map((each) => each.suggestedMaxFeePerGas))).toBe(true);
      expect(isRising(levels.map((each) => each.suggestedMaxPriorityFeePerGas))).toBe(
        true,
      );
      for (const level of levels) {
        const priority = level.suggestedMaxPriorityFeePerGas;
        expect(priority >= 0n).toBe(true);
        expect(priority <= level.suggestedMaxFeePerGas).toBe(true);
        expect(level.suggestedMaxFeePerGas >= fees.estimatedBaseFee + priority).toBe(
          true,
        );
        expect(level.minWaitTimeEstimate).toBeLessThanOrEqual(
          level.maxWaitTimeEstimate,
        );
      }
      expect(fees.estimatedBaseFee).toBe(BigInt(history.baseFeePerGas.at(-1) ?? -1));
    });
    fc.assert(property, runs(500));
  });

  it('come with a congestion within bounds and ranges the right way round', () => {
    const property = fc.property(histories, (history) => {
      const fees = computeSuggestedFees(history);
      expect(fees.networkCongestion).toBeGreaterThanOrEqual(0);
      expect(fees.networkCongestion).toBeLessThanOrEqual(1);
      expect(isRising(fees.historicalBaseFeeRange)).toBe(true);
      expect(isRising(fees.historicalPriorityFeeRange)).toBe(true);
      expect(isRising(fees.latestPriorityFeeRange)).toBe(true);
      if (history.reward?.some((block) => block.length === 0)) return;
      const [lowest, highest] = fees.historicalPriorityFeeRange;
      const [latestLowest, latestHighest] = fees.latestPriorityFeeRange;
      expect(isRising([lowest, latestLowest, latestHighest, highest])).toBe(true);
    });
    fc.assert(property, runs(500));
  });

  it('do not depend on the order within a block', () => {
    const property = fc.property(histories, (history) => {
      const reward = history.reward?.map((block) => [...block].reverse());
      if (!reward || reward.some(({ length }) => length > 5)) return;
      expect(computeSuggestedFees({ ...history, reward })).toStrictEqual(
        computeSuggestedFees(history),
      );
    });
    fc.assert(property, runs(200));
  });

  it('survive the wire to a wei', () => {
    const property = fc.property(histories, (history) => {
      const fees = computeSuggestedFees(parse(history, FeeHistoryStruct, 'history'));
      const text = JSON.stringify(toWire(fees));
      const read = parse(JSON.parse(text), SuggestedGasFeesStruct, 'answer');
      expect(read).toEqual(fees);
    });
    fc.assert(property, runs(300));
  });
});

describe('a nearly empty history', () => {
  const single = fc.record({
    base: wei,
    used: ratio,
    paid: fc.array(wei, { maxLength: 4 }),
  });
  const toHex = (value: bigint): `0x${string}` => `0x${value.toString(16)}`;

  it('suffices, if it is one block or only the next base fee', () => {
    const property = fc.property(single, ({ base, used, paid }) => {
      const [baseFee, reward] = [toHex(base), [paid.map(toHex)]];
      const next = { oldestBlock: '0x1', baseFeePerGas: [baseFee] } as const;
      for (const history of [
        { ...next, baseFeePerGas: [baseFee], gasUsedRatio: [] },
        { ...next, baseFeePerGas: [baseFee, baseFee], gasUsedRatio: [used], reward },
      ]) {
        const fees = computeSuggestedFees(history);
        expect(fees.estimatedBaseFee).toBe(base);
        expect(fees.historicalBaseFeeRange).toStrictEqual([base, base]);
        expect(computeBaseFeePercentile(history)).toBe(base);
        expect(fees).toMatchObject({ baseFeeTrend: 'down', priorityFeeTrend: 'down' });
      }
    });
    fc.assert(property, runs(200));
  });
});

describe('the base fee percentile of any history', () => {
  it('is the smallest past base fee that at least half of them do not exceed', () => {
    const property = fc.property(
      fc.array(wei, { minLength: 2, maxLength: 21 }),
      (fees) => {
        const baseFeePerGas = fees.map((fee): `0x${string}` => `0x${fee.toString(16)}`);
        const history = {
          oldestBlock: '0x1' as const,
          baseFeePerGas,
          gasUsedRatio: [],
        };
        const found = computeBaseFeePercentile(history);
        // The last one is of the block to come.
        const past = fees.slice(0, -1);
        const countUpTo = (bound: bigint) => past.filter((fee) => fee <= bound).length;
        expect(past).toContain(found);
        expect(countUpTo(found) * 2).toBeGreaterThanOrEqual(past.length);
        const smaller = past.filter((fee) => fee < found);
        for (const fee of smaller) expect(countUpTo(fee) * 2).toBeLessThan(past.length);
        // The same, said naively: the first of the candidates in order.
        const candidates = [...past].sort((one, other) => (one < other ? -1 : 1));
        expect(found).toBe(candidates.find((fee) => countUpTo(fee) * 2 >= past.length));
      },
    );
    fc.assert(property, runs(500));
  });
});
