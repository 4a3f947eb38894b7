// The effects of a request, as a tree: calls and documents contain the effects that they cause.
// Unreadable parts are effects as well, so that nothing is left out silently.
import type { AbiValue } from '../eth/abi';
import {
  byteLength,
  findAddress,
  hasAddress,
  isOrdinary,
  isSameAddress,
  toLower,
  WORD_BYTES,
} from '../eth/hex';
import type { Hex } from '../eth/hex';
import { DETERMINISTIC_DEPLOYER } from '../eth/user-operation';

export const SELECTOR_BYTES = 4;

export const SELECTOR_END = 2 + 2 * SELECTOR_BYTES;

/** The content of a transaction or call. Value in wei. */
export type CallContent = {
  from: Hex;
  /** Null creates a contract. */
  to: Hex | null;
  value: bigint;
  data: Hex;
};

export type InnerCall = CallContent & { isDelegate?: boolean };

export type KnownCall = {
  signature: string;
  types: readonly string[];
  /** Names of the arguments, or their types if they have no names. */
  names: readonly string[];
  /** Undefined if the arguments cannot be decoded. */
  values: readonly AbiValue[] | undefined;
  /** Whether the arguments are encoded canonically, to the last byte. Long ones are only checked
   * for overlapping parts. */
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
  /** Whether the call is known to revoke, rather than to approve the NFT whose id is zero. */
  isRevocation?: boolean;
  /** Whether the contract can be upgraded, according to the chain. */
  isUpgradeable?: boolean;
  /** Whether there is no code at `to`, according to the chain. */
  isCodeless?: boolean;
};

export type TransferEffect = {
  kind: 'transfer';
  by: Hex;
  token: Hex;
  from: Hex;
  to: Hex;
  /** In the token's smallest unit. For a `transferFrom`, it may be an NFT's id. Undefined for
   * functions that take a token's id. */
  amount: bigint | undefined;
};

export type AllowanceEffect = {
  kind: 'allow';
  token: Hex;
  spender: Hex;
  /** In the token's smallest unit. For an `approve`, it may be an NFT's id. Undefined for a whole
   * collection. */
  amount: bigint | undefined;
  /** Id of the NFT, if the allowance covers only one. */
  id?: bigint;
  /** If the token has decimals, this only revokes an allowance. Otherwise, it may approve an
   * NFT. */
  mayRevoke?: true;
  /** Unix time in seconds, if stated. */
  expiration?: bigint;
  /** Current balance of the owner, if known. */
  balance?: bigint | undefined;
};

export type Asset = {
  /** The zero address stands for native currency. */
  token: Hex;
  amount: bigint;
  /** An NFT's id, or `any` for any NFT of the collection. */
  id?: bigint | 'any';
  /** The recipient; by default the signing account. */
  to?: Hex;
};

/** An order: the maximum that the account gives, and the minimum that it and others get. */
export type Trade = { gives: readonly Asset[]; gets: readonly Asset[] };

/** A function that changes a contract's code or its controller. */
export type ControlEffect = {
  kind: 'control';
  by: Hex;
  of: Hex;
  signature: string;
  to?: Hex | undefined;
  /** Whether the control only covers the account's own assets in the contract. */
  isOfAccount?: boolean;
};

/** A Safe's payment for the execution of its transaction, at a price that the transaction sets. */
export type RefundEffect = {
  kind: 'refund';
  /** The zero address means the native currency. */
  token: Hex;
  /** The zero address means the executor. */
  to: Hex;
  /** Gas that the Safe pays for in addition to the gas used. Undefined if it cannot be read. */
  baseGas: bigint | undefined;
  /** Length of the executed call's data in bytes. */
  size: number;
};

/** A delegation, which makes an account run a contract's code from now on (EIP-7702). */
export type DelegationEffect = {
  kind: 'delegate';
  /** The zero address revokes. */
  to: Hex;
  /** Whether the user asked Tollkeeper for it. */
  isOwn: boolean;
  /** The account, if it is not the sender and Tollkeeper holds its key. */
  of?: Hex;
};

export type Unread =
  /** The function's effects or calls cannot be decoded. */
  | 'malformed'
  /** The calls are too many, too long or too deeply nested for a person to read. */
  | 'too much'
  /** The function approves a hash of unknown content. */
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
  /** A text. If it is rounded, `exact` has all digits. `isBare` marks an amount of an unknown
   * token. */
  | { text: string; exact?: string; isBare?: true }
  | { address: Hex; name?: string; note?: string }
  | { call: CallEffect };

export type DescribedField = { label: string; value: DescribedValue };

/** A token whose metadata comes only from its own contract. */
export type StatedToken = { address: Hex; symbol: string };

/** A descriptor's English description of a call or document. */
export type Description = {
  /** A few words, such as "Swap". */
  intent: string;
  /** The intent with its values, such as "Swap 5 ETH for at least 9 USDC". */
  sentence?: string;
  owner?: string | undefined;
  fields: readonly DescribedField[];
  /** Number of fields beyond the maximum. */
  omitted: number;
  calls: readonly CallEffect[];
  /** Tokens in the fields whose units only come from their own contracts. */
  stated: readonly StatedToken[];
};

/** Adds descriptions to the calls among effects, and appends the calls that only a descriptor
 * decodes. Decoded effects do not change. */
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
  if (effect.kind !== 'call' || effect.to?.toLowerCase() !== to?.toLowerCase()) {
    return false;
  }
  // Most differ in length, which costs nothing to compare.
  const isSameLength = effect.data.length === data.length;
  return isSameLength && toLower(effect.data) === toLower(data);
}

/** Returns whether a call's effects are those of its function. The effects in the data of an
 * unknown function are guesses, even if a descriptor names the function. */
export function isRead({ known, inside }: CallEffect): boolean {
  return (
    known !== undefined &&
    !inside.some((each) => each.kind === 'opaque' && each.why === 'embedded')
  );
}

export function listOwnCalls(effects: readonly Effect[]): CallEffect[] {
  return effects.filter((each) => each.kind === 'call');
}

/** Lists effects, each followed by all effects inside it. */
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

/** Lists the recipients that must be contracts for calls and their inner calls to work. Data that
 * is not shaped like a call may be a note to an ordinary account. */
export function listExpectedContracts(calls: readonly CallEffect[]): Hex[] {
  const called = listCalls(calls).flatMap(({ from, to, data }): Hex[] => {
    if (to === null || isSameAddress(to, from) || !isOrdinary(to)) return [];
    const length = byteLength(data) - SELECTOR_BYTES;
    return length >= 0 && length % WORD_BYTES === 0 ? [toLower(to)] : [];
  });
  return [...new Set(called)];
}

/** Returns whether a call creates a contract, directly or through the deterministic deployer. */
export function isCreation({ to }: { to: Hex | null }): boolean {
  return to === null || isSameAddress(to, DETERMINISTIC_DEPLOYER);
}

/** Facts from the chain. `balances` are the signer's, by token in lower case. `divisible` tokens
 * have decimals, so they are not NFTs. */
type CallFacts = {
  signer: Hex;
  balances: ReadonlyMap<Hex, bigint>;
  upgradeable: readonly Hex[];
  codeless: readonly Hex[];
  divisible: readonly Hex[];
};

export function addFacts(call: CallEffect, facts: CallFacts): CallEffect {
  const { from, to } = call;
  const isOwn = isSameAddress(from, facts.signer);
  const inside = call.inside.flatMap((each): Effect[] => {
    if (each.kind === 'call') return [addFacts(each, facts)];
    if (each.kind !== 'allow') return [each];
    if (each.mayRevoke && hasAddress(facts.divisible, each.token)) return [];
    return [
      isOwn ? { ...each, balance: facts.balances.get(toLower(each.token)) } : each,
    ];
  });
  const isUpgradeable = to !== null && hasAddress(facts.upgradeable, to);
  const isRevocation = call.known && inside.length === 0 && call.inside.length > 0;
  const hasNoCode = to !== null && hasAddress(facts.codeless, to);
  return {
    ...call,
    inside,
    isUpgradeable,
    ...(isRevocation && { isRevocation }),
    ...(hasNoCode && { isCodeless: hasNoCode }),
  };
}

/** Lists the accounts that calls act for: the signer first, then the callers of inner calls and the
 * owners of transferred tokens. */
export function listActingAccounts(
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
