// The differences between kinds of account, which kinds.ts writes down; the rest of the
// project asks the kind and does not test records.
import type { Json } from '@metamask/utils';

import type { EntryPointVersion } from '../../core/entry-points';
import type { UserOperation } from '../../core/payload';
import type { Intent, ReadCalls } from '../../eth/account-calls';
import type { ChainId } from '../../eth/chain';
import type { Hex } from '../../eth/hex';
import type { SmartAccountOrigin } from '../../eth/smart-account';
import type { AccountRecord, SmartRecord } from '../../state/account-record';

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
  /** The contract that verifies its signatures: SimpleAccount by default. */
  implementation?: 'safe';
  isSigned: (operation: UserOperation, chainId: ChainId) => boolean;
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
  /** Parameters of its contract, in the account's options. */
  options: Record<string, Json>;
  /** Undefined if the account is no contract. */
  smart: SmartAccount | undefined;
};
