// Addresses of contracts to be.
import { RLP } from '@ethereumjs/rlp';
import { bytesToHex, concatBytes, hexToBytes } from '@metamask/utils';

import { keccak256 } from './hex';
import type { Hex } from './hex';

/** Computes the address of a contract that an account creates with a nonce (CREATE). */
export function computeCreateAddress(from: Hex, nonce: bigint): Hex {
  return toAddress(RLP.encode([hexToBytes(from), nonce]));
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

function toAddress(preimage: Uint8Array): Hex {
  return bytesToHex(keccak256(preimage).slice(-20));
}
