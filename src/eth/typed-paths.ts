// Values of typed data by their place. A path goes through arrays by itself.
import type { Json } from '@metamask/utils';

import { matches } from '../parse';
import { NodeAddressStruct } from './hex';
import type { Hex } from './hex';

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
