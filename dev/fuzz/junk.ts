// Values that nobody sends who means well.
import type { Json } from '@metamask/utils';

import type { Random } from './random';

const ADDRESS = `0x${'9d'.repeat(20)}`;

const HASH = `0x${'1b'.repeat(32)}`;

/** Texts: edges of quantities, hex, addresses, chains, addresses of servers, and scripts. */
const texts: readonly string[] = [
  ...['', ' ', '0', '1', '-1', '1.5', '01', '1e3', '1e400', '+1', '１２', '1_000'],
  ...['NaN', 'Infinity', '-Infinity', 'null', 'undefined', 'true', '[object Object]'],
  ...['0x', '0X', '0x0', '0x1', '0x01', '0x012', '0xg', '0x-1', '0x 1', 'x0'],
  ...[`0x${'f'.repeat(64)}`, `0x1${'0'.repeat(64)}`, `0x${'f'.repeat(16)}`],
  ...[
    '0x20000000000001',
    '9007199254740993',
    '115792089237316195423570985008687907853',
  ],
  ...[ADDRESS, ADDRESS.toUpperCase(), ADDRESS.slice(0, -1), HASH, HASH.slice(2)],
  ...[`0x${'0'.repeat(40)}`, '0x000000000000000000000000000000000000dEaD'],
  ...['latest', 'pending', 'earliest', 'safe', 'soon', 'eip155:1', 'eip155:0x1'],
  ...['eip155:', 'eip155:99999999999999999999', 'solana:mainnet', ':', 'eip155:1/x'],
  ...['low', 'speedUp', '2.0.0', '0.6', '0.9', 'eip155:erc4337', 'personal_sign'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'then'],
  ...['http://127.0.0.1:9', 'http://[::1]:9', 'ws://127.0.0.1:9', 'http://', '//x'],
  ...['file:///etc/passwd', 'javascript:alert(1)', 'data:,x', 'http://a:b@127.0.0.1:9'],
  ...['\u0000', '\n', '\u202egnp.exe', '\u2066\u2069', '\ud800', '\udfff\ud800', '🦊'],
  ...[
    'é',
    'e\u0301',
    'ﬁ',
    '\u200b\u200d\ufeff',
    'аpple',
    '`${1}`',
    '%s%n',
    '{0}',
    '**b**',
  ],
  ...[
    '<img src=x onerror=alert(1)>',
    "'; DROP TABLE x;--",
    '../../etc/passwd',
    '[x](y)',
  ],
  ...['uint256', 'uint257', 'uint0', 'bytes33', 'int8[]', 'int8[-1]', 'int8[99999999]'],
  ...['Person', 'EIP712Domain', 'string[][][]', 'function', 'tuple', '5dd0ca4d'],
];

const numbers: readonly number[] = [
  ...[0, -0, 1, -1, 0.1, 1.5, 2, 4, 27, 255, 256, 65_536, 2 ** 31, 2 ** 32, 2 ** 53],
  ...[
    2 ** 53 + 2,
    2 ** 63,
    2 ** 64,
    1e21,
    1e308,
    -1e308,
    5e-324,
    -(2 ** 31),
    4_294_967_295,
  ],
];

const others: readonly Json[] = [
  ...[null, true, false, [], {}, [null], [[]], [{}], {}],
  ...[{ length: 3 }, { then: 'x' }, { toJSON: 'x' }, { valueOf: 1, toString: 1 }],
  ...[[0, 1, 2], ['0x'], { '': '' }, { '0': 'x' }, { type: 'Buffer', data: [1] }],
];

const MAX_LONG = 20_000;

/** Make a value of any kind; one in a hundred is large or deep. */
export function makeJunk(random: Random): Json {
  const kind = random.next();
  if (kind < 0.5) return makeText(random);
  if (kind < 0.7) return random.pick(numbers);
  if (kind < 0.95) return structuredClone(random.pick(others));
  if (kind < 0.96) return makeLarge(random);
  return [makeJunk(random), makeJunk(random)];
}

/** Make a text. */
export function makeText(random: Random): string {
  const kind = random.next();
  if (kind < 0.85) return random.pick(texts);
  if (kind < 0.93) return random.pick(texts) + random.pick(texts);
  if (kind < 0.99) return `0x${makeHex(random, random.below(80))}`;
  return random
    .pick(['a', '0', '0x0', '🦊', '\n', '\u202e'])
    .repeat(random.below(MAX_LONG));
}

/** Make hex digits. */
export function makeHex(random: Random, digits: number): string {
  return Array.from({ length: digits }, () => random.below(16).toString(16)).join('');
}

/** The names that objects have by themselves, and others that are not expected. */
export function makeName(random: Random): string {
  const own = ['__proto__', 'constructor', 'toString', 'prototype', 'hasOwnProperty'];
  return random.chance(0.6) ? random.pick(own) : makeText(random).slice(0, 64);
}

function makeLarge(random: Random): Json {
  const size = random.below(MAX_LONG);
  const kind = random.below(4);
  if (kind === 0) return 'f'.repeat(size * 10);
  if (kind === 1) return Array.from({ length: size }, () => 0);
  if (kind === 2) {
    return Object.fromEntries(
      Array.from({ length: size }, (_, index) => [`k${index}`, 0]),
    );
  }
  return makeDeep(random.below(400), random.chance(0.5));
}

function makeDeep(depth: number, isList: boolean): Json {
  let value: Json = 0;
  for (let level = 0; level < depth; level += 1) {
    value = isList ? [value] : { a: value };
  }
  return value;
}
