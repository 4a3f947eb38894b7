// Which user operation was signed for a nonce: another one for the same nonce takes its
// place, which its user should know.
import { object } from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';

import { Bytes32Struct, HexQuantityStruct, NodeAddressStruct } from '../eth/hex';
import { ScopeStruct } from './account-record';

/** Most that are remembered; beyond, the oldest go. */
export const MAX_SIGNED = 200;

/** A user operation that was signed, by what makes it unique. */
export const SignedOperationStruct = object({
  chain: ScopeStruct,
  sender: NodeAddressStruct,
  nonce: HexQuantityStruct,
  hash: Bytes32Struct,
});

/** A user operation that was signed. */
export type SignedOperation = Infer<typeof SignedOperationStruct>;
