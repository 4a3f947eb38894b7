// An account as it is stored. Derived accounts hold nothing secret: an index says where
// their key comes from. Only an imported account holds its key.
import type { Infer } from '@metamask/superstruct';

import { Bytes32Struct, HexQuantityStruct, NodeAddressStruct } from '../eth/hex';
import { EntryPointVersionStruct } from '../eth/user-operation';
import {
  eitherOf,
  exactOptional,
  integerBetween,
  list,
  literal,
  named,
  object,
  oneOf,
  sensitive,
  text,
} from '../schema/structs';
import { SessionStruct } from './store';

export const MAX_INDEX = 2 ** 31 - 1;

export const AccountIndexStruct = integerBetween(0, MAX_INDEX);

export const EntropySourceStruct = text(256);

/** A CAIP-2 chain id of an EVM chain with a decimal reference; 0 means all. */
export const ScopeStruct = named<`eip155:${string}`>(
  'a CAIP-2 chain id such as "eip155:1"',
  (value) => typeof value === 'string' && /^eip155:(?:0|[1-9]\d{0,19})$/u.test(value),
);

export const ScopesStruct = list(ScopeStruct, { min: 1, max: 1_000 });

const DerivedStruct = object({
  kind: literal('derived'),
  index: AccountIndexStruct,
  entropySource: exactOptional(EntropySourceStruct),
});

const ImportedStruct = object({
  kind: literal('imported'),
  privateKey: sensitive(Bytes32Struct),
});

const KeySourceStruct = eitherOf(
  ({ kind }) => kind === 'imported',
  ImportedStruct,
  DerivedStruct,
);

/** There if MetaMask takes no such account: it lives in Tollkeeper alone. */
const UnlistedStruct = exactOptional(literal(true));

/** An account of a key. Addresses of records are in lower case. */
const EoaRecordStruct = object({
  type: literal('eip155:eoa'),
  id: text(36),
  address: NodeAddressStruct,
  key: KeySourceStruct,
  unlisted: UnlistedStruct,
});

/** Contracts of smart accounts. */
export const implementations = ['simple', 'safe'] as const;

/** An ERC-4337 account: a SimpleAccount where no other implementation is named. */
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

/** A change of an account: noted before MetaMask is notified, and removed when both sides are known to
 * agree. After a failure it says what to ask MetaMask. */
export const UnsettledStruct = object({
  change: oneOf(['add', 'update', 'remove']),
  /** The account that is to be added; it is not added until MetaMask holds it. */
  record: exactOptional(AccountRecordStruct),
  /** The client session in which MetaMask was notified. */
  session: SessionStruct,
});

export type Unsettled = Infer<typeof UnsettledStruct>;

/** Gets the address of the key that signs for an account: its own, or its owner's. */
export function ownerOf(record: AccountRecord): AccountRecord['address'] {
  return record.type === 'eip155:eoa' ? record.address : record.owner;
}

export type AccountType = AccountRecord['type'];

export const accountTypes: readonly AccountType[] = ['eip155:eoa', 'eip155:erc4337'];
