// Transaction requests whose fields contradict each other, or cannot be signed together.
import { parseTransactionRequest } from '../../../src/eth/transaction';
import { OTHER, owner } from '../../fixtures/eth/owner';
import { failureOf } from '../../support/error-of';
import { AUTHORIZATION, BLOB_HASH } from '../../support/transactions';

const from = owner.address;

const blobVersionedHashes = [BLOB_HASH];

const authorizationList = [AUTHORIZATION];

const read = (fields: object): ReturnType<typeof parseTransactionRequest> =>
  parseTransactionRequest({ from, to: OTHER, ...fields }, 'params[0]');

const messageOf = async (fields: object): Promise<string> =>
  (await failureOf(() => read(fields))).message;

const excluding = (one: string, other: string): string =>
  `${one} and ${other} exclude each other: no type takes both.`;

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
    [{ type: 2, gasPrice: 1 }, 'type 0x2 takes no gasPrice; types that do: 0x0, 0x1.'],
    [
      { type: 0, maxFeePerGas: 1 },
      'type 0x0 takes no maxFeePerGas; types that do: 0x2, 0x3, 0x4.',
    ],
    [
      { type: 0, accessList: [{ address: OTHER, storageKeys: [] }] },
      'type 0x0 takes no accessList; types that do: 0x1, 0x2, 0x3, 0x4.',
    ],
    [
      { type: 2, maxFeePerBlobGas: 1 },
      'type 0x2 takes no maxFeePerBlobGas; types that do: 0x3.',
    ],
    [
      { type: 3, authorizationList, blobVersionedHashes },
      'type 0x3 takes no authorizationList; types that do: 0x4.',
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
    [{ data: '0xab', input: '0xcd' }, 'data and input differ; give one of them.'],
    [{ gas: 1, gasLimit: 2 }, 'gasLimit and gas differ; give one of them.'],
    [{ chainId: 1, chainID: '0x5' }, 'chainId and chainID differ; give one of them.'],
  ])('%j is refused with the reason', async (fields, message) => {
    expect(await messageOf(fields)).toBe(`params[0]: ${message}`);
  });

  it.each([
    [5, '0x5'],
    ['0x7f', '0x7f'],
  ])('of type %j says which types there are', async (type, shown) => {
    expect(await messageOf({ type })).toBe(
      `params[0].type ${shown} cannot be signed; it must be one of 0x0, 0x1, 0x2, 0x3, 0x4.`,
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

describe('a number that no transaction can hold', () => {
  // EIP-2681 bounds the nonce; gas is 64 bits wide on every chain.
  it.each<object>([
    { nonce: (2n ** 64n - 1n).toString() },
    { gasLimit: (2n ** 64n).toString() },
    { gas: `0x${'ff'.repeat(32)}` },
    { gasLimit: 21000, gasPrice: (2n ** 256n - 1n).toString() },
    { gasLimit: 21000, maxFeePerGas: (2n ** 256n - 1n).toString() },
    { blobVersionedHashes, maxFeePerBlobGas: (2n ** 256n - 1n).toString() },
  ])('is refused before it is signed: %j', async (fields) => {
    expect((await failureOf(() => read(fields))).name).toBe('InvalidParamsError');
  });
});
