// Random typed data in two forms: a dapp's JSON, and viem's with bigints. Values are generated from
// the types, so that they match; some documents are then changed in one place, which may make them
// invalid.
// Version 1 lists come with the hash to sign.
import type { Json } from '@metamask/utils';
import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { encodePacked } from 'viem';
import type { Hex } from 'viem';

import type { Document } from '../fixtures/eth/typed-data';
import { address, bytes, fixedBytes, uint } from './arbitraries';
import { hashV1 } from './typed-data';

type Written = { json: unknown; plain: unknown };

type Field = { name: string; type: string };

type Types = Record<string, Field[]>;

const MAX_ITEMS = 3;

/** Maximum depth of structs that recur through arrays. */
const MAX_DEPTH = 4;

const same = (value: Arbitrary<unknown>): Arbitrary<Written> =>
  value.map((each) => ({ json: each, plain: each }));

/** A number in one of the forms that dapps use. */
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

const packedTypes: Arbitrary<string> = fc.oneof(
  atoms,
  fc
    .tuple(atoms, fc.constantFrom('[]', '[2]'))
    .filter(([type]) => type === 'bytes32' || !/^(?:bytes|string)/u.test(type))
    .map((parts) => parts.join('')),
);

function atomOf(type: string): Arbitrary<Written> {
  const [, kind, size] = /^(uint|int|bytes)(\d+)$/u.exec(type) ?? [type, type];
  if (kind === 'uint') return written(uint(Number(size)));
  if (kind === 'int') return written(int(Number(size)));
  if (kind === 'string') return same(text);
  if (kind === 'bool') return same(fc.boolean());
  if (kind === 'address') return same(address);
  return same(size === undefined ? bytes(40) : fixedBytes(Number(size)));
}

function valueOf(type: string, all: Types, depth = 0): Arbitrary<Written> {
  const { item, length } = /^(?<item>.+)\[(?<length>\d*)\]$/u.exec(type)?.groups ?? {};
  if (item !== undefined && length !== undefined) {
    const maxItems = depth < MAX_DEPTH ? MAX_ITEMS : 0;
    const [minLength, maxLength] = length === '' ? [0, maxItems] : [+length, +length];
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

function structOf(fields: readonly Field[], all: Types, depth: number) {
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

export type TypedDataCase = { document: Document; plain: Document };

const DOMAIN: readonly Field[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
];

// A type may contain later types anywhere. It contains itself and earlier types only in arrays that
// can be empty.
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

/** A domain with some of the standard fields, whose type is declared or left to be inferred. */
const domains = fc
  .tuple(fc.subarray([...DOMAIN]), fc.boolean())
  .chain(([fields, isDeclared]) =>
    structOf(fields, {}, 0).map((value) => ({
      value,
      // Some libraries do not infer the `version` field if its value is empty.
      isDeclared: isDeclared || 'version' in value.plain,
      fields,
    })),
  );

export const typedDataCases: Arbitrary<TypedDataCase> = casesOf(types);

/** Random documents without arrays, which version 3 also supports. */
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

/** Replacements for both types and values. */
const ODD: readonly unknown[] = [
  null,
  true,
  false,
  'true',
  'false',
  {},
  [],
  [[]],
  [null],
  [0, 1],
  0,
  1,
  -1,
  127,
  256,
  1.5,
  1e21,
  2 ** 53,
  -0,
  '0',
  '-1',
  '007',
  '1e3',
  ' 1',
  '0x',
  '0x0',
  '0x1',
  '-0x1',
  '0xzz',
  '0XAB',
  `0x${'ab'.repeat(20)}`,
  `0x${'12'.repeat(32)}`,
  '',
  'text',
  '\ud800',
  '\u0000',
  '__proto__',
  'constructor',
  'toString',
  'uint256',
  'uint7',
  'bytes33',
  'bytes4',
  'string[]',
  'string[0]',
  'bool[2]',
  'Type0',
  'Type1',
  'Type1[]',
  'Type9',
  'Type9[]',
  'EIP712Domain',
  'a,b',
];

type Slot = { parent: Record<string, unknown>; key: string };

/** Valid documents with one change. */
export const brokenDocuments: Arbitrary<unknown> = fc
  .record({
    valid: typedDataCases,
    index: fc.nat(),
    odd: fc.constantFrom(...ODD),
    how: fc.constantFrom('put', 'put', 'put', 'remove', 'repeat'),
  })
  .map(({ valid, index, odd, how }) => {
    const document = structuredClone(valid.document);
    const slots = slotsOf(document);
    const { parent, key } = slots[index % slots.length] as Slot;
    if (how === 'put') parent[key] = structuredClone(odd);
    else if (how === 'remove') remove(parent, key);
    else if (Array.isArray(parent)) parent.push(parent[+key]);
    else addField(parent, typeof odd === 'string' ? odd : 'extra', parent[key]);
    return document;
  });

// Assignment would not add a field named `__proto__`, which JSON allows.
function addField(parent: object, key: string, value: unknown): void {
  const settings = { enumerable: true, configurable: true, writable: true };
  Object.defineProperty(parent, key, { ...settings, value });
}

function remove(parent: Record<string, unknown>, key: string): void {
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else Reflect.deleteProperty(parent, key);
}

function slotsOf(value: unknown): Slot[] {
  if (typeof value !== 'object' || value === null) return [];
  const parent = value as Record<string, unknown>;
  return Object.keys(parent).flatMap((key) => [
    { parent, key },
    ...slotsOf(parent[key]),
  ]);
}

/**
 * Converts a chain id written as a string to a bigint if the domain type is not declared, because
 * viem infers the field only from a number or bigint.
 */
export function forViem(value: unknown): Document {
  const document = value as Document;
  const { types, domain } = document;
  if ('EIP712Domain' in types || typeof domain.chainId !== 'string') return document;
  const chainId = BigInt(domain.chainId) as unknown as string;
  return { ...document, domain: { ...domain, chainId } };
}

/** A list, and its hash computed with viem. */
type TypedList = {
  entries: Record<'name' | 'type' | 'value', Json>[];
  hash: Hex;
};

const entries = fc
  .tuple(fc.string({ minLength: 1, maxLength: 10, unit: 'grapheme' }), packedTypes)
  .chain(([name, type]) => valueOf(type, {}).map((value) => ({ name, type, value })));

export const typedLists = fc
  .array(entries, { minLength: 1, maxLength: 5 })
  .map((list): TypedList => {
    const types = list.map(({ type }) => type);
    const values = list.map(({ value }) => value.plain);
    const names = list.map(({ name, type }) => `${type} ${name}`);
    return {
      entries: list.map(({ value, ...rest }) => ({
        ...rest,
        value: value.json as Json,
      })),
      hash: hashV1(names, encodePacked(types, values)),
    };
  });
