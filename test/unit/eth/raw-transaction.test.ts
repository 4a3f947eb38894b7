// Reading signed transactions: as viem reads them, and refusing what cannot be sent.
import { SECP256K1_ORDER } from '@ethereumjs/util';
import { fromRlp, keccak256, numberToHex, toRlp } from 'viem';
import type { Hex } from 'viem';

import { parseRawTransaction } from '../../../src/eth/raw-transaction';
import { serializeUnsigned, signTransaction } from '../../../src/eth/sign-transaction';
import type { Transaction } from '../../../src/eth/transaction';
import { parseTransactionRequest } from '../../../src/eth/transaction-request';
import { owner, privateKey } from '../../fixtures/eth/owner';
import { unprotected } from '../../fixtures/eth/transactions';
import { errorOf, failureOf, toWholeText } from '../../support/error-of';
import { transactions } from '../../support/transactions';

type Items = (Hex | Items)[];

const from = owner.address.toLowerCase();

const make = (fields: object): Transaction =>
  parseTransactionRequest({ ...fields, from }, 'tx') as Transaction;

const all = Object.entries(transactions).map(([name, fields]) => {
  const transaction = make(fields);
  return { name, transaction, raw: signTransaction(transaction, privateKey).raw };
});

/** Change the items of a signed transaction. */
function edit(raw: Hex, change: (items: Items) => Items): Hex {
  const isTyped = Number(raw.slice(0, 4)) <= 0x7f;
  const items = fromRlp(isTyped ? `0x${raw.slice(4)}` : raw) as unknown as Items;
  const edited = toRlp(change(items) as Hex[]);
  return isTyped ? `${raw.slice(0, 4) as Hex}${edited.slice(2)}` : edited;
}

const rawOf = (type: string): Hex =>
  all.find(({ transaction }) => transaction.type === type)?.raw ?? '0x';

const messageOf = async (raw: unknown): Promise<string> => {
  const failure = await failureOf(() => parseRawTransaction(raw, 'params[0]'));
  expect(failure.name).toBe('InvalidParamsError');
  return failure.message;
};

const UNREADABLE =
  'params[0] must be a signed transaction (EIP-2718), but it cannot be read as one.';
const UNSIGNED = 'params[0] is not signed.';

describe('a signed transaction', () => {
  it.each(all)('of type $name is read with hash and signer', ({ transaction, raw }) => {
    const { chainId, ...others } = transaction;
    expect(parseRawTransaction(raw, 'params[0]')).toStrictEqual({
      hash: keccak256(raw),
      chainId,
      transaction: others,
    });
  });

  it('that creates a contract is read', () => {
    const creation = make({ ...transactions.legacy, to: null, data: '0x60' });
    const { raw } = signTransaction(creation, privateKey);
    expect(parseRawTransaction(raw, 'raw').transaction).toMatchObject({ to: null });
  });

  it('is read for any chain that can be signed for', () => {
    for (const chainId of [1n, 4_503_599_627_370_477n]) {
      const { raw } = signTransaction(
        { ...make(transactions.legacy), chainId },
        privateKey,
      );
      expect(parseRawTransaction(raw, 'raw').chainId).toBe(chainId);
    }
    const chainId = 2n ** 62n + 1n;
    const { raw } = signTransaction(
      { ...make(transactions['EIP-1559']), chainId },
      privateKey,
    );
    expect(parseRawTransaction(raw, 'raw').chainId).toBe(chainId);
  });

  it.each<[string, Items]>([
    ['EIP-4844', [['0xb1'], ['0xc1'], ['0xd1']]],
    ['EIP-7594', ['0x01', ['0xb1'], ['0xc1'], ['0xd1']]],
  ])('is read without the sidecar that %s puts beside it', (_name, sidecar) => {
    const raw = rawOf('0x3');
    const wrapped = edit(raw, (items) => [items, ...sidecar]);
    expect(wrapped).not.toBe(raw);
    expect(parseRawTransaction(wrapped, 'raw')).toStrictEqual(
      parseRawTransaction(raw, 'raw'),
    );
  });

  it('keeps authorisations as they are, also those that no chain would heed', () => {
    const raw = edit(rawOf('0x4'), (items) => {
      const authorization = ['0x', `0x${'11'.repeat(20)}`, '0x', '0xff', '0x01', '0x'];
      return items.map((item, index) =>
        index === 9 ? [authorization] : item,
      ) as Items;
    });
    expect(parseRawTransaction(raw, 'raw').transaction).toMatchObject({
      authorizationList: [
        {
          chainId: 0n,
          address: `0x${'11'.repeat(20)}`,
          nonce: 0n,
          yParity: 255n,
          r: 1n,
          s: 0n,
        },
      ],
    });
  });
});

describe('what is no signed transaction', () => {
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
    ['nothing', '0x'],
    ['a string', '0x83abcdef'],
    ['a type alone', '0x02'],
    ['a type and a string', '0x0283abcdef'],
    ['cut', rawOf('0x2').slice(0, -2) as Hex],
    ['too long', `${rawOf('0x2')}00`],
    ['nested too deep', `0x${'f9fffd'.repeat(10_000)}`],
    ['with an item too many', edit(rawOf('0x2'), (items) => [...items, '0x'])],
    [
      'with a list for a nonce',
      edit(rawOf('0x2'), ([id, , ...rest]) => [id ?? '0x', [], ...rest]),
    ],
    ['with a list for a chain', edit(rawOf('0x2'), ([, ...rest]) => [[], ...rest])],
    [
      'with a zero before its chain',
      edit(rawOf('0x2'), ([, ...rest]) => ['0x0001', ...rest]),
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
    ['with a list for r', edit(rawOf('0x2'), (items) => items.with(-2, []))],
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

  it.each(all)(
    'is refused: $name without a signature',
    async ({ transaction, raw }) => {
      expect(await messageOf(serializeUnsigned(transaction))).toBe(UNSIGNED);
      const bare = edit(raw, (items) => items.slice(0, -3));
      expect(await messageOf(bare)).toBe(UNSIGNED);
    },
  );

  it.each(all)('is refused: $name with s in the upper half', async ({ raw }) => {
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
