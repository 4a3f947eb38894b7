// Some nodes write null for an empty list, where clients expect an array. These lists become empty
// arrays, unless other fields of the answer contradict that: then the answer is invalid.
import { isObject } from '@metamask/utils';

import type { Outcome } from './json-rpc';
import { failWith, BAD_ANSWER } from './upstream';

const LISTS =
  /^(?:accessList|accountProof|calls|logs|proof|storageKeys|storageProof|topics|transactions|uncles)$/u;

/** Optional lists, which are omitted if they are null. */
const OPTIONAL =
  /^(?:accessList|authorizationList|blobVersionedHashes|reward|withdrawals)$/u;

/** Lists without which an answer is useless. */
const REQUIRED: Record<string, readonly string[]> = {
  eth_createAccessList: ['accessList'],
  eth_feeHistory: ['baseFeePerGas', 'gasUsedRatio'],
};

/** Replaces null lists. Fails if other fields contradict that, or if what is null is required. */
export function withLists(
  method: string,
  { result }: { result: unknown },
  isNullable = false,
): Outcome {
  if (result === null && method === 'eth_getLogs') return { result: [] };
  const row = isObject(result) ? result : {};
  const isNull =
    (result === null && !isNullable) ||
    REQUIRED[method]?.some((name) => row[name] === null);
  return !isNull && fillLists(result) ? { result } : failWith(BAD_ANSWER);
}

// Replaces null lists. Returns false if gasUsed implies transactions, or logsBloom implies logs.
function fillLists(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(fillLists);
  const row = isObject(value) ? value : {};
  const evidence: Record<string, unknown> = {
    transactions: row['gasUsed'],
    logs: row['logsBloom'],
  };
  return Object.entries(row).every(([name, field]) => {
    if (name === 'reward' && field !== null) row[name] = fillZeros(field);
    if (field !== null) return !LISTS.test(name) || fillLists(field);
    if (OPTIONAL.test(name)) return delete row[name];
    const isEmpty = /^"0x0*"$/u.test(JSON.stringify(evidence[name] ?? '0x'));
    if (isEmpty && LISTS.test(name)) row[name] = [];
    return isEmpty;
  });
}

// Some nodes return null as the rewards of blocks without transactions.
const fillZeros = (field: unknown): unknown =>
  Array.isArray(field) ? field.map(fillZeros) : (field ?? '0x0');
