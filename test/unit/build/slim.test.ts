// What stands in the bundle for parts of packages does what they do.
import { createRequire } from 'node:module';

import { keccak_256 } from '@noble/hashes/sha3.js';
import fc from 'fast-check';

import { ParserError } from '../../../dev/build/slim/abi-errors';
import { Buffer as Slim } from '../../../dev/build/slim/buffer';
import * as slim from '../../../dev/build/slim/eth-sig-util-util';
import { keccak256 } from '../../../dev/build/slim/keccak';
import { privateKey } from '../../fixtures/eth/owner';

// The copy that eth-sig-util brings, with the types of none.
const require = createRequire(import.meta.url);
const sigUtil = createRequire(require.resolve('@metamask/eth-sig-util'));
const whole = sigUtil('@ethereumjs/util') as Record<
  string,
  (...all: unknown[]) => unknown
>;

const hexOf = (value: unknown): string =>
  Buffer.from(value as Uint8Array).toString('hex');

const bytes = fc.uint8Array({ maxLength: 80 });

describe('the Buffer', () => {
  it('reads and writes as that of Node', () => {
    fc.assert(
      fc.property(bytes, fc.string({ unit: 'grapheme' }), (some, text) => {
        const hex = hexOf(some);
        expect(Slim.from(some).toString('hex')).toBe(hex);
        expect(Slim.from(hex, 'hex').toString('hex')).toBe(hex);
        expect(hexOf(Slim.from(text))).toBe(hexOf(Buffer.from(text)));
        expect(hexOf(Slim.concat([some, some]))).toBe(hex + hex);
      }),
    );
  });

  it('copies bytes, and views an ArrayBuffer', () => {
    const some = Uint8Array.of(1, 2, 3);
    const [copy, view] = [Slim.from(some), Slim.from(some.buffer, 1, 2)];
    some.fill(9);
    expect([...copy, ...view]).toStrictEqual([1, 2, 3, 9, 9]);
  });

  it('refuses what it cannot do', () => {
    expect(() => Slim.from('AA==', 'base64' as 'hex')).toThrow(TypeError);
    expect(() => Slim.from('A').toString('base64')).toThrow(TypeError);
    expect(String(Slim.from('A'))).toBe('1 bytes');
  });
});

describe('what eth-sig-util takes of @ethereumjs/util', () => {
  it('signs, recovers and hashes as the package does', () => {
    fc.assert(
      fc.property(bytes, (some) => {
        const digest = keccak_256(some);
        const signature = slim.ecsign(digest, privateKey);
        expect(signature).toStrictEqual(whole.ecsign?.(digest, privateKey));
        const { v, r, s } = signature;
        const key = slim.ecrecover(digest, v, r, s);
        expect(hexOf(key)).toBe(hexOf(whole.ecrecover?.(digest, v, r, s)));
        expect(hexOf(slim.publicToAddress(key))).toBe(
          hexOf(whole.publicToAddress?.(key)),
        );
        expect(hexOf(slim.hashPersonalMessage(some))).toBe(
          hexOf(whole.hashPersonalMessage?.(Buffer.from(some))),
        );
      }),
    );
  });

  it('reads and writes numbers as the package does', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 32 }), (some) => {
        const buffer = Buffer.from(some);
        expect(slim.bufferToHex(some)).toBe(whole.bufferToHex?.(buffer));
        expect(slim.fromSigned(some)).toBe(whole.fromSigned?.(buffer));
        const signed = slim.fromSigned(some);
        expect(hexOf(slim.toUnsigned(signed))).toBe(hexOf(whole.toUnsigned?.(signed)));
        const [first = 0] = some;
        expect(slim.bufferToInt(Uint8Array.of(first))).toBe(first);
      }),
    );
  });

  it.each(['0x', '0x1', '0x0102', 5n, 256n, Uint8Array.of(0, 1)])(
    'reads %p',
    (value) => {
      expect(hexOf(slim.toBuffer(value))).toBe(hexOf(whole.toBuffer?.(value)));
    },
  );

  it('reads no text', () => {
    expect(() => slim.toBuffer('text')).toThrow(TypeError);
  });
});

it('hashes texts as their bytes', () => {
  const digest = keccak256('Bob');
  expect(digest).toStrictEqual(keccak256(Uint8Array.of(66, 111, 98)));
  expect(digest).toStrictEqual(keccak_256(Uint8Array.of(66, 111, 98)));
});

it('makes errors that can be told, without looking at the stack', () => {
  const make = ParserError as unknown as new (message: string) => Error;
  const error = new make('wrong');
  expect(error).toBeInstanceOf(Error);
  expect(String(error)).toBe('ParserError: wrong');
});
