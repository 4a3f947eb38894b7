import { pad } from 'viem';

import { findWord } from '../../../src/eth/abi';
import {
  keyOf,
  NonceKeyStruct,
  sequenceOf,
  toNonceCall,
} from '../../../src/eth/smart-account';
import { entryPoints, entryPointVersions } from '../../../src/eth/user-operation';
import { parse } from '../../../src/schema/parse';
import { dataOf } from '../../fixtures/trust/call';
import { SENDER } from '../../support/plain-operation';
import { refusalIn } from '../../support/refusal';

const MAX_KEY = 2n ** 192n - 1n;

describe('a nonce', () => {
  it.each([
    [0n, 0n, 0n],
    [7n, 0n, 7n],
    [2n ** 64n - 1n, 0n, 2n ** 64n - 1n],
    [2n ** 64n, 1n, 0n],
    [(MAX_KEY << 64n) + 5n, MAX_KEY, 5n],
    [2n ** 256n - 1n, MAX_KEY, 2n ** 64n - 1n],
  ])('%p has its key and its sequence', (nonce, key, sequence) => {
    expect([keyOf(nonce), sequenceOf(nonce)]).toStrictEqual([key, sequence]);
  });

  it.each(entryPointVersions)('is asked of EntryPoint %s', (entryPoint) => {
    for (const key of [0n, 1n, MAX_KEY]) {
      expect(toNonceCall(entryPoint, SENDER, key)).toStrictEqual({
        to: entryPoints[entryPoint].entryPoint,
        data: dataOf('getNonce(address,uint192)', SENDER, key),
      });
    }
  });

  it('is the word of the answer', () => {
    expect(findWord(pad('0x7'))).toBe(7n);
    expect(findWord(`0x${'F'.repeat(64)}`)).toBe(2n ** 256n - 1n);
  });

  it.each(['0x', '0x7', `0x${'0'.repeat(63)}`, `0x${'0'.repeat(128)}`] as const)(
    'is not %s, which no EntryPoint answers',
    (answer) => {
      expect(findWord(answer)).toBeUndefined();
    },
  );
});

describe('the key of a nonce', () => {
  it('has 192 bits', async () => {
    const read = (value: unknown): bigint => parse(value, NonceKeyStruct, 'nonceKey');
    expect(read(`0x${MAX_KEY.toString(16)}`)).toBe(MAX_KEY);
    expect(await refusalIn(() => read(`0x1${'0'.repeat(48)}`))).toStrictEqual({
      code: -32602,
      message:
        'nonceKey must be a quantity below 2^192 (hex with 0x, decimal string, or safe integer).',
    });
  });
});
