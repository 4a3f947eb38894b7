// The differences between kinds of account, as implemented in kinds.ts. Other code asks the kind
// instead of inspecting records.
import type { Json } from '@metamask/utils';

import type { EntryPointVersion } from '../../core/entry-points';
import type { UserOperation } from '../../core/payload';
import type { Intent, ReadCalls } from '../../eth/account-calls';
import type { ChainId } from '../../eth/chain';
import type { Hex } from '../../eth/hex';
import type { SmartAccountOrigin } from '../../eth/smart-account';
import type { AccountRecord, SmartRecord } from '../../state/account-record';

export type OperationAccount = {
  record: AccountRecord;
  address: Hex;
  /** Address of the signing key. */
  owner: Hex;
  entryPoint: EntryPointVersion;
  /** Parameters of the account's deployment; undefined for an EOA that delegates. */
  origin: SmartAccountOrigin | undefined;
  /** Signature for gas estimates, in lower-case hex. */
  dummySignature: Hex;
  /** Encodes calls as the account's call data; throws if they do not fit in one operation. */
  encode: (intents: readonly Intent[]) => Hex;
  read: (callData: Hex) => ReadCalls;
  /** The contract that verifies the signatures. By default, SimpleAccount or, for an EOA that
   * delegates, Simple7702Account. */
  implementation?: 'safe';
  isSigned: (operation: UserOperation, chainId: ChainId) => boolean;
};

export type SmartAccount = OperationAccount & {
  record: SmartRecord;
  origin: SmartAccountOrigin;
};

export type AccountKind = {
  /** Follows "Tollkeeper" in suggested names. */
  label: '' | ' Smart' | ' Safe';
  /** CAIP-2; `eip155:0` means every EVM chain. */
  scopes: SmartRecord['scopes'];
  /** The contract's parameters, stored in the account's options. */
  options: Record<string, Json>;
  /** Undefined for an EOA. */
  smart: SmartAccount | undefined;
};
