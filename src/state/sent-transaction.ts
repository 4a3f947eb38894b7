// Sent transactions and user operations of accounts with their outcomes, and
// the batches of calls that they belong to.
import type { Infer } from '@metamask/superstruct';
import { isObject } from '@metamask/utils';

import {
  AddressStruct,
  Bytes32Struct,
  BytesStruct,
  HexQuantityStruct,
} from '../eth/hex';
import { EntryPointVersionStruct } from '../eth/user-operation';
import {
  boolean,
  exactOptional,
  integerBetween,
  list,
  named,
  nullable,
  object,
  oneOf,
  record,
  text,
} from '../schema/structs';
import { ScopeStruct } from './account-record';
import { TimeStruct } from './store';

/** Statuses of a transaction (docs/internals/what-was-sent.md). None is final by itself: see `isFinal`.
 * `unknown` was given by versions that judged by age; a look replaces it. */
const sentStatuses = ['pending', 'included', 'replaced', 'dropped', 'unknown'] as const;

/** Why it is pending though its nonce is used: the chain is still being searched for what used it,
 * or the node does not tell. */
const doubts = ['searching', 'untold'] as const;

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

/** As a node answered it; it was checked then. */
const ReceiptStruct = named<Record<string, never>>('a receipt', isObject);

/** A signed user operation in the form of docs/reference/service.md#user-operations. */
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
  origin: text(2_048),
  sentAt: TimeStruct,
  /** Newest block when it was sent, where that matters (spec section 8). */
  head: exactOptional(HexQuantityStruct),
  /** The one that it was sent in place of. */
  replaces: exactOptional(Bytes32Struct),
  /** Whether it carries an authorization of its sender (EIP-7702), which uses the next nonce up. */
  usesNextNonce: exactOptional(boolean()),
  /** Whether it does nothing but take the place of that one. */
  isCancellation: exactOptional(boolean()),
  /** A transaction as it was signed: it is sent again if it got lost, and a replacement is made of
   * it. Once it is final, it shows what it was; a long one is not kept then. */
  raw: exactOptional(BytesStruct),
  /** A user operation as it was signed, likewise. */
  operation: exactOptional(OperationStruct),
  status: oneOf(sentStatuses),
  /** Whether it cannot change any more, and is not looked at again. Without it an inclusion is final:
   * earlier versions did not look again. */
  isFinal: exactOptional(boolean()),
  doubt: exactOptional(oneOf(doubts)),
  /** The first block of which the logs have not been searched for a user operation. */
  searched: exactOptional(HexQuantityStruct),
  /** Whether it was dropped because its server refused it: then it is not sent again. */
  refused: exactOptional(boolean()),
  /** Since when the node has not known it, or the block that included it. */
  absentSince: exactOptional(TimeStruct),
  settledAt: exactOptional(TimeStruct),
  inclusion: exactOptional(InclusionStruct),
  receipt: exactOptional(ReceiptStruct),
  /** The sent transaction that was included in its place. */
  replacedBy: exactOptional(Bytes32Struct),
});

export type Inclusion = Infer<typeof InclusionStruct>;

export type SentTransaction = Infer<typeof SentTransactionStruct>;

export const ActivityStruct = record(Bytes32Struct, SentTransactionStruct);

export type Activity = Infer<typeof ActivityStruct>;

/** Most batches that are kept; beyond, the oldest go. */
export const MAX_BATCHES = 100;

export const MAX_CALLS = 100;

/** Longest reason why sending broke off. */
export const MAX_FAILURE_LENGTH = 1_000;

/** Longest id of a batch: 4,096 bytes in hex (EIP-5792). */
export const MAX_ID_LENGTH = 8_194;

/** Calls that a site sent together by wallet_sendCalls (EIP-5792), so that it can ask for them. */
export const CallBatchStruct = object({
  /** Chosen by the site or by us; unique for an origin. */
  id: text(MAX_ID_LENGTH),
  origin: text(2_048),
  chain: ScopeStruct,
  /** Id of the account. */
  account: text(36),
  /** Whether they are one user operation or one transaction: all of them or none. */
  atomic: boolean(),
  size: integerBetween(1, MAX_CALLS),
  /** Hashes: one for all calls, or a transaction a call, in the order of the calls.
   * Fewer than there are calls if sending broke off. */
  hashes: list(Bytes32Struct, { max: MAX_CALLS }),
  sentAt: TimeStruct,
  failure: exactOptional(text(MAX_FAILURE_LENGTH)),
});

export type CallBatch = Infer<typeof CallBatchStruct>;

export type BatchKey = Pick<CallBatch, 'origin' | 'id'>;

export function isSameBatch(one: BatchKey, other: BatchKey): boolean {
  return one.origin === other.origin && one.id === other.id;
}
