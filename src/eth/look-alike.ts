// Addresses made to be taken for another: wallets show their first and last digits, and
// whoever poisons a history makes one that has the same ones.
import { isOrdinary } from './calldata';
import type { Hex } from './hex';

/** How many digits are the same at each end: making such an address takes minutes. */
const SAME_DIGITS = 4;

/** An address, and the one that it resembles but is not. */
export type LookAlike = { address: Hex; known: Hex };

/**
 * Find the addresses that resemble a known one without being one. Numbers that have a
 * meaning, such as the zero address, are left out: nobody makes them.
 *
 * @param addresses - Those that a request names; each is reported once.
 * @param known - The user's own, recent recipients, well-known contracts.
 */
export function findLookAlikes(
  addresses: readonly Hex[],
  known: readonly Hex[],
): LookAlike[] {
  const exact = new Set(known.map(toLower));
  const byEnds = new Map(
    known.filter(isOrdinary).map((each) => [endsOf(each), each] as const),
  );
  const named = new Map(
    addresses.filter(isOrdinary).map((each) => [toLower(each), each] as const),
  );
  return [...named].flatMap(([lower, address]) => {
    const resembled = exact.has(lower) ? undefined : byEnds.get(endsOf(lower));
    return resembled === undefined ? [] : [{ address, known: resembled }];
  });
}

function endsOf(address: string): string {
  const digits = toLower(address).slice(2);
  return digits.slice(0, SAME_DIGITS) + digits.slice(-SAME_DIGITS);
}

function toLower(address: string): string {
  return address.toLowerCase();
}
