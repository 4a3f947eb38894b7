// Addresses made to be taken for another: wallets show their first and last digits, and
// an attacker who poisons a history makes an address with the same ones.
import type { AccountRepository } from '../accounts/repository';
import type { Ledger } from '../activity/ledger';
import type { KnownAddresses } from '../context';
import { isOrdinary } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { knownContracts } from '../ui/tokens';
import { danger, info } from '../ui/warnings';
import type { Warning } from '../ui/warnings';
import { listCalls } from './effects';
import type { Effect } from './effects';

/** How many digits are the same at each end: making such an address takes minutes. */
const SAME_DIGITS = 4;

/** Most that are named: one is enough to stop. */
const MAX_NAMED = 3;

/**
 * Warns of addresses that resemble a known one without being one. Numbers that have a meaning,
 * such as the zero address, are left out: they cannot be generated.
 *
 * @param addresses - Those that a request names; each is reported once.
 * @param known - The user's own, recent recipients, well-known contracts.
 */
export function findLookAlikes(
  addresses: readonly Hex[],
  known: readonly Hex[],
): Warning[] {
  const exact = new Set(known.map(toLower));
  const byEnds = new Map(
    known.filter(isOrdinary).map((each) => [endsOf(each), each] as const),
  );
  const named = new Map(
    addresses.filter(isOrdinary).map((each) => [toLower(each), each] as const),
  );
  const found = [...named].flatMap(([lower, address]) => {
    const resembled = exact.has(lower) ? undefined : byEnds.get(endsOf(lower));
    return resembled === undefined
      ? []
      : [danger('warning.lookAlike', { address, known: resembled })];
  });
  return found.slice(0, MAX_NAMED);
}

function endsOf(address: string): string {
  const digits = toLower(address).slice(2);
  return digits.slice(0, SAME_DIGITS) + digits.slice(-SAME_DIGITS);
}

function toLower(address: string): string {
  return address.toLowerCase();
}

/** Reports recipients that are paid for the first time; none while the activity is empty. */
export function findFirstPayments(
  effects: readonly Effect[],
  { all, recipients }: KnownAddresses,
): Warning[] {
  if (recipients.length === 0) return [];
  const known = new Set(all.map(toLower));
  const paid = listCalls(effects).flatMap(({ to, value, data }) =>
    to !== null && isOrdinary(to) && value > 0n && data === '0x' ? [to] : [],
  );
  const first = new Map(paid.map((each) => [toLower(each), each] as const));
  return [...first]
    .filter(([lower]) => !known.has(lower))
    .slice(0, MAX_NAMED)
    .map(([, address]) => info('alert.firstPayment', { address }));
}

/** Creates what lists the addresses that the user knows. It never fails: what cannot be read is
 * left out. */
export function createKnownAddresses(
  repository: AccountRepository,
  ledger: Ledger,
): () => Promise<KnownAddresses> {
  return async () => {
    const [accounts, sent] = await Promise.all([
      repository.list().catch(() => []),
      ledger.list().catch(() => []),
    ]);
    const own = accounts.map(({ address }): Hex => address);
    const recipients = sent.flatMap(({ to }) => (to === null ? [] : [to]));
    return { own, recipients, all: [...own, ...recipients, ...knownContracts] };
  };
}
