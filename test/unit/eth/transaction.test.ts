import { parseTransactionRequest } from '../../../src/eth/transaction';
import { OTHER, owner } from '../../fixtures/eth/owner';
import { errorOf, failureOf, toWholeText } from '../../support/error-of';
import { AUTHORIZATION, BLOB_HASH } from '../../support/transactions';

const from = owner.address;

const read = (fields: object): ReturnType<typeof parseTransactionRequest> =>
  parseTransactionRequest({ from, to: OTHER, ...fields }, 'params[0]');

const messageOf = async (fields: object): Promise<string> =>
  (await failureOf(() => read(fields))).message;

const below = (bound: string): string =>
  `a quantity below ${bound} (hex with 0x, decimal string, or safe integer)`;

const QUANTITY = below('2^256');

const ADDRESS = 'a 20-byte address in hex (in mixed case: with its EIP-55 checksum)';

describe('a transaction request', () => {
  it('is read with every field that is there, and no other', () => {
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

  it('is read from JSON of MetaMask without absent fields', () => {
    // A contract creation leaves out `to`; quantities are minimal hex.
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
    'takes chainID for chainId: %j',
    (fields) => {
      expect(read(fields)).toStrictEqual({ ...read({}), chainId: 5n });
    },
  );

  it('keeps its chain id exact beyond 2^53', () => {
    expect(read({ chainId: '0x20000000000001' }).chainId).toBe(2n ** 53n + 1n);
  });
});

const RECIPIENT =
  'to must be a 20-byte address, or null, "" or "0x" (contract creation).';

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
      `${name} must be left out: a blob transaction is signed from its blobVersionedHashes alone.`,
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
    [
      { authorizationList: Array<object>(2_001).fill(AUTHORIZATION) },
      'authorizationList must be an array of 0 to 2000 entries.',
    ],
    [{ colour: 'red' }, 'colour is not expected here.'],
  ])('%j is refused by its path', async (fields, message) => {
    expect(await messageOf(fields)).toBe(`params[0].${message}`);
  });

  it.each([null, undefined, 'tx', 5, true])('%p is refused', async (value) => {
    const { message } = await failureOf(() => parseTransactionRequest(value, 'tx'));
    expect(message).toMatch(/^tx (?:is missing: it )?must be an object\.$/u);
  });

  it('with a key named __proto__ is refused', async () => {
    const value: unknown = JSON.parse(`{"from": "${from}", "__proto__": {"to": ""}}`);
    const { message } = await failureOf(() => parseTransactionRequest(value, 'tx'));
    expect(message).toBe('tx.__proto__ is not expected here.');
  });

  it('does not stand in the error', async () => {
    const error = await errorOf(() => read({ data: 'sensitive-payload' }));
    expect(toWholeText(error)).not.toContain('sensitive-payload');
  });
});
