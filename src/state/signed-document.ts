// Permits and orders that were signed here: others can use them later, without a transaction of the
// account. What ends one is kept with it, since the document itself is not.
import type { Infer } from '@metamask/superstruct';

import {
  AddressStruct,
  Bytes32Struct,
  BytesStruct,
  HexQuantityStruct,
} from '../eth/hex';
import {
  exactOptional,
  integerBetween,
  list,
  object,
  oneOf,
  text,
} from '../schema/structs';
import { ScopeStruct } from './account-record';
import { TimeStruct } from './store';

/** Kinds of documents, named as the shapes of typed data. */
export const KindStruct = oneOf([
  ...(['permit', 'nftPermit', 'permit2Allowance', 'permit2Transfer'] as const),
  ...(['sale', 'order'] as const),
]);

/** Most that are remembered; beyond, the oldest go. */
export const MAX_SIGNED_DOCUMENTS = 100;

export const SignedDocumentStruct = object({
  /** EIP-712 hash. */
  hash: Bytes32Struct,
  chain: ScopeStruct,
  /** Id of the account. */
  account: text(36),
  kind: KindStruct,
  /** Of an order whose contract's state can be read. */
  market: exactOptional(oneOf(['seaport', 'cow', 'oneInch', 'zeroEx'])),
  contract: AddressStruct,
  token: exactOptional(AddressStruct),
  spender: exactOptional(AddressStruct),
  amount: exactOptional(HexQuantityStruct),
  /** Further tokens of the same document. */
  others: exactOptional(integerBetween(0, Number.MAX_SAFE_INTEGER)),
  /** Until when it can be used, in seconds since 1970; never ends without it. */
  deadline: exactOptional(HexQuantityStruct),
  /** What the contract's answers are compared with: a nonce, a counter, or the amount that an
   * order is filled up to. */
  nonce: exactOptional(HexQuantityStruct),
  /** Calls of the contract that read whether it can still be used. */
  checks: list(BytesStruct, { max: 2 }),
  /** The call of the contract that ends it, where it has one. */
  cancel: exactOptional(BytesStruct),
  origin: text(2_048),
  signedAt: TimeStruct,
});

export type SignedDocument = Infer<typeof SignedDocumentStruct>;
