import {
  feesOf,
  maxCostOf,
  parseTransactionRequest,
} from '../../../src/eth/transaction';
import type { Transaction } from '../../../src/eth/transaction';
import { owner } from '../../fixtures/eth/owner';
import { BLOB_HASH, transactions } from '../../support/transactions';

const make = (name: keyof typeof transactions, fields: object = {}): Transaction =>
  parseTransactionRequest(
    { ...transactions[name], from: owner.address, value: 7, gasLimit: 10, ...fields },
    'tx',
  ) as Transaction;

const hashes = (count: number): string[] => Array<string>(count).fill(BLOB_HASH);

describe('the most that a transaction can cost', () => {
  it.each<[keyof typeof transactions, object, bigint]>([
    ['legacy', { gasPrice: 3 }, 37n],
    ['EIP-2930', { gasPrice: 0 }, 7n],
    ['EIP-1559', { maxFeePerGas: 5, maxPriorityFeePerGas: 1 }, 57n],
    ['EIP-7702', { maxFeePerGas: 5, maxPriorityFeePerGas: 5 }, 57n],
    [
      'EIP-4844',
      { maxFeePerGas: 5, maxPriorityFeePerGas: 1, maxFeePerBlobGas: 0 },
      57n,
    ],
    [
      'EIP-4844',
      {
        maxFeePerGas: 5,
        maxPriorityFeePerGas: 1,
        maxFeePerBlobGas: 2,
        blobVersionedHashes: hashes(3),
      },
      57n + 3n * 131_072n * 2n,
    ],
  ])('of type %s with %j is %s', (name, fields, cost) => {
    expect(maxCostOf(make(name, fields))).toBe(cost);
  });

  it('is exact where no number is', () => {
    const gasLimit = (2n ** 64n - 1n).toString();
    const gasPrice = (2n ** 192n - 1n).toString();
    const value = (2n ** 256n - 1n).toString();
    expect(maxCostOf(make('legacy', { gasLimit, gasPrice, value }))).toBe(
      2n ** 256n - 1n + (2n ** 64n - 1n) * (2n ** 192n - 1n),
    );
  });
});

describe('the fees of a transaction', () => {
  it.each<[keyof typeof transactions, string[]]>([
    ['legacy', ['gasPrice']],
    ['EIP-2930', ['gasPrice']],
    ['EIP-1559', ['maxFeePerGas', 'maxPriorityFeePerGas']],
    ['EIP-4844', ['maxFeePerGas', 'maxPriorityFeePerGas', 'maxFeePerBlobGas']],
    ['EIP-7702', ['maxFeePerGas', 'maxPriorityFeePerGas']],
  ])('of type %s are %j', (name, expected) => {
    const transaction = make(name);
    const { [name]: fields }: Record<string, Record<string, unknown>> = transactions;
    expect(feesOf(transaction)).toStrictEqual(
      expected.map((fee) => [fee, BigInt(String(fields?.[fee]))]),
    );
  });
});
