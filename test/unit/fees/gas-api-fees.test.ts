import type { FeeLevel, SuggestedGasFees } from '../../../src/client';
import { readSuggestedFees } from '../../../src/fees/gas-api-fees';
import type { FeeFigures } from '../../../src/fees/level';
import { gasAnswerInWei } from '../../fixtures/client/gas-answer';
import { refusalIn } from '../../support/refusal';

/** Maximum and priority fee of low, medium and high, over a base fee. */
function suggest(
  pairs: readonly (readonly [bigint, bigint])[],
  estimatedBaseFee: bigint,
): SuggestedGasFees {
  const [low, medium, high] = pairs.map(
    ([suggestedMaxFeePerGas, suggestedMaxPriorityFeePerGas]): FeeLevel => ({
      ...gasAnswerInWei.low,
      suggestedMaxFeePerGas,
      suggestedMaxPriorityFeePerGas,
    }),
  );
  const levels = { low, medium, high } as Record<'low' | 'medium' | 'high', FeeLevel>;
  return { ...gasAnswerInWei, ...levels, estimatedBaseFee };
}

const pairsOf = ({ low, medium, high }: FeeFigures): bigint[][] =>
  [low, medium, high].map((pair) => [pair.maxFeePerGas, pair.maxPriorityFeePerGas]);

/** 100,000 gwei. */
const BOUND = 10n ** 14n;

const LEVELS: [bigint, bigint][] = [
  [101n, 1n],
  [137n, 2n],
  [173n, 3n],
];

describe("what is read of a gas API's answer", () => {
  type Pairs = [bigint, bigint][];

  it.each<[string, { pairs: Pairs; baseFee?: bigint; read?: Pairs }]>([
    ['as it is, where it is consistent', { pairs: LEVELS }],
    [
      'with the maxima in order',
      {
        pairs: [
          [173n, 1n],
          [101n, 2n],
          [137n, 3n],
        ],
        read: LEVELS,
      },
    ],
    [
      'with the priority fees in order',
      {
        pairs: [
          [101n, 3n],
          [137n, 1n],
          [173n, 2n],
        ],
        read: LEVELS,
      },
    ],
    [
      'with no priority fee above its maximum',
      {
        pairs: [
          [101n, 110n],
          [137n, 1n],
          [173n, 999n],
        ],
        read: [
          [101n, 1n],
          [137n, 110n],
          [173n, 173n],
        ],
      },
    ],
    [
      'with a low maximum that waits for the base fee to fall',
      {
        pairs: [
          [60n, 1n],
          [101n, 1n],
          [120n, 1n],
        ],
      },
    ],
    [
      'with the least maximum that is not far below the base fee',
      {
        pairs: [
          [51n, 2n],
          [51n, 2n],
          [51n, 2n],
        ],
      },
    ],
    [
      'with fees of zero',
      {
        pairs: [
          [0n, 0n],
          [0n, 0n],
          [0n, 0n],
        ],
        baseFee: 0n,
      },
    ],
    [
      'up to a wei below 100,000 gwei',
      {
        pairs: [
          [1n, 1n],
          [1n, 1n],
          [BOUND - 1n, 1n],
        ],
        baseFee: 1n,
      },
    ],
  ])('comes %s', (_what, { pairs, baseFee = 100n, read = pairs }) => {
    const fees = readSuggestedFees(suggest(pairs, baseFee));
    expect(pairsOf(fees)).toStrictEqual(read);
    expect(fees.estimatedBaseFee).toBe(baseFee);
  });

  it.each<[string, [bigint, bigint], bigint]>([
    ['a maximum fee is', [BOUND, 1n], 1n],
    ['a priority fee is', [1n, BOUND], 1n],
    ['the base fee is', [BOUND - 1n, 1n], BOUND],
    ['it has more digits than a word', [10n ** 100n, 1n], 1n],
  ])('is refused where %s 100,000 gwei', async (_what, pair, baseFee) => {
    for (const level of [0, 1, 2]) {
      const pairs = [0, 1, 2].map((each) =>
        each === level ? pair : ([1n, 1n] as const),
      );
      const fees = suggest(pairs, baseFee);
      expect(await refusalIn(() => readSuggestedFees(fees))).toStrictEqual({
        code: -32002,
        message: 'The fees suggested (gas-api) are not plausible.',
      });
    }
  });

  it.each<[bigint, bigint, bigint]>([
    [50n, 1n, 100n],
    [0n, 0n, 1n],
    [1n, 0n, BOUND - 1n],
  ])(
    'is refused where a maximum of %s is far below %s on a base fee of %s',
    async (maximum, priority, baseFee) => {
      const enough = [BOUND - 1n, priority] as const;
      const fees = suggest([[maximum, priority], enough, enough], baseFee);
      expect(await refusalIn(() => readSuggestedFees(fees))).toStrictEqual({
        code: -32002,
        message:
          'The fees suggested (gas-api) contradict each other: a maximum fee is far below the base fee.',
      });
    },
  );
});
