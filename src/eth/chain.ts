// Chain ids: a bigint inside; hex, decimal or CAIP-2 (`eip155:1`) outside.
import { converted } from '../structs';
import { findQuantity } from './hex';

/** An EIP-155 chain id. Zero is not a chain: `eip155:0` stands for all of them. */
export type ChainId = bigint;

/** EIP-2294's bound, which leaves room for `v` = 36 + 2 × chain id in 64 bits. */
const MAX_CHAIN_ID = (2n ** 64n - 1n) / 2n - 36n;

/** A chain id as callers give it: hex, decimal string, safe integer or CAIP-2. */
export const ChainIdStruct = converted<ChainId>(
  'a chain id (hex, decimal or CAIP-2 such as "eip155:1")',
  (value) => typeof value === 'bigint' && value > 0n && value <= MAX_CHAIN_ID,
  (value) => findQuantity(withoutNamespace(value)),
);

/**
 * Write a chain id in CAIP-2.
 *
 * @see https://chainagnostic.org/CAIPs/caip-2
 */
export function toCaip2(chainId: ChainId): `eip155:${string}` {
  return `eip155:${chainId}`;
}

function withoutNamespace(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/^eip155:/u, '') : value;
}
