// Compares a simulation with the effects that the calls declare, and warns of undeclared outcomes.
// Unknown functions declare no effects.
import { hexToBytes } from '@metamask/utils';

import { hasAddress, isSameAddress, isUnlimited, sum, ZERO_ADDRESS } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { findText } from '../ui/format';
import { findName, findTokenUnit, isCoin } from '../ui/tokens';
import { danger, listFound, warning } from '../ui/warnings';
import type { Warning } from '../ui/warnings';
import { isRead, listCalls, listOwnCalls } from './effects';
import type {
  AllowanceEffect,
  Asset,
  CallEffect,
  Effect,
  TransferEffect,
} from './effects';
import { isUnlimitedApproval } from './simulate';
import type { Approval, BalanceChanges, AccountChanges, Simulation } from './simulate';

/** Maximum addresses in a warning. Further ones are only counted. */
export const MAX_LISTED_ADDRESSES = 100;

/** One token divided by this is the largest amount that counts as dust. */
const DUST_DIVISOR = 10n ** 6n;

/** A word that looks like an address rather than an amount. */
const ADDRESS = /^0{24}(?!0{12})[\da-f]{40}$/iu;

export function findUndeclared(
  { changes, others, approvals, controls }: BalanceChanges,
  calls: readonly CallEffect[],
): Pick<BalanceChanges, 'approvals' | 'controls'> & { exchanges: AccountChanges[] } {
  const signerExchange = {
    account: calls[0]?.from ?? '0x',
    losses: changes.filter(({ amount }) => amount < 0n),
    arrivals: changes.filter(({ amount }) => amount > 0n),
  };
  const effects = listDeclared(calls);
  const allowances = effects.filter((each) => each.kind === 'allow');
  return {
    exchanges: [signerExchange, ...others].filter(({ account, losses }) =>
      losses.some((each) => !isLossDeclared(each, account, calls)),
    ),
    approvals: approvals.filter((each) => !isCoveredBy(each, allowances)),
    controls: controls.filter(({ of, to }) =>
      effects.every(
        (each) =>
          each.kind !== 'control' ||
          !isSameAddress(each.of, of) ||
          // Functions such as `renounceOwnership` name no controller, and leave none.
          (to !== undefined && to !== (each.to?.toLowerCase() ?? ZERO_ADDRESS)),
      ),
    ),
  };
}

// Omits the effects found in the data of unknown functions: the contract may ignore them.
function listDeclared(effects: readonly Effect[]): Effect[] {
  return effects.flatMap((each) =>
    each.kind === 'call'
      ? [each, ...listDeclared(isRead(each) ? each.inside : listOwnCalls(each.inside))]
      : [each],
  );
}

export function isCoveredBy(
  { token, spender, amount, id, before = 0n }: Approval,
  allowances: readonly AllowanceEffect[],
): boolean {
  return allowances.some((given) => {
    const isSame =
      isSameAddress(given.token, token) && isSameAddress(given.spender, spender);
    if (!isSame || given.amount === undefined) return isSame;
    if (amount === undefined) return numberOf(given) === id;
    return isUnlimited(given.amount) || given.amount >= amount - before;
  });
}

// Unless an allowance is known to be of an NFT, its amount may be an id.
function numberOf(effect: AllowanceEffect | TransferEffect): bigint | undefined {
  return effect.kind === 'allow' ? (effect.id ?? effect.amount) : effect.amount;
}

// A call with a description counts as declaring all of its costs.
function isLossDeclared(
  { token, id, amount }: Asset,
  account: Hex,
  calls: readonly CallEffect[],
): boolean {
  const ownCalls = listCalls(calls).filter(({ from }) => isSameAddress(from, account));
  if (ownCalls.length > 0 && ownCalls.every(({ description }) => description)) {
    return true;
  }
  const declared = listDeclared(calls).flatMap((each) => {
    if (each.kind !== 'transfer' && each.kind !== 'allow') return [];
    const isOther = each.kind === 'transfer' && !isSameAddress(each.from, account);
    return isOther || !isSameAddress(each.token, token) ? [] : [each];
  });
  if (id === undefined) {
    const sent = isCoin(token) ? ownCalls.map(({ value }) => value) : [];
    const limitedAmounts = declared.map(({ amount: each = 0n }) =>
      isUnlimited(each) ? 0n : each,
    );
    return sum([...sent, ...limitedAmounts]) >= -amount;
  }
  if (declared.some((each) => numberOf(each) === id)) return true;
  // A transfer of NFTs without ids may include this one.
  const isUnderstood = ({
    to,
    data,
    known,
    inside,
    description,
  }: CallEffect): boolean =>
    to !== null && Boolean(data === '0x' || description || (known && inside[0]));
  return (
    declared.some((each) => each.amount === undefined) &&
    listCalls(calls).every(isUnderstood)
  );
}

export function hasValue({ token, amount }: Asset, chain: string): boolean {
  const decimals = isCoin(token) ? 18 : findTokenUnit(chain, token)?.decimals;
  return decimals !== undefined && amount * DUST_DIVISOR > 10n ** BigInt(decimals);
}

/** Warns of outcomes that the calls do not declare, and of unknown functions unless a simulation
 * succeeds. `chain` is a CAIP-2 id. */
export function warnOfOutcome(
  simulation: Simulation | undefined,
  calls: readonly CallEffect[],
  chain: string,
): Warning[] {
  if (simulation === 'pending') return [];
  if (typeof simulation !== 'object') return warnOfUnchecked(calls, chain);
  const { exchanges, approvals, controls } = findUndeclared(simulation, calls);
  return listFound(
    simulation.notShown.length > 0 &&
      danger('alert.notShown', { addresses: toAddressList(simulation.notShown) }),
    exchanges.flatMap(({ account, arrivals }) => {
      if (arrivals.some((each) => hasValue(each, chain))) return [];
      return arrivals.some(
        ({ token }) => !isCoin(token) && !findTokenUnit(chain, token),
      )
        ? warning('alert.leavesForUnknown', { account })
        : danger('alert.leaves', { account });
    }),
    approvals.map((each) => {
      const { amount, token, spender } = each;
      const values = { spender: { short: spender }, token: { token } };
      if (!isUnlimitedApproval(each)) return warning('alert.allowsMore', values);
      return amount === undefined
        ? danger('alert.operator', { operator: spender })
        : danger('alert.unlimited', values);
    }),
    controls.map(({ of: contract, isOwn }) =>
      (isOwn ? danger : warning)('alert.controlShown', { contract }),
    ),
    simulation.failure && warnOfUnchecked(calls, chain),
  );
}

/** Lists calls of unknown functions. Calls to the account itself have their own warnings. */
export function listUnknownCalls(calls: readonly CallEffect[]): CallEffect[] {
  return listCalls(calls).filter(
    ({ from, to, data, known, description }) =>
      to !== null &&
      !isSameAddress(to, from) &&
      data !== '0x' &&
      !known &&
      !description,
  );
}

// Returns whether a call only sends text to an address without code. If a node lies about the code,
// only this warning is lost.
function isNote({ data, isCodeless = false }: CallEffect): boolean {
  return isCodeless && findText(hexToBytes(data)) !== undefined;
}

// Warns of unknown functions, whose effects only a simulation can show.
function warnOfUnchecked(calls: readonly CallEffect[], chain: string): Warning[] {
  const unknown = listUnknownCalls(calls);
  const named = unknown.flatMap(({ from, to, data }) => {
    const words = data.slice(10).match(/.{64}/gu) ?? [];
    return words
      .flatMap((each): Hex[] => (ADDRESS.test(each) ? [`0x${each.slice(24)}`] : []))
      .filter(
        (each) => !hasAddress([from, to ?? from], each) && !findName(chain, each),
      );
  });
  if (named.length > 0) {
    return [warning('alert.notSimulated', { addresses: toAddressList(named) })];
  }
  return unknown.every(isNote) ? [] : [warning('alert.unknownEffect')];
}

export function toAddressList(addresses: readonly Hex[]): { list: string } {
  const all = [...new Set(addresses)];
  const more = all.slice(MAX_LISTED_ADDRESSES).length;
  const named = all.slice(0, MAX_LISTED_ADDRESSES).join(', ');
  return { list: more > 0 ? `${named}, +${more}` : named };
}
