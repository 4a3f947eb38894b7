// The warnings about a request's effects, as one table of finders. A warning does not depend on the
// depth of an effect or the layout of its calldata.
import type { AccountRepository } from '../accounts/repository';
import { isSentBy, mayBeExecuted } from '../activity/ledger';
import type { Ledger } from '../activity/ledger';
import type { KnownAddresses, OpenCalls } from '../context';
import { toCaip2 } from '../eth/chain';
import {
  hasAddress,
  isNever,
  isOrdinary,
  isSameAddress,
  isUnlimited,
  MAX_UINT256,
  toLower,
  ZERO_ADDRESS,
} from '../eth/hex';
import type { Hex } from '../eth/hex';
import { multiSends } from '../eth/smart-account';
import { knownContracts } from '../ui/tokens';
import {
  danger,
  info,
  listDistinct,
  listFound,
  warning,
  warnOfEach,
} from '../ui/warnings';
import type { NumberedWarning, Warning } from '../ui/warnings';
import { isCreation, listEffects, listOwnCalls } from './effects';
import type { CallEffect, Effect } from './effects';
import { readSent } from './read';

/** `code` is the code of the account that calls, which a call to itself runs; undefined if
 * unknown. */
type Finder<Kind extends Effect['kind']> = (
  effect: Extract<Effect, { kind: Kind }>,
  code: Hex | undefined,
) => Warning[];

/** More than a Safe's transaction costs besides its execution and data: 21,000 gas, the checks of its
 * signatures and the refund. Safes do not limit this gas. */
const MAX_BASE_GAS = 200_000n;

/** Maximum gas for a byte of data (EIP-7623). */
const BYTE_GAS = 40n;

const finders: { [Kind in Effect['kind']]: Finder<Kind> } = {
  call: (call, code) => {
    const { from, to, value, data, isDelegate, known, inside } = call;
    if (to === null || (isCreation(call) && !isDelegate)) {
      return listFound(
        value > 0n && warning('alert.creationValue', { value: { coins: value } }),
      );
    }
    if (isDelegate) {
      // MultiSend only makes the calls that are shown.
      const isBatch =
        known?.signature === 'multiSend(bytes)' && hasAddress(multiSends, to);
      return listFound(
        !isBatch && danger('alert.delegateCall', { address: to, account: from }),
      );
    }
    if (isSameAddress(to, ZERO_ADDRESS)) {
      if (value > 0n) return [danger('alert.nobody', { value: { coins: value } })];
      return data === '0x' ? [] : [warning('alert.dataToNobody')];
    }
    if (!isSameAddress(to, from) || data === '0x') return [];
    // A node that lies about the code must not hide a change of control.
    const isControl = inside.some(({ kind }) => kind === 'control');
    if (code === '0x' && !isControl) return [warning('alert.ownData')];
    if (known?.signature.startsWith('upgradeTo')) return [danger('alert.upgrade')];
    // Inner calls have their own warnings.
    const isRead = inside.some(({ kind }) => kind === 'call');
    return isRead ? [] : [danger('alert.ownCall')];
  },
  transfer: ({ by, token, from, to }) =>
    listFound(
      isSameAddress(to, ZERO_ADDRESS) && danger('alert.tokensToNobody'),
      isSameAddress(to, token) && danger('alert.tokensToContract'),
      !isSameAddress(from, by) && warning('alert.othersTokens', { owner: from }),
    ),
  allow: ({ token, spender, amount, expiration = 0n }) => {
    if (amount === undefined) return [danger('alert.operator', { operator: spender })];
    return listFound(
      isUnlimited(amount) &&
        warning('alert.unlimited', { spender: { short: spender }, token: { token } }),
      isNever(expiration) && warning('typed.noDeadline'),
    );
  },
  // A call to the account itself has its own warning.
  control: ({ by, of, signature, to, isOfAccount }) => {
    if (isOfAccount && to) return [danger('alert.manager', { address: to })];
    return isSameAddress(by, of)
      ? []
      : [warning('alert.control', { function: signature })];
  },
  // The gas price of a refund in native currency is at most the executor's own; that of one in
  // tokens is unlimited.
  refund: ({ token, to, baseGas = MAX_UINT256, size }) => {
    const isCoin = isSameAddress(token, ZERO_ADDRESS);
    const isLimited = baseGas <= MAX_BASE_GAS + BYTE_GAS * BigInt(size);
    const warn = isCoin && isLimited ? warning : danger;
    return [warn('typed.refund', { address: to })];
  },
  // Delegations requested in Tollkeeper use only known implementations.
  delegate: ({ to, isOwn, of: account }) => {
    if (isSameAddress(to, ZERO_ADDRESS)) {
      if (account) return [info('rescue.meaning', { account })];
      return [info(isOwn ? 'delegation.revokes' : 'alert.revocation')];
    }
    if (account) return [warning('rescue.replaces', { account })];
    return [isOwn ? warning('delegation.allows') : danger('warning.authorizations')];
  },
  opaque: ({ why, signature }) => {
    if (why === 'too much') return [danger('alert.tooMuch')];
    if (why === 'hash') return [danger('message.hash')];
    return why === 'malformed'
      ? [danger('alert.unread', { function: signature })]
      : [warning('alert.embedded', { function: signature })];
  },
};

/** `code` is the code of the account that makes the outer calls. */
export function findWarnings(effects: readonly Effect[], code?: Hex): Warning[] {
  const all = effects.flatMap((outer) =>
    listEffects([outer]).flatMap((effect) => {
      const find = finders[effect.kind] as Finder<Effect['kind']>;
      const isOuter =
        'from' in outer && 'from' in effect && isSameAddress(effect.from, outer.from);
      return find(effect, isOuter ? code : undefined);
    }),
  );
  return listDistinct(all);
}

export function findWarningsOfEach(
  calls: readonly CallEffect[],
  code?: Hex,
): NumberedWarning[] {
  return warnOfEach(calls, (call) => findWarnings([call], code));
}

// Addresses that imitate others. Wallets only show the first and last digits, so attackers create
// addresses with the same digits and put them into a user's history.

/** Number of matching digits at each end. An attacker can create such an address within minutes. */
const SAME_DIGITS = 4;

/** Maximum number of named addresses. One is enough to make the user stop. */
export const MAX_LOOK_ALIKES = 3;

/** Warns once of each address that resembles a known one. Ignores special addresses such as the
 * zero address, which nobody can generate. */
export function findLookAlikes(
  addresses: readonly Hex[],
  known: readonly Hex[],
): Warning[] {
  const named = new Map(
    addresses.filter(isOrdinary).map((each) => [toLower(each), each] as const),
  );
  // Users can have a thousand accounts: skip the maps below if possible.
  if (named.size === 0) return [];
  const exact = new Set(known.map(toLower));
  const byEnds = new Map(
    known.filter(isOrdinary).map((each) => [endsOf(each), each] as const),
  );
  const found = [...named].flatMap(([lower, address]) => {
    const resembled = exact.has(lower) ? undefined : byEnds.get(endsOf(lower));
    return resembled === undefined
      ? []
      : [danger('warning.lookAlike', { address, known: resembled })];
  });
  const more = found.length - MAX_LOOK_ALIKES;
  if (more <= 0) return found;
  return [...found.slice(0, MAX_LOOK_ALIKES), danger('alert.more', { count: more })];
}

function endsOf(address: Hex): string {
  const digits = toLower(address).slice(2);
  return digits.slice(0, SAME_DIGITS) + digits.slice(-SAME_DIGITS);
}

/** Returns a note for each recipient that is not known from the activity, as an own account or as a
 * well-known contract. Returns none if the activity has no recipients. */
export function findFirstPayments(
  effects: readonly Effect[],
  { all, recipients }: KnownAddresses,
): Warning[] {
  if (recipients.length === 0) return [];
  const known = new Set(all.map(toLower));
  const paid = listPaid(effects).filter(isOrdinary);
  const first = new Map(paid.map((each) => [toLower(each), each] as const));
  return [...first]
    .filter(([lower]) => !known.has(lower))
    .map(([, address]) => info('alert.firstPayment', { address }));
}

// Lists the recipients of native currency without call data, and of tokens that their owner sends.
function listPaid(effects: readonly Effect[]): Hex[] {
  return listEffects(effects).flatMap((each) => {
    if (each.kind === 'transfer') {
      return isSameAddress(each.from, each.by) ? [each.to] : [];
    }
    const isPaid = each.kind === 'call' && each.value > 0n && each.data === '0x';
    return isPaid && each.to ? [each.to] : [];
  });
}

type Signing = {
  signer: Hex;
  chainId: bigint;
  nonces?: readonly (bigint | undefined)[] | undefined;
};

/** Warns of an identical call that was approved before and can still be executed. Sites repeat
 * requests that get no answer. */
export function findRepetitions(
  calls: readonly CallEffect[],
  open: readonly OpenCalls[],
  { signer, chainId, nonces = [] }: Signing,
): Warning[] {
  const requested = new Set(calls.flatMap(listCallKeys));
  const isRepeated = ({ sent, calls: made }: OpenCalls): boolean =>
    isSentBy(sent, { chain: toCaip2(chainId), from: signer }) &&
    // Only one of two transactions with the same nonce is executed.
    (sent.entryPoint !== undefined || !nonces.includes(BigInt(sent.nonce))) &&
    made.flatMap(listCallKeys).some((call) => requested.has(call));
  const last = open.find(isRepeated);
  if (!last) return [];
  const { hash, origin } = last.sent;
  return [warning('repetition.open', { hash, origin: { text: origin } })];
}

// Lists a call, or the calls in an account's batch to itself, as comparable strings.
function listCallKeys(call: CallEffect): string[] {
  const { from, to, value, data, inside } = call;
  const inner = listOwnCalls(inside);
  const isBatch = to !== null && isSameAddress(to, from) && inner.length > 0;
  if (isBatch) return inner.flatMap(listCallKeys);
  return [`${toLower(to ?? '0x')} ${value} ${toLower(data)}`];
}

/** Creates the known-address lookup. It never fails, and omits addresses that cannot be
 * read. */
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
    const all = sent.map((each) => ({ sent: each, calls: readSent(each) }));
    const recipients = all.flatMap(({ sent: { to }, calls }) => [
      ...(to === null ? [] : [to]),
      ...listPaid(calls),
    ]);
    const open = all.filter((each) => mayBeExecuted(each.sent));
    return { own, recipients, open, all: [...own, ...recipients, ...knownContracts] };
  };
}
