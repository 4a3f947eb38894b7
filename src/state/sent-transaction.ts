// What was sent for an account, a transaction or a user operation, and what became of it.
import {
  boolean,
  exactOptional,
  nullable,
  object,
  record,
} from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';

import {
  AddressStruct,
  Bytes32Struct,
  BytesStruct,
  HexQuantityStruct,
} from '../eth/hex';
import { EntryPointVersionStruct } from '../eth/user-operation';
import { integerBetween, named, oneOf, text } from '../schema/structs';
import { AccountRecordStruct, ScopeStruct } from './account-record';
import { SessionStruct } from './public-state';

// A change of an account that MetaMask is told of: noted before, and struck out when both
// sides are known to agree. What is left of it after a failure says what to ask MetaMask.

/** A noted change. */
export const UnsettledStruct = object({
  change: oneOf(['add', 'update', 'remove']),
  /** The account that is to be added; it is none of ours until MetaMask holds it. */
  record: exactOptional(AccountRecordStruct),
  /** The session of the client in which MetaMask was told. */
  session: SessionStruct,
});

/** A change that MetaMask has not answered for. */
export type Unsettled = Infer<typeof UnsettledStruct>;

/** What can have become of a transaction; all but the first are final. */
export const sentStatuses = [
  'pending',
  'included',
  'replaced',
  'dropped',
  'unknown',
] as const;

/** When something was, in ms since 1970. */
const TimeStruct = integerBetween(0, Number.MAX_SAFE_INTEGER);

const FeesStruct = object({
  gasPrice: exactOptional(HexQuantityStruct),
  maxFeePerGas: exactOptional(HexQuantityStruct),
  maxPriorityFeePerGas: exactOptional(HexQuantityStruct),
  maxFeePerBlobGas: exactOptional(HexQuantityStruct),
});

/** Where it was included, and what it cost; amounts in wei. */
const InclusionStruct = object({
  blockNumber: HexQuantityStruct,
  blockHash: Bytes32Struct,
  /** The transaction that carried a user operation. */
  transactionHash: exactOptional(Bytes32Struct),
  /** Whether its execution succeeded; unknown of receipts from before Byzantium. */
  success: exactOptional(boolean()),
  gasUsed: HexQuantityStruct,
  effectiveGasPrice: HexQuantityStruct,
  /** Gas used times effective price; without the value that was sent. */
  cost: HexQuantityStruct,
});

/** As a node told it: it was checked when it came. */
const ReceiptStruct = named<Record<string, never>>(
  'a receipt',
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

/** A signed user operation in the form of spec 2.8. */
const OperationStruct = object({
  sender: AddressStruct,
  nonce: HexQuantityStruct,
  initCode: BytesStruct,
  callData: BytesStruct,
  callGasLimit: HexQuantityStruct,
  verificationGasLimit: HexQuantityStruct,
  preVerificationGas: HexQuantityStruct,
  maxFeePerGas: HexQuantityStruct,
  maxPriorityFeePerGas: HexQuantityStruct,
  paymasterAndData: BytesStruct,
  signature: BytesStruct,
});

/** A transaction or user operation that was sent. Quantities in hex, in wei. */
export const SentTransactionStruct = object({
  /** Of a user operation: what its EntryPoint's `getUserOpHash` says. */
  hash: Bytes32Struct,
  chain: ScopeStruct,
  /** A user operation's EntryPoint; a transaction has none. */
  entryPoint: exactOptional(EntryPointVersionStruct),
  /** Id of the account. */
  account: text(36),
  from: AddressStruct,
  /** Null for a creation, and for a user operation of other than one call. */
  to: nullable(AddressStruct),
  nonce: HexQuantityStruct,
  /** All that its calls carry. */
  value: HexQuantityStruct,
  fees: FeesStruct,
  /** Who asked for it. */
  origin: text(2_048),
  sentAt: TimeStruct,
  /** Newest block when it was sent, where that matters (spec section 8). */
  head: exactOptional(HexQuantityStruct),
  /** The one that it was sent in place of. */
  replaces: exactOptional(Bytes32Struct),
  /** A transaction as it was signed, while it is pending: it is sent again if it got lost,
   * and a replacement is made of it. */
  raw: exactOptional(BytesStruct),
  /** A user operation as it was signed, likewise. */
  operation: exactOptional(OperationStruct),
  status: oneOf(sentStatuses),
  /** Since when the node has not known it, while it is pending. */
  absentSince: exactOptional(TimeStruct),
  settledAt: exactOptional(TimeStruct),
  inclusion: exactOptional(InclusionStruct),
  receipt: exactOptional(ReceiptStruct),
  /** The one of ours that was included in its place. */
  replacedBy: exactOptional(Bytes32Struct),
});

/** Where something was included. */
export type Inclusion = Infer<typeof InclusionStruct>;

/** A transaction or user operation that was sent. */
export type SentTransaction = Infer<typeof SentTransactionStruct>;

/** What was sent, by hash. */
export const ActivityStruct = record(Bytes32Struct, SentTransactionStruct);

/** What was sent, by hash. */
export type Activity = Infer<typeof ActivityStruct>;
