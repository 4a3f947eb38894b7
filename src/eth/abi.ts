// Contract calls that we make or encode: selector and argument types, nothing more.
import { encode } from '@metamask/abi-utils';
import { bytesToHex, hexToBytes } from '@metamask/utils';

import { matches } from '../parse';
import { readArguments } from './abi-layout';
import type { AbiValue } from './abi-layout';
import { Bytes32Struct, concatHex } from './hex';
import type { Hex } from './hex';

/** A function's selector and the types of its arguments. */
export type AbiFunction = { selector: Hex; types: readonly string[] };

export type { AbiValue } from './abi-layout';

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
  'balanceOf(address)': { selector: '0x70a08231', types: ['address'] },
  'totalSupply()': { selector: '0x18160ddd', types: [] },
  'decimals()': { selector: '0x313ce567', types: [] },
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
} as const satisfies Record<string, AbiFunction>;

/** Signature of a function we know. */
export type AbiSignature = keyof typeof abi;

/** Encode a call: selector and ABI-encoded arguments. */
export function encodeCall(signature: AbiSignature, values: readonly AbiValue[]): Hex {
  return encodeFunction(abi[signature], values);
}

/** Encode a call of any function. */
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
  return bytesToHex(encode(types, values as never));
}

/** What a call says. */
export type DecodedCall = {
  /** The arguments, bytes as Uint8Array. */
  values: readonly AbiValue[];
  /** Whether it is written as {@link encodeFunction} writes it, to the last byte. */
  isCanonical: boolean;
};

/**
 * Decode a call as a contract reads it.
 *
 * @returns `undefined` if it is another function, or cannot be read.
 */
export function decodeCall(
  signature: AbiSignature,
  data: Hex,
): DecodedCall | undefined {
  return decodeFunction(abi[signature], data);
}

/**
 * Decode a call of any function.
 *
 * @param known - Its selector, in lower case, and its types: no arrays of a fixed length.
 * @returns As {@link decodeCall}.
 */
export function decodeFunction(
  { selector, types }: AbiFunction,
  data: Hex,
): DecodedCall | undefined {
  if (!data.toLowerCase().startsWith(selector)) return undefined;
  const values = readArguments(types, hexToBytes(`0x${data.slice(10)}`));
  if (!values) return undefined;
  const again = encodeFunction({ selector, types }, values);
  return { values, isCanonical: again === data.toLowerCase() };
}

/** Read a number from a contract's answer; undefined if it is not one word. */
export function findWord(answer: Hex): bigint | undefined {
  return matches(answer, Bytes32Struct) ? BigInt(answer) : undefined;
}
