// Random values of the types of typed data, each in two writings: as a dapp sends it, and with
// plain numbers for viem.
import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';

import { address, bytes, fixedBytes, uint } from './arbitraries';

/** A value as JSON has it, and as viem takes it. */
export type Written = { json: unknown; plain: unknown };

/** A field of a struct. */
export type Field = { name: string; type: string };

/** Struct types by name. */
export type Types = Record<string, Field[]>;

/** Items of arrays whose length is not fixed. */
const MAX_ITEMS = 3;

/** How deep structs contain themselves, by arrays. */
const MAX_DEPTH = 4;

const same = (value: Arbitrary<unknown>): Arbitrary<Written> =>
  value.map((each) => ({ json: each, plain: each }));

/** A number in one of the forms in which dapps write it. */
const written = (value: Arbitrary<bigint>): Arbitrary<Written> =>
  fc.tuple(value, fc.nat(2)).map(([plain, form]) => {
    const isSafe = Number.isSafeInteger(Number(plain));
    if (form === 0 && isSafe) return { json: Number(plain), plain };
    if (form === 1 && plain >= 0n) return { json: `0x${plain.toString(16)}`, plain };
    return { json: plain.toString(), plain };
  });

const int = (bits: number): Arbitrary<bigint> => {
  const half = 1n << BigInt(bits - 1);
  return fc.oneof(
    fc.bigInt({ min: -half, max: half - 1n }),
    fc.constantFrom(-half, -1n, 0n, half - 1n),
  );
};

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom('', '0x', '0xabcd', '5', '\u{1f600}'),
);

const widths = fc.integer({ min: 1, max: 32 });

/** Atomic types. */
export const atoms: Arbitrary<string> = fc.oneof(
  fc.constantFrom('string', 'bool', 'address', 'bytes', 'uint256', 'bytes32'),
  widths.map((width) => `uint${8 * width}`),
  widths.map((width) => `int${8 * width}`),
  widths.map((width) => `bytes${width}`),
);

/** Types that version 1 packs. */
export const packedTypes: Arbitrary<string> = fc.oneof(
  atoms,
  fc
    .tuple(atoms, fc.constantFrom('[]', '[2]'))
    .filter(([type]) => type === 'bytes32' || !/^(?:bytes|string)/u.test(type))
    .map((parts) => parts.join('')),
);

/** A value of a type that version 1 packs. */
export function packedOf(type: string): Arbitrary<Written> {
  return valueOf(type, {});
}

function atomOf(type: string): Arbitrary<Written> {
  const [, kind, size] = /^(uint|int|bytes)(\d+)$/u.exec(type) ?? [type, type];
  if (kind === 'uint') return written(uint(Number(size)));
  if (kind === 'int') return written(int(Number(size)));
  if (kind === 'string') return same(text);
  if (kind === 'bool') return same(fc.boolean());
  if (kind === 'address') return same(address);
  return same(size === undefined ? bytes(40) : fixedBytes(Number(size)));
}

/** A value of any type. */
export function valueOf(type: string, all: Types, depth = 0): Arbitrary<Written> {
  const { item, length } = /^(?<item>.+)\[(?<length>\d*)\]$/u.exec(type)?.groups ?? {};
  if (item !== undefined && length !== undefined) {
    const most = depth < MAX_DEPTH ? MAX_ITEMS : 0;
    const [minLength, maxLength] = length === '' ? [0, most] : [+length, +length];
    if (maxLength === 0) return fc.constant({ json: [], plain: [] });
    return fc
      .array(valueOf(item, all, depth + 1), { minLength, maxLength })
      .map((items) => ({
        json: items.map(({ json }) => json),
        plain: items.map(({ plain }) => plain),
      }));
  }
  const fields = all[type];
  return fields ? structOf(fields, all, depth + 1) : atomOf(type);
}

/** A struct with these fields. */
export function structOf(fields: readonly Field[], all: Types, depth: number) {
  const names = fields.map(({ name }) => name);
  const join = (values: unknown[]): object =>
    Object.fromEntries(names.map((name, index) => [name, values[index]]));
  return fc
    .tuple(...fields.map(({ type }) => valueOf(type, all, depth)))
    .map((all) => ({
      json: join(all.map(({ json }) => json)),
      plain: join(all.map(({ plain }) => plain)),
    }));
}
