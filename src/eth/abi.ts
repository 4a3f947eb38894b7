// Contract calls that we make or encode: selector and argument types, nothing more.
import { bytesToBigInt, bytesToHex, hexToBytes } from '@metamask/utils';

import { matches } from '../schema/parse';
import { encode } from '../vendor/abi-utils';
import { Bytes32Struct, concatHex, toPaddedHex } from './hex';
import type { Hex } from './hex';

// Reading ABI-encoded arguments as contracts read them: they follow each pointer, and mind
// neither gaps nor what is left over.

/** A value that can stand in calldata; bytes are an Uint8Array where they were read. */
export type AbiValue = string | bigint | boolean | Uint8Array | readonly AbiValue[];

/** Bytes of an ABI word. */
const WORD = 32;

/** More than anybody reads, or asks of an account at once. */
const MAX_ITEMS = 250;

/** How many bytes are read twice at most, since parts overlap. */
const MAX_OVERLAP = 20_000;

/**
 * Reads arguments.
 *
 * @param types - As in a signature: `uint256`, `(address,bytes)[]`, `string[2]`.
 * @returns `undefined` if a part lies outside of the bytes, an array has more items than
 * anybody reads, or parts overlap so that they would take much more memory than the bytes do.
 */
export function readArguments(
  types: readonly string[],
  bytes: Uint8Array,
): AbiValue[] | undefined {
  return read(types, bytes)?.values;
}

function read(
  types: readonly string[],
  bytes: Uint8Array,
): { values: AbiValue[]; isOverlapping: boolean } | undefined {
  let left = bytes.length + MAX_OVERLAP;
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
  const readHead = (type: string, at: number): AbiValue => {
    const members = listMembers(type);
    return members ? readTuple(members, at) : toValue(type, take(at, WORD));
  };
  const readTail = (type: string, at: number): AbiValue => {
    const members = listMembers(type);
    if (members) return readTuple(members, at);
    const length = takeNumber(at);
    const start = at + WORD;
    if (type.endsWith('[]')) return readTuple(repeat(type.slice(0, -2), length), start);
    const content = take(start, length);
    return type === 'string' ? new TextDecoder().decode(content) : content;
  };
  try {
    const values = readTuple(types, 0);
    return { values, isOverlapping: left < MAX_OVERLAP };
  } catch {
    return undefined;
  }
}

/** Lists the types in a signature or a tuple: `f(address,(bool,bytes)[])` → two. */
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
  if (type.startsWith('uint')) return BigInt.asUintN(size || 256, number);
  if (type.startsWith('int')) return BigInt.asIntN(size || 256, number);
  return word.slice(0, size);
}

/** Lists the types in a tuple or in an array of a fixed length; undefined of others. */
function listMembers(type: string): string[] | undefined {
  if (type.endsWith(')')) return listTypes(type);
  const [, item, length] = /^(.+)\[(\d+)\]$/u.exec(type) ?? [];
  return item === undefined ? undefined : repeat(item, Number(length));
}

function repeat(type: string, length: number): string[] {
  if (length > MAX_ITEMS) throw new RangeError('It has too many items.');
  return Array<string>(length).fill(type);
}

function isDynamic(type: string): boolean {
  const members = listMembers(type);
  if (members) return members.some(isDynamic);
  return type.endsWith('[]') || type === 'bytes' || type === 'string';
}

function headSizeOf(type: string): number {
  const members = listMembers(type);
  if (!members || isDynamic(type)) return WORD;
  return members.reduce((sum, each) => sum + headSizeOf(each), 0);
}

/** A function's selector and the types of its arguments. */
export type AbiFunction = { selector: Hex; types: readonly string[] };

/** The functions we know; the tests compare each selector with its signature. */
export const abi = {
  'createAccount(address,uint256)': {
    selector: '0x5fbfb9cf',
    types: ['address', 'uint256'],
  },
  'getAddress(address,uint256)': {
    selector: '0x8cb84e18',
    types: ['address', 'uint256'],
  },
  'initialize(address)': { selector: '0xc4d66de8', types: ['address'] },
  'getNonce(address,uint192)': {
    selector: '0x35567e1a',
    types: ['address', 'uint192'],
  },
  'entryPoint()': { selector: '0xb0d691fe', types: [] },
  'balanceOf(address)': { selector: '0x70a08231', types: ['address'] },
  'allowance(address,address)': {
    selector: '0xdd62ed3e',
    types: ['address', 'address'],
  },
  'totalSupply()': { selector: '0x18160ddd', types: [] },
  'isOwner(address)': { selector: '0x2f54bf6e', types: ['address'] },
  'decimals()': { selector: '0x313ce567', types: [] },
  'latestRoundData()': { selector: '0xfeaf968c', types: [] },
  'getL1Fee(bytes)': { selector: '0x49948e0e', types: ['bytes'] },
  'execute(address,uint256,bytes)': {
    selector: '0xb61d27f6',
    types: ['address', 'uint256', 'bytes'],
  },
  'executeBatch(address[],bytes[])': {
    selector: '0x18dfb3c7',
    types: ['address[]', 'bytes[]'],
  },
  'executeBatch(address[],uint256[],bytes[])': {
    selector: '0x47e1da2a',
    types: ['address[]', 'uint256[]', 'bytes[]'],
  },
  'executeBatch((address,uint256,bytes)[])': {
    selector: '0x34fcd5be',
    types: ['(address,uint256,bytes)[]'],
  },
  'executeUserOp(address,uint256,bytes,uint8)': {
    selector: '0x7bb37428',
    types: ['address', 'uint256', 'bytes', 'uint8'],
  },
  'executeUserOpWithErrorString(address,uint256,bytes,uint8)': {
    selector: '0x541d63c8',
    types: ['address', 'uint256', 'bytes', 'uint8'],
  },
  'multiSend(bytes)': { selector: '0x8d80ff0a', types: ['bytes'] },
  'createProxyWithNonce(address,bytes,uint256)': {
    selector: '0x1688f0b9',
    types: ['address', 'bytes', 'uint256'],
  },
  'setup(address[],uint256,address,bytes,address,address,uint256,address)': {
    selector: '0xb63e800d',
    types: [
      'address[]',
      'uint256',
      'address',
      'bytes',
      'address',
      'address',
      'uint256',
      'address',
    ],
  },
  'enableModules(address[])': { selector: '0x8d0dc49f', types: ['address[]'] },
  'isValidSignature(bytes32,bytes)': {
    selector: '0x1626ba7e',
    types: ['bytes32', 'bytes'],
  },
} as const satisfies Record<string, AbiFunction>;

/** Signature of a function we know. */
export type AbiSignature = keyof typeof abi;

/** Encodes a call: selector and ABI-encoded arguments. */
export function encodeCall(signature: AbiSignature, values: readonly AbiValue[]): Hex {
  return encodeFunction(abi[signature], values);
}

/** Encodes a call of any function. */
export function encodeFunction(
  { selector, types }: AbiFunction,
  values: readonly AbiValue[],
): Hex {
  return concatHex(selector, encodeArguments(types, values));
}

/** ABI-encode values, as a contract's constructor or a hash wants them. */
export function encodeArguments(
  types: readonly string[],
  values: readonly AbiValue[],
): Hex {
  return bytesToHex(encode(types, values));
}

/** What a call says. */
export type DecodedFunction = {
  /** The arguments, bytes as Uint8Array. */
  values: readonly AbiValue[];
  /** Whether it is written as {@link encodeFunction} writes it, to the last byte. */
  isCanonical: boolean;
};

/**
 * Decodes a call as a contract reads it.
 *
 * @returns `undefined` if it is another function, or cannot be read.
 */
export function decodeCall(
  signature: AbiSignature,
  data: Hex,
): DecodedFunction | undefined {
  return decodeFunction(abi[signature], data);
}

/**
 * Decodes a call of any function.
 *
 * @param known - Its selector, in lower case, and its types.
 * @param options - `isCompared` tells whether its encoding is worth the work of a comparison; if
 * not, it counts as canonical.
 * @returns As {@link decodeCall}.
 */
export function decodeFunction(
  { selector, types }: AbiFunction,
  data: Hex,
  { isCompared = true }: { isCompared?: boolean } = {},
): DecodedFunction | undefined {
  if (!data.toLowerCase().startsWith(selector)) return undefined;
  const found = read(types, hexToBytes(`0x${data.slice(10)}`));
  if (!found) return undefined;
  const { values, isOverlapping } = found;
  if (isOverlapping || !isCompared) return { values, isCanonical: !isOverlapping };
  const again = encodeFunction({ selector, types }, values);
  return { values, isCanonical: again === data.toLowerCase() };
}

/** Reads a number from a contract's answer; undefined if it is not one word. */
export function findWord(answer: Hex): bigint | undefined {
  return matches(answer, Bytes32Struct) ? BigInt(answer) : undefined;
}
