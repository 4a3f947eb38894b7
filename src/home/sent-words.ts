// Describes activity entries from their signed bytes and the review's tables, never with a site's
// text.
import { computeDeployment } from '../eth/account-calls';
import { isSameAddress, ZERO_ADDRESS } from '../eth/hex';
import type { Hex } from '../eth/hex';
import type { DelegationEffect, CallEffect } from '../review/effects';
import { listOwnCalls } from '../review/effects';
import { readOwnEffects } from '../review/functions';
import { readCall } from '../review/read';
import type { CallRequest } from '../review/read';
import { toRoundedCoins, toShownToken } from '../ui/format';
import type { TextKey, Translate } from '../ui/i18n';
import { findTokenUnit } from '../ui/tokens';

export type SentStep = CallEffect | DelegationEffect;

/** An activity entry. The value is in wei. */
export type SentContent = {
  /** CAIP-2. */
  chain: string;
  isOperation: boolean;
  isCancellation: boolean;
  /** Null for a contract creation, and for a user operation unless it has exactly one call. */
  to: Hex | null;
  value: bigint;
  /** Undefined if the signed bytes are not stored or cannot be read. */
  steps: readonly SentStep[] | undefined;
};

/** Style of the description. `toAddress` writes short addresses in a list, and full ones in the
 * details. */
type Writing = {
  translate: Translate;
  chain: string;
  toAddress: (address: Hex) => string;
};

/** A permit's argument names for the owner of the tokens. */
const OWNERS = ['owner', 'holder'];

export function readTransactionSteps(
  transaction: CallRequest,
  { usesNextNonce }: { usesNextNonce?: boolean | undefined },
): SentStep[] {
  const call = readCall(transaction);
  const listed = call.inside.filter((each) => each.kind === 'delegate');
  // Other accounts' authorizations are only described if all of them revoke: a rescue.
  const isRescue = listed.every(({ to }) => isSameAddress(to, ZERO_ADDRESS));
  const delegations = usesNextNonce || isRescue ? listed : [];
  const isBare = call.data === '0x' && call.value === 0n && delegations.length > 0;
  return [
    ...delegations.map((each) => ({ ...each, isOwn: usesNextNonce === true })),
    ...(isBare ? [] : listActualCalls(call)),
  ];
}

export function readOperationSteps(operation: {
  sender: Hex;
  callData: Hex;
}): SentStep[] {
  const { sender: from, callData: data } = operation;
  return data === '0x'
    ? []
    : listActualCalls(readCall({ from, to: from, value: 0n, data }));
}

// Replaces an account's call to itself, or a delegatecall, with the calls that it contains, if all
// of them can be decoded.
function listActualCalls(call: CallEffect): CallEffect[] {
  const { from, to, isDelegate, inside } = call;
  const calls = listOwnCalls(inside);
  const isSelfCall = isDelegate || (to !== null && isSameAddress(to, from));
  const isRead = calls.length > 0 && inside.every(({ kind }) => kind !== 'opaque');
  return isSelfCall && isRead ? calls.flatMap(listActualCalls) : [call];
}

/** Describes an entry briefly, as in "Sent 1.25 ETH to 0x…". */
export function writeSent(sent: SentContent, writing: Writing): string {
  const { isOperation, isCancellation, to, value, steps } = sent;
  const { translate, toAddress } = writing;
  if (isCancellation) return translate('activity.did.cancel');
  if (steps) {
    const calls = listOwnCalls(steps);
    const [only = steps[0], ...others] = calls;
    if (only && others.length === 0) return writeStep(only, writing);
    return translate('activity.did.calls', { count: calls.length });
  }
  if (to === null) {
    return translate(isOperation ? 'activity.calls' : 'activity.did.deploy');
  }
  return value > 0n
    ? writeTransfer(value, to, writing)
    : translate('activity.did.call', { to: toAddress(to) });
}

export function writeStep(step: SentStep, writing: Writing): string {
  const { translate, toAddress } = writing;
  if (step.kind === 'delegate') {
    if (!step.isOwn) return translate('activity.did.rescue');
    return isSameAddress(step.to, ZERO_ADDRESS)
      ? translate('activity.did.undelegate')
      : translate('activity.did.delegate', { to: toAddress(step.to) });
  }
  const { to, value, data, known } = step;
  if (to === null || computeDeployment({ to, data })) {
    return translate('activity.did.deploy');
  }
  if (data === '0x') return writeTransfer(value, to, writing);
  const words = writeTokenCall({ ...step, to }, writing);
  if (words !== undefined) return words;
  const isBundle = known?.signature.startsWith('handleOps(');
  const [operation, ...others] = isBundle ? listOwnCalls(step.inside) : [];
  if (operation?.to && others.length === 0) {
    return translate('activity.did.operation', { account: toAddress(operation.to) });
  }
  return known
    ? translate('activity.did.callFunction', {
        name: known.signature.replace(/\(.*$/su, ''),
        to: toAddress(to),
      })
    : translate('activity.did.call', { to: toAddress(to) });
}

function writeTransfer(
  wei: bigint,
  to: Hex,
  { translate, chain, toAddress }: Writing,
): string {
  const amount = toRoundedCoins(wei, translate, chain);
  return translate('activity.did.send', { amount, to: toAddress(to) });
}

// Returns undefined unless the call only moves the tokens of one contract, or permits others to
// spend them.
function writeTokenCall(
  { from, to, data, known, isDelegate }: CallEffect & { to: Hex },
  { translate, chain, toAddress }: Writing,
): string | undefined {
  if (!known || isDelegate) return undefined;
  const [effect, ...others] = readOwnEffects(data, known, { from, contract: to }) ?? [];
  const isMoved = effect?.kind === 'allow' || effect?.kind === 'transfer';
  if (!isMoved || others.length > 0) return undefined;
  const unit = findTokenUnit(chain, effect.token);
  const token = unit?.symbol ?? toAddress(effect.token);
  if (effect.kind === 'allow') {
    // The sender of a permit is not always its signer.
    const owner =
      known.values?.[known.names.findIndex((name) => OWNERS.includes(name))];
    if (typeof owner === 'string' && !isSameAddress(owner, from)) return undefined;
    // Increasing an allowance by zero does not revoke it, and zero can be the id of an NFT.
    const isNone = effect.mayRevoke ?? effect.amount === 0n;
    const isEnd = isNone && !known.signature.startsWith('increase');
    const isSure = unit ?? known.signature.startsWith('setApprovalForAll');
    if (isNone && !(isEnd && isSure)) return undefined;
    const key: TextKey = isEnd ? 'activity.did.revoke' : 'activity.did.allow';
    return translate(key, { token, spender: toAddress(effect.spender) });
  }
  const recipient = toAddress(effect.to);
  if (!isSameAddress(effect.from, from)) {
    const values = { token, from: toAddress(effect.from), to: recipient };
    return translate('activity.did.move', values);
  }
  return unit && effect.amount !== undefined
    ? translate('activity.did.send', {
        amount: toShownToken(effect.amount, unit, translate),
        to: recipient,
      })
    : translate('activity.did.sendTokens', { token, to: recipient });
}
