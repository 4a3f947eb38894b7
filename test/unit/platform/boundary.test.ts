import { describe, expect, it } from '@jest/globals';

import { toJson } from '../../../src/platform/boundary';

describe('what leaves the snap', () => {
  class Amount {
    readonly wei = 1;

    toJSON(): string {
      return '1 wei';
    }
  }
  // oxlint-disable-next-line no-sparse-arrays -- What it is about.
  const sparse = [1, , 2];

  it.each([
    ['an undefined field', { a: [{ b: undefined, c: 1 }] }],
    ['an undefined entry', [undefined]],
    ['a sparse array', { a: sparse }],
    ['numbers that JSON lacks', [NaN, { a: Infinity }]],
    ['a function', { a: () => 1, toJSON: undefined }],
    ['a symbol', { a: Symbol('a') }],
    ['an object of a class', { a: new Amount() }],
    ['a date', [new Date(0)]],
    ['bytes', { a: Uint8Array.of(1, 2) }],
    ['a map', new Map([[1, 2]])],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 })],
  ])('is JSON of %s', (_what, value: unknown) => {
    expect(toJson({ value })).toStrictEqual(JSON.parse(JSON.stringify({ value })));
  });

  it('is not copied if it is JSON', () => {
    const value = [{ a: 'text', b: [0.5, true, null, {}], c: [] }];
    expect(toJson(value)).toBe(value);
  });

  it('is null in place of nothing', () => {
    expect(toJson(undefined)).toBeNull();
  });

  it('is no bigint', () => {
    expect(() => toJson([{ a: 1n }])).toThrow(TypeError);
  });
});
