// Contract calls that we make or encode: selector and argument types, nothing more.
import { decode, encode } from '@metamask/abi-utils';
import { bytesToBigInt, bytesToHex, hexToBytes } from '@metamask/utils';

import { concatHex } from './hex';
import type { Hex } from './hex';

/** Bytes of an ABI word. */
const WORD = 32;

/** A function's selector and the types of its arguments. */
type AbiFunction = { selector: Hex; types: readonly string[] };

/** A value that can stand in calldata. */
export type AbiValue = string | bigint | Uint8Array | readonly AbiValue[];

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
} as const satisfies Record<string, AbiFunction>;

/** Signature of a function we know. */
export type AbiSignature = keyof typeof abi;

/** Encode a call: selector and ABI-encoded arguments. */
export function encodeCall(signature: AbiSignature, values: readonly AbiValue[]): Hex {
  const { selector, types } = abi[signature];
  return concatHex(selector, encodeArguments(types, values));
}

/** ABI-encode values, as a contract's constructor or a hash wants them. */
export function encodeArguments(
  types: readonly string[],
  values: readonly AbiValue[],
): Hex {
  return bytesToHex(encode(types, values as never));
}

/**
 * Decode a call.
 *
 * @returns The arguments (bytes as Uint8Array), or `undefined` if it is another function,
 * or not written as {@link encodeCall} writes it: a contract might read it otherwise.
 */
export function decodeCall(
  signature: AbiSignature,
  data: Hex,
): readonly AbiValue[] | undefined {
  const { selector, types } = abi[signature];
  if (!data.toLowerCase().startsWith(selector)) return undefined;
  const bytes = hexToBytes(`0x${data.slice(10)}`);
  if (!types.every((type, index) => hasPossibleLength(type, index, bytes))) {
    return undefined;
  }
  try {
    const values = decode<readonly string[], AbiValue[]>(types, bytes);
    return encodeCall(signature, values) === data.toLowerCase() ? values : undefined;
  } catch {
    return undefined;
  }
}

// The decoder believes a length: a false one would have it fill the memory. None of our
// functions has an array in an array, so the heads' lengths are all there are.
function hasPossibleLength(type: string, index: number, bytes: Uint8Array): boolean {
  if (!type.endsWith('[]')) return true;
  const offset = readWord(bytes, BigInt(index * WORD));
  const length = offset === undefined ? undefined : readWord(bytes, offset);
  return length !== undefined && length * BigInt(WORD) <= BigInt(bytes.length);
}

function readWord(bytes: Uint8Array, offset: bigint): bigint | undefined {
  if (offset + BigInt(WORD) > BigInt(bytes.length)) return undefined;
  const start = Number(offset);
  return bytesToBigInt(bytes.slice(start, start + WORD));
}
