import type { Json } from '@metamask/utils';

import type { TypeTable } from '../../../src/eth/typed-data';
import {
  decodeEntries,
  findTime,
  isLargest,
  listTypedValues,
} from '../../../src/review/documents';

const SECONDS = 1_700_000_000;

const ADDRESS = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';

const timeOf = (name: string, value: Json, type = 'uint256'): number | undefined =>
  findTime({ place: name.split('.'), type, value });

describe('the values of typed data', () => {
  it('are in a group for each field that has several, and together where they are alone', () => {
    const types: TypeTable = {
      Mail: [
        { name: 'title', type: 'string' },
        { name: 'urgent', type: 'bool' },
        { name: 'to', type: 'Person[]' },
        { name: 'text', type: 'string' },
      ],
      Person: [{ name: 'name', type: 'string' }],
    };
    const message = { title: 'Hi', urgent: true, to: [{ name: 'Bob' }], text: 'Hello' };
    expect(listTypedValues(types, 'Mail', message)).toStrictEqual([
      {
        field: undefined,
        values: [
          { place: ['title'], type: 'string', value: 'Hi' },
          { place: ['urgent'], type: 'bool', value: true },
        ],
      },
      {
        field: { name: 'to', type: 'Person[]' },
        values: [{ place: ['to', '1', 'name'], type: 'string', value: 'Bob' }],
      },
      {
        field: undefined,
        values: [{ place: ['text'], type: 'string', value: 'Hello' }],
      },
    ]);
  });

  it('are the value itself where there is nothing in it', () => {
    const types: TypeTable = {
      Nothing: [
        { name: 'list', type: 'uint8[]' },
        { name: 'next', type: 'Nothing' },
      ],
    };
    const tree = listTypedValues(types, 'Nothing', { list: [] });
    expect(tree).toStrictEqual([
      {
        field: undefined,
        values: [
          { place: ['list'], type: 'uint8[]', value: [] },
          { place: ['next'], type: 'Nothing', value: null },
        ],
      },
    ]);
  });
});

describe('the time of a value', () => {
  it.each<[string, Json, string]>([
    ['deadline', SECONDS, 'uint256'],
    ['sigDeadline', String(SECONDS), 'uint256'],
    ['details.expiration', '0x6553f100', 'uint48'],
    ['details.1.expiration.1', SECONDS, 'uint256'],
    ['validTo', SECONDS, 'uint32'],
    ['validBefore', SECONDS, 'uint256'],
    ['endTime', SECONDS, 'uint256'],
    ['issuedAt', SECONDS, 'uint256'],
    ['timestamp', SECONDS, 'int64'],
    ['time', SECONDS * 1_000, 'uint256'],
  ])('is found by its name: %s of %j', (name, value, type) => {
    expect(timeOf(name, value, type)).toBe(SECONDS * 1_000);
  });

  it.each<[string, [string, Json, string?]]>([
    ['an amount', ['amount', SECONDS]],
    ['a lifetime', ['lifetime', SECONDS]],
    ['a text', ['deadline', String(SECONDS), 'string']],
    ['bytes', ['deadline', '0x6553f100', 'bytes4']],
    ['a duration', ['expiry', 3_600]],
    ['zero', ['deadline', 0]],
    ['the largest number', ['deadline', String(2n ** 256n - 1n)]],
    ['neither seconds nor milliseconds', ['deadline', SECONDS * 100]],
    ['no number', ['deadline', null]],
    ['a number below zero', ['deadline', -SECONDS, 'int256']],
  ])('is not looked for in %s', (_what, value) => {
    expect(timeOf(...value)).toBeUndefined();
  });
});

describe('the largest value of a type', () => {
  it.each<[string, Json, boolean]>([
    ['uint256', String(2n ** 256n - 1n), true],
    ['uint', String(2n ** 256n - 1n), true],
    ['uint160', String(2n ** 160n - 1n), true],
    ['uint48', 2 ** 48 - 1, true],
    ['uint256', String(2n ** 160n - 1n), false],
    ['uint8', 255, false],
    ['int256', String(2n ** 255n - 1n), false],
  ])('is found for %s %s: %p', (type, value, isIt) => {
    expect(isLargest({ type, value })).toBe(isIt);
  });
});

describe('the addresses of version 1', () => {
  it('are those that are written as such', () => {
    const entries = [
      { type: 'address', name: 'to', value: ADDRESS },
      { type: 'address[]', name: 'others', value: [ADDRESS] },
      { type: 'string', name: 'text', value: ADDRESS },
    ];
    expect(decodeEntries(entries).addresses).toStrictEqual([ADDRESS, ADDRESS]);
  });
});
