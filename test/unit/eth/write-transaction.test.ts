// Transactions as they are written: as JSON, and in bytes without a signature.
import { fromRlp, numberToHex } from 'viem';
import type { Hex } from 'viem';

import {
  serializeUnsigned,
  signTransaction,
  toTransactionJson,
} from '../../../src/eth/sign-transaction';
import type { Transaction } from '../../../src/eth/transaction';
import { OTHER, owner, privateKey } from '../../fixtures/eth/owner';
import {
  accessList,
  blob,
  delegating,
  dynamic,
  legacy,
  listed,
} from '../../fixtures/eth/unsigned';
import { BLOB_HASH, TO } from '../../support/transactions';

describe('a transaction without a signature', () => {
  const tail: Hex[] = ['0x', '0x', '0x'];

  it('of type 0x0 has nine items, and its chain is not among them', () => {
    const raw = serializeUnsigned({ ...legacy, data: '0xab' });
    expect(fromRlp(raw)).toStrictEqual([
      '0x07',
      '0x04a817c800',
      '0x5208',
      OTHER.toLowerCase(),
      '0x0de0b6b3a7640000',
      '0xab',
      ...tail,
    ]);
  });

  it.each<[string, Transaction, number]>([
    ['0x1', listed, 11],
    ['0x2', dynamic, 12],
    ['0x3', blob, 14],
    ['0x4', delegating, 13],
  ])('of type %s is its envelope with an empty signature', (type, each, count) => {
    const raw = serializeUnsigned(each);
    const { raw: signed } = signTransaction(each, privateKey);
    expect(raw.slice(0, 4)).toBe(`0x${type.slice(2).padStart(2, '0')}`);
    const items = fromRlp(`0x${raw.slice(4)}`);
    const signedItems = fromRlp(`0x${signed.slice(4)}`);
    expect(items).toHaveLength(count);
    expect(items).toStrictEqual([...signedItems.slice(0, -3), ...tail]);
  });

  it('is refused if a field is out of range', () => {
    expect(() => serializeUnsigned({ ...dynamic, maxFeePerGas: 2n ** 256n })).toThrow(
      'A field of the transaction is out of range.',
    );
    expect(() => serializeUnsigned({ ...blob, to: null })).toThrow(
      'A field of the transaction is out of range.',
    );
  });
});

describe('toTransactionJson', () => {
  it('writes every quantity as minimal hex and leaves the rest alone', () => {
    const { maxFeePerGas, maxPriorityFeePerGas } = dynamic;
    expect(toTransactionJson({ ...dynamic, nonce: 0n, accessList })).toStrictEqual({
      type: '0x2',
      chainId: '0x1',
      nonce: '0x0',
      from: owner.address,
      to: OTHER,
      value: '0xde0b6b3a7640000',
      data: '0x',
      gasLimit: '0x5208',
      maxFeePerGas: numberToHex(maxFeePerGas),
      maxPriorityFeePerGas: numberToHex(maxPriorityFeePerGas),
      accessList,
    });
  });

  it('writes blobs', () => {
    const json = toTransactionJson(blob);
    expect(json).toMatchObject({
      type: '0x3',
      maxFeePerBlobGas: '0x4a817c800',
      blobVersionedHashes: [BLOB_HASH, `0x01${'00'.repeat(31)}`],
      accessList: [],
    });
    expect(json).not.toHaveProperty('authorizationList');
  });

  it('writes authorisations, in minimal hex', () => {
    const json = toTransactionJson(delegating);
    expect(json).toMatchObject({ type: '0x4', accessList: [] });
    expect(json.authorizationList).toStrictEqual([
      {
        chainId: '0x0',
        address: OTHER,
        nonce: '0x0',
        yParity: '0x0',
        r: '0x1',
        s: numberToHex(2n ** 250n),
      },
      {
        chainId: '0x1',
        address: TO,
        nonce: '0x12c',
        yParity: '0x1',
        r: numberToHex(2n ** 255n),
        s: '0xff',
      },
    ]);
    expect(json).not.toHaveProperty('blobVersionedHashes');
  });

  it('writes a legacy creation without fields of other types', () => {
    const json = toTransactionJson({ ...legacy, to: null, data: '0x60' });
    expect(json).toMatchObject({ type: '0x0', to: null, gasPrice: '0x4a817c800' });
    expect(Object.keys(json)).not.toEqual(
      expect.arrayContaining(['accessList', 'maxFeePerGas', 'maxPriorityFeePerGas']),
    );
    expect(JSON.parse(JSON.stringify(json))).toStrictEqual(json);
  });
});
