// What data are by their form: a call that only a contract reads, or anything else; and which
// calls reach no contract.
import { bigIntToUnpaddedBytes, generateAddress } from '@ethereumjs/util';
import { bytesToHex, hexToBytes } from '@metamask/utils';

import { computeDeployment } from './deployment';
import { byteLength, isSameAddress } from './hex';
import type { Hex } from './hex';

/** Bytes of a function's selector, and of each word of its arguments. */
const SELECTOR = 4;
const WORD = 32;

/** Below lies what nodes do themselves, without code, and where people burn: zero, 0xdead. */
const FIRST_ORDINARY = 2n ** 16n;

/** A call of an account, or the creation of a contract. */
export type Called = { to: Hex | null; data: Hex };

/**
 * Lists the addresses at which calls of an account need a contract. Other data than a call's
 * are a note to whoever holds the address.
 */
export function listCalled(calls: readonly Called[], from: Hex): Hex[] {
  const called = calls.flatMap(({ to, data }): Hex[] => {
    if (to === null || isSameAddress(to, from)) return [];
    return isForContract({ to, data }) ? [to.toLowerCase() as Hex] : [];
  });
  return [...new Set(called)];
}

/**
 * Finds which of some calls, made one after another, reach no contract.
 *
 * @param calls - Those of an ordinary account have its nonces, on which the addresses of the
 * contracts depend that it creates.
 * @param withoutCode - Addresses that have no code yet.
 */
export function findDeserted(
  calls: readonly (Called & { nonce?: bigint })[],
  from: Hex,
  withoutCode: readonly Hex[],
): boolean[] {
  const empty = new Set(withoutCode);
  return calls.map((call) => {
    const isDeserted = listCalled([call], from).some((address) => empty.has(address));
    const created = findCreated(call, from);
    if (created !== undefined) empty.delete(created);
    return isDeserted;
  });
}

function findCreated(
  { to, data, nonce }: Called & { nonce?: bigint },
  from: Hex,
): Hex | undefined {
  if (to !== null) return computeDeployment({ to, data })?.address;
  if (nonce === undefined) return undefined;
  const address = generateAddress(hexToBytes(from), bigIntToUnpaddedBytes(nonce));
  return bytesToHex(address);
}

function isForContract({ to, data }: { to: Hex; data: Hex }): boolean {
  const length = byteLength(data);
  const isCall = length >= SELECTOR && (length - SELECTOR) % WORD === 0;
  return isCall && isOrdinary(to);
}

/** Tell whether an address can be somebody's: no number that nodes and people have given a
 * meaning, such as zero. */
export function isOrdinary(address: Hex): boolean {
  return BigInt(address) >= FIRST_ORDINARY;
}
