// Random lists of typed data of version 1: as a dapp sends them, and the hash that is signed.
import type { Json } from '@metamask/utils';
import fc from 'fast-check';
import { encodePacked } from 'viem';
import type { Hex } from 'viem';

import { hashV1 } from './typed-data';
import { packedOf, packedTypes } from './typed-value-arbitraries';

/** A list and its hash, by viem. */
export type TypedList = {
  entries: Record<'name' | 'type' | 'value', Json>[];
  hash: Hex;
};

const entries = fc
  .tuple(fc.string({ minLength: 1, maxLength: 10, unit: 'grapheme' }), packedTypes)
  .chain(([name, type]) => packedOf(type).map((value) => ({ name, type, value })));

/** Any list of version 1. */
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
