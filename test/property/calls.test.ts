// Calls of well-known functions with any arguments are decoded, and never fail: a site that asks to
// sign them gets a dialog with what can be read.
import fc from 'fast-check';

import { concatHex, toPaddedHex } from '../../src/eth/hex';
import type { Hex } from '../../src/eth/hex';
import { functions } from '../../src/review/functions';
import { readCall } from '../../src/review/read';

const from: Hex = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const to: Hex = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';

const selector = fc.constantFrom(...(Object.keys(functions) as Hex[]));

/** Pointers and lengths, most of them small. */
const word = fc
  .oneof(
    fc.bigInt({ min: 0n, max: 10n }).map((count) => count * 32n),
    fc.bigInt({ min: 0n, max: 200n }),
    fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  )
  .map((number) => toPaddedHex(number, 32));

it('decodes a call with any arguments', () => {
  fc.assert(
    fc.property(selector, fc.array(word, { maxLength: 12 }), (start, words) => {
      const data = concatHex(start, ...words);
      expect(readCall({ from, to, value: 0n, data })).toMatchObject({ data });
    }),
    { numRuns: 3_000 },
  );
});

it.each([0, 1, 84, 85, 86])('reads a MultiSend of %i bytes or none of it', (length) => {
  const packed = `${'00'.repeat(length)}${'00'.repeat((32 - (length % 32)) % 32)}`;
  const data = concatHex(
    '0x8d80ff0a',
    toPaddedHex(32n, 32),
    toPaddedHex(BigInt(length), 32),
    `0x${packed}`,
  );
  const { inside } = readCall({ from, to, value: 0n, data });
  expect(inside.filter(({ kind }) => kind === 'call')).toHaveLength(
    length === 85 ? 1 : 0,
  );
});
