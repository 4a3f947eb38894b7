// Whatever a gas API or a node says of fees, levels make sense or are not had.
import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';

import type { FeeLevel, SuggestedGasFees } from '../../packages/client/src';
import { UnavailableError } from '../../src/errors';
import type { FeeFigures, FeePair } from '../../src/fees/level';
import { fetchLevels, readSuggestedFees } from '../../src/fees/level-sources';
import { gasAnswerInWei } from '../fixtures/client/gas-answer';
import type { NodeAnswers } from '../support/fake-node';
import { createFeeBench } from '../support/fee-bench';
import { runs } from '../support/runs';

/** 100,000 gwei. */
const BOUND = 10n ** 14n;

const wei: Arbitrary<bigint> = fc.oneof(
  { weight: 3, arbitrary: fc.bigInt({ min: 0n, max: 200n * 10n ** 9n }) },
  { weight: 3, arbitrary: fc.bigInt({ min: 0n, max: 50n }) },
  { weight: 1, arbitrary: fc.constantFrom(0n, 1n, BOUND - 1n, BOUND, 2n ** 200n) },
);

const hex = wei.map((fee) => `0x${fee.toString(16)}`);

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

const pairsOf = ({ low, medium, high }: FeeFigures): FeePair[] => [low, medium, high];

function expectInOrder(fees: FeeFigures): void {
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
  it('are in order, with no fee above any that was suggested, or are not had', () => {
    const property = fc.property(suggestions, (fees) => {
      const read = find(() => readSuggestedFees(fees));
      if (!read) return;
      expectInOrder(read);
      const suggested = [fees.low, fees.medium, fees.high];
      const maxima = suggested.map((level) => level.suggestedMaxFeePerGas);
      for (const { maxFeePerGas, maxPriorityFeePerGas } of pairsOf(read)) {
        expect(maxima).toContain(maxFeePerGas);
        expect(maxFeePerGas * 2n >= fees.estimatedBaseFee + maxPriorityFeePerGas).toBe(
          true,
        );
      }
    });
    fc.assert(property, runs(2_000));
  });

  it('do not depend on the order of its levels', () => {
    const property = fc.property(suggestions, (fees) => {
      const { low, medium, high } = fees;
      const turned = { ...fees, low: high, medium: low, high: medium };
      expect(find(() => readSuggestedFees(turned))).toEqual(
        find(() => readSuggestedFees(fees)),
      );
    });
    fc.assert(property, runs(500));
  });

  it('are those suggested where these are consistent', () => {
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

const rewards: Arbitrary<string[][] | null> = fc.option(
  fc.array(fc.array(hex, { maxLength: 4 }), { maxLength: 22 }),
);

/** What a node may answer; each method may be missing. */
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
        gasUsedRatio: fc.array(fc.double({ min: -1, max: 3, noNaN: true }), {
          maxLength: 22,
        }),
        reward: rewards,
      },
      { requiredKeys: ['oldestBlock', 'baseFeePerGas', 'gasUsedRatio'] },
    ),
    eth_gasPrice: hex,
  },
  { requiredKeys: [] },
);

describe('levels from any node', () => {
  it('are in order and cover base and priority fee, or are not had', async () => {
    const ids = fc.constantFrom(1n, 59_144n);
    const sources = new Set<string>();
    const property = fc.asyncProperty(nodes, ids, async (answers, id) => {
      const levels = await fetchFrom(answers, id);
      sources.add(levels?.source ?? 'none');
      if (!levels) return;
      expectInOrder(levels);
      for (const { maxFeePerGas, maxPriorityFeePerGas } of pairsOf(levels)) {
        expect(maxFeePerGas >= levels.estimatedBaseFee + maxPriorityFeePerGas).toBe(
          true,
        );
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
  return fetchLevels(chainOf(id)).catch((error: unknown) => {
    // As the caller sees it: what the last source says.
    expect(String((error as Error).message)).toMatch(/gas-price|eth_gasPrice/u);
    return undefined;
  });
}

function find(read: () => FeeFigures): FeeFigures | undefined {
  try {
    return read();
  } catch (error) {
    expect(error).toBeInstanceOf(UnavailableError);
    return undefined;
  }
}
