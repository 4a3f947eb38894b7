// Transactions as they are written: as JSON, and in bytes without a signature.
import { fromRlp } from 'viem';
import type { Hex } from 'viem';

import {
  serializeUnsigned,
  toTransactionJson,
} from '../../../src/eth/sign-transaction';
import type { Transaction } from '../../../src/eth/transaction';
import { owner } from '../../fixtures/eth/owner';
import { make, signed } from '../../support/raw-transactions';
import { TO, transactions } from '../../support/transactions';

const tail: Hex[] = ['0x', '0x', '0x'];

describe('a transaction without a signature', () => {
  it('of type 0x0 has nine items, and its chain is not among them', () => {
    const raw = serializeUnsigned(make(transactions.legacy));
    expect(fromRlp(raw)).toStrictEqual([
      '0x',
      '0x04a817c800',
      '0x5208',
      TO,
      '0x2386f26fc10000',
      '0x',
      ...tail,
    ]);
  });

  it.each(signed.slice(1))(
    'of type $name is its envelope with an empty signature',
    ({ transaction, raw }) => {
      const unsigned = serializeUnsigned(transaction);
      expect(unsigned.slice(0, 4)).toBe(raw.slice(0, 4));
      const items = fromRlp(`0x${raw.slice(4)}`);
      expect(fromRlp(`0x${unsigned.slice(4)}`)).toStrictEqual([
        ...items.slice(0, -3),
        ...tail,
      ]);
    },
  );

  it('is refused if a field is out of range', () => {
    const dear = { ...make(transactions['EIP-1559']), maxFeePerGas: 2n ** 256n };
    const lost = { ...make(transactions['EIP-4844']), to: null };
    for (const each of [dear, lost]) {
      expect(() => serializeUnsigned(each as Transaction)).toThrow(
        'A field of the transaction is out of range.',
      );
    }
  });
});

it.each(Object.entries(transactions))(
  'writes %s as JSON, in minimal hex',
  (_type, fields) => {
    const { from, ...json } = toTransactionJson(make(fields));
    expect(json).toStrictEqual(fields);
    expect(from).toBe(owner.address.toLowerCase());
  },
);
