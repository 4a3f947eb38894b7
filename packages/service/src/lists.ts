// Lists that a node left null, as some do for empty ones: clients take them for arrays. They are
// empty in the answer if nothing speaks against it, or the answer makes no sense.
import { isObject } from '@metamask/utils';

import type { Outcome } from './json-rpc';
import { fail, NONSENSE } from './upstream';

const LISTS =
  /^(?:accessList|accountProof|calls|logs|proof|storageKeys|storageProof|topics|transactions|uncles)$/u;

/** Lists that are left out where there is none. */
const OPTIONAL =
  /^(?:accessList|authorizationList|blobVersionedHashes|reward|withdrawals)$/u;

/** Lists that are the point of an answer. */
const REQUIRED: Record<string, readonly string[]> = {
  eth_createAccessList: ['accessList'],
  eth_feeHistory: ['baseFeePerGas', 'gasUsedRatio'],
};

/** Answers with arrays for lists, and without null where there must be a result. */
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
  return !isNull && fillLists(result) ? { result } : fail(NONSENSE);
}

// Returns whether that can be: what used gas or has a bloom has transactions or logs.
function fillLists(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(fillLists);
  const row = isObject(value) ? value : {};
  const signs: Record<string, unknown> = {
    transactions: row['gasUsed'],
    logs: row['logsBloom'],
  };
  return Object.entries(row).every(([name, field]) => {
    if (name === 'reward' && field !== null) row[name] = fillZeros(field);
    if (field !== null) return !LISTS.test(name) || fillLists(field);
    if (OPTIONAL.test(name)) return delete row[name];
    if (LISTS.test(name)) row[name] = [];
    return /^"0x0*"$/u.test(JSON.stringify(signs[name] ?? '0x'));
  });
}

// Some nodes have null for the rewards of blocks without transactions.
const fillZeros = (field: unknown): unknown =>
  Array.isArray(field) ? field.map(fillZeros) : (field ?? '0x0');
