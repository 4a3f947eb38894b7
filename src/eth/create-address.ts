// Addresses of contracts to be.
import { bytesToHex, concatBytes, hexToBytes } from '@metamask/utils';

import { keccak256 } from './hex';
import type { Hex } from './hex';

/** Computes the address of a contract that an account creates with a nonce (CREATE): of the RLP of
 * both. */
export function computeCreateAddress(from: Hex, nonce: bigint): Hex {
  const digits = nonce.toString(16);
  const bytes = hexToBytes(digits.length % 2 === 0 ? `0x${digits}` : `0x0${digits}`);
  const encoded =
    nonce > 0n && nonce < 0x80n ? bytes : withHead(0x80, nonce === 0n ? [] : bytes);
  return toAddress(withHead(0xc0, [...withHead(0x80, hexToBytes(from)), ...encoded]));
}

/**
 * Computes the address of a contract that another one creates (CREATE2).
 *
 * @param salt - 32 bytes.
 * @param code - The creation code.
 * @see https://eips.ethereum.org/EIPS/eip-1014
 */
export function computeCreate2Address(
  from: Uint8Array,
  salt: Uint8Array,
  code: Uint8Array,
): Hex {
  return toAddress(concatBytes([Uint8Array.of(0xff), from, salt, keccak256(code)]));
}

// Of less than 56 bytes.
function withHead(head: number, content: ArrayLike<number>): Uint8Array {
  return Uint8Array.of(head + content.length, ...Array.from(content));
}

function toAddress(preimage: Uint8Array): Hex {
  return bytesToHex(keccak256(preimage).slice(-20));
}
