import { deflateRawSync, inflateRawSync } from 'node:zlib';

import * as fc from 'fast-check';

import { compress } from '../../../dev/build/shipped';
import { readShipped, toShippedPath } from '../../../src/platform/shared-edges';

const encode = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

it("decompresses the build's files as zlib does", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'grapheme', maxLength: 5_000 }),
      async (text) => {
        const compressed = compress(text);
        expect(await readShipped(encode(compressed))).toBe(text);
        expect(inflateRawSync(compressed).toString()).toBe(text);
      },
    ),
  );
  const long = 'Überweisung an das Safe-Konto. '.repeat(5_000);
  expect(await readShipped(encode(compress(long)))).toBe(long);
});

it.each<[string, Uint8Array]>([
  ['is truncated', compress('cut '.repeat(100)).slice(0, -4)],
  ['has an unknown block type', Uint8Array.of(0x07)],
  ['is not text', deflateRawSync(Uint8Array.of(0xff))],
])('rejects a file that %s', async (_what, bytes) => {
  await expect(readShipped(encode(bytes))).rejects.toThrow();
});

it('names the compression format in the path', () => {
  expect(toShippedPath('openrpc.json')).toBe('dist/files/openrpc.json.deflate');
});
