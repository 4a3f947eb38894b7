// Allowances: what others may take of an account's tokens. One rule says which of them have
// no limit, whether a call or a signature gives them.
import type { Hex } from './hex';

/** What somebody may take. */
export type Allowance = {
  /** The contract of the tokens. */
  token: Hex;
  spender: Hex;
  /** In the token's smallest unit; undefined for all of a collection. */
  amount: bigint | undefined;
  /** When it ends, in s since 1970, where that is said. */
  expiration?: bigint;
};

/** No token has so many of its smallest units. */
const UNLIMITED = 2n ** 128n;

/** Tokens that count in 96 bits take the largest number for no limit. */
const UNLIMITED_96 = 2n ** 96n - 1n;

/** Later is no time that a Date can hold, and none that anybody means. */
const NEVER_SECONDS = 10n ** 11n;

/**
 * Tell whether an allowance has no limit.
 *
 * @param supply - How many of the token there are, in its smallest unit, where that is known.
 */
export function isUnlimited(amount: bigint, supply = 0n): boolean {
  const isAll = supply > 0n && amount >= supply;
  return amount >= UNLIMITED || amount === UNLIMITED_96 || isAll;
}

/** Tell whether a time, in s since 1970, never comes. */
export function isNever(seconds: bigint): boolean {
  return seconds >= NEVER_SECONDS;
}
