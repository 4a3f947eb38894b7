// The bundle omits package files that its code never calls. Without these files, the hash functions
// return the same results for every kind of value.
import { resolve } from 'node:path';

import { jest } from '@jest/globals';
import * as whole from '@metamask/eth-sig-util';

import packages from '../../../dev/build/packages.json' with { type: 'json' };
import { mail } from '../../fixtures/eth/typed-data';

const V4 = whole.SignTypedDataVersion.V4;

const VALUES: Record<string, unknown> = {
  address: '0x5afe5afe5afe5afe5afe5afe5afe5afe5afe5afe',
  bool: true,
  bytes: '0x1234',
  bytes4: '0x12345678',
  bytes32: `0x${'ab'.repeat(32)}`,
  int8: -5,
  int256: '-1',
  uint8: 5,
  uint256:
    '115792089237316195423570985008687907853269984665640564039457584007913129639935',
  string: 'Ünïcode',
};

const fields = Object.keys(VALUES).flatMap((type) => [
  { name: type, type },
  { name: `${type}s`, type: `${type}[]` },
  { name: `${type}2`, type: `${type}[2]` },
]);

const everyKind = {
  types: { EIP712Domain: [], All: fields, Nest: [{ name: 'all', type: 'All[]' }] },
  primaryType: 'Nest',
  domain: {},
  message: {
    all: [
      Object.fromEntries(
        Object.entries(VALUES).flatMap(([type, value]) => [
          [type, value],
          [`${type}s`, []],
          [`${type}2`, [value, value]],
        ]),
      ),
    ],
  },
};

const entries = Object.entries(VALUES).flatMap(([type, value]) => [
  { type, name: type, value },
  { type: `${type}[]`, name: type, value: [value, value] },
]);

type SigUtil = typeof whole;

let slim: SigUtil;

beforeAll(async () => {
  for (const path of Object.keys(packages.leftOut)) {
    // Jest loads the CommonJS files of packages.
    const file = resolve('node_modules', path.replace(/\.mjs$/u, '.cjs'));
    jest.doMock(file, () => ({}));
  }
  await jest.isolateModulesAsync(async () => {
    slim = await import('@metamask/eth-sig-util');
  });
});

it('omits encryption from the bundle', () => {
  expect(slim.encrypt).toBeUndefined();
  expect(whole.encrypt).toBeInstanceOf(Function);
});

it.each([
  ['the example of EIP-712', mail],
  ['every kind of value', everyKind],
])('hashes %s as the whole package does', (_name, document) => {
  const { types, primaryType } = document as typeof everyKind;
  const hash = ({ TypedDataUtils }: SigUtil) => [
    TypedDataUtils.hashType(primaryType, types),
    TypedDataUtils.eip712Hash(document as never, V4),
    TypedDataUtils.hashStruct(
      primaryType,
      (document as typeof everyKind).message,
      types,
      V4,
    ),
  ];
  expect(hash(slim)).toStrictEqual(hash(whole));
});

it('hashes v1 entries as the whole package does', () => {
  expect(slim.typedSignatureHash(entries)).toBe(whole.typedSignatureHash(entries));
});
