// Any transaction is signed byte for byte as viem signs it, whatever form its quantities
// came in; and any request is either refused or signed.
import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import type { TransactionSerializable } from 'viem';

import { TollkeeperError } from '../../src/errors';
import { signTransaction } from '../../src/eth/sign-transaction';
import { parseTransactionRequest } from '../../src/eth/transaction';
import type { Transaction, TransactionRequest } from '../../src/eth/transaction';
import { owner, privateKey } from '../fixtures/eth/owner';
import {
  address,
  bytes,
  chainId,
  fixedBytes,
  toCapitals,
  uint,
} from '../support/arbitraries';
import { runs } from '../support/runs';
import { without } from '../support/without';

const accessList = fc.array(
  fc.record({ address, storageKeys: fc.array(fixedBytes(32), { maxLength: 3 }) }),
  { maxLength: 3 },
);

const body = fc.record({
  to: address,
  value: uint(256),
  data: bytes(),
  chainId,
  nonce: fc.integer({ min: 0, max: 2 ** 32 }),
  gas: uint(64),
});

// Below 2^192, so that gas × price fits in 256 bits.
const price = uint(192);

const fees = fc.tuple(price, price).map(([one, other]) => ({
  maxFeePerGas: one > other ? one : other,
  maxPriorityFeePerGas: one > other ? other : one,
}));

/** Transactions as viem takes them. */
const transactions: Arbitrary<TransactionSerializable> = fc
  .oneof(
    fc.record({ type: fc.constant('legacy' as const), gasPrice: price, body }),
    fc.record({
      type: fc.constant('eip2930' as const),
      gasPrice: price,
      accessList,
      body,
    }),
    fc
      .record({ type: fc.constant('eip1559' as const), fees, accessList, body })
      .map(({ fees: both, ...others }) => ({ ...others, ...both })),
  )
  .map(({ body: { ...fields }, ...others }) => ({ ...fields, ...others }));

const TYPES = { legacy: '0x0', eip2930: '0x1', eip1559: '0x2' } as const;

/** Write a quantity as callers do: minimal hex, decimal text, or a number. */
function writeQuantity(value: bigint | number, form: number): string | number {
  if (form === 0) return `0x${value.toString(16)}`;
  return form === 1 || value > Number.MAX_SAFE_INTEGER
    ? value.toString()
    : Number(value);
}

/** The same transaction as a caller sends it. */
function toRequest(transaction: TransactionSerializable, form: number): object {
  const { type, gas, ...fields } = transaction;
  const write = (value: unknown): unknown =>
    typeof value === 'bigint' || typeof value === 'number'
      ? writeQuantity(value, form)
      : value;
  const all: [string, unknown][] = Object.entries({ ...fields, gasLimit: gas });
  const written = all.map(([name, value]) => [name, write(value)]);
  return {
    ...(Object.fromEntries(written) as object),
    type: TYPES[type as keyof typeof TYPES],
    from: form === 2 ? toCapitals(owner.address) : owner.address,
  };
}

// The requests made here lack nothing.
const complete = (request: TransactionRequest): Transaction => request as Transaction;

describe('any transaction', () => {
  it('is signed as viem signs it', async () => {
    const property = fc.asyncProperty(transactions, fc.nat(2), async (each, form) => {
      const request = parseTransactionRequest(toRequest(each, form), 'tx');
      const { raw } = signTransaction(complete(request), privateKey);
      expect(raw).toBe(await owner.signTransaction(each));
    });
    await fc.assert(property, runs(150));
  });

  it('that creates a contract is signed as viem signs it', async () => {
    const property = fc.asyncProperty(
      transactions,
      fc.uint8Array({ minLength: 1, maxLength: 50 }),
      async (each, code) => {
        const data = `0x${Buffer.from(code).toString('hex')}` as const;
        const creation = { ...without(each, 'to'), data } as TransactionSerializable;
        const request = parseTransactionRequest(toRequest(creation, 0), 'tx');
        const { raw } = signTransaction(complete(request), privateKey);
        expect(raw).toBe(await owner.signTransaction(creation));
      },
    );
    await fc.assert(property, runs(50));
  });
});

describe('any request', () => {
  it('is refused with a reason or can be signed, and nothing else happens', () => {
    const quantity = uint(256).map((value) => value.toString());
    const requests = fc.record({
      from: fc.constant(owner.address),
      to: fc.oneof(address, fc.constantFrom(null, '')),
      type: fc.constantFrom('0x0', '0x1', '0x2', 2, '0x3'),
      chainId: fc.oneof(quantity, fc.constant('eip155:1')),
      nonce: quantity,
      gasLimit: quantity,
      value: quantity,
      data: bytes(4),
      gasPrice: quantity,
      maxFeePerGas: quantity,
      maxPriorityFeePerGas: quantity,
      accessList,
    });
    const left = fc.subarray([
      'gasPrice',
      'accessList',
      'maxFeePerGas',
      'maxPriorityFeePerGas',
    ]);
    const property = fc.property(requests, left, (fields, names) => {
      const kept = Object.entries(fields).filter(([name]) => !names.includes(name));
      try {
        const request = parseTransactionRequest(Object.fromEntries(kept), 'tx');
        const { maxPriorityFeePerGas = 0n } = request;
        const open = {
          gasPrice: 1n,
          maxFeePerGas: maxPriorityFeePerGas,
          accessList: [],
        };
        const whole = { ...open, maxPriorityFeePerGas, ...request } as Transaction;
        signTransaction(whole, privateKey);
      } catch (error) {
        if (!(error instanceof TollkeeperError)) throw error;
        expect(error.code).toBe(-32602);
      }
    });
    fc.assert(property, runs(300));
  });
});
