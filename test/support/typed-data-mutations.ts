// Typed-data documents with one thing wrong, or oddly written.
import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';

import type { Document } from '../fixtures/eth/typed-data';
import { typedDataCases } from './typed-data-arbitraries';

/** Replacement values, for types and values alike. */
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

type Place = { parent: Record<string, unknown>; key: string };

/** Documents that were valid before one place of them was changed. */
export const brokenDocuments: Arbitrary<unknown> = fc
  .record({
    valid: typedDataCases,
    place: fc.nat(),
    odd: fc.constantFrom(...ODD),
    how: fc.constantFrom('put', 'put', 'put', 'remove', 'repeat'),
  })
  .map(({ valid, place, odd, how }) => {
    const document = structuredClone(valid.document);
    const places = placesOf(document);
    const { parent, key } = places[place % places.length] as Place;
    if (how === 'put') parent[key] = structuredClone(odd);
    else if (how === 'remove') remove(parent, key);
    else if (Array.isArray(parent)) parent.push(parent[+key]);
    else name(parent, typeof odd === 'string' ? odd : 'extra', parent[key]);
    return document;
  });

// Not by assignment: JSON can name a field `__proto__`.
function name(parent: object, key: string, value: unknown): void {
  const settings = { enumerable: true, configurable: true, writable: true };
  Object.defineProperty(parent, key, { ...settings, value });
}

function remove(parent: Record<string, unknown>, key: string): void {
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else Reflect.deleteProperty(parent, key);
}

function placesOf(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const parent = value as Record<string, unknown>;
  return Object.keys(parent).flatMap((key) => [
    { parent, key },
    ...placesOf(parent[key]),
  ]);
}

/**
 * Writes a document as viem wants it, where ours reads more: a chain id that is text in a
 * domain whose type is not declared.
 */
export function forViem(given: unknown): Document {
  const document = given as Document;
  const { types, domain } = document;
  if ('EIP712Domain' in types || typeof domain.chainId !== 'string') return document;
  const chainId = BigInt(domain.chainId) as unknown as string;
  return { ...document, domain: { ...domain, chainId } };
}
