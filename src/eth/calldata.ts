// What data are by their form: a call that only a contract reads, or anything else.
import { byteLength } from './hex';
import type { Hex } from './hex';

/** Bytes of a function's selector, and of each word of its arguments. */
const SELECTOR = 4;
const WORD = 32;

/** Below lies what nodes do themselves, without code, and where people burn: zero, 0xdead. */
const FIRST_ORDINARY = 2n ** 16n;

/** Tell whether data have the form of a call, and go to where a contract would have code. */
export function isForContract({ to, data }: { to: Hex; data: Hex }): boolean {
  const length = byteLength(data);
  const isCall = length >= SELECTOR && (length - SELECTOR) % WORD === 0;
  return isCall && isOrdinary(to);
}

/** Tell whether an address can be somebody's: no number that nodes and people have given a
 * meaning, such as zero. */
export function isOrdinary(address: Hex): boolean {
  return BigInt(address) >= FIRST_ORDINARY;
}
