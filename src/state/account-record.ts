// A stored account, as the core passes it on: it refers to its key by the key's derivation index,
// or by the address of a key imported into the core. Nothing in it is secret.
import { define, exactOptional, literal, object } from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';

import type { AccountRef } from '../core/payload';
import { HexQuantityStruct, NodeAddressStruct } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { EntryPointVersionStruct } from '../eth/user-operation';
import { eitherOf, integerBetween, list, oneOf, text } from '../schema/structs';
import { SessionStruct } from './store';

export const MAX_INDEX = 2 ** 31 - 1;

export const AccountIndexStruct = integerBetween(0, MAX_INDEX);

export const EntropySourceStruct = text(256);

/** A CAIP-2 chain id of an EVM chain with a decimal reference; 0 means all chains. */
export const ScopeStruct = define<`eip155:${string}`>(
  'a CAIP-2 chain id such as "eip155:1"',
  (value) => typeof value === 'string' && /^eip155:(?:0|[1-9]\d{0,19})$/u.test(value),
);

export const ScopesStruct = list(ScopeStruct, { min: 1, max: 1_000 });

const DerivedStruct = object({
  kind: literal('derived'),
  index: AccountIndexStruct,
  entropySource: exactOptional(EntropySourceStruct),
});

// The core replaces a key with its address, any other 32 bytes with `none:` and a number, and
// anything else with a value that this struct refuses.
const HeldStruct = define<Hex>(
  'a reference to a stored value of 32 bytes',
  (value) => typeof value === 'string' && /^(?:0x[\da-f]{40}|none:\d+)$/u.test(value),
);

const ImportedStruct = object({
  kind: literal('imported'),
  /** The address of the key; the core stores the key itself. */
  held: HeldStruct,
});

const KeySourceStruct = eitherOf(
  ({ kind }) => kind === 'imported',
  ImportedStruct,
  DerivedStruct,
);

/** Set if the account exists only in Tollkeeper. */
const UnlistedStruct = exactOptional(literal(true));

/** An EOA. All addresses in records are in lower case. */
const EoaRecordStruct = object({
  type: literal('eip155:eoa'),
  id: text(36),
  address: NodeAddressStruct,
  key: KeySourceStruct,
  unlisted: UnlistedStruct,
});

export const implementations = ['simple', 'safe'] as const;

/** An ERC-4337 account: a SimpleAccount if no other implementation is named. */
const SmartRecordStruct = object({
  type: literal('eip155:erc4337'),
  id: text(36),
  address: NodeAddressStruct,
  key: KeySourceStruct,
  owner: NodeAddressStruct,
  implementation: exactOptional(literal('safe')),
  entryPoint: EntryPointVersionStruct,
  factory: NodeAddressStruct,
  salt: HexQuantityStruct,
  scopes: ScopesStruct,
  unlisted: UnlistedStruct,
});

export const AccountRecordStruct = eitherOf(
  ({ type }) => type === 'eip155:erc4337',
  SmartRecordStruct,
  EoaRecordStruct,
);

export type KeySource = Infer<typeof KeySourceStruct>;

export type SmartRecord = Infer<typeof SmartRecordStruct>;

export type AccountRecord = Infer<typeof AccountRecordStruct>;

/** A pending account change. It is stored before MetaMask is notified, and removed once both sides
 * are known to agree. After a failure, it says what to ask MetaMask. */
export const UnsettledStruct = object({
  change: oneOf(['add', 'update', 'remove']),
  /** The account to add once MetaMask has it. */
  record: exactOptional(AccountRecordStruct),
  /** The client session during which MetaMask was notified. */
  session: SessionStruct,
});

export type Unsettled = Infer<typeof UnsettledStruct>;

/** Gets the address of an account's signing key: its own, or its owner's. */
export function ownerOf(record: AccountRecord): AccountRecord['address'] {
  return record.type === 'eip155:eoa' ? record.address : record.owner;
}

export function toAccountRef(record: AccountRecord): AccountRef {
  const { id, address, key } = record;
  const owner = ownerOf(record);
  if (record.type === 'eip155:eoa' || key.kind === 'imported') {
    return { id, address, owner, keys: [key] };
  }
  const { implementation, entryPoint } = record;
  // Early smart accounts share the key of the EOA with the same index.
  return { id, address, owner, keys: [{ ...key, implementation, entryPoint }, key] };
}

/** Creates the core's reference to the key in a record, which may be damaged. */
export function toHeldRef(id: string, held: AccountRef['owner']): AccountRef {
  return { id, address: held, owner: held, keys: [{ kind: 'imported', held }] };
}

export type AccountType = AccountRecord['type'];

export const accountTypes: readonly AccountType[] = ['eip155:eoa', 'eip155:erc4337'];
