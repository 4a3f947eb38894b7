import type { Hex } from 'viem';

import { abi, decodeCall, encodeArguments, encodeCall } from '../../../src/eth/abi';
import type { AbiSignature, AbiValue } from '../../../src/eth/abi';
import { concatHex, toPaddedHex } from '../../../src/eth/hex';

const ADDRESS = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const MAX = 2n ** 256n - 1n;
const LONG: Hex = `0x${'ab'.repeat(33)}`;

describe('encodeCall', () => {
  it.each<[string, AbiSignature, AbiValue[]]>([
    ['a number over 256 bits', 'createAccount(address,uint256)', [ADDRESS, MAX + 1n]],
    ['a negative number', 'createAccount(address,uint256)', [ADDRESS, -1n]],
    ['a key over 192 bits', 'getNonce(address,uint192)', [ADDRESS, 2n ** 192n]],
    ['a long address', 'initialize(address)', [`${ADDRESS}00`]],
    ['a missing argument', 'initialize(address)', []],
  ])('refuses %s', (_what, signature, values) => {
    expect(() => encodeCall(signature, values)).toThrow();
  });
});

describe('encodeArguments', () => {
  it('encodes a constructor of bytes and an address', () => {
    // By hand, after the ABI's specification: head of two words, then length and bytes.
    const word = (digits: string): string => digits.padStart(64, '0');
    expect(encodeArguments(['address', 'bytes'], [ADDRESS, '0xabcd'])).toBe(
      `0x${word(ADDRESS.slice(2))}${word('40')}${word('2')}${'abcd'.padEnd(64, '0')}`,
    );
  });
});

describe('decodeCall', () => {
  it('reads a call whose digits are in capitals', () => {
    const data = encodeCall('initialize(address)', [ADDRESS]);
    const capitals: Hex = `0x${data.slice(2).toUpperCase()}`;
    expect(decodeCall('initialize(address)', capitals)).toStrictEqual({
      values: [ADDRESS],
      isCanonical: true,
    });
  });

  it.each<[string, Hex]>([
    ['nothing', '0x'],
    ['a part of a selector', '0xb61d27'],
    ['another function', encodeCall('initialize(address)', [ADDRESS])],
    ['a selector alone', '0xb61d27f6'],
  ])('reads nothing from %s', (_what, data) => {
    expect(decodeCall('execute(address,uint256,bytes)', data)).toBeUndefined();
  });

  it('reads a call that is cut in the padding, and nothing from a shorter one', () => {
    const whole = encodeCall('execute(address,uint256,bytes)', [ADDRESS, 1n, LONG]);
    // Ends: in the padding, in the bytes, before their length, in the value.
    const shorter = [2, 64, 192, 260].map((cut) => whole.slice(0, -cut) as Hex);
    const read = shorter.map((data) =>
      decodeCall('execute(address,uint256,bytes)', data),
    );
    expect(read).toStrictEqual([
      { ...decodeCall('execute(address,uint256,bytes)', whole), isCanonical: false },
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('reads nothing, at once, from an array that claims to be huge', () => {
    const head = encodeCall('executeBatch((address,uint256,bytes)[])', [[]]);
    const data: Hex = `${head.slice(0, -64) as Hex}${'ff'.repeat(32)}`;
    expect(decodeCall('executeBatch((address,uint256,bytes)[])', data)).toBeUndefined();
  });

  it('reads nothing, at once, from many parts that claim the same bytes', () => {
    // Decoded one by one, they would be 4 GB.
    const count = 8_000;
    const tail = 32 * count;
    const data = concatHex(
      abi['executeBatch(address[],bytes[])'].selector,
      ...[64, 96, 0, count, ...Array<number>(count).fill(tail), 500_000].map((word) =>
        toPaddedHex(BigInt(word), 32),
      ),
      `0x${'ab'.repeat(500_000)}`,
    );
    expect(decodeCall('executeBatch(address[],bytes[])', data)).toBeUndefined();
  });

  const words = [BigInt(ADDRESS), 1n, 96n, 2n, 0xabcdn << 240n];

  const values = [ADDRESS, 1n, Uint8Array.of(0xab, 0xcd)];

  const read = (all: bigint[]): unknown =>
    decodeCall(
      'execute(address,uint256,bytes)',
      concatHex('0xb61d27f6', ...all.map((word) => toPaddedHex(word, 32))),
    );

  it.each<[string, bigint[]]>([
    ['with a gap before the bytes', words.with(2, 128n).toSpliced(3, 0, 0n)],
    ['with something after it', [...words, 0n]],
    ['with something in the padding', words.with(4, (words[4] ?? 0n) + 1n)],
    [
      'with an address of more than 20 bytes',
      words.with(0, BigInt(ADDRESS) + 2n ** 160n),
    ],
  ])('reads a call %s as a contract does, and says so', (_what, all) => {
    expect(read(words)).toStrictEqual({ values, isCanonical: true });
    expect(read(all)).toStrictEqual({ values, isCanonical: false });
  });

  it.each<[string, bigint[]]>([
    ['with a length of the bytes beyond the end', words.with(3, 33n)],
    ['with a length near 2^256', words.with(3, MAX)],
    ['with a place of the bytes near 2^256', words.with(2, MAX - 31n)],
  ])('reads nothing from a call %s', (_what, all) => {
    expect(read(all)).toBeUndefined();
  });
});
