// What a request does if it is signed: a tree of effects. What a call or a document does in turn is
// inside of it. What cannot be read is an effect, too, so that nothing is left out in silence.
import type { AbiValue } from '../eth/abi';
import {
  byteLength,
  findAddress,
  hasAddress,
  isOrdinary,
  isSameAddress,
  toLower,
} from '../eth/hex';
import type { Hex } from '../eth/hex';
import { DETERMINISTIC_DEPLOYER } from '../eth/user-operation';

/** Bytes of a function's selector, and of each word of its arguments. */
export const SELECTOR_BYTES = 4;
export const WORD_BYTES = 32;

/** `0x` and the digits of a selector. */
export const SELECTOR_END = 2 + 2 * SELECTOR_BYTES;

/** What a transaction or a call does; wei. */
export type CallContent = {
  from: Hex;
  /** Null creates a contract. */
  to: Hex | null;
  value: bigint;
  data: Hex;
};

/** A call in the arguments of another, or in a document. */
export type InnerCall = CallContent & { isDelegate?: boolean };

export type KnownCall = {
  signature: string;
  types: readonly string[];
  /** Names of the arguments; their types where they have none. */
  names: readonly string[];
  /** Undefined if they cannot be read. */
  values: readonly AbiValue[] | undefined;
  /** Whether its arguments are written as an encoder writes them, to the last byte; not asked of
   * long ones. */
  isCanonical: boolean;
};

/** A call, or the creation of a contract. */
export type CallEffect = CallContent & {
  kind: 'call';
  /** Whether the code at `to` runs as the account that calls it. */
  isDelegate: boolean;
  known: KnownCall | undefined;
  inside: readonly Effect[];
  description?: Description;
  /** Whether the chain was asked, and the call revokes something. */
  isRevocation?: boolean;
  /** Whether the contract's code can be exchanged, where the chain was asked. */
  isUpgradeable?: boolean;
  /** Whether the chain says that it reaches no code. */
  isCodeless?: boolean;
};

export type TransferEffect = {
  kind: 'transfer';
  by: Hex;
  token: Hex;
  from: Hex;
  to: Hex;
  /** In the token's smallest unit; undefined of NFTs. */
  amount: bigint | undefined;
};

/** An allowance: the spender may take tokens from now on. */
export type AllowanceEffect = {
  kind: 'allow';
  token: Hex;
  spender: Hex;
  /** In the token's smallest unit; undefined for all of a collection. */
  amount: bigint | undefined;
  /** Number of the one NFT that it is for. */
  id?: bigint;
  /** Whether a token with decimals takes the allowance back by it. */
  mayRevoke?: true;
  /** When it ends, in s since 1970, where that is said. */
  expiration?: bigint;
  /** Balance of the owner now, where the chain was asked. */
  balance?: bigint | undefined;
};

export type Asset = {
  /** The contract of the tokens; the zero address for the chain's coin. */
  token: Hex;
  amount: bigint;
  /** Number of an NFT, or any of the collection. */
  id?: bigint | 'any';
  /** Who gets it; the account that signs if left out. */
  to?: Hex;
};

/** An order: what the account gives at most, and what it asks for at least. */
export type Trade = { gives: readonly Asset[]; gets: readonly Asset[] };

/** A function that exchanges a contract's code, or who may do everything with it. */
export type ControlEffect = {
  kind: 'control';
  by: Hex;
  of: Hex;
  signature: string;
  /** Who gets it, where the function says so. */
  to?: Hex | undefined;
  /** Whether it is about nothing but what the account has at the contract. */
  isOfAccount?: boolean;
};

/** What a Safe pays to whoever executes its transaction, at a price that is set in it. */
export type RefundEffect = {
  kind: 'refund';
  /** The zero address for the chain's coin. */
  token: Hex;
  /** The zero address for the executor. */
  to: Hex;
};

/** An account that runs another contract's code from now on (EIP-7702). */
export type DelegationEffect = {
  kind: 'delegate';
  /** The zero address revokes. */
  to: Hex;
  /** Whether the user asked Tollkeeper for it. */
  isOwn: boolean;
  /** The account, if it is not the sender and its key is here. */
  of?: Hex;
};

export type Unread =
  /** The calls in it cannot be decoded. */
  | 'malformed'
  /** There is more than a person reads. */
  | 'too much'
  /** It approves something of which it has the hash alone. */
  | 'hash'
  /** A known call in the arguments of an unknown function. */
  | 'embedded';

export type OpaqueEffect = { kind: 'opaque'; why: Unread; signature: string };

export type Effect =
  | CallEffect
  | TransferEffect
  | AllowanceEffect
  | ControlEffect
  | RefundEffect
  | DelegationEffect
  | OpaqueEffect;

export type DescribedValue =
  /** Amounts are rounded; `exact` has all digits. */
  | { text: string; exact?: string }
  | { address: Hex; name?: string; note?: string }
  /** A call in a call. */
  | { call: CallEffect };

export type DescribedField = { label: string; value: DescribedValue };

/** A token whose symbol, decimals or name only its own contract states. */
export type StatedToken = { address: Hex; symbol: string };

/** What a call or a document does, in the descriptor's English. */
export type Description = {
  /** A few words, such as "Swap". */
  intent: string;
  /** The intent with its values, such as "Swap 5 ETH for at least 9 USDC". */
  sentence?: string;
  owner?: string | undefined;
  fields: readonly DescribedField[];
  /** How many fields have no room. */
  omitted: number;
  calls: readonly CallEffect[];
  /** Tokens among the fields that state their units themselves. */
  stated: readonly StatedToken[];
};

/** Adds to effects what a descriptor knows of the calls among them, and the calls that it alone
 * knows. The effects that were read from a call do not change. */
export function addDescribed(
  effects: readonly Effect[],
  described: readonly CallEffect[],
): Effect[] {
  const read = effects.map((each): Effect => {
    const found = described.find((other) => isSameCall(each, other));
    if (each.kind !== 'call' || !found?.description) return each;
    const inside = addDescribed(each.inside, listOwnCalls(found.inside));
    return { ...each, inside, description: found.description };
  });
  const others = described.filter(
    (other) => !effects.some((each) => isSameCall(each, other)),
  );
  return [...read, ...others];
}

function isSameCall(effect: Effect, { to, data }: CallEffect): boolean {
  if (effect.kind !== 'call' || effect.data !== data) return false;
  return effect.to?.toLowerCase() === to?.toLowerCase();
}

export function listOwnCalls(effects: readonly Effect[]): CallEffect[] {
  return effects.filter((each) => each.kind === 'call');
}

/** Lists effects with all that is inside of them, in the order in which they happen. */
export function listEffects(effects: readonly Effect[]): Effect[] {
  return effects.flatMap((each) =>
    each.kind === 'call' ? [each, ...listEffects(each.inside)] : [each],
  );
}

export function listCalls(effects: readonly Effect[]): CallEffect[] {
  return listEffects(effects).filter((each) => each.kind === 'call');
}

export function listAllowances(effects: readonly Effect[]): AllowanceEffect[] {
  return listEffects(effects).filter((each) => each.kind === 'allow');
}

/** Lists the addresses at which calls, and the calls in them, need a contract. Other data than a
 * call's are a note to the owner of the address. */
export function listCalled(calls: readonly CallEffect[]): Hex[] {
  const called = listCalls(calls).flatMap(({ from, to, data }): Hex[] => {
    if (to === null || isSameAddress(to, from) || !isOrdinary(to)) return [];
    const length = byteLength(data) - SELECTOR_BYTES;
    return length >= 0 && length % WORD_BYTES === 0 ? [toLower(to)] : [];
  });
  return [...new Set(called)];
}

/** Returns whether a call creates a contract: that of the deployer has a salt and code for data. */
export function isCreation({ to }: { to: Hex | null }): boolean {
  return to === null || isSameAddress(to, DETERMINISTIC_DEPLOYER);
}

/** What the chain says of calls: balances of their signer, by token, contracts that can be upgraded,
 * addresses without code, and tokens with decimals, which are no NFTs. */
type CallFacts = {
  signer: Hex;
  balances: ReadonlyMap<Hex, bigint>;
  upgradeable: readonly Hex[];
  codeless: readonly Hex[];
  divisible: readonly Hex[];
};

/** Adds balances to the allowances that the signer's own calls give, marks the calls of contracts that
 * can be upgraded, those that reach no code, and those that do nothing but take an allowance back. */
export function addFacts(call: CallEffect, facts: CallFacts): CallEffect {
  const { from, to } = call;
  const isOwn = isSameAddress(from, facts.signer);
  const inside = call.inside.flatMap((each): Effect[] => {
    if (each.kind === 'call') return [addFacts(each, facts)];
    if (each.kind !== 'allow') return [each];
    if (each.mayRevoke && hasAddress(facts.divisible, each.token)) return [];
    return [isOwn ? { ...each, balance: facts.balances.get(each.token) } : each];
  });
  const isUpgradeable = to !== null && hasAddress(facts.upgradeable, to);
  const isRevocation = call.known && inside.length === 0 && call.inside.length > 0;
  const isCodeless = to !== null && hasAddress(facts.codeless, to);
  return {
    ...call,
    inside,
    isUpgradeable,
    ...(isRevocation && { isRevocation }),
    ...(isCodeless && { isCodeless }),
  };
}

/** Lists the accounts that calls act for: that of the signer first, then those that the calls inside
 * of them are made by. */
export function listActors(
  signer: Hex,
  effects: readonly Effect[],
): readonly [Hex, ...Hex[]] {
  const actors = listEffects(effects).flatMap((each) =>
    each.kind === 'call' || each.kind === 'transfer' ? [each.from.toLowerCase()] : [],
  );
  const others = new Set(actors as Hex[]);
  others.delete(signer.toLowerCase() as Hex);
  return [signer, ...others];
}

/** Lists the addresses that calls name: their recipients, those of all that they do, and those in
 * their arguments, however deep. */
export function listAddresses(effects: readonly Effect[]): Hex[] {
  return listEffects(effects).flatMap((each): Hex[] => {
    if (each.kind === 'allow') return [each.spender];
    if (each.kind === 'opaque') return [];
    const named = each.kind === 'call' ? listNamed(each.known?.values ?? []) : [];
    return each.to ? [each.to, ...named] : named;
  });
}

function listNamed(values: readonly AbiValue[]): Hex[] {
  return values.flatMap((value): readonly Hex[] => {
    if (value instanceof Uint8Array) return [];
    if (typeof value === 'object') return listNamed(value);
    const address = findAddress(value);
    return address ? [address] : [];
  });
}
