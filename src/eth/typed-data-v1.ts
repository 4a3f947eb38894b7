// Typed data of version 1, from before EIP-712: a list of names, types and values, hashed as
// Solidity packs them. It names no contract or chain, and no border between two values.
import {
  signTypedData as signEntries,
  SignTypedDataVersion,
} from '@metamask/eth-sig-util';
import type { Json } from '@metamask/utils';

import { parse } from '../schema/parse';
import { array, named, type } from '../schema/structs';
import { viewOf } from './hex';
import type { Hex } from './hex';
import { checkTypedValue, readDocument } from './typed-data';
import { createBudget, findArray, findAtom } from './typed-data-types';
import type { Budget } from './typed-data-types';

export type TypedEntry = { name: string; type: string; value: Json };

/** Most values of one list; real ones have a handful. */
const MAX_ENTRIES = 1_000;

const ListStruct = named<unknown[]>(
  `an array of 1 to ${MAX_ENTRIES} entries`,
  (value) => Array.isArray(value) && value.length > 0 && value.length <= MAX_ENTRIES,
);

export const EntriesStruct = array(
  type({
    name: named<string>(
      'a text that is not empty',
      (value) => typeof value === 'string' && value !== '' && !/\p{Cs}/u.test(value),
    ),
    type: named<string>(
      'a type that Solidity packs (string, bool, address, bytes, integers; arrays of none but integers, bool, address and bytes32)',
      (value) => typeof value === 'string' && isPacked(value),
    ),
    // Checked by its type, below.
    value: named<unknown>('a value', () => true),
  }),
);

/**
 * Reads typed data of version 1.
 *
 * @param value - The list, or its JSON text.
 * @param root - Its name in messages.
 * @throws {InvalidParamsError} If it is malformed, or a value does not fit its type.
 */
export function parseTypedEntries(value: unknown, root: string): TypedEntry[] {
  const given = parse(readDocument(value, 'array', root), ListStruct, root);
  const budget = createBudget(root);
  return parse(given, EntriesStruct, root).map((entry, index) => {
    const { name, type: typeName } = entry;
    budget.spend(name.length + typeName.length);
    const path = `${root}[${index}].value`;
    return { name, type: typeName, value: checkValue(entry, path, budget) };
  });
}

/** Signs typed data of version 1, as `eth_signTypedData_v1` does. */
export function signTypedEntries(
  entries: readonly TypedEntry[],
  privateKey: Uint8Array,
): Hex {
  return signEntries({
    privateKey: viewOf(privateKey),
    data: [...entries],
    version: SignTypedDataVersion.V1,
  }) as Hex;
}

function checkValue(
  { type: name, value }: { type: string; value: unknown },
  path: string,
  budget: Budget,
): Json {
  const rules = { types: {}, endless: new Set<string>(), typeLength: 0, budget };
  return checkTypedValue({ type: name, value, path }, rules) as Json;
}

// Solidity packs the items of an array as 32 bytes each, which eth-sig-util does not do with
// bytes1 to bytes31; arrays of what has no fixed length, or of arrays, it does not pack.
function isPacked(name: string): boolean {
  const item = findArray(name)?.item;
  if (item === undefined) return findAtom(name) !== undefined;
  const isWord = item === 'bytes32' || !/^(?:bytes|string)/u.test(item);
  return isWord && findAtom(item) !== undefined;
}
