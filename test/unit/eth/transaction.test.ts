import { SECP256K1_ORDER, SECP256K1_ORDER_DIV_2 } from '@ethereumjs/util';

import { toAuthorizationJson } from '../../../src/core/authorization';
import type { Authorization, Transaction } from '../../../src/core/payload';
import { feesOf } from '../../../src/core/transaction';
import { maxCostOf, parseTransactionRequest } from '../../../src/eth/transaction';
import { OTHER, owner } from '../../fixtures/eth/owner';
import { errorOf, failureOf, toWholeText } from '../../support/error-of';
import { AUTHORIZATION, BLOB_HASH, transactions } from '../../support/transactions';
import { without } from '../../support/without';

const from = owner.address;

const read = (fields: object): ReturnType<typeof parseTransactionRequest> =>
  parseTransactionRequest({ from, to: OTHER, ...fields }, 'params[0]');

const messageOf = async (fields: object): Promise<string> =>
  (await failureOf(() => read(fields))).message;

const below = (bound: string): string =>
  `a quantity below ${bound} (hex with 0x, decimal string, or safe integer)`;

const QUANTITY = below('2^256');

const ADDRESS =
  'a 20-byte address in hex (mixed case must match the EIP-55 checksum, or EIP-1191 on chains 30 and 31)';

describe('a transaction request', () => {
  it('is read with exactly its fields', () => {
    const accessList = [{ address: OTHER, storageKeys: [`0x${'0f'.repeat(32)}`] }];
    const fields = { type: '0x2', chainId: '0xaa36a7', nonce: '0x0', value: '0x1' };
    const fees = { maxFeePerGas: '30', maxPriorityFeePerGas: 2 };
    const data = '0xAbCd';
    expect(read({ ...fields, ...fees, data, gasLimit: 21000, accessList })).toEqual({
      from,
      to: OTHER,
      type: '0x2',
      chainId: 11155111n,
      nonce: 0n,
      value: 1n,
      data,
      gasLimit: 21000n,
      maxFeePerGas: 30n,
      maxPriorityFeePerGas: 2n,
      accessList,
    });
    expect(read({})).toStrictEqual({ from, to: OTHER, value: 0n, data: '0x' });
  });

  it('has no storage keys if they are null', () => {
    const accessList = [{ address: OTHER, storageKeys: null }];
    expect(read({ accessList })).toMatchObject({
      accessList: [{ address: OTHER, storageKeys: [] }],
    });
  });

  it("is read from MetaMask's JSON without absent fields", () => {
    // A contract creation has no `to`; quantities are minimal hex.
    const json = {
      from: from.toLowerCase(),
      data: '0x60',
      type: '0x0',
      gasPrice: '0x1',
    };
    expect(parseTransactionRequest(json, 'params[0]')).toStrictEqual({
      from: from.toLowerCase(),
      to: null,
      type: '0x0',
      value: 0n,
      data: '0x60',
      gasPrice: 1n,
    });
  });

  it.each([{ chainID: '0x5' }, { chainID: 5, chainId: 'eip155:5' }])(
    'accepts chainID for chainId: %j',
    (fields) => {
      expect(read(fields)).toStrictEqual({ ...read({}), chainId: 5n });
    },
  );

  it('keeps its chain id exact beyond 2^53', () => {
    expect(read({ chainId: '0x20000000000001' }).chainId).toBe(2n ** 53n + 1n);
  });
});

const RECIPIENT = `to must be ${ADDRESS}, or null, "" or "0x" (contract creation).`;

const DATA = 'bytes in hex (0x and an even number of digits; 1 MB at most) or ""';

describe('a malformed transaction request', () => {
  it.each<[object, string]>([
    [{ from: undefined }, `from is missing: it must be ${ADDRESS}.`],
    [{ from: from.replace('F', 'f') }, `from must be ${ADDRESS}.`],
    [{ to: '0x12' }, RECIPIENT],
    [{ nonce: -1 }, `nonce must be ${below('2^64 - 1')}.`],
    [{ value: 1e21 }, `value must be ${QUANTITY}.`],
    [{ gasPrice: '1.5' }, `gasPrice must be ${below('2^192')}.`],
    [{ gasLimit: '0x' }, `gasLimit must be ${below('2^64')}.`],
    [{ data: '0xabc' }, `data must be ${DATA}.`],
    [{ input: 'ab' }, `input must be ${DATA}.`],
    [
      { chainId: 0 },
      'chainId must be a chain id (hex, decimal or CAIP-2 such as "eip155:1").',
    ],
    [{ accessList: {} }, 'accessList must be an array.'],
    [
      { accessList: [{ address: OTHER.replace('C', 'c'), storageKeys: [] }] },
      `accessList[0].address must be ${ADDRESS}.`,
    ],
    [
      { accessList: [{ address: OTHER, storageKeys: ['0x1'] }] },
      'accessList[0].storageKeys[0] must be a 32-byte value in hex (0x and 64 digits).',
    ],
    ...['blobs', 'commitments', 'proofs', 'sidecars'].map((name): [object, string] => [
      { type: 3, blobVersionedHashes: [BLOB_HASH], [name]: [] },
      `${name} must be left out: a blob transaction is signed using only its blobVersionedHashes.`,
    ]),
    [
      { blobVersionedHashes: Array<string>(10).fill(BLOB_HASH) },
      'blobVersionedHashes must be an array of 0 to 9 entries.',
    ],
    [
      { blobVersionedHashes: [BLOB_HASH.replace('0x01', '0x00')] },
      'blobVersionedHashes[0] must be a versioned hash of EIP-4844 (0x01 and 62 digits).',
    ],
    [
      { blobVersionedHashes: [BLOB_HASH, BLOB_HASH.slice(0, -2)] },
      'blobVersionedHashes[1] must be a versioned hash of EIP-4844 (0x01 and 62 digits).',
    ],
    [{ maxFeePerBlobGas: -1 }, `maxFeePerBlobGas must be ${below('2^192')}.`],
    // EIP-2681 bounds the nonce; gas is 64 bits wide on every chain.
    [{ nonce: (2n ** 64n - 1n).toString() }, `nonce must be ${below('2^64 - 1')}.`],
    [{ gasLimit: (2n ** 64n).toString() }, `gasLimit must be ${below('2^64')}.`],
    [{ gas: `0x${'ff'.repeat(32)}` }, `gas must be ${below('2^64')}.`],
    ...['gasPrice', 'maxFeePerGas', 'maxFeePerBlobGas'].map(
      (name): [object, string] => [
        { [name]: (2n ** 256n - 1n).toString() },
        `${name} must be ${below('2^192')}.`,
      ],
    ),
    [
      { authorizationList: Array<object>(2_001).fill(AUTHORIZATION) },
      'authorizationList must be an array of 0 to 2000 entries.',
    ],
    [{ colour: 'red' }, 'colour is not expected here.'],
  ])('is rejected with its path: %j', async (fields, message) => {
    expect(await messageOf(fields)).toBe(`params[0].${message}`);
  });

  it.each([null, undefined, 'tx', 5, true])('is rejected: %p', async (value) => {
    const { message } = await failureOf(() => parseTransactionRequest(value, 'tx'));
    expect(message).toMatch(/^tx (?:is missing: it )?must be an object\.$/u);
  });

  it('is rejected for a key named __proto__', async () => {
    const value: unknown = JSON.parse(`{"from": "${from}", "__proto__": {"to": ""}}`);
    const { message } = await failureOf(() => parseTransactionRequest(value, 'tx'));
    expect(message).toBe('tx.__proto__ is not expected here.');
  });

  it('is not quoted in the error', async () => {
    const error = await errorOf(() => read({ data: 'sensitive-payload' }));
    expect(toWholeText(error)).not.toContain('sensitive-payload');
  });
});

const blobVersionedHashes = [BLOB_HASH];

const authorizationList = [AUTHORIZATION];

const excluding = (one: string, other: string): string =>
  `${one} and ${other} cannot be combined: no type supports both.`;

const EMPTY_CREATION =
  'a contract creation (no "to") needs data; without code it burns its value.';

describe('a contradictory transaction request', () => {
  it.each<[object, string]>([
    [{ gasPrice: 1, maxFeePerGas: 1 }, excluding('gasPrice', 'maxFeePerGas')],
    [
      { gasPrice: 1, maxPriorityFeePerGas: 1 },
      excluding('gasPrice', 'maxPriorityFeePerGas'),
    ],
    [{ gasPrice: 1, authorizationList }, excluding('gasPrice', 'authorizationList')],
    [
      { blobVersionedHashes, authorizationList },
      excluding('blobVersionedHashes', 'authorizationList'),
    ],
    [
      { type: 2, gasPrice: 1 },
      'type 0x2 does not support gasPrice; types that do: 0x0, 0x1.',
    ],
    [
      { type: 0, maxFeePerGas: 1 },
      'type 0x0 does not support maxFeePerGas; types that do: 0x2, 0x3, 0x4.',
    ],
    [
      { type: 0, accessList: [{ address: OTHER, storageKeys: [] }] },
      'type 0x0 does not support accessList; types that do: 0x1, 0x2, 0x3, 0x4.',
    ],
    [
      { type: 2, maxFeePerBlobGas: 1 },
      'type 0x2 does not support maxFeePerBlobGas; types that do: 0x3.',
    ],
    [
      { type: 3, authorizationList, blobVersionedHashes },
      'type 0x3 does not support authorizationList; types that do: 0x4.',
    ],
    [{ type: 3 }, 'type 0x3 needs blobVersionedHashes.'],
    [{ maxFeePerBlobGas: 1 }, 'type 0x3 needs blobVersionedHashes.'],
    [{ type: 4 }, 'type 0x4 needs authorizationList.'],
    [
      { to: null, data: '0x60', blobVersionedHashes },
      'type 0x3 cannot create a contract; it needs "to".',
    ],
    [
      { to: '', data: '0x60', type: 4, authorizationList },
      'type 0x4 cannot create a contract; it needs "to".',
    ],
    [
      { maxFeePerGas: 1, maxPriorityFeePerGas: 2 },
      'maxPriorityFeePerGas is above maxFeePerGas.',
    ],
    [{ to: null }, EMPTY_CREATION],
    [{ to: '', input: '0x' }, EMPTY_CREATION],
    [{ type: 3, blobVersionedHashes: [] }, 'type 0x3 needs blobVersionedHashes.'],
    [{ type: 4, authorizationList: [] }, 'type 0x4 needs authorizationList.'],
    [{ data: '0xab', input: '0xcd' }, 'data and input differ; give only one of them.'],
    [{ gas: 1, gasLimit: 2 }, 'gasLimit and gas differ; give only one of them.'],
    [
      { chainId: 1, chainID: '0x5' },
      'chainId and chainID differ; give only one of them.',
    ],
  ])('is rejected with the reason: %j', async (fields, message) => {
    expect(await messageOf(fields)).toBe(`params[0]: ${message}`);
  });

  it.each([
    [5, '0x5'],
    ['0x7f', '0x7f'],
    [6, '0x6 (frame transaction, EIP-8141)'],
    ['0x79', '0x79 (account transaction of Base, EIP-8130)'],
    ['0x7b', '0x7b (Celo, CIP-64)'],
    ['0x7c', '0x7c (Celo, CIP-42)'],
    ['0x7e', '0x7e (deposit of an OP Stack chain)'],
  ])('is rejected with a list of the supported types: %j', async (type, shown) => {
    expect(await messageOf({ type })).toBe(
      `params[0].type ${shown} is not supported; it must be one of 0x0, 0x1, 0x2, 0x3, 0x4.`,
    );
  });

  it.each<object>([
    { maxPriorityFeePerGas: 5 },
    { maxFeePerGas: 5, maxPriorityFeePerGas: 5 },
    { type: 2 },
    { type: 1, accessList: [] },
    { accessList: [], gasPrice: 1 },
    { type: 3, blobVersionedHashes, maxFeePerGas: 1 },
    { blobVersionedHashes, maxFeePerBlobGas: 0, accessList: [] },
    { type: 4, authorizationList, maxPriorityFeePerGas: 1 },
    { authorizationList, maxFeePerGas: 1 },
  ])('does not include %j', (fields) => {
    expect(() => read(fields)).not.toThrow();
  });
});

const authorization: Authorization = {
  chainId: 0n,
  address: AUTHORIZATION.address,
  nonce: 1n,
  yParity: 1n,
  r: BigInt(AUTHORIZATION.r),
  s: BigInt(AUTHORIZATION.s),
};

const readAuthorization = (given: unknown) =>
  read({ authorizationList: [given] }).authorizationList?.[0];

const NUMBER = '(hex with 0x, decimal string, or safe integer)';
const CHAIN = `chainId must be a chain id below 2^256, 0 for every chain ${NUMBER}`;
const NONCE = `nonce must be a quantity below 2^64 - 1 ${NUMBER}`;
const PARITY = `yParity must be 0 or 1 ${NUMBER}`;
const V = `v must be 0, 1, 27 or 28 ${NUMBER}`;
const R = `r must be a quantity from 1 to the order of secp256k1 minus 1 ${NUMBER}`;
const S = `s must be a quantity from 1 to half the order of secp256k1 ${NUMBER}`;

describe('an authorization', () => {
  it.each<[string, object, Partial<Authorization>]>([
    ['in hex', {}, {}],
    [
      'in numbers',
      { chainId: 1, nonce: 0, yParity: 0 },
      { chainId: 1n, nonce: 0n, yParity: 0n },
    ],
    ['in decimal strings', { chainId: '10', nonce: '7' }, { chainId: 10n, nonce: 7n }],
    [
      'with the zeros that @ethereumjs/tx writes',
      { chainId: '0x', nonce: '0x', yParity: '0x' },
      { nonce: 0n, yParity: 0n },
    ],
    [
      'with the largest numbers',
      {
        chainId: (2n ** 256n - 1n).toString(),
        nonce: (2n ** 64n - 2n).toString(),
        r: (SECP256K1_ORDER - 1n).toString(),
        s: SECP256K1_ORDER_DIV_2.toString(),
      },
      {
        chainId: 2n ** 256n - 1n,
        nonce: 2n ** 64n - 2n,
        r: SECP256K1_ORDER - 1n,
        s: SECP256K1_ORDER_DIV_2,
      },
    ],
    ['with the smallest signature', { r: 1, s: 1 }, { r: 1n, s: 1n }],
    [
      'of the zero address',
      { address: `0x${'0'.repeat(40)}` },
      { address: `0x${'0'.repeat(40)}` },
    ],
    ['with yParity and the v that viem adds', { v: '0x1c' }, {}],
  ])('is read %s', (_form, fields, expected) => {
    expect(readAuthorization({ ...AUTHORIZATION, ...fields })).toStrictEqual({
      ...authorization,
      ...expected,
    });
  });

  it.each([
    [0, 0n],
    [1, 1n],
    ['27', 0n],
    ['0x1c', 1n],
  ])('is read with v %j instead of yParity', (v, yParity) => {
    expect(
      readAuthorization({ ...without(AUTHORIZATION, 'yParity'), v }),
    ).toStrictEqual({
      ...authorization,
      yParity,
    });
  });

  it.each<[object, string]>([
    [{ chainId: (2n ** 256n).toString() }, `${CHAIN}.`],
    [{ chainId: 'eip155:1' }, `${CHAIN}.`],
    [{ chainId: undefined }, `${CHAIN.replace('must be', 'is missing: it must be')}.`],
    [
      { address: OTHER.replace('C', 'c') },
      'address must be a 20-byte address in hex (mixed case must match the EIP-55 checksum, or EIP-1191 on chains 30 and 31).',
    ],
    [{ nonce: (2n ** 64n - 1n).toString() }, `${NONCE}.`],
    [{ yParity: 2 }, `${PARITY}.`],
    [{ v: 2 }, `${V}.`],
    [{ v: 26 }, `${V}.`],
    [{ v: 29 }, `${V}.`],
    [{ r: 0 }, `${R}.`],
    [{ r: SECP256K1_ORDER.toString() }, `${R}.`],
    [{ s: 0 }, `${S}.`],
    [{ s: (SECP256K1_ORDER_DIV_2 + 1n).toString() }, `${S}.`],
    [{ signature: '0x' }, 'signature is not expected here.'],
  ])('is rejected with its path if it has %j', async (fields, message) => {
    const reading = () => readAuthorization({ ...AUTHORIZATION, ...fields });
    expect(await failureOf(reading)).toMatchObject({
      name: 'InvalidParamsError',
      message: `params[0].authorizationList[0].${message}`,
    });
  });

  it('is rejected without yParity and v, or if they differ', async () => {
    const bare = without(AUTHORIZATION, 'yParity');
    expect((await failureOf(() => readAuthorization(bare))).message).toBe(
      'params[0].authorizationList[0].yParity is missing: it must be 0 or 1.',
    );
    const double = { ...AUTHORIZATION, v: 27 };
    expect((await failureOf(() => readAuthorization(double))).message).toBe(
      'params[0].authorizationList[0]: yParity and v differ; give only one of them.',
    );
  });
});

it('writes an authorization in minimal hex, which reads back the same', () => {
  const json = toAuthorizationJson({ ...authorization, r: 10n });
  expect(json).toStrictEqual({ ...AUTHORIZATION, r: '0xa' });
  expect(readAuthorization(json)).toStrictEqual({ ...authorization, r: 10n });
});

const make = (name: keyof typeof transactions, fields: object = {}): Transaction =>
  read({ ...transactions[name], value: 7, gasLimit: 10, ...fields }) as Transaction;

describe('the maximum cost of a transaction', () => {
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
        blobVersionedHashes: Array<string>(3).fill(BLOB_HASH),
      },
      57n + 3n * 131_072n * 2n,
    ],
  ])('for type %s with %j is %s', (name, fields, cost) => {
    expect(maxCostOf(make(name, fields))).toBe(cost);
  });

  it('is exact beyond the precision of numbers', () => {
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
  ])('for type %s are %j', (name, expected) => {
    const transaction = make(name);
    const { [name]: fields }: Record<string, Record<string, unknown>> = transactions;
    expect(feesOf(transaction)).toStrictEqual(
      expected.map((fee) => [fee, BigInt(String(fields?.[fee]))]),
    );
  });
});
