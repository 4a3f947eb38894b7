import type { Struct } from '@metamask/superstruct';
import { numberToHex } from 'viem';
import type { Hex } from 'viem';

import { ChainIdStruct, toCaip2 } from '../../../src/eth/chain';
import {
  AddressStruct,
  Bytes32Struct,
  BytesStruct,
  HexQuantityStruct,
  NodeAddressStruct,
  QuantityStruct,
} from '../../../src/eth/hex';
import { GweiStruct } from '../../../src/eth/units';
import { parse } from '../../../src/schema/parse';
import { failureOf } from '../../support/error-of';

const CHECKSUMMED = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const BAD_CHECKSUM = '0xf39fd6e51aad88F6F4ce6aB8827279cffFb92266';
const LOWER = CHECKSUMMED.toLowerCase();
const UPPER = `0x${CHECKSUMMED.slice(2).toUpperCase()}`;
const WORD = `0x${'aB'.repeat(32)}`;
const MAX = 2n ** 256n - 1n;

const NOT_STRINGS = [null, undefined, 5, 5n, true, {}, [], ['0x'], new Uint8Array(20)];

const hexStructs: [string, Struct<Hex, null>, unknown[], unknown[]][] = [
  [
    'BytesStruct',
    BytesStruct,
    ['0x', '0x00', '0xaB', WORD],
    ['', '0', '0x0', '0xabc', '0xgg', 'ab', ' 0xab', '0xab ', '0xab\n', '0x-1', '0Xab'],
  ],
  [
    'AddressStruct',
    AddressStruct,
    [CHECKSUMMED, LOWER, UPPER],
    [
      BAD_CHECKSUM,
      LOWER.slice(2),
      `${LOWER}0`,
      LOWER.slice(0, -1),
      '0x',
      '',
      `0X${LOWER.slice(2)}`,
      `${LOWER}\n`,
    ],
  ],
  [
    'NodeAddressStruct',
    NodeAddressStruct,
    [CHECKSUMMED, LOWER, UPPER, BAD_CHECKSUM],
    [`${LOWER}00`, LOWER.slice(0, -1), '0x', `0X${LOWER.slice(2)}`],
  ],
  [
    'Bytes32Struct',
    Bytes32Struct,
    [WORD],
    ['0x', `${WORD}00`, WORD.slice(0, -2), WORD.slice(2), `0X${WORD.slice(2)}`],
  ],
  [
    'HexQuantityStruct',
    HexQuantityStruct,
    ['0x0', '0x00', '0x7a69', WORD],
    ['0x', '', '1', '0xg', '-0x1', '0x1.8', `${WORD}0`, '0X1'],
  ],
];

describe.each(hexStructs)('%s', (...row) => {
  const [, struct, good, bad] = row;
  it.each(good)('accepts %j', (value) => {
    expect(struct.is(value)).toBe(true);
  });

  it.each([...bad, ...NOT_STRINGS])('rejects %p', (value) => {
    expect(struct.is(value)).toBe(false);
  });
});

describe('QuantityStruct', () => {
  it.each<[unknown, bigint]>([
    ['0x0', 0n],
    ['0x7a69', 31337n],
    ['0x007A69', 31337n],
    ['31337', 31337n],
    ['007', 7n],
    [0, 0n],
    [-0, 0n],
    [Number.MAX_SAFE_INTEGER, 2n ** 53n - 1n],
    ['9007199254740993', 9007199254740993n],
    [numberToHex(MAX), MAX],
    [MAX.toString(), MAX],
  ])('reads %j', (value, expected) => {
    expect(parse(value, QuantityStruct, 'value')).toBe(expected);
  });

  it.each<unknown>([
    Number.MAX_SAFE_INTEGER + 1,
    1.5,
    NaN,
    '-1',
    '1e3',
    '',
    '0x',
    '0X1',
    '١',
    (MAX + 1n).toString(),
    `0x1${'0'.repeat(64)}`,
    '9'.repeat(100_000),
    null,
    undefined,
    true,
    [],
    {},
  ])('rejects %j', async (value) => {
    const { message } = await failureOf(() => parse(value, QuantityStruct, 'value'));
    const verb = value === undefined ? 'is missing: it must be' : 'must be';
    expect(message).toBe(
      `value ${verb} a quantity below 2^256 (hex with 0x, decimal string, or safe integer).`,
    );
  });
});

describe('GweiStruct', () => {
  it.each(['0', '0.05', '16.334026964', '1'.repeat(60), `0.${'1'.repeat(60)}`])(
    'accepts %s',
    (value) => {
      expect(GweiStruct.is(value)).toBe(true);
    },
  );

  it.each<unknown>([
    '',
    '.5',
    '5.',
    '-1',
    '1e9',
    '1,5',
    '1.2.3',
    '1\n',
    '١',
    '1'.repeat(61),
    `0.${'1'.repeat(61)}`,
    '9'.repeat(1_000_000),
    0.05,
    5n,
    undefined,
  ])('rejects %p', (value) => {
    expect(GweiStruct.is(value)).toBe(false);
  });
});

// EIP-2294: floor(MAX_UINT64 / 2) - 36.
const MAX_CHAIN = 9_223_372_036_854_775_771n;

describe('ChainIdStruct', () => {
  it.each<[unknown, bigint]>([
    ['0x1', 1n],
    ['0xaa36a7', 11155111n],
    [59144, 59144n],
    ['eip155:0xaa36a7', 11155111n],
    ['9007199254740993', 9007199254740993n],
    [MAX_CHAIN.toString(), MAX_CHAIN],
    [`0x${MAX_CHAIN.toString(16)}`, MAX_CHAIN],
  ])('reads %j', (value, expected) => {
    expect(parse(value, ChainIdStruct, 'chainId')).toBe(expected);
  });
});

describe('toCaip2', () => {
  it('writes the number in decimal, however large', () => {
    expect(toCaip2(1n)).toBe('eip155:1');
    expect(toCaip2(MAX_CHAIN)).toBe('eip155:9223372036854775771');
  });
});
