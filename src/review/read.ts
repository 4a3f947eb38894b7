// Reads the effects of calls and of their inner calls. Every source of calls uses this module, so
// that none can bypass it.
import { isOwnAuthorization } from '../core/authorization';
import type { Authorization } from '../core/payload';
import { byteLength, isSameAddress, ZERO_ADDRESS } from '../eth/hex';
import { findData } from '../eth/raw-transaction';
import type { SentTransaction } from '../state/sent-transaction';
import { isCreation, SELECTOR_END } from './effects';
import type {
  CallContent,
  CallEffect,
  Effect,
  InnerCall,
  OpaqueEffect,
} from './effects';
import {
  decodeKnownCall,
  listEmbedded,
  readInnerCalls,
  readOwnEffects,
} from './functions';
import type { CallContext } from './functions';

/** A transaction's call, with its authorizations (EIP-7702). */
export type CallRequest = CallContent & {
  authorizationList?: readonly (Pick<Authorization, 'address' | 'authority'> & {
    r?: bigint;
  })[];
};

/** Reads the calls of a sent transaction or operation. Empty if its signed form was not kept. */
export function readSent(sent: SentTransaction): CallEffect[] {
  const { from, to, value, raw, operation } = sent;
  if (operation) {
    const { sender, callData: data } = operation;
    return [readCall({ from: sender, to: sender, value: 0n, data })];
  }
  return raw ? [readCall({ from, to, value: BigInt(value), data: findData(raw) })] : [];
}

type Budget = { calls: number; bytes: number };

/** Maximum calls to read, including inner ones. A person cannot read more. */
export const MAX_READ_CALLS = 500;

/** Maximum bytes of all calls. Bytes count once for each call that contains them. */
export const MAX_BYTES = 2_000_000;

export const MAX_DEPTH = 24;

/** Maximum embedded calls to read in an unknown function's data. */
export const MAX_EMBEDDED = 50;

export function readCall(request: CallRequest): CallEffect {
  const { from, to, value, data, authorizationList = [] } = request;
  const call = read({ from, to, value, data }, 1, createBudget());
  const delegations = authorizationList.map((each): Effect => ({
    kind: 'delegate',
    to: each.address,
    isOwn: isOwnAuthorization(each),
    ...(each.authority && { of: each.authority }),
  }));
  return { ...call, inside: [...delegations, ...call.inside] };
}

export function readCalls(calls: readonly InnerCall[]): CallEffect[] {
  const budget = createBudget();
  return calls.map((call) => read(call, 1, budget));
}

function createBudget(): Budget {
  return { calls: MAX_READ_CALLS, bytes: MAX_BYTES };
}

function read(call: InnerCall, depth: number, budget: Budget): CallEffect {
  const { from, to, data, isDelegate = false } = call;
  budget.calls -= 1;
  budget.bytes -= byteLength(data);
  // The data of a creation is code, possibly after a salt.
  const isCode = isCreation(call);
  const known = isCode || isUsedUp(budget) ? undefined : decodeKnownCall(data);
  // Delegated code acts as the calling account.
  const context =
    isCode || to === null
      ? undefined
      : { from, contract: isDelegate ? from : to, code: to };
  const inside = context ? readInside({ data, known, context }, depth, budget) : [];
  return { kind: 'call', ...call, isDelegate, known, inside };
}

function readInside(
  {
    data,
    known,
    context,
  }: Pick<CallEffect, 'data' | 'known'> & { context: CallContext },
  depth: number,
  budget: Budget,
): Effect[] {
  const signature = known?.signature ?? data.slice(0, SELECTOR_END);
  const opaque = (why: OpaqueEffect['why'], of = signature): OpaqueEffect => ({
    kind: 'opaque',
    why,
    signature: of,
  });
  if (!known) {
    if (data === '0x') return [];
    if (isUsedUp(budget)) return [opaque('too much')];
    // Reads embedded calls as if they were made to this contract, as in a multicall.
    const embedded = listEmbedded(data, MAX_EMBEDDED + 1);
    const effects = embedded.slice(0, MAX_EMBEDDED).flatMap((call): Effect[] => {
      const embeddedEffects = readOwnEffects(call.data, call.known, context) ?? [];
      return [
        opaque('embedded', call.known.signature),
        ...embeddedEffects.filter(isEffect),
      ];
    });
    return embedded.length > MAX_EMBEDDED ? [...effects, opaque('too much')] : effects;
  }
  const ownEffects = readOwnEffects(data, known, context);
  const inner = readInnerCalls(data, known, context);
  if (!ownEffects || !inner) return [opaque('malformed')];
  const effects: Effect[] = ownEffects.filter(isEffect);
  if (inner.length === 0) return effects;
  if (depth >= MAX_DEPTH) return [...effects, opaque('too much')];
  for (const call of inner) {
    if (isUsedUp(budget)) return [...effects, opaque('too much')];
    effects.push(read(call, depth + 1, budget));
  }
  return effects;
}

function isUsedUp({ calls, bytes }: Budget): boolean {
  return calls < 0 || bytes < 0;
}

// An allowance of zero revokes, and so does the zero address for an NFT.
function isEffect(effect: Effect): boolean {
  if (effect.kind !== 'allow') return true;
  return effect.amount !== 0n && !isSameAddress(effect.spender, ZERO_ADDRESS);
}
