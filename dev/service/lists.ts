// Lists that a node left null, as some do for empty ones: clients take them for arrays. They are
// empty in the answer if nothing speaks against it, or the answer makes no sense.
import { isObject } from '@metamask/utils';

import type { Outcome } from './json-rpc';
import { fail, NONSENSE } from './upstream';

/** Fields that are always arrays, and those that are left out where there is none. */
const ALWAYS = new Set(
  'accountProof calls logs proof storageKeys storageProof topics transactions uncles'.split(
    ' ',
  ),
);
const OPTIONAL = new Set(
  'accessList authorizationList blobVersionedHashes reward withdrawals'.split(' '),
);

/** Methods whose result is an array, or has fields of other names that are. */
const RESULTS: Record<string, readonly string[]> = {
  eth_createAccessList: ['accessList'],
  eth_feeHistory: ['baseFeePerGas', 'gasUsedRatio'],
};

const isZero = (hex: unknown): boolean =>
  hex === undefined || (typeof hex === 'string' && /^0x0*$/u.test(hex));

/** Answers with arrays for lists. */
export function withLists(method: string, { result }: { result: unknown }): Outcome {
  if (result === null && method === 'eth_getLogs') return { result: [] };
  if (result === null && method === 'eth_simulateV1') return fail(NONSENSE);
  const [row, needed] = [isObject(result) ? result : {}, RESULTS[method] ?? []];
  if (needed.some((name) => row[name] === null)) return fail(NONSENSE);
  return fillLists(result) ? { result } : fail(NONSENSE);
}

// Returns whether that can be: what used gas or has a bloom has transactions or logs.
function fillLists(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(fillLists);
  if (!isObject(value)) return true;
  for (const [name, field] of Object.entries(value)) {
    if (field === null && OPTIONAL.has(name)) delete value[name];
    else if (field === null && ALWAYS.has(name)) {
      if (name === 'transactions' && !isZero(value['gasUsed'])) return false;
      if (name === 'logs' && !isZero(value['logsBloom'])) return false;
      value[name] = [];
    } else if (ALWAYS.has(name) || name === 'accessList') {
      if (!fillLists(field)) return false;
    }
  }
  return true;
}
