// Random typed-data documents, each in two writings: as a dapp sends it, and with plain
// numbers for viem. Built from the types down, so that every value fits.
import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';

import type { Document } from '../fixtures/eth/typed-data';
import { address, bytes, fixedBytes, uint } from './arbitraries';

/** A value as JSON has it, and as viem takes it. */
export type Written = { json: unknown; plain: unknown };

/** A document as a dapp sends it, and as viem takes it. */
export type TypedDataCase = { document: Document; plain: Document };

type Field = { name: string; type: string };
type Types = Record<string, Field[]>;

const DOMAIN: readonly Field[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
];

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

const atoms: Arbitrary<string> = fc.oneof(
  fc.constantFrom('string', 'bool', 'address', 'bytes', 'uint256', 'bytes32'),
  widths.map((width) => `uint${8 * width}`),
  widths.map((width) => `int${8 * width}`),
  widths.map((width) => `bytes${width}`),
);

/** A value of an atomic type. */
export function atomOf(type: string): Arbitrary<Written> {
  const [, kind, size] = /^(uint|int|bytes)(\d+)$/u.exec(type) ?? [type, type];
  if (kind === 'uint') return written(uint(Number(size)));
  if (kind === 'int') return written(int(Number(size)));
  if (kind === 'string') return same(text);
  if (kind === 'bool') return same(fc.boolean());
  if (kind === 'address') return same(address);
  return same(size === undefined ? bytes(40) : fixedBytes(Number(size)));
}

// A type contains later ones, and itself or earlier ones only in arrays that can be empty.
function typeOf(index: number, count: number): Arbitrary<string> {
  const later = Array.from({ length: count }, (_, each) => `Type${each}`);
  const inner = later.slice(index + 1);
  const direct =
    inner.length === 0 ? atoms : fc.oneof(atoms, fc.constantFrom(...inner));
  const dimension = fc.constantFrom('[]', '[1]', '[2]');
  return fc.oneof(
    { weight: 4, arbitrary: direct },
    {
      weight: 2,
      arbitrary: fc.tuple(direct, dimension).map((parts) => parts.join('')),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(direct, dimension, dimension).map((parts) => parts.join('')),
    },
    { weight: 1, arbitrary: fc.constantFrom(...later).map((name) => `${name}[]`) },
  );
}

const types: Arbitrary<Types> = fc
  .integer({ min: 1, max: 3 })
  .chain((count) =>
    fc
      .tuple(
        ...Array.from({ length: count }, (_, index) =>
          fc.array(typeOf(index, count), { minLength: 1, maxLength: 4 }),
        ),
      )
      .map((all) =>
        Object.fromEntries(
          all.map((each, index) => [
            `Type${index}`,
            each.map((type, at) => ({ name: `field${at}`, type })),
          ]),
        ),
      ),
  );

function valueOf(type: string, all: Types, depth = 0): Arbitrary<Written> {
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

function structOf(
  fields: readonly Field[],
  all: Types,
  depth: number,
): Arbitrary<Written> {
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

/** A domain with some of its fields, which are declared or left to be inferred. */
const domains = fc
  .tuple(fc.subarray([...DOMAIN]), fc.boolean())
  .chain(([fields, isDeclared]) =>
    structOf(fields, {}, 0).map((value) => ({
      value,
      // What is empty is not inferred by everyone.
      isDeclared: isDeclared || 'version' in (value.plain as object),
      fields,
    })),
  );

/** Random documents of version 4. */
export const typedDataCases: Arbitrary<TypedDataCase> = casesOf(types);

/** Random documents without arrays, which version 3 can hold too. */
export const flatCases: Arbitrary<TypedDataCase> = casesOf(
  types.map((all) =>
    Object.fromEntries(
      Object.entries(all).map(([name, fields], index) => [
        name,
        fields.map((field) => ({ ...field, type: flatten(field.type, index) })),
      ]),
    ),
  ),
);

function flatten(type: string, index: number): string {
  const base = type.replace(/\[.*$/u, '');
  const isEarlier = base.startsWith('Type') && Number(base.slice(4)) <= index;
  return isEarlier ? 'string' : base;
}

function casesOf(all: Arbitrary<Types>): Arbitrary<TypedDataCase> {
  return fc.tuple(all, domains).chain(([declared, domain]) =>
    valueOf('Type0', declared).map((message) => {
      const documentType = domain.isDeclared
        ? { EIP712Domain: domain.fields, ...declared }
        : declared;
      const write = (key: keyof Written): Document => ({
        types: documentType,
        primaryType: 'Type0',
        domain: domain.value[key] as Document['domain'],
        message: message[key] as Document['message'],
      });
      return { document: write('json'), plain: write('plain') };
    }),
  );
}
