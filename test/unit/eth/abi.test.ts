import {
  encodeAbiParameters,
  encodeErrorResult,
  parseAbi,
  parseAbiParameters,
} from 'viem';
import type { Hex } from 'viem';

import { entryPointVersions } from '../../../src/core/entry-points';
import {
  abi,
  decodeCall,
  encodeArguments,
  encodeCall,
  findRevert,
  findRevertReason,
  listTypes,
  readArguments,
} from '../../../src/eth/abi';
import type { AbiSignature, AbiValue } from '../../../src/eth/abi';
import { encodeIntents, readCallData } from '../../../src/eth/account-calls';
import { concatHex, toPaddedHex } from '../../../src/eth/hex';

const ADDRESS = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const MAX = 2n ** 256n - 1n;
const EXECUTE = 'execute(address,uint256,bytes)';
const BATCH = 'executeBatch(address[],bytes[])';
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
    // Encoded by hand from the ABI's specification: a head of two words, then length and bytes.
    const word = (digits: string): string => digits.padStart(64, '0');
    expect(encodeArguments(['address', 'bytes'], [ADDRESS, '0xabcd'])).toBe(
      `0x${word(ADDRESS.slice(2))}${word('40')}${word('2')}${'abcd'.padEnd(64, '0')}`,
    );
  });
});

describe('decodeCall', () => {
  it('reads a call in upper-case hex', () => {
    const data = encodeCall('initialize(address)', [ADDRESS]);
    const upperCase: Hex = `0x${data.slice(2).toUpperCase()}`;
    expect(decodeCall('initialize(address)', upperCase)).toStrictEqual({
      values: [ADDRESS],
      isCanonical: true,
    });
  });

  it.each<[string, Hex]>([
    ['empty data', '0x'],
    ['a part of a selector', '0xb61d27'],
    ['another function', encodeCall('initialize(address)', [ADDRESS])],
    ['only a selector', '0xb61d27f6'],
  ])('reads nothing from %s', (_what, data) => {
    expect(decodeCall(EXECUTE, data)).toBeUndefined();
  });

  it('reads a call without its last padding, but nothing from a shorter one', () => {
    const whole = encodeCall(EXECUTE, [ADDRESS, 1n, LONG]);
    // The data ends in the padding, in the bytes, before their length, and in the value.
    const shorter = [2, 64, 192, 260].map((cut) => whole.slice(0, -cut) as Hex);
    const read = shorter.map((data) => decodeCall(EXECUTE, data));
    expect(read).toStrictEqual([
      { ...decodeCall(EXECUTE, whole), isCanonical: false },
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('quickly rejects an array that claims to be huge', () => {
    const head = encodeCall('executeBatch((address,uint256,bytes)[])', [[]]);
    const data: Hex = `${head.slice(0, -64) as Hex}${'ff'.repeat(32)}`;
    expect(decodeCall('executeBatch((address,uint256,bytes)[])', data)).toBeUndefined();
  });

  it('quickly rejects many items that point to the same bytes', () => {
    // Decoded one by one, they would take 4 GB.
    const count = 8_000;
    const tail = 32 * count;
    const data = concatHex(
      abi[BATCH].selector,
      ...[64, 96, 0, count, ...Array<number>(count).fill(tail), 500_000].map((word) =>
        toPaddedHex(BigInt(word), 32),
      ),
      `0x${'ab'.repeat(500_000)}`,
    );
    expect(decodeCall(BATCH, data)).toBeUndefined();
  });

  const words = [BigInt(ADDRESS), 1n, 96n, 2n, 0xabcdn << 240n];

  const values = [ADDRESS, 1n, Uint8Array.of(0xab, 0xcd)];

  const read = (all: bigint[]): unknown =>
    decodeCall(
      EXECUTE,
      concatHex('0xb61d27f6', ...all.map((word) => toPaddedHex(word, 32))),
    );

  it.each<[string, bigint[]]>([
    ['with a gap before the bytes', words.with(2, 128n).toSpliced(3, 0, 0n)],
    ['with trailing data', [...words, 0n]],
    ['with non-zero padding', words.with(4, (words[4] ?? 0n) + 1n)],
    [
      'with an address of more than 20 bytes',
      words.with(0, BigInt(ADDRESS) + 2n ** 160n),
    ],
  ])(
    'reads a call %s as contracts do, and reports it as non-canonical',
    (_what, all) => {
      expect(read(words)).toStrictEqual({ values, isCanonical: true });
      expect(read(all)).toStrictEqual({ values, isCanonical: false });
    },
  );

  it.each<[string, bigint[]]>([
    ['whose bytes have a length beyond the end', words.with(3, 33n)],
    ['whose bytes have a length near 2^256', words.with(3, MAX)],
    ['whose bytes have an offset near 2^256', words.with(2, MAX - 31n)],
  ])('reads nothing from a call %s', (_what, all) => {
    expect(read(all)).toBeUndefined();
  });
});

/** Values by type, with dynamic, static and nested members. */
const cases: [string, unknown[]][] = [
  ['', []],
  ['uint256', [1n]],
  ['bytes,bool', [`0x${'ab'.repeat(40)}`, true]],
  ['bytes4,uint8,bytes32', ['0x12345678', 7, `0x${'cd'.repeat(32)}`]],
  ['(uint256,address),bytes', [[1n, ADDRESS], '0xab']],
  ['(uint256,address)[],(bool,(uint8,uint8))', [[[1n, ADDRESS]], [true, [1, 2]]]],
  [
    '(uint256,(bytes,bool)),uint256[][]',
    [
      [1n, ['0xab', true]],
      [[1n], [], [2n, 3n]],
    ],
  ],
  [
    '(address,bytes[])[]',
    [
      [
        [ADDRESS, ['0x', '0xab']],
        [ADDRESS, []],
      ],
    ],
  ],
];

const encode = (types: string, values: unknown[]): Uint8Array => {
  if (types === '') return new Uint8Array();
  const hex = encodeAbiParameters(parseAbiParameters(types), values as never);
  return Buffer.from(hex.slice(2), 'hex');
};

const read = (types: string, bytes: Uint8Array): unknown =>
  readArguments(listTypes(`f(${types})`), bytes);

// viem returns bytes as hex, and small integers as numbers.
function toComparable(value: unknown): unknown {
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString('hex')}`;
  if (Array.isArray(value)) return value.map(toComparable);
  return typeof value === 'number' ? BigInt(value) : value;
}

describe('arguments', () => {
  it.each(cases)(
    'are read with trailing data, but not if truncated: (%s)',
    (types, values) => {
      const bytes = encode(types, values);
      const more = read(types, new Uint8Array([...bytes, 1]));
      expect(toComparable(more)).toStrictEqual(toComparable(values));
      if (bytes.length === 0) return;
      expect(read(types, bytes.slice(0, 31))).toBeUndefined();
      expect(read(types, new Uint8Array())).toBeUndefined();
    },
  );

  it('are undefined if there are too many items to read', () => {
    const list = (length: number): Uint8Array =>
      encode('bytes[]', [Array<string>(length).fill('0x')]);
    expect(read('bytes[]', list(250))).toBeDefined();
    expect(read('bytes[]', list(251))).toBeUndefined();
  });

  it.each(entryPointVersions)(
    'are undefined for hundreds of calls of EntryPoint %s',
    (version) => {
      const call = { to: ADDRESS, value: 0n, data: '0x' } as const;
      const callData = encodeIntents(version, Array<typeof call>(500).fill(call));
      expect(readCallData(version, callData).calls).toBeUndefined();
    },
  );
});

const errors = parseAbi([
  'error Error(string reason)',
  'error Panic(uint256 code)',
  'error Own(address who)',
]);

const error = (reason: string): string =>
  encodeErrorResult({ abi: errors, errorName: 'Error', args: [reason] });

const panic = (code: bigint): string =>
  encodeErrorResult({ abi: errors, errorName: 'Panic', args: [code] });

const OWN = encodeErrorResult({
  abi: errors,
  errorName: 'Own',
  args: ['0x000000000000000000000000000000000000dEaD'],
});

const reasons: [string, unknown, string][] = [
  ['a string', error('Not the owner'), 'Not the owner'],
  ['an empty string', error(''), ''],
  ['a string in another alphabet', error('Нет прав 🚫'), 'Нет прав 🚫'],
  ['uppercase hex', error('No').toUpperCase().replace('X', 'x'), 'No'],
  ['a long string', error('x'.repeat(5_000)), 'x'.repeat(300)],
  ['an object with data', { data: error('No') }, 'No'],
  ['an array', [error('No')], 'No'],
  ['a nested object', { data: { originalError: { data: error('No') } } }, 'No'],
  ['a field of any name', { '0xab': { return: error('No') } }, 'No'],
  ['digits without 0x', { revertData: error('No').slice(2) }, 'No'],
  ['a message that quotes it', { message: `VM: Reverted ${error('No')}` }, 'No'],
  ['the second of two items', [OWN, error('No')], 'No'],
  [
    'an object with other fields',
    { txHash: '0x1', data: panic(17n) },
    'panic 17: arithmetic overflow or underflow',
  ],
  ...(
    [
      [0x11n, 'arithmetic overflow or underflow'],
      [0x99n, 'an unknown kind'],
      [2n ** 256n - 1n, 'an unknown kind'],
    ] as const
  ).map(([code, words]): [string, unknown, string] => [
    `panic ${code}`,
    panic(code),
    `panic ${code}: ${words}`,
  ]),
];

it('finds no revert data in a decimal number', () => {
  expect(findRevert({ message: 'reverted at block 21345678' })).toBeUndefined();
  expect(findRevert({ message: 'reverted with 0x21345678' })).toMatchObject({
    data: '0x21345678',
  });
});

describe('the reason of a revert', () => {
  it.each(reasons)('is found in %s', (_what, data, reason) => {
    expect(findRevertReason(data)).toBe(reason);
  });

  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['empty bytes', '0x'],
    ['a custom error', OWN],
    ['only the selector', '0x08c379a0'],
    ['half of the selector', '0x08c3'],
    ['a truncated string', error('Not the owner').slice(0, -64)],
    ['a length beyond the end', error('No').replace(/0{63}2(?=4e6f)/u, 'f'.repeat(64))],
    ['a panic without a code', '0x4e487b71'],
    ['a truncated panic', panic(1n).slice(0, -2)],
    ['plain text', 'Reverted'],
    ['an odd number of digits', '0x08c379a'],
    ['a number', 7],
    ['an object without data', { message: 'No' }],
    ['the request to the node', { request: { data: error('No') } }],
    ['a text that quotes it after other hex', `0x1 is not ${error('No')}`],
  ])('is not found in %s', (_what, data) => {
    expect(findRevertReason(data)).toBeUndefined();
  });
});
