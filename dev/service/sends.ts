// What makes a send safe to fail over: the hash of what is sent, and how the answers of
// eth_sendRawTransaction and eth_sendRawTransactionSync are read.
import { RLP } from '@ethereumjs/rlp';
import { bytesToHex, concatBytes, hexToBytes } from '@metamask/utils';

import { keccak256, type Hex } from '../../src/eth/hex';
import type { Outcome } from './json-rpc';
import type { Ask } from './upstream';

const BLOB_TYPE = 3;

/** Answer of `eth_sendRawTransactionSync` when the time is up (EIP-7966). */
const NOT_YET_INCLUDED = 4;

/** Tells whether a method sends a transaction. */
export function isSend(method: string): boolean {
  return method.startsWith('eth_sendRawTransaction');
}

/** Computes the hash of a raw transaction; undefined if it cannot be one. */
export function hashRaw(raw: unknown): Hex | undefined {
  try {
    const bytes = hexToBytes(raw as string);
    return bytesToHex(keccak256(withoutBlobs(bytes)));
  } catch {
    return undefined;
  }
}

// A blob transaction is sent with its blobs around it, which its hash does not cover.
function withoutBlobs(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== BLOB_TYPE) return bytes;
  const [body] = RLP.decode(bytes.subarray(1)) as (Uint8Array | Uint8Array[])[];
  return Array.isArray(body)
    ? concatBytes([Uint8Array.of(BLOB_TYPE), RLP.encode(body)])
    : bytes;
}

/** Answers for a transaction that reached the chain although its answer was lost. */
export async function toSent(method: string, hash: Hex, ask: Ask): Promise<Outcome> {
  if (method === 'eth_sendRawTransaction') return { result: hash };
  const outcome = await ask('eth_getTransactionReceipt', [hash]);
  if ('result' in outcome && outcome.result !== null) return outcome;
  const message = 'The transaction was sent and is not yet in a block.';
  return { error: { code: NOT_YET_INCLUDED, message, data: hash } };
}
