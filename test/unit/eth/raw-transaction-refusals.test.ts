// Bytes that are no signed transaction, one fault after another.
import { SECP256K1_ORDER } from '@ethereumjs/util';
import { numberToHex } from 'viem';
import type { Hex } from 'viem';

import {
  parseRawTransaction,
  serializeUnsigned,
} from '../../../src/eth/sign-transaction';
import { unprotected } from '../../fixtures/eth/transactions';
import { errorOf, failureOf, toWholeText } from '../../support/error-of';
import { edit, rawOf, signed } from '../../support/raw-transactions';

const messageOf = async (raw: unknown): Promise<string> => {
  const failure = await failureOf(() => parseRawTransaction(raw, 'params[0]'));
  expect(failure.name).toBe('InvalidParamsError');
  return failure.message;
};

const UNREADABLE =
  'params[0] must be a signed transaction (EIP-2718), but it cannot be read as one.';
const UNSIGNED = 'params[0] is not signed.';

describe('bytes that are not a signed transaction', () => {
  it.each([null, 7, '', 'raw', '0x1', '0xzz', {}, []])(
    'is refused: %j',
    async (raw) => {
      expect(await messageOf(raw)).toBe(
        'params[0] must be bytes in hex (0x and an even number of digits; 1 MB at most).',
      );
    },
  );

  it.each<[string, Hex]>([
    ['0x5', '0x05c0'],
    ['0x7f', '0x7fc0'],
    ['0x0', '0x00c0'],
  ])('is refused by its type %s', async (type, raw) => {
    expect(await messageOf(raw)).toBe(
      `params[0] begins with the type ${type}; 0x1, 0x2, 0x3 and 0x4 can be read, and legacy transactions.`,
    );
  });

  it.each<[string, Hex]>([
    ['a type alone', '0x02'],
    ['cut', rawOf('0x2').slice(0, -2) as Hex],
    ['too long', `${rawOf('0x2')}00`],
    ['nested too deep', `0x${'f9fffd'.repeat(10_000)}`],
    ['with an item too many', edit(rawOf('0x2'), (items) => [...items, '0x'])],
    [
      'with a list for a nonce',
      edit(rawOf('0x2'), ([id, , ...rest]) => [id ?? '0x', [], ...rest]),
    ],
    [
      'with a zero before its nonce',
      edit(rawOf('0x2'), ([id, , ...rest]) => [id ?? '0x', '0x0001', ...rest]),
    ],
    ['for chain 0', edit(rawOf('0x2'), ([, ...rest]) => ['0x', ...rest])],
    [
      'for a chain beyond EIP-2294',
      edit(rawOf('0x2'), ([, ...rest]) => [`0x${'ff'.repeat(8)}`, ...rest]),
    ],
    ['with a short recipient', edit(rawOf('0x2'), (items) => items.with(5, '0x1234'))],
    ['with a parity of 2', edit(rawOf('0x2'), (items) => items.with(-3, '0x02'))],
    [
      'with r beyond the curve',
      edit(rawOf('0x2'), (items) => items.with(-2, `0x${'ff'.repeat(32)}`)),
    ],
    ['with a v of 0', edit(rawOf('0x0'), (items) => items.with(-3, '0x'))],
    ['with a v of 34', edit(rawOf('0x0'), (items) => items.with(-3, '0x22'))],
    ['with a v of chain 0', edit(rawOf('0x0'), (items) => items.with(-3, '0x23'))],
    ['with blobs and no recipient', edit(rawOf('0x3'), (items) => items.with(5, '0x'))],
    ['with no blobs', edit(rawOf('0x3'), (items) => items.with(10, []))],
    ['with no authorisations', edit(rawOf('0x4'), (items) => items.with(9, []))],
    ['with a sidecar and no transaction', '0x03c4c0c0c0c0'],
  ])('is refused: %s', async (_what, raw) => {
    expect([UNREADABLE, UNSIGNED]).toContain(await messageOf(raw));
  });

  it.each(signed)(
    'is refused: $name without a signature',
    async ({ transaction, raw }) => {
      expect(await messageOf(serializeUnsigned(transaction))).toBe(UNSIGNED);
      const bare = edit(raw, (items) => items.slice(0, -3));
      expect(await messageOf(bare)).toBe(UNSIGNED);
    },
  );

  it.each(signed)('is refused: $name with s in the upper half', async ({ raw }) => {
    const high = edit(raw, (items) => {
      const s = SECP256K1_ORDER - BigInt(String(items.at(-1)));
      return items.with(-1, numberToHex(s));
    });
    expect(await messageOf(high)).toBe(
      'params[0] has a signature whose s is in the upper half, which no chain takes (EIP-2).',
    );
  });

  it('is a legacy transaction of a chain whose v @ethereumjs/tx cannot read', async () => {
    const raw = edit(rawOf('0x0'), (items) => items.with(-3, '0x20000000000001'));
    expect(await messageOf(raw)).toBe(
      'params[0] is a legacy transaction for a chain id above 4503599627370477, which cannot be read; use another type.',
    );
  });

  it('does not stand in the error', async () => {
    const raw = edit(unprotected.raw, (items) => items.with(3, '0xc0ffee'));
    const error = await errorOf(() => parseRawTransaction(raw, 'raw'));
    expect(toWholeText(error)).not.toContain('c0ffee');
  });
});
