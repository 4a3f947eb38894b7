// Transaction requests whose fields contradict each other, or cannot be signed together.
import { parseTransactionRequest } from '../../../src/eth/transaction';
import { OTHER, owner } from '../../fixtures/eth/owner';
import { failureOf } from '../../support/error-of';

const from = owner.address;

const read = (fields: object): ReturnType<typeof parseTransactionRequest> =>
  parseTransactionRequest({ from, to: OTHER, ...fields }, 'params[0]');

const messageOf = async (fields: object): Promise<string> =>
  (await failureOf(() => read(fields))).message;

describe('a contradictory transaction request', () => {
  const BOTH = 'gasPrice and maxFeePerGas or maxPriorityFeePerGas exclude each other.';
  const OLD = 'takes gasPrice, not maxFeePerGas or maxPriorityFeePerGas.';

  it.each<[object, string]>([
    [{ gasPrice: 1, maxFeePerGas: 1 }, BOTH],
    [{ gasPrice: 1, maxPriorityFeePerGas: 1 }, BOTH],
    [
      { type: 2, gasPrice: 1 },
      'type 0x2 takes maxFeePerGas and maxPriorityFeePerGas, not gasPrice.',
    ],
    [{ type: 0, maxFeePerGas: 1 }, `type 0x0 ${OLD}`],
    [{ type: 1, maxPriorityFeePerGas: 0 }, `type 0x1 ${OLD}`],
    [{ type: 0, accessList: [] }, 'type 0x0 takes no accessList; use type 0x1 or 0x2.'],
    [
      { maxFeePerGas: 1, maxPriorityFeePerGas: 2 },
      'maxPriorityFeePerGas is above maxFeePerGas.',
    ],
    [{ to: null }, 'a contract creation (no "to") needs data.'],
    [{ data: '0xab', input: '0xcd' }, 'data and input differ; give one of them.'],
    [{ gas: 1, gasLimit: 2 }, 'gasLimit and gas differ; give one of them.'],
  ])('%j is refused with the reason', async (fields, message) => {
    expect(await messageOf(fields)).toBe(`params[0]: ${message}`);
  });

  it.each([
    [3, '0x3'],
    ['0x4', '0x4'],
    ['0x7f', '0x7f'],
  ])('of type %j says which types there are', async (type, shown) => {
    expect(await messageOf({ type })).toBe(
      `params[0].type ${shown} cannot be signed; it must be one of 0x0, 0x1, 0x2.`,
    );
  });

  it.each<object>([
    { maxPriorityFeePerGas: 5 },
    { maxFeePerGas: 5, maxPriorityFeePerGas: 5 },
    { type: 2 },
    { type: 1, accessList: [] },
    { accessList: [], gasPrice: 1 },
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
  ])('is refused before it is signed: %j', async (fields) => {
    expect((await failureOf(() => read(fields))).name).toBe('InvalidParamsError');
  });
});
