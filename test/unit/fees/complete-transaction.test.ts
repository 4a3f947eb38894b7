// Completing transactions with blobs and authorisations; the older types are tested by
// filling them.
import { parseTransactionRequest } from '../../../src/eth/transaction-request';
import {
  completeTransaction,
  isComplete,
} from '../../../src/fees/complete-transaction';
import { owner } from '../../fixtures/eth/owner';
import { failureOf } from '../../support/error-of';
import { MARKET } from '../../support/fill-bench';
import { transactions, withoutFields } from '../../support/transactions';

const FOUND = { ...MARKET, pair: MARKET.medium };

const typed = ['EIP-4844', 'EIP-7702'] as const;

const read = (
  name: keyof typeof transactions,
  absent: string[] = [],
): ReturnType<typeof parseTransactionRequest> =>
  parseTransactionRequest(
    { from: owner.address, ...withoutFields(transactions[name], absent) },
    'tx',
  );

const complete = (
  ...asked: Parameters<typeof read>
): ReturnType<typeof completeTransaction> =>
  completeTransaction(
    { ...read(...asked), chainId: 1n, nonce: 0n, gasLimit: 21_000n },
    FOUND,
  );

describe.each(typed)('an %s transaction', (name) => {
  it('is signed as it is if nothing is missing', () => {
    expect(isComplete(read(name))).toBe(true);
    expect(complete(name)).toStrictEqual({
      ...read(name),
      chainId: 1n,
      nonce: 0n,
      gasLimit: 21_000n,
    });
  });

  it('is known by its fields without a type', () => {
    const { type } = transactions[name];
    for (const source of ['gas-price', 'fee-history'] as const) {
      const request = { ...read(name, ['type']), chainId: 1n, nonce: 0n, gasLimit: 1n };
      expect(isComplete(request)).toBe(false);
      expect(completeTransaction(request, { ...FOUND, source }).type).toBe(type);
    }
  });

  it('gets the medium fees and an empty access list where they are missing', () => {
    const absent = ['maxFeePerGas', 'maxPriorityFeePerGas', 'accessList'];
    expect(isComplete(read(name, absent))).toBe(false);
    expect(complete(name, absent)).toMatchObject({ ...MARKET.medium, accessList: [] });
  });
});

describe('a blob transaction', () => {
  it('needs a fee for blob gas, which no level stands for', async () => {
    expect(isComplete(read('EIP-4844', ['maxFeePerBlobGas']))).toBe(false);
    expect(
      await failureOf(() => complete('EIP-4844', ['maxFeePerBlobGas'])),
    ).toStrictEqual({
      name: 'InvalidParamsError',
      code: -32602,
      message: 'A transaction of type 0x3 needs maxFeePerBlobGas.',
      context: {},
    });
  });
});
