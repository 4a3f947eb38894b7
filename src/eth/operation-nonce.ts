// Nonces of user operations: 192 bits of a key and 64 bits of a sequence that is counted
// for each key by itself, so that operations of different keys do not wait for each other.
import { encodeCall } from './abi';
import { quantityBelow } from './hex';
import type { Hex } from './hex';
import { entryPoints } from './user-operation';
import type { EntryPointVersion } from './user-operation';

const SEQUENCE_BITS = 64n;

/** A nonce's key as callers give it. */
export const NonceKeyStruct = quantityBelow(2n ** 192n, '2^192');

/** Whose nonces are counted, where. */
export type NoncePlace = { entryPoint: EntryPointVersion; sender: Hex; key: bigint };

/** Gets the key of a nonce. */
export function keyOf(nonce: bigint): bigint {
  return nonce >> SEQUENCE_BITS;
}

/** Gets the sequence number of a nonce. */
export function sequenceOf(nonce: bigint): bigint {
  return BigInt.asUintN(Number(SEQUENCE_BITS), nonce);
}

/** Writes the call that asks the EntryPoint for a sender's next nonce. */
export function toNonceCall({ entryPoint, sender, key }: NoncePlace): {
  to: Hex;
  data: Hex;
} {
  return {
    to: entryPoints[entryPoint].entryPoint,
    data: encodeCall('getNonce(address,uint192)', [sender, key]),
  };
}
