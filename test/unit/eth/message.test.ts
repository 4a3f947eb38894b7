import { recoverMessageAddress, stringToBytes, toHex } from 'viem';

import { parseMessage, signMessage } from '../../../src/eth/message';
import { owner, privateKey } from '../../fixtures/eth/owner';
import { failureOf } from '../../support/error-of';

const toHexDigits = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('parseMessage', () => {
  it.each([
    ['0x', ''],
    ['0x00', '00'],
    ['0x48656c6c6F', '48656c6c6f'],
    ['', ''],
    ['Hello', '48656c6c6f'],
    ['48656c6c6f', '34383635366336633666'],
    ['0xno hex', toHexDigits(stringToBytes('0xno hex'))],
    ['0x0x', '30783078'],
    ['é\u{1f600}', 'c3a9f09f9880'],
    // As every TextEncoder does.
    ['a\ud800b', '61efbfbd62'],
  ])('reads %j', (message, digits) => {
    expect(toHexDigits(parseMessage(message))).toBe(digits);
  });

  it.each(['0x1', '0xabc'])('refuses %s, whose digits are odd', async (message) => {
    expect(await failureOf(() => parseMessage(message))).toStrictEqual({
      name: 'InvalidParamsError',
      code: -32602,
      message: 'The message is hex with an odd number of digits.',
      context: {},
    });
  });

  it('takes a million bytes and no more', async () => {
    const tooLong = 'The message has 1000001 bytes; at most 1000000 can be signed.';
    expect(parseMessage('a'.repeat(1_000_000))).toHaveLength(1_000_000);
    expect(parseMessage(`0x${'ab'.repeat(1_000_000)}`)).toHaveLength(1_000_000);
    for (const message of [
      'a'.repeat(1_000_001),
      `0x${'ab'.repeat(1_000_001)}`,
      // Fewer characters, but as many bytes.
      `a${'é'.repeat(500_000)}`,
    ]) {
      expect((await failureOf(() => parseMessage(message))).message).toBe(tooLong);
    }
  });
});

describe('signMessage', () => {
  it.each([
    ['nothing', new Uint8Array()],
    ['many languages', stringToBytes('Grüße, 你好, \u{1f468}\u200d\u{1f469}')],
    ['what looks like the prefix', stringToBytes('\x19Ethereum Signed Message:\n2hi')],
    ['100 bytes, a three-digit length', new Uint8Array(100).fill(0x61)],
  ])('signs %s as viem does, recoverable to the owner', async (_what, message) => {
    const signature = signMessage(message, privateKey);
    const raw = toHex(message);
    expect(signature).toBe(await owner.signMessage({ message: { raw } }));
    expect(await recoverMessageAddress({ message: { raw }, signature })).toBe(
      owner.address,
    );
  });

  it('has v of 27 or 28', () => {
    const ends = [...'abcdefgh'].map((text) =>
      signMessage(stringToBytes(text), privateKey).slice(-2),
    );
    expect([...new Set(ends)].sort()).toStrictEqual(['1b', '1c']);
  });

  it('leaves message and key as they were', () => {
    const message = stringToBytes('Hello');
    const key = Uint8Array.from(privateKey);
    signMessage(message, key);
    expect(toHexDigits(message)).toBe('48656c6c6f');
    expect(key).toStrictEqual(privateKey);
  });
});
