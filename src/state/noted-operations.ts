// Hashes of user operations that were prepared, to recognize a message that is one of them,
// and which operation was signed for a nonce: another one for the same nonce replaces it, which
// its user should know.
import { object } from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';

import { Bytes32Struct, HexQuantityStruct, NodeAddressStruct } from '../eth/hex';
import { ScopeStruct } from './account-record';

/** Most that are remembered; beyond, the oldest go. */
export const MAX_SIGNED = 200;

/** Most prepared ones that are remembered; beyond, the oldest go. */
export const MAX_PREPARED = 100;

/** A user operation that was prepared, estimated or shown. */
export const PreparedOperationStruct = object({
  sender: NodeAddressStruct,
  hash: Bytes32Struct,
});

/** A user operation that was signed, by what makes it unique. */
export const SignedOperationStruct = object({
  chain: ScopeStruct,
  sender: NodeAddressStruct,
  nonce: HexQuantityStruct,
  hash: Bytes32Struct,
});

/** A user operation that was signed. */
export type SignedOperation = Infer<typeof SignedOperationStruct>;
