// Reading RLP that anyone can send: what any transaction can be is read as the library reads
// it, what none can be is refused before it costs time.
import { RLP } from '@ethereumjs/rlp';
import type { Input } from '@ethereumjs/rlp';
import { bytesToHex } from '@metamask/utils';

import { decodeRlp } from '../../../src/eth/rlp';
import { parseRawTransaction } from '../../../src/eth/sign-transaction';
import { findMessageWarnings } from '../../../src/review/messages';

const nest = (depth: number): Input => (depth === 0 ? [] : [nest(depth - 1)]);

// Lists in lists around a megabyte: each level is written anew, so this is done by hand.
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
    ['nothing', new Uint8Array()],
    ['a byte', Uint8Array.of(0x7f)],
    ['a short text', 'short'],
    ['a long text', 'long'.repeat(100)],
    ['a list', ['one', [], ['two', ['three']]]],
    ['a long list', Array.from({ length: 300 }, () => ['item', []])],
    ['lists as deep as in a transaction', nest(4)],
  ])('reads %s as the library does', (_name, input) => {
    const bytes = RLP.encode(input);
    expect(decodeRlp(bytes)).toStrictEqual(RLP.decode(bytes));
  });

  it.each([
    ['lies deeper', RLP.encode(nest(5))],
    ['has more items', RLP.encode(Array<string>(100_000).fill('a'))],
  ])('refuses what %s than in any transaction', (_name, bytes) => {
    expect(() => decodeRlp(bytes)).toThrow('too large');
  });

  it.each([
    ['a list that ends before its items', [0xc3, 0x83, 0x61]],
    ['a text without its end', [0x83, 0x61]],
    ['a length without its end', [0xf9, 0x01]],
    ['a list in another that is shorter', [0xc2, 0xc3, 0x61, 0x61]],
    ['something behind', [0xc0, 0x61]],
  ])('refuses %s', (_name, bytes) => {
    expect(() => decodeRlp(Uint8Array.from(bytes))).toThrow(Error);
  });
});

describe('a megabyte of lists in lists', () => {
  it('is refused at once as a transaction', () => {
    expect(() => parseRawTransaction(bytesToHex(long), 'params[0]')).toThrow(
      'params[0] must be a signed transaction (EIP-2718), but it cannot be read as one.',
    );
  });

  it('is at once found to be no transaction in a message', () => {
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
    ).toStrictEqual([]);
  });
});
