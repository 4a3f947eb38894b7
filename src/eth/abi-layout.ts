// Reading ABI-encoded arguments as contracts read them: they follow each pointer, and mind
// neither gaps nor what is left over.
import { bytesToBigInt } from '@metamask/utils';

import { toPaddedHex } from './hex';

/** A value that can stand in calldata; bytes are an Uint8Array where they were read. */
export type AbiValue = string | bigint | boolean | Uint8Array | readonly AbiValue[];

/** Bytes of an ABI word. */
const WORD = 32;

/** More than anybody reads, or asks of an account at once. */
const MAX_ITEMS = 250;

/**
 * Read arguments.
 *
 * @param types - Addresses, booleans, uints, bytes, arrays of no fixed length, and tuples.
 * @returns `undefined` if a part lies outside of the bytes, an array has more items than
 * anybody reads, or parts overlap so that they would take more memory than the bytes do.
 */
export function readArguments(
  types: readonly string[],
  bytes: Uint8Array,
): AbiValue[] | undefined {
  let left = bytes.length;
  const take = (at: number, size: number): Uint8Array => {
    left -= size;
    if (left < 0 || at + size > bytes.length) throw new RangeError('It lies outside.');
    return bytes.slice(at, at + size);
  };
  const takeNumber = (at: number): number => Number(bytesToBigInt(take(at, WORD)));
  const readTuple = (members: readonly string[], start: number): AbiValue[] => {
    let head = start;
    return members.map((type) => {
      const at = head;
      head += headSizeOf(type);
      return isDynamic(type)
        ? readTail(type, start + takeNumber(at))
        : readHead(type, at);
    });
  };
  const readHead = (type: string, at: number): AbiValue =>
    type.endsWith(')') ? readTuple(listTypes(type), at) : toValue(type, take(at, WORD));
  const readTail = (type: string, at: number): AbiValue => {
    if (type.endsWith(')')) return readTuple(listTypes(type), at);
    const length = takeNumber(at);
    if (!type.endsWith('[]')) return take(at + WORD, length);
    if (length > MAX_ITEMS) throw new RangeError('It has too many items.');
    return readTuple(Array<string>(length).fill(type.slice(0, -2)), at + WORD);
  };
  try {
    return readTuple(types, 0);
  } catch {
    return undefined;
  }
}

/** List the types in a signature or a tuple: `f(address,(bool,bytes)[])` → two. */
export function listTypes(signature: string): string[] {
  const inner = signature.slice(signature.indexOf('(') + 1, -1);
  const types: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < inner.length; at += 1) {
    if (inner[at] === '(') depth += 1;
    if (inner[at] === ')') depth -= 1;
    if (inner[at] !== ',' || depth > 0) continue;
    types.push(inner.slice(start, at));
    start = at + 1;
  }
  return inner === '' ? [] : [...types, inner.slice(start)];
}

// Contracts of old drop what is too large for a type; newer ones revert.
function toValue(type: string, word: Uint8Array): AbiValue {
  const number = bytesToBigInt(word);
  if (type === 'address') return toPaddedHex(BigInt.asUintN(160, number), 20);
  if (type === 'bool') return number !== 0n;
  const size = Number(type.replace(/^\D+/u, ''));
  return type.startsWith('uint') ? BigInt.asUintN(size, number) : word.slice(0, size);
}

function isDynamic(type: string): boolean {
  if (type.endsWith(')')) return listTypes(type).some(isDynamic);
  return type.endsWith('[]') || type === 'bytes';
}

function headSizeOf(type: string): number {
  if (!type.endsWith(')') || isDynamic(type)) return WORD;
  return listTypes(type).reduce((sum, each) => sum + headSizeOf(each), 0);
}
