// Nonces of user operations: a key of 192 bits and its own sequence of 64 bits, so that operations of
// different keys do not wait for each other.
import { encodeCall } from './abi';
import { quantityBelow } from './hex';
import type { Hex } from './hex';
import { entryPoints } from './user-operation';
import type { EntryPointVersion } from './user-operation';

const SEQUENCE_BITS = 64n;

export const NonceKeyStruct = quantityBelow(2n ** 192n, '2^192');

type NoncePlace = { entryPoint: EntryPointVersion; sender: Hex; key: bigint };

export function keyOf(nonce: bigint): bigint {
  return nonce >> SEQUENCE_BITS;
}

export function sequenceOf(nonce: bigint): bigint {
  return BigInt.asUintN(Number(SEQUENCE_BITS), nonce);
}

/** Encodes the EntryPoint call for a sender's next nonce. */
export function toNonceCall({ entryPoint, sender, key }: NoncePlace): {
  to: Hex;
  data: Hex;
} {
  return {
    to: entryPoints[entryPoint].entryPoint,
    data: encodeCall('getNonce(address,uint192)', [sender, key]),
  };
}
