import { RLP } from '@ethereumjs/rlp';
import type { Input } from '@ethereumjs/rlp';
import { SECP256K1_ORDER } from '@ethereumjs/util';
import { bytesToHex } from '@metamask/utils';
import { fromRlp, hexToBytes, keccak256, numberToHex, zeroAddress } from 'viem';
import type { Hex } from 'viem';

import { signTransaction } from '../../../dev/signing';
import { implementations } from '../../../src/core/authorization';
import type { Transaction } from '../../../src/core/payload';
import { serializeUnsigned, toTransactionJson } from '../../../src/core/transaction';
import { toOwnAuthorization } from '../../../src/eth/delegation';
import { parseRawTransaction } from '../../../src/eth/raw-transaction';
import { decodeRlp } from '../../../src/eth/rlp';
import { parseTransactionRequest } from '../../../src/eth/transaction';
import { findMessageWarnings } from '../../../src/review/messages';
import { warning } from '../../../src/ui/warnings';
import { owner, privateKey } from '../../fixtures/eth/owner';
import { published, unprotected } from '../../fixtures/eth/transactions';
import { errorOf, failureOf, toWholeText } from '../../support/error-of';
import { edit, makeTransaction, rawOf, signed } from '../../support/raw-transactions';
import type { Items } from '../../support/raw-transactions';
import { TO, transactions } from '../../support/transactions';

const legacy = makeTransaction(transactions.legacy);
const dynamic = makeTransaction(transactions['EIP-1559']);
const delegating = makeTransaction(transactions['EIP-7702']) as Extract<
  Transaction,
  { type: '0x4' }
>;

it.each<[string, bigint, Hex]>([
  ['for every chain', 0n, implementations[0]?.address ?? zeroAddress],
  ['that revokes on every chain', 0n, zeroAddress],
  ['for a contract that is not offered', 1n, TO],
])("does not sign the sender's own authorization %s", (_what, chainId, delegate) => {
  const authorizationList = [toOwnAuthorization(chainId, delegate)];
  expect(() =>
    signTransaction({ ...delegating, authorizationList }, privateKey),
  ).toThrow('No authorization is signed');
});

describe('a signature', () => {
  it('has r and s of 32 bytes and a minimal v', () => {
    for (let nonce = 0n; nonce < 600n; nonce += 1n) {
      const { r, s, v } = signTransaction({ ...dynamic, nonce }, privateKey).signature;
      expect([r, s].join()).toMatch(/^0x[0-9a-f]{64},0x[0-9a-f]{64}$/u);
      expect(v).toMatch(/^0x[01]$/u);
    }
  });

  it.each([4_503_599_627_370_478n, 2n ** 53n + 1n, 9_223_372_036_854_775_771n])(
    'is rejected for type 0x0 on chain %s, where its v would be wrong',
    (chainId) => {
      expect(() => signTransaction({ ...legacy, chainId }, privateKey)).toThrow(
        'A transaction of type 0x0 cannot be signed for a chain id above 4503599627370477; use another type.',
      );
      const { raw } = signTransaction({ ...dynamic, chainId }, privateKey);
      const [chain] = fromRlp(`0x${raw.slice(4)}`) as Hex[];
      expect(BigInt(chain ?? 0)).toBe(chainId);
    },
  );
});

describe('a signed transaction', () => {
  it.each([
    ['legacy', 1n],
    ['legacy', 4_503_599_627_370_477n],
    ['EIP-1559', 2n ** 62n + 1n],
  ] as const)('is read for every supported chain: %s on chain %d', (...row) => {
    const [type, chainId] = row;
    const { raw } = signTransaction(
      { ...makeTransaction(transactions[type]), chainId },
      privateKey,
    );
    expect(parseRawTransaction(raw, 'raw').chainId).toBe(chainId);
  });

  it.each<[string, Items]>([
    ['EIP-4844', [['0xb1'], ['0xc1'], ['0xd1']]],
    ['EIP-7594', ['0x01', ['0xb1'], ['0xc1'], ['0xd1']]],
  ])('is read without the sidecar that %s adds', (_name, sidecar) => {
    const raw = rawOf('0x3');
    const wrapped = edit(raw, (items) => [items, ...sidecar]);
    expect(wrapped).not.toBe(raw);
    expect(parseRawTransaction(wrapped, 'raw')).toStrictEqual(
      parseRawTransaction(raw, 'raw'),
    );
  });

  it('keeps authorizations unchanged, even those that no chain accepts', () => {
    const address = `0x${'11'.repeat(20)}` as const;
    const raw = edit(rawOf('0x4'), (items) => {
      const authorization = ['0x', address, '0x', '0xff', '0x01', '0x'] as const;
      return items.with(9, [[...authorization]]);
    });
    expect(parseRawTransaction(raw, 'raw').transaction).toMatchObject({
      authorizationList: [
        { chainId: 0n, address, nonce: 0n, yParity: 255n, r: 1n, s: 0n },
      ],
    });
  });
});

const messageOf = async (raw: unknown): Promise<string> => {
  const failure = await failureOf(() => parseRawTransaction(raw, 'params[0]'));
  expect(failure.name).toBe('InvalidParamsError');
  return failure.message;
};

const UNREADABLE =
  'params[0] must be a signed transaction (EIP-2718), but it cannot be read as one.';
const UNSIGNED = 'params[0] is not signed.';

describe('invalid signed bytes', () => {
  it.each([null, 7, '', 'raw', '0x1', '0xzz', {}, []])(
    'are rejected: %j',
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
  ])('are rejected for their type %s', async (type, raw) => {
    expect(await messageOf(raw)).toBe(
      `params[0] has type ${type}; only types 0x1 to 0x4 and legacy transactions are supported.`,
    );
  });

  it.each<[string, Hex]>([
    ['only a type', '0x02'],
    ['truncated', rawOf('0x2').slice(0, -2) as Hex],
    ['too long', `${rawOf('0x2')}00`],
    ['nested too deeply', `0x${'f9fffd'.repeat(10_000)}`],
    ['with an extra item', edit(rawOf('0x2'), (items) => [...items, '0x'])],
    [
      'with a list as its nonce',
      edit(rawOf('0x2'), ([id, , ...rest]) => [id ?? '0x', [], ...rest]),
    ],
    [
      'with a leading zero in its nonce',
      edit(rawOf('0x2'), ([id, , ...rest]) => [id ?? '0x', '0x0001', ...rest]),
    ],
    ['for chain 0', edit(rawOf('0x2'), ([, ...rest]) => ['0x', ...rest])],
    [
      'for a chain id above the limit of EIP-2294',
      edit(rawOf('0x2'), ([, ...rest]) => [`0x${'ff'.repeat(8)}`, ...rest]),
    ],
    ['with a short recipient', edit(rawOf('0x2'), (items) => items.with(5, '0x1234'))],
    ['with a parity of 2', edit(rawOf('0x2'), (items) => items.with(-3, '0x02'))],
    [
      'with r above the order of the curve',
      edit(rawOf('0x2'), (items) => items.with(-2, `0x${'ff'.repeat(32)}`)),
    ],
    ['with a v of 0', edit(rawOf('0x0'), (items) => items.with(-3, '0x'))],
    ['with a v of 34', edit(rawOf('0x0'), (items) => items.with(-3, '0x22'))],
    ['with a v of chain 0', edit(rawOf('0x0'), (items) => items.with(-3, '0x23'))],
    ['with blobs and no recipient', edit(rawOf('0x3'), (items) => items.with(5, '0x'))],
    ['with no blobs', edit(rawOf('0x3'), (items) => items.with(10, []))],
    ['with no authorizations', edit(rawOf('0x4'), (items) => items.with(9, []))],
    ['with a sidecar and no transaction', '0x03c4c0c0c0c0'],
  ])('are rejected: %s', async (_what, raw) => {
    expect([UNREADABLE, UNSIGNED]).toContain(await messageOf(raw));
  });

  it.each(signed)(
    'are rejected: $name without a signature',
    async ({ transaction, raw }) => {
      expect(await messageOf(serializeUnsigned(transaction))).toBe(UNSIGNED);
      const bare = edit(raw, (items) => items.slice(0, -3));
      expect(await messageOf(bare)).toBe(UNSIGNED);
    },
  );

  it.each(signed)('are rejected: $name with s in the upper half', async ({ raw }) => {
    const high = edit(raw, (items) => {
      const s = SECP256K1_ORDER - BigInt(String(items.at(-1)));
      return items.with(-1, numberToHex(s));
    });
    expect(await messageOf(high)).toBe(
      'params[0] has a signature whose s is in the upper half, which no chain accepts (EIP-2).',
    );
  });

  it('are rejected: a legacy transaction for a chain id too large for its v', async () => {
    const raw = edit(rawOf('0x0'), (items) => items.with(-3, '0x20000000000001'));
    expect(await messageOf(raw)).toBe(
      'params[0] is a legacy transaction for a chain id above 4503599627370477, which is not supported; use another type.',
    );
  });

  it('are not quoted in the error', async () => {
    const raw = edit(unprotected.raw, (items) => items.with(3, '0xc0ffee'));
    const error = await errorOf(() => parseRawTransaction(raw, 'raw'));
    expect(toWholeText(error)).not.toContain('c0ffee');
  });
});

const emptySignature: Hex[] = ['0x', '0x', '0x'];

describe('a transaction without a signature', () => {
  it('has nine items and no chain id if it has type 0x0', () => {
    const raw = serializeUnsigned(makeTransaction(transactions.legacy));
    const paid = ['0x', '0x04a817c800', '0x5208', TO, '0x2386f26fc10000', '0x'];
    expect(fromRlp(raw)).toStrictEqual([...paid, ...emptySignature]);
  });

  it.each(signed.slice(1))(
    'is the $name envelope with an empty signature',
    ({ transaction, raw }) => {
      const unsigned = serializeUnsigned(transaction);
      expect(unsigned.slice(0, 4)).toBe(raw.slice(0, 4));
      const items = fromRlp(`0x${raw.slice(4)}`);
      expect(fromRlp(`0x${unsigned.slice(4)}`)).toStrictEqual([
        ...items.slice(0, -3),
        ...emptySignature,
      ]);
    },
  );

  it('is rejected if a field is out of range', () => {
    const overpriced = {
      ...makeTransaction(transactions['EIP-1559']),
      maxFeePerGas: 2n ** 256n,
    };
    const withoutRecipient = { ...makeTransaction(transactions['EIP-4844']), to: null };
    for (const each of [overpriced, withoutRecipient]) {
      expect(() => serializeUnsigned(each as Transaction)).toThrow(
        'A field of the transaction is out of range.',
      );
    }
  });
});

it.each(Object.entries(transactions))(
  'a transaction is written as JSON in minimal hex: %s',
  (_type, fields) => {
    const { from, ...json } = toTransactionJson(makeTransaction(fields));
    expect(json).toStrictEqual(fields);
    expect(from).toBe(owner.address.toLowerCase());
  },
);

describe.each(Object.entries(published))('the published %s transaction', (_, each) => {
  const transaction = parseTransactionRequest(each.request, 'tx') as Transaction;
  const signed = signTransaction(transaction, hexToBytes(each.privateKey));

  it('is signed to the same bytes', () => {
    const { raw, hash, signature } = each;
    expect({ ...signed, hash: keccak256(signed.raw) }).toMatchObject({
      ...(raw && { raw }),
      ...(hash && { hash }),
      ...(signature && { signature }),
    });
    expect(raw ?? hash ?? signature).toBeDefined();
  });

  it('is read from its bytes, with its signer', () => {
    const read = parseRawTransaction(signed.raw, 'raw');
    expect(read.hash).toBe(keccak256(signed.raw));
    expect({ ...read.transaction, chainId: read.chainId }).toStrictEqual({
      ...transaction,
      from: transaction.from.toLowerCase(),
    });
  });
});

it('reads a transaction from before EIP-155 without a chain', () => {
  expect(parseRawTransaction(unprotected.raw, 'raw')).toStrictEqual({
    hash: keccak256(unprotected.raw),
    chainId: undefined,
    transaction: {
      type: '0x0',
      from: unprotected.from,
      to: `0x${'0'.repeat(40)}`,
      value: 0n,
      data: '0x01',
      nonce: 0n,
      gasLimit: 0n,
      gasPrice: 0n,
    },
  });
});

const nest = (depth: number): Input => (depth === 0 ? [] : [nest(depth - 1)]);

// Nests lists to about a megabyte. Built by hand, because a library would copy every level.
function nestLong(depth: number, size: number): Uint8Array {
  const heads: number[] = [];
  let length = size;
  for (let level = 0; level < depth; level += 1) {
    heads.unshift(0xfa, length >> 16, (length >> 8) & 0xff, length & 0xff);
    length += 4;
  }
  return Uint8Array.from([...heads, ...Array<number>(size).fill(1)]);
}

const long = nestLong(2_000, 900_000);

describe('decoding RLP', () => {
  it.each<[string, Input]>([
    ['empty bytes', new Uint8Array()],
    ['a byte', Uint8Array.of(0x7f)],
    ['a short string', 'short'],
    ['a long string', 'long'.repeat(100)],
    ['a list', ['one', [], ['two', ['three']]]],
    ['a long list', Array.from({ length: 300 }, () => ['item', []])],
    ['lists as deep as in a transaction', nest(4)],
  ])('reads %s as @ethereumjs/rlp does', (_name, input) => {
    const bytes = RLP.encode(input);
    expect(decodeRlp(bytes)).toStrictEqual(RLP.decode(bytes));
  });

  it.each([
    ['deeper lists', RLP.encode(nest(5))],
    ['more items', RLP.encode(Array<string>(100_000).fill('a'))],
  ])('rejects %s than any transaction has', (_name, bytes) => {
    expect(() => decodeRlp(bytes)).toThrow('too large');
  });

  it.each([
    ['a list that ends before its items', [0xc3, 0x83, 0x61]],
    ['a truncated string', [0x83, 0x61]],
    ['a truncated length', [0xf9, 0x01]],
    ['a list that is longer than its parent', [0xc2, 0xc3, 0x61, 0x61]],
    ['trailing data', [0xc0, 0x61]],
  ])('rejects %s', (_name, bytes) => {
    expect(() => decodeRlp(Uint8Array.from(bytes))).toThrow(Error);
  });
});

describe('a megabyte of nested lists', () => {
  it('is quickly rejected as a transaction', () => {
    expect(() => parseRawTransaction(bytesToHex(long), 'params[0]')).toThrow(
      'params[0] must be a signed transaction (EIP-2718), but it cannot be read as one.',
    );
  });

  it('is quickly recognized as a message without a transaction', () => {
    const context = {
      origin: 'https://dapp.example',
      account: '0x11',
      chains: undefined,
      now: 0,
      own: [],
      known: [],
      operations: [],
    } as const;
    expect(
      findMessageWarnings({ bytes: long, text: undefined, signIn: undefined }, context),
    ).toStrictEqual([warning('message.binary')]);
  });
});
