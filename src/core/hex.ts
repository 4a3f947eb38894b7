// Hex strings, bytes and quantities as encoded in Ethereum's JSON-RPC (EIP-1474).
import { bytesToHex, hexToBytes } from '@metamask/utils';
import type { Hex, Json } from '@metamask/utils';
import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';

export type { Hex } from '@metamask/utils';
export { keccak256 };

export const ZERO_ADDRESS: Hex = `0x${'0'.repeat(40)}`;

/** Size of an ABI or EVM word. */
export const WORD_BYTES = 32;

/** Encodes a number as a minimal hex quantity: `0x0`, `0x7a69`. */
export function toQuantity(value: bigint | number): Hex {
  return `0x${value.toString(16)}`;
}

/** Converts the bigints of an object into minimal hex quantities. */
export function withQuantities(
  fields: Record<string, Json | bigint>,
): Record<string, Json> {
  const entries = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'bigint' ? toQuantity(value) : value,
  ]);
  return Object.fromEntries(entries) as Record<string, Json>;
}

export function toLower(address: Hex): Hex {
  return address.toLowerCase() as Hex;
}

/** Encodes a number as hex, padded to `size` bytes. */
export function toPaddedHex(value: bigint, size: number): Hex {
  return `0x${value.toString(16).padStart(size * 2, '0')}`;
}

export function concatHex(...parts: readonly Hex[]): Hex {
  return `0x${parts.map((part) => part.slice(2)).join('')}`;
}

export function byteLength(hex: Hex): number {
  return (hex.length - 2) / 2;
}

/** Hashes hex-encoded bytes with Keccak-256. */
export function hashHex(hex: Hex): Hex {
  return bytesToHex(keccak256(hexToBytes(hex)));
}

export function isSameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
