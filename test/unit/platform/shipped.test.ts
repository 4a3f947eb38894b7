import { deflateRawSync } from 'node:zlib';

import * as fc from 'fast-check';

import { compress } from '../../../dev/build/shipped';
import { inflate } from '../../../src/platform/inflate';
import { readShipped, toShippedPath } from '../../../src/platform/shipped';

const encode = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

it('reads what the build writes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 5_000 }), (text) => {
      expect(readShipped(encode(compress(text)))).toBe(text);
    }),
  );
  const long = 'Überweisung an das Safe-Konto. '.repeat(5_000);
  expect(readShipped(encode(compress(long)))).toBe(long);
});

it('reads what zlib writes, blocks of every type', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 }),
      fc.constantFrom(0, 1, 6, 9),
      fc.boolean(),
      (parts, level, isFixed) => {
        // What is repeated is copied.
        const bytes = Buffer.concat([...parts, ...parts.toReversed()]);
        const strategy = isFixed ? 4 : 0;
        const compressed = deflateRawSync(bytes, { level, strategy });
        expect(Buffer.from(inflate(compressed))).toStrictEqual(bytes);
      },
    ),
  );
});

it.each<[string, Uint8Array]>([
  ['is empty', new Uint8Array()],
  ['is cut', compress('cut '.repeat(100)).slice(0, -4)],
  ['has an unknown block', Uint8Array.of(0x07)],
  ['copies from before its start', Uint8Array.of(0x03, 0x02, 0x00)],
])('refuses what %s', (_what, bytes) => {
  expect(() => inflate(bytes)).toThrow(RangeError);
});

it('refuses what is no text', () => {
  expect(() => readShipped(encode(deflateRawSync(Uint8Array.of(0xff))))).toThrow(
    'not valid',
  );
  expect(() => readShipped('?')).toThrow();
});

it('names the compressed form', () => {
  expect(toShippedPath('openrpc.json')).toBe('dist/files/openrpc.json.deflate');
});
