// The differences between kinds of account, which kinds.ts writes down; the rest of the
// project asks the kind and does not test records.
import type { Json } from '@metamask/utils';

import type { Intent, ReadCalls } from '../../eth/account-calls';
import type { ChainId } from '../../eth/chain';
import type { Hex } from '../../eth/hex';
import type { SmartAccountOrigin } from '../../eth/smart-account';
import type { TypedData } from '../../eth/typed-data';
import type { EntryPointVersion, UserOperation } from '../../eth/user-operation';
import type { AccountRecord, KeySource, SmartRecord } from '../../state/account-record';

/** Derivation of a key. The key of a smart account's owner depends on the contract and the
 * EntryPoint. If accounts shared a key, an EOA, or an account for another EntryPoint, could sign a
 * user operation of a smart account. */
export type OwnedKey = KeySource & {
  implementation?: 'safe';
  entryPoint?: EntryPointVersion | undefined;
};

export type Operator = {
  record: AccountRecord;
  address: Hex;
  /** Address of the key that signs. */
  owner: Hex;
  entryPoint: EntryPointVersion;
  /** Deployment of the account; undefined if it has its code by a delegation. */
  origin: SmartAccountOrigin | undefined;
  /** Signature for gas estimates, in lower case. */
  dummySignature: Hex;
  /** Encodes calls as the call data of the account; throws if they do not fit in one operation. */
  encode: (intents: readonly Intent[]) => Hex;
  read: (callData: Hex) => ReadCalls;
  /** Signs an operation as the contract verifies it. */
  sign: (operation: UserOperation, chainId: ChainId, privateKey: Uint8Array) => Hex;
  isSigned: (operation: UserOperation, chainId: ChainId) => boolean;
  /** Creates the document that the owner signs for the hash of a message (ERC-1271); undefined if
   * the contract verifies no messages. */
  toMessage?: (hash: Hex, chainId: ChainId) => TypedData;
};

/** A contract that is an account: its record, and its operations on every chain. */
export type SmartAccount = Operator & {
  record: SmartRecord;
  origin: SmartAccountOrigin;
};

/** What the kind of an account decides. */
export type AccountKind = {
  /** Follows "Tollkeeper" in suggested names. */
  label: '' | ' Smart' | ' Safe';
  /** CAIP-2; `eip155:0` means every EVM chain. */
  scopes: SmartRecord['scopes'];
  key: OwnedKey;
  /** Parameters of its contract, in the account's options. */
  options: Record<string, Json>;
  /** Undefined if the account is no contract. */
  smart: SmartAccount | undefined;
};
