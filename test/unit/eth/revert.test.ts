import { encodeErrorResult, parseAbi } from 'viem';

import { findRevertReason } from '../../../src/eth/abi';

const abi = parseAbi([
  'error Error(string reason)',
  'error Panic(uint256 code)',
  'error Own(address who)',
]);

const error = (reason: string): string =>
  encodeErrorResult({ abi, errorName: 'Error', args: [reason] });

const panic = (code: bigint): string =>
  encodeErrorResult({ abi, errorName: 'Panic', args: [code] });

const OWN = encodeErrorResult({
  abi,
  errorName: 'Own',
  args: ['0x000000000000000000000000000000000000dEaD'],
});

const reasons: [string, unknown, string][] = [
  ['a text', error('Not the owner'), 'Not the owner'],
  ['no text', error(''), ''],
  ['a text in other letters', error('Нет прав 🚫'), 'Нет прав 🚫'],
  ['capitals', error('No').toUpperCase().replace('X', 'x'), 'No'],
  ['a long text', error('x'.repeat(5_000)), 'x'.repeat(300)],
  ['an object that holds it', { data: error('No') }, 'No'],
  [
    'an object with more',
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

describe('the reason of a revert', () => {
  it.each(reasons)('is found in %s', (_what, data, reason) => {
    expect(findRevertReason(data)).toBe(reason);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['no bytes', '0x'],
    ['an error of the contract', OWN],
    ['the selector alone', '0x08c379a0'],
    ['half a selector', '0x08c3'],
    ['a text that is cut off', error('Not the owner').slice(0, -64)],
    ['a length beyond the end', error('No').replace(/0{63}2(?=4e6f)/u, 'f'.repeat(64))],
    ['a panic without a code', '0x4e487b71'],
    ['a panic that is cut off', panic(1n).slice(0, -2)],
    ['a text', 'Reverted'],
    ['odd digits', '0x08c379a'],
    ['a number', 7],
    ['an array', [error('No')]],
    ['an object without data', { message: 'No' }],
    ['an object whose data is no bytes', { data: { data: error('No') } }],
  ])('is not found in %s', (_what, data) => {
    expect(findRevertReason(data)).toBeUndefined();
  });
});
