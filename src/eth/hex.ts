// Hex strings, bytes and quantities as Ethereum's JSON-RPC writes them (EIP-1474).
import { isValidChecksumAddress } from '@ethereumjs/util';
import { coerce, define, number, string, union } from '@metamask/superstruct';
import type { Hex } from '@metamask/utils';
import { keccak_256 } from '@noble/hashes/sha3.js';

export type { Hex } from '@metamask/utils';

const MAX_UINT256 = 2n ** 256n - 1n;

/** Bytes as hex: `0x` and an even number of digits. */
export const BytesStruct = define<Hex>(
  'bytes in hex (0x and an even number of digits)',
  (value) => typeof value === 'string' && /^0x(?:[0-9a-f]{2})*$/iu.test(value),
);

/** A 20-byte address as callers give it; mixed case must be its EIP-55 checksum. */
export const AddressStruct = define<Hex>(
  'a 20-byte address in hex (in mixed case: with its EIP-55 checksum)',
  (value) =>
    typeof value === 'string' &&
    /^0x[0-9a-f]{40}$/iu.test(value) &&
    (!isMixedCase(value) || isValidChecksumAddress(value)),
);

/** A 20-byte address as nodes write it: some have checksums of their own (EIP-1191). */
export const NodeAddressStruct = define<Hex>(
  'a 20-byte address in hex',
  (value) => typeof value === 'string' && /^0x[0-9a-f]{40}$/iu.test(value),
);

/** 32 bytes as hex. */
export const Bytes32Struct = define<Hex>(
  'a 32-byte value in hex (0x and 64 digits)',
  (value) => typeof value === 'string' && /^0x[0-9a-f]{64}$/iu.test(value),
);

/** A quantity as nodes write it; leading zeros, which some write, are tolerated. */
export const HexQuantityStruct = define<Hex>(
  'a hex quantity',
  (value) => typeof value === 'string' && /^0x[0-9a-f]{1,64}$/iu.test(value),
);

/** A quantity as callers give it (hex, decimal string, safe integer), as a bigint. */
export const QuantityStruct = coerce(
  define<bigint>(
    'a quantity below 2^256 (hex with 0x, decimal string, or safe integer)',
    (value) => typeof value === 'bigint' && value >= 0n && value <= MAX_UINT256,
  ),
  union([string(), number()]),
  (value) => findQuantity(value) ?? value,
);

/** Find the number that a caller's hex, decimal string or safe integer stands for. */
export function findQuantity(value: unknown): bigint | undefined {
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  }
  if (typeof value !== 'string') return undefined;
  return /^(?:0x[0-9a-f]{1,64}|\d{1,78})$/iu.test(value) ? BigInt(value) : undefined;
}

/** Write a number as a minimal hex quantity: `0x0`, `0x7a69`. */
export function toQuantity(value: bigint | number): Hex {
  return `0x${value.toString(16)}`;
}

/** Write a number as `size` bytes of hex. */
export function toPaddedHex(value: bigint, size: number): Hex {
  return `0x${value.toString(16).padStart(size * 2, '0')}`;
}

/** Concatenate hex strings. */
export function concatHex(...parts: readonly Hex[]): Hex {
  return `0x${parts.map((part) => part.slice(2)).join('')}`;
}

/** Count the bytes of a hex string. */
export function byteLength(hex: Hex): number {
  return (hex.length - 2) / 2;
}

/** Hash bytes with Keccak-256. */
export function keccak256(bytes: Uint8Array): Uint8Array {
  return keccak_256(bytes);
}

/** Tell whether two addresses are the same, whatever their case. */
export function isSameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Choose the smaller of two amounts. */
export function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

function isMixedCase(address: string): boolean {
  const digits = address.slice(2);
  return digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
}
