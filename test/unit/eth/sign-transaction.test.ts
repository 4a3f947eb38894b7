import { SECP256K1_ORDER_DIV_2 } from '@ethereumjs/util';
import {
  fromRlp,
  numberToHex,
  parseTransaction,
  recoverTransactionAddress,
} from 'viem';
import type { Hex, TransactionSerialized } from 'viem';

import {
  serializeUnsigned,
  signTransaction,
  toTransactionJson,
} from '../../../src/eth/sign-transaction';
import type { Transaction } from '../../../src/eth/transaction';
import { OTHER, owner, privateKey } from '../../fixtures/eth/owner';
import { BLOB_HASH, TO } from '../../support/transactions';
import { toViem } from '../../support/viem-transaction';

const body = {
  from: owner.address,
  to: OTHER,
  value: 10n ** 18n,
  data: '0x',
  chainId: 1n,
  nonce: 7n,
  gasLimit: 21_000n,
} as const;

const accessList = [
  { address: OTHER, storageKeys: [`0x${'0f'.repeat(32)}`, `0x${'00'.repeat(32)}`] },
  { address: owner.address, storageKeys: [] },
] satisfies { address: Hex; storageKeys: Hex[] }[];

const legacy: Transaction = { ...body, type: '0x0', gasPrice: 20_000_000_000n };
const listed: Transaction = { ...body, type: '0x1', gasPrice: 1n, accessList };
const dynamic: Transaction = {
  ...body,
  type: '0x2',
  maxFeePerGas: 30_000_000_000n,
  maxPriorityFeePerGas: 1_500_000_000n,
  accessList: [],
};

const blob: Transaction = {
  ...dynamic,
  type: '0x3',
  maxFeePerBlobGas: 20_000_000_000n,
  blobVersionedHashes: [BLOB_HASH, `0x01${'00'.repeat(31)}`],
};

const delegating: Transaction = {
  ...dynamic,
  type: '0x4',
  authorizationList: [
    { chainId: 0n, address: OTHER, nonce: 0n, yParity: 0n, r: 1n, s: 2n ** 250n },
    { chainId: 1n, address: TO, nonce: 300n, yParity: 1n, r: 2n ** 255n, s: 255n },
  ],
};

const cases: [string, Transaction][] = [
  ['a legacy transaction', legacy],
  ['an EIP-2930 transaction', listed],
  ['an EIP-2930 transaction without a list', { ...listed, accessList: [] }],
  ['an EIP-1559 transaction', dynamic],
  ['an EIP-1559 transaction with a list', { ...dynamic, accessList }],
];

/** Types that cannot create a contract. */
const calls: [string, Transaction][] = [
  ['a blob transaction', blob],
  ['a blob transaction with a list', { ...blob, accessList }],
  ['a set-code transaction', delegating],
  ['a set-code transaction with a list', { ...delegating, accessList }],
];

const creations: [string, Partial<Transaction>][] = [
  ['creating a contract', { to: null, data: '0x600a600c600039600a6000f3' }],
  ['creating a large contract', { to: null, data: `0x${'60'.repeat(60_000)}` }],
];

const variants: [string, Partial<Transaction>][] = [
  ['as it is', {}],
  ['with data', { data: '0xABcdef00' }],
  ['with zeros', { value: 0n, nonce: 0n, gasLimit: 0n }],
  ['on a chain beyond 2^32', { chainId: 2n ** 32n + 1n }],
  ['on the largest chain for all types', { chainId: 4_503_599_627_370_477n }],
  ['on chain 59144', { chainId: 59_144n }],
  ['with all the money there is', { value: 2n ** 256n - 1n }],
];

const all = [
  ...cases.flatMap(([name, transaction]) =>
    [...variants, ...creations].map(([how, fields]) => ({
      name: `${name} ${how}`,
      whole: { ...transaction, ...fields } as Transaction,
    })),
  ),
  ...calls.flatMap(([name, transaction]) =>
    variants.map(([how, fields]) => ({
      name: `${name} ${how}`,
      whole: { ...transaction, ...fields } as Transaction,
    })),
  ),
];

describe('signing', () => {
  it.each(all)('$name is as viem does it', async ({ whole }) => {
    const { raw, signature } = signTransaction(whole, privateKey);
    expect(raw).toBe(await owner.signTransaction(toViem(toTransactionJson(whole))));
    const serializedTransaction = raw as TransactionSerialized;
    expect(await recoverTransactionAddress({ serializedTransaction })).toBe(
      owner.address,
    );
    const { r, s, v, yParity } = parseTransaction(raw);
    expect(BigInt(signature.r)).toBe(BigInt(r ?? 0n));
    expect(BigInt(signature.s)).toBe(BigInt(s ?? 0n));
    const parity = whole.type === '0x0' ? v : yParity;
    expect(signature.v).toBe(numberToHex(parity ?? -1n));
  });

  it.each(all)('$name is in the lower half (EIP-2)', ({ whole }) => {
    const { s } = signTransaction(whole, privateKey).signature;
    expect(BigInt(s) <= SECP256K1_ORDER_DIV_2).toBe(true);
  });
});

describe('a signature', () => {
  it('has r and s of 32 bytes and a minimal v', () => {
    for (let nonce = 0n; nonce < 600n; nonce += 1n) {
      const { r, s, v } = signTransaction({ ...dynamic, nonce }, privateKey).signature;
      expect([r, s].join()).toMatch(/^0x[0-9a-f]{64},0x[0-9a-f]{64}$/u);
      expect(v).toMatch(/^0x[01]$/u);
    }
  });

  it.each([4_503_599_627_370_478n, 2n ** 53n + 1n, 9_223_372_036_854_775_771n])(
    'is refused for type 0x0 on chain %s, where its v would be wrong',
    (chainId) => {
      expect(() => signTransaction({ ...legacy, chainId }, privateKey)).toThrow(
        'A transaction of type 0x0 cannot be signed for a chain id above 4503599627370477; use another type.',
      );
      const { raw } = signTransaction({ ...dynamic, chainId }, privateKey);
      const [chain] = fromRlp(`0x${raw.slice(4)}`) as Hex[];
      expect(BigInt(chain ?? 0)).toBe(chainId);
    },
  );
});

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
