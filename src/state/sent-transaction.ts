// Sent transactions and user operations with their outcomes, and their batches of calls.
import {
  boolean,
  define,
  exactOptional,
  nullable,
  object,
  record,
} from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';
import { isObject } from '@metamask/utils';

import {
  AddressStruct,
  Bytes32Struct,
  BytesStruct,
  HexQuantityStruct,
} from '../eth/hex';
import { EntryPointVersionStruct } from '../eth/user-operation';
import { integerBetween, list, oneOf, text } from '../schema/structs';
import { ScopeStruct } from './account-record';
import { TimeStruct } from './store';

/** Statuses of a transaction (docs/internals/what-was-sent.md). None is final by itself: see
 * `isFinal`. Earlier versions, which judged by age, wrote `unknown`; the next poll replaces it. */
const sentStatuses = ['pending', 'included', 'replaced', 'dropped', 'unknown'] as const;

/** Why a transaction is pending although its nonce is used: the chain is still being searched for
 * the transaction that used it, or the node does not say. */
const doubts = ['searching', 'untold'] as const;

const FeesStruct = object({
  gasPrice: exactOptional(HexQuantityStruct),
  maxFeePerGas: exactOptional(HexQuantityStruct),
  maxPriorityFeePerGas: exactOptional(HexQuantityStruct),
  maxFeePerBlobGas: exactOptional(HexQuantityStruct),
});

/** The block that included a transaction, and the cost. Amounts are in wei. */
const InclusionStruct = object({
  blockNumber: HexQuantityStruct,
  blockHash: Bytes32Struct,
  /** The transaction that carried a user operation. */
  transactionHash: exactOptional(Bytes32Struct),
  /** Whether the execution succeeded; unknown for receipts from before Byzantium. */
  success: exactOptional(boolean()),
  gasUsed: HexQuantityStruct,
  effectiveGasPrice: HexQuantityStruct,
  /** The cost of gas, including a rollup's data fee and the blob fee, but not the sent value. */
  cost: HexQuantityStruct,
});

/** A node's answer, which was checked when it arrived. */
const ReceiptStruct = define<Record<string, never>>('a receipt', isObject);

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

/** A sent transaction or user operation. Quantities in hex, amounts in wei. */
export const SentTransactionStruct = object({
  /** For a user operation: the result of its EntryPoint's `getUserOpHash`. */
  hash: Bytes32Struct,
  chain: ScopeStruct,
  entryPoint: exactOptional(EntryPointVersionStruct),
  /** Id of the account. */
  account: text(36),
  from: AddressStruct,
  /** Null for a contract creation, and for a user operation without exactly one call. */
  to: nullable(AddressStruct),
  nonce: HexQuantityStruct,
  /** Total value of all calls. */
  value: HexQuantityStruct,
  fees: FeesStruct,
  origin: text(2_048),
  sentAt: TimeStruct,
  /** The newest block at the time of sending, on chains whose nodes drop old blocks. */
  head: exactOptional(HexQuantityStruct),
  replaces: exactOptional(Bytes32Struct),
  /** Whether the sender's own authorization (EIP-7702) is included, which uses the next nonce. */
  usesNextNonce: exactOptional(boolean()),
  /** Whether its only purpose is to replace the transaction in `replaces`. */
  isCancellation: exactOptional(boolean()),
  /** The signed transaction, for resending and replacing it. Once the outcome is final, it only
   * documents the content, and is dropped if it is long. */
  raw: exactOptional(BytesStruct),
  /** The signed user operation, for the same purposes. */
  operation: exactOptional(OperationStruct),
  status: oneOf(sentStatuses),
  /** Whether the status can no longer change, and is not checked again. Without this field, an
   * inclusion is final: earlier versions did not check again. */
  isFinal: exactOptional(boolean()),
  doubt: exactOptional(oneOf(doubts)),
  /** The first block whose logs have not been searched for a user operation. */
  searched: exactOptional(HexQuantityStruct),
  /** Whether the server refused the transaction, so it was dropped and is not resent. */
  refused: exactOptional(boolean()),
  /** When the node was first found to lack the transaction, or the block that included it. */
  absentSince: exactOptional(TimeStruct),
  settledAt: exactOptional(TimeStruct),
  inclusion: exactOptional(InclusionStruct),
  receipt: exactOptional(ReceiptStruct),
  /** The sent transaction that was included instead. */
  replacedBy: exactOptional(Bytes32Struct),
});

export type Inclusion = Infer<typeof InclusionStruct>;

export type SentTransaction = Infer<typeof SentTransactionStruct>;

export const ActivityStruct = record(Bytes32Struct, SentTransactionStruct);

export type Activity = Infer<typeof ActivityStruct>;

/** Maximum number of stored batches. The oldest are dropped. */
export const MAX_BATCHES = 100;

export const MAX_BATCH_CALLS = 100;

export const MAX_FAILURE_LENGTH = 1_000;

/** Maximum length of a batch's id: 4,096 bytes in hex (EIP-5792). */
export const MAX_ID_LENGTH = 8_194;

/** Calls that a site sent together by wallet_sendCalls (EIP-5792) and can query. */
export const CallBatchStruct = object({
  /** Chosen by the site or by Tollkeeper; unique per origin. */
  id: text(MAX_ID_LENGTH),
  origin: text(2_048),
  chain: ScopeStruct,
  /** Id of the account. */
  account: text(36),
  /** Whether all calls are one user operation or transaction, and so succeed or fail together. */
  atomic: boolean(),
  size: integerBetween(1, MAX_BATCH_CALLS),
  /** Hashes: one for all calls, or one per call, in order. Some are missing if sending stopped. */
  hashes: list(Bytes32Struct, { max: MAX_BATCH_CALLS }),
  sentAt: TimeStruct,
  failure: exactOptional(text(MAX_FAILURE_LENGTH)),
});

export type CallBatch = Infer<typeof CallBatchStruct>;

export type BatchKey = Pick<CallBatch, 'origin' | 'id'>;

export function isSameBatch(one: BatchKey, other: BatchKey): boolean {
  return one.origin === other.origin && one.id === other.id;
}
