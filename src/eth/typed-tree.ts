// Typed data as a reader wants them: the values one by one, with their types, in the groups
// that the fields of the message make.
import type { Json } from '@metamask/utils';

import { matches } from '../schema/parse';
import { findQuantity, NodeAddressStruct } from './hex';
import type { Hex } from './hex';
import type { TypedData } from './typed-data';
import { DOMAIN, findArray } from './typed-data-types';
import type { TypedField, TypeTable } from './typed-data-types';
import type { TypedEntry } from './typed-data-v1';

// Values of typed data by their place. A path goes through arrays by itself.

/** List the values at a path such as `details.amount`, those in arrays one by one. */
export function valuesAt(value: Json | undefined, path: string): Json[] {
  return path
    .split('.')
    .reduce<Json[]>(
      (values, name) => values.flatMap((each) => fieldsOf(each, name)),
      [value ?? null],
    )
    .flatMap(flatten);
}

/** List the addresses at some paths. */
export function addressesAt(value: Json, paths: readonly string[] = []): Hex[] {
  return paths
    .flatMap((path) => valuesAt(value, path))
    .filter((each): each is Hex => matches(each, NodeAddressStruct));
}

function fieldsOf(value: Json, name: string): Json[] {
  return flatten(value).flatMap((each) =>
    isRecord(each) && Object.hasOwn(each, name) ? [each[name] ?? null] : [],
  );
}

function flatten(value: Json): Json[] {
  return Array.isArray(value) ? value.flatMap(flatten) : [value];
}

function isRecord(value: Json): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value; its place is written from its group on. */
export type TypedValue = { place: readonly string[]; type: string; value: Json };

/** A field of the message with all that is in it; without a name, fields of one value. */
export type TypedGroup = { field: TypedField | undefined; values: TypedValue[] };

const IS_TIME =
  /deadline|expir|valid(?:to|until|after|before|from)|(?:start|end)time|timestamp|issuedat|notbefore|^(?:time|date|now)$/iu;

/** Plausible times in seconds: of the years 2001 to 2128. */
const SECONDS = { min: 10n ** 9n, max: 5n * 10n ** 9n };

/** List the values of a struct. */
export function listTypedValues(
  types: TypeTable,
  primaryType: string,
  message: Record<string, Json>,
): TypedGroup[] {
  const groups: TypedGroup[] = [];
  for (const field of types[primaryType] ?? []) {
    const all = listValues(types, {
      place: [field.name],
      type: field.type,
      value: message[field.name] ?? null,
    });
    const isPlain = all.length === 1 && all[0]?.place.length === 1;
    const last = groups.at(-1);
    if (isPlain && last && !last.field) last.values.push(...all);
    else groups.push({ field: isPlain ? undefined : field, values: all });
  }
  return groups;
}

/** List the addresses in a document, its contract's first. */
export function listDocumentAddresses(data: TypedData): Hex[] {
  const { types, primaryType, domain, message } = data;
  const values = [
    ...listAll(types, DOMAIN, domain),
    ...listAll(types, primaryType, message),
  ];
  return values.flatMap(toAddresses);
}

/** List the addresses in typed data of version 1. */
export function listEntryAddresses(entries: readonly TypedEntry[]): Hex[] {
  return entries
    .flatMap(({ name, type, value }) => listValues({}, { place: [name], type, value }))
    .flatMap(toAddresses);
}

/**
 * Find the time that a value stands for, judged by its name and size.
 *
 * @returns In ms since 1970.
 */
export function findTime({ place, type, value }: TypedValue): number | undefined {
  const name = place.findLast((part) => !/^\d+$/u.test(part)) ?? '';
  if (!/^u?int\d*$/u.test(type) || !IS_TIME.test(name)) return undefined;
  const number = findQuantity(value);
  if (number === undefined || number < SECONDS.min) return undefined;
  if (number <= SECONDS.max) return Number(number) * 1_000;
  const isMs = number >= SECONDS.min * 1_000n && number <= SECONDS.max * 1_000n;
  return isMs ? Number(number) : undefined;
}

/** Tell whether a value is the largest of its unsigned type, which often means no limit. */
export function isLargest({
  type,
  value,
}: Pick<TypedValue, 'type' | 'value'>): boolean {
  const bits = /^uint(?<bits>\d*)$/u.exec(type)?.groups?.bits;
  if (bits === undefined || Number(bits || 256) < 48) return false;
  return findQuantity(value) === (1n << BigInt(bits || 256)) - 1n;
}

function listAll(
  types: TypeTable,
  name: string,
  struct: Record<string, Json>,
): TypedValue[] {
  return listValues(types, { place: [], type: name, value: struct });
}

function toAddresses({ type, value }: TypedValue): Hex[] {
  return type === 'address' && matches(value, NodeAddressStruct) ? [value] : [];
}

function listValues(
  types: TypeTable,
  { place, type, value }: TypedValue,
): TypedValue[] {
  const item = findArray(type)?.item;
  if (item !== undefined && Array.isArray(value) && value.length > 0) {
    return value.flatMap((each, index) =>
      listValues(types, {
        place: [...place, String(index + 1)],
        type: item,
        value: each,
      }),
    );
  }
  const fields = Object.hasOwn(types, type) ? (types[type] ?? []) : [];
  if (fields.length === 0 || typeof value !== 'object' || value === null) {
    return [{ place, type, value }];
  }
  const struct = value as Record<string, Json>;
  return fields.flatMap((field) =>
    listValues(types, {
      place: [...place, field.name],
      type: field.type,
      value: struct[field.name] ?? null,
    }),
  );
}
