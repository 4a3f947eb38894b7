// Suggested fees make sense for any fee history. Fee levels make sense or are missing for any
// answer of a gas API or a node.
import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';

import type { FeeHistory, FeeLevel, SuggestedGasFees } from '../../packages/client/src';
import { SuggestedGasFeesStruct, toWire } from '../../packages/client/src/gas-api';
import { FeeHistoryStruct } from '../../packages/client/src/rpc/schema';
import { UnavailableError } from '../../src/core/errors';
import { toQuantity } from '../../src/eth/hex';
import type { Hex } from '../../src/eth/hex';
import {
  computeBaseFeePercentile,
  computeSuggestedFees,
} from '../../src/fees/fee-history';
import type { LevelFees, FeePair } from '../../src/fees/level';
import { fetchLevels, readSuggestedFees } from '../../src/fees/level-sources';
import { parse } from '../../src/schema/parse';
import { gasAnswerInWei } from '../fixtures/client/gas-answer';
import type { NodeAnswers } from '../support/fake-node';
import { createFeeBench } from '../support/fee-bench';
import { runs } from '../support/runs';

/** Fees of 100,000 gwei or more are refused. */
const BOUND = 10n ** 14n;

const wei: Arbitrary<bigint> = fc.oneof(
  { weight: 3, arbitrary: fc.bigInt({ min: 0n, max: 200n * 10n ** 9n }) },
  { weight: 3, arbitrary: fc.bigInt({ min: 0n, max: 50n }) },
  { weight: 1, arbitrary: fc.bigInt({ min: 0n, max: 2n ** 200n }) },
  { weight: 1, arbitrary: fc.constantFrom(0n, 1n, BOUND - 1n, BOUND, 2n ** 200n) },
);

const hex = wei.map(toQuantity);

const ratio = fc.oneof(
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.constantFrom(0, 1),
  // Rollup nodes have returned more than 1.
  fc.double({ min: -1, max: 3, noNaN: true }),
);

const rewards = fc.oneof(
  fc.array(fc.array(hex, { minLength: 5, maxLength: 5 }), { maxLength: 25 }),
  fc.array(fc.array(hex, { maxLength: 7 }), { maxLength: 30 }),
  fc.constant(null),
);

/** Fee histories with known oddities: inconsistent array lengths, no blocks, no rewards. */
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
      const priorities = levels.map((each) => each.suggestedMaxPriorityFeePerGas);
      expect(isRising([0n, ...priorities])).toBe(true);
      for (const level of levels) {
        const least = fees.estimatedBaseFee + level.suggestedMaxPriorityFeePerGas;
        expect(level.suggestedMaxFeePerGas).toBeGreaterThanOrEqual(least);
        expect(level.minWaitTimeEstimate).toBeLessThanOrEqual(
          level.maxWaitTimeEstimate,
        );
      }
      const baseFees = history.baseFeePerGas.map(BigInt);
      const [next = -1n, ...past] = baseFees.reverse();
      const last = past.find((fee) => fee > 0n && fee < BOUND) ?? next;
      const change = Number(next) / Number(last);
      if (change > 0.876 && change < 1.499) expect(fees.estimatedBaseFee).toBe(next);
      if (change < 0.874) expect(fees.estimatedBaseFee).toBe(last);
      expect([last, next]).toContain(fees.estimatedBaseFee);
    });
    fc.assert(property, runs(500));
  });

  it('have a congestion between 0 and 1, and ordered ranges', () => {
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

  it('do not depend on the order of rewards within a block', () => {
    const property = fc.property(histories, (history) => {
      const reward = history.reward?.map((block) => [...block].reverse());
      if (!reward || reward.some(({ length }) => length > 5)) return;
      expect(computeSuggestedFees({ ...history, reward })).toStrictEqual(
        computeSuggestedFees(history),
      );
    });
    fc.assert(property, runs(200));
  });

  it('survive encoding without losing a wei', () => {
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

  it('suffices if it has one block or only the next base fee', () => {
    const property = fc.property(single, ({ base, used, paid }) => {
      const [baseFee, reward] = [toQuantity(base), [paid.map(toQuantity)]];
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
  it('is the lower median of the past base fees', () => {
    const property = fc.property(
      fc.array(wei, { minLength: 2, maxLength: 21 }),
      (fees) => {
        const baseFeePerGas = fees.map(toQuantity);
        const next = { oldestBlock: '0x1', baseFeePerGas } as const;
        const found = computeBaseFeePercentile({ ...next, gasUsedRatio: [] });
        // The last base fee belongs to the next block.
        const past = fees.slice(0, -1);
        const countUpTo = (bound: bigint) => past.filter((fee) => fee <= bound).length;
        expect(past).toContain(found);
        expect(countUpTo(found) * 2).toBeGreaterThanOrEqual(past.length);
        const smaller = past.filter((fee) => fee < found);
        for (const fee of smaller) expect(countUpTo(fee) * 2).toBeLessThan(past.length);
        // A naive search through the sorted fees finds the same fee.
        const candidates = [...past].sort((one, other) => (one < other ? -1 : 1));
        expect(found).toBe(candidates.find((fee) => countUpTo(fee) * 2 >= past.length));
      },
    );
    fc.assert(property, runs(500));
  });
});

const suggestedLevel: Arbitrary<FeeLevel> = fc.record({
  suggestedMaxFeePerGas: wei,
  suggestedMaxPriorityFeePerGas: wei,
  minWaitTimeEstimate: fc.constant(0),
  maxWaitTimeEstimate: fc.constant(0),
});

const suggestions: Arbitrary<SuggestedGasFees> = fc
  .record({
    low: suggestedLevel,
    medium: suggestedLevel,
    high: suggestedLevel,
    estimatedBaseFee: wei,
  })
  .map((fees) => ({ ...gasAnswerInWei, ...fees }));

const pairsOf = ({ low, medium, high }: LevelFees): FeePair[] => [low, medium, high];

function expectInOrder(fees: LevelFees): void {
  const pairs = pairsOf(fees);
  pairs.forEach((pair, index) => {
    const below = pairs[index - 1] ?? pair;
    expect(pair.maxFeePerGas >= below.maxFeePerGas).toBe(true);
    expect(pair.maxPriorityFeePerGas >= below.maxPriorityFeePerGas).toBe(true);
    expect(pair.maxPriorityFeePerGas <= pair.maxFeePerGas).toBe(true);
    expect(pair.maxPriorityFeePerGas >= 0n).toBe(true);
    expect(pair.maxFeePerGas < BOUND).toBe(true);
  });
}

describe("levels from any gas API's answer", () => {
  it('are in order and have only suggested maximum fees, or are missing', () => {
    const property = fc.property(suggestions, (fees) => {
      const read = find(() => readSuggestedFees(fees));
      if (!read) return;
      expectInOrder(read);
      const suggested = [fees.low, fees.medium, fees.high];
      const maxima = suggested.map((level) => level.suggestedMaxFeePerGas);
      for (const { maxFeePerGas, maxPriorityFeePerGas } of pairsOf(read)) {
        expect(maxima).toContain(maxFeePerGas);
        const least = fees.estimatedBaseFee + maxPriorityFeePerGas;
        expect(maxFeePerGas * 2n).toBeGreaterThanOrEqual(least);
      }
    });
    fc.assert(property, runs(2_000));
  });

  it("do not depend on the order of the answer's levels", () => {
    const property = fc.property(suggestions, (fees) => {
      const { low, medium, high } = fees;
      const rotated = { ...fees, low: high, medium: low, high: medium };
      expect(find(() => readSuggestedFees(rotated))).toEqual(
        find(() => readSuggestedFees(fees)),
      );
    });
    fc.assert(property, runs(500));
  });

  it('equal the suggestions if these are consistent', () => {
    const consistent = fc
      .tuple(wei, wei, wei, wei, wei)
      .filter((fees) => fees.every((fee) => fee < BOUND / 10n))
      .map(([base, priority, more, most, rest]): SuggestedGasFees => {
        const at = (priorityFee: bigint, room: bigint): FeeLevel => ({
          ...gasAnswerInWei.low,
          suggestedMaxPriorityFeePerGas: priorityFee,
          suggestedMaxFeePerGas: base + priorityFee + room,
        });
        return {
          ...gasAnswerInWei,
          low: at(priority, 0n),
          medium: at(priority + more, rest),
          high: at(priority + more + most, rest + more),
          estimatedBaseFee: base,
        };
      });
    const property = fc.property(consistent, (fees) => {
      const pairs = pairsOf(readSuggestedFees(fees));
      expect(pairs).toStrictEqual(
        [fees.low, fees.medium, fees.high].map((level) => ({
          maxFeePerGas: level.suggestedMaxFeePerGas,
          maxPriorityFeePerGas: level.suggestedMaxPriorityFeePerGas,
        })),
      );
    });
    fc.assert(property, runs(500));
  });
});

/** Answers from a node; each method may be missing. */
const nodes: Arbitrary<NodeAnswers> = fc.record(
  {
    rollup_estimateGas: fc.record({
      baseFeePerGas: hex,
      gasLimit: hex,
      priorityFeePerGas: hex,
    }),
    eth_feeHistory: fc.record(
      {
        oldestBlock: hex,
        baseFeePerGas: fc.array(hex, { maxLength: 22 }),
        gasUsedRatio: fc.array(ratio, { maxLength: 22 }),
        reward: fc.option<Hex[][]>(
          fc.array(fc.array(hex, { maxLength: 4 }), { maxLength: 22 }),
        ),
      },
      { requiredKeys: ['oldestBlock', 'baseFeePerGas', 'gasUsedRatio'] },
    ),
    eth_gasPrice: hex,
    eth_maxPriorityFeePerGas: hex,
  },
  { requiredKeys: [] },
);

describe('levels from any node', () => {
  it('are in order and cover the base and priority fees, or are missing', async () => {
    const ids = fc.constantFrom(1n, 59_144n);
    const sources = new Set<string>();
    const property = fc.asyncProperty(nodes, ids, async (answers, id) => {
      const levels = await fetchFrom(answers, id);
      sources.add(levels?.source ?? 'none');
      if (!levels) return;
      expectInOrder(levels);
      for (const { maxFeePerGas, maxPriorityFeePerGas } of pairsOf(levels)) {
        const least = levels.estimatedBaseFee + maxPriorityFeePerGas;
        expect(maxFeePerGas).toBeGreaterThanOrEqual(least);
      }
    });
    await fc.assert(property, runs(1_000));
    expect([...sources].sort()).toStrictEqual([
      'fee-history',
      'gas-price',
      'none',
      'rollup-estimate',
    ]);
  });
});

async function fetchFrom(answers: NodeAnswers, id: bigint) {
  const { chainOf } = createFeeBench(undefined, answers);
  const options = { note: () => undefined, blockTimes: new Map() };
  return fetchLevels(chainOf(id), options).catch((error: unknown) => {
    // The caller sees the last source's error.
    expect(String((error as Error).message)).toMatch(/gas-price|eth_gasPrice/u);
    return undefined;
  });
}

function find(read: () => LevelFees): LevelFees | undefined {
  try {
    return read();
  } catch (error) {
    expect(error).toBeInstanceOf(UnavailableError);
    return undefined;
  }
}
