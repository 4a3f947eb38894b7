// Random typed-data documents, each in two writings: as a dapp sends it, and with plain
// numbers for viem. Built from the types down, so that every value fits.
import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';

import type { Document } from '../fixtures/eth/typed-data';
import { atoms, structOf, valueOf } from './typed-value-arbitraries';
import type { Field, Types, Written } from './typed-value-arbitraries';

/** A document as a dapp sends it, and as viem takes it. */
export type TypedDataCase = { document: Document; plain: Document };

const DOMAIN: readonly Field[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
];

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

/** A domain with some of its fields, which are declared or left to be inferred. */
const domains = fc
  .tuple(fc.subarray([...DOMAIN]), fc.boolean())
  .chain(([fields, isDeclared]) =>
    structOf(fields, {}, 0).map((value) => ({
      value,
      // Not every library infers empty types.
      isDeclared: isDeclared || 'version' in value.plain,
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
