import { computeReplacementFees } from '../../../src/fees/replacement-fees';
import type { GivenFees } from '../../../src/fees/replacement-fees';
import { make } from '../../support/raw-transactions';
import { refusalIn } from '../../support/refusal';
import { transactions } from '../../support/transactions';

const DYNAMIC = make({
  ...transactions['EIP-1559'],
  maxFeePerGas: '0x65',
  maxPriorityFeePerGas: '0xa',
});

const LEGACY = make({ ...transactions.legacy, gasPrice: '0x65' });

const compute = (
  given: GivenFees,
  market: GivenFees = {},
  pending = DYNAMIC,
): GivenFees => computeReplacementFees(pending, { given, market, root: 'fees' });

describe('fees of a replacement', () => {
  it('are a tenth higher, rounded up', () => {
    expect(compute({})).toStrictEqual({
      maxFeePerGas: 112n,
      maxPriorityFeePerGas: 11n,
    });
    expect(compute({}, {}, LEGACY)).toStrictEqual({ gasPrice: 112n });
  });

  it('are those of now where they are higher, each for itself', () => {
    const market = { maxFeePerGas: 500n, maxPriorityFeePerGas: 1n };
    expect(compute({}, market)).toStrictEqual({
      maxFeePerGas: 500n,
      maxPriorityFeePerGas: 11n,
    });
    expect(compute({}, { gasPrice: 500n }, LEGACY)).toStrictEqual({ gasPrice: 500n });
    expect(compute({}, { gasPrice: 1n }, LEGACY)).toStrictEqual({ gasPrice: 112n });
  });

  it('are the given ones where they suffice, below those of now too', () => {
    const given = { maxFeePerGas: 112n, maxPriorityFeePerGas: 11n };
    const market = { maxFeePerGas: 500n, maxPriorityFeePerGas: 50n };
    expect(compute(given, market)).toStrictEqual(given);
  });

  it('have a maximum that covers the priority fee', () => {
    expect(compute({ maxPriorityFeePerGas: 900n })).toStrictEqual({
      maxFeePerGas: 900n,
      maxPriorityFeePerGas: 900n,
    });
  });

  it.each<[string, { given: GivenFees; pending: typeof DYNAMIC }, string]>([
    [
      'a maximum that is too low',
      { given: { maxFeePerGas: 111n }, pending: DYNAMIC },
      'fees.maxFeePerGas must be at least 0x70: a tenth above that of the transaction that is to be replaced.',
    ],
    [
      'a gas price that is too low',
      { given: { gasPrice: 111n }, pending: LEGACY },
      'fees.gasPrice must be at least 0x70: a tenth above that of the transaction that is to be replaced.',
    ],
    [
      'a gas price for fees of another kind',
      { given: { gasPrice: 900n }, pending: DYNAMIC },
      'fees.gasPrice is not expected here: the pending transaction has maxFeePerGas and maxPriorityFeePerGas.',
    ],
    [
      'a priority fee for a gas price',
      { given: { maxPriorityFeePerGas: 900n }, pending: LEGACY },
      'fees.maxPriorityFeePerGas is not expected here: the pending transaction has gasPrice.',
    ],
    [
      'a maximum below the priority fee',
      { given: { maxFeePerGas: 112n, maxPriorityFeePerGas: 113n }, pending: DYNAMIC },
      'fees.maxFeePerGas must be at least 0x71, the priority fee.',
    ],
  ])('refuse %s', async (_what, { given, pending }, message) => {
    const refusal = await refusalIn(() => compute(given, {}, pending));
    expect(refusal).toStrictEqual({ code: -32602, message });
  });
});
