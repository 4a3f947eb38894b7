import type { FeeFloor } from '../../../src/client';
import type { FeePair } from '../../../src/fees/level';
import { chooseOperationFees } from '../../../src/fees/operation-fees';
import type { GivenFees } from '../../../src/fees/operation-fees';

/** 100 for the base fee, 10 on top. */
const MARKET: FeePair = { maxFeePerGas: 110n, maxPriorityFeePerGas: 10n };

const cases: [string, GivenFees, FeeFloor | undefined, [bigint, bigint]][] = [
  ['are the market’s', {}, undefined, [110n, 10n]],
  ['stay above a floor', {}, { maxPriorityFeePerGas: 9n }, [110n, 10n]],
  [
    'are raised to a priority fee, with room for the base fee',
    {},
    { maxPriorityFeePerGas: 30n },
    [130n, 30n],
  ],
  [
    'are raised to both fees of a floor',
    {},
    { maxPriorityFeePerGas: 30n, maxFeePerGas: 200n },
    [200n, 30n],
  ],
  [
    'keep a given maximum, and a priority fee below it',
    { maxFeePerGas: 5n },
    { maxPriorityFeePerGas: 30n, maxFeePerGas: 200n },
    [5n, 5n],
  ],
  [
    'keep a given maximum, below which the raised priority fee fits',
    { maxFeePerGas: 50n },
    { maxPriorityFeePerGas: 30n },
    [50n, 30n],
  ],
  [
    'keep a given priority fee, with room for the base fee',
    { maxPriorityFeePerGas: 50n },
    undefined,
    [150n, 50n],
  ],
  [
    'keep a given priority fee that is too low, and raise the maximum alone',
    { maxPriorityFeePerGas: 1n },
    { maxPriorityFeePerGas: 30n, maxFeePerGas: 200n },
    [200n, 1n],
  ],
  [
    'are what is given, even if they contradict each other',
    { maxFeePerGas: 1n, maxPriorityFeePerGas: 2n },
    { maxPriorityFeePerGas: 30n, maxFeePerGas: 200n },
    [1n, 2n],
  ],
  [
    'may be nothing, if that is given',
    { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n },
    { maxPriorityFeePerGas: 30n },
    [0n, 0n],
  ],
];

describe('the fees of an operation', () => {
  it.each(cases)('%s', (_name, ...[given, floor, expected]) => {
    const { maxFeePerGas, maxPriorityFeePerGas } = chooseOperationFees(
      given,
      MARKET,
      floor,
    );
    expect([maxFeePerGas, maxPriorityFeePerGas]).toStrictEqual(expected);
  });
});
