// Transactions and receipts from nodes (docs/reference/service.md#receipts, #transactions).
import { boolean, literal, nullable, optional, type } from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';

import {
  Bytes32Struct,
  HexQuantityStruct,
  NodeAddressStruct,
  NodeBytesStruct,
  SignatureWordStruct,
} from '../../../../src/eth/hex';
import { eitherOf, isAbsent, list, normalized } from '../../../../src/schema/structs';
import { LogsBloomStruct } from './block';
import { AccessListStruct, MAX_ENTRIES } from './schema';

/** Outcome of an execution: `0x1` success, `0x0` failure. */
export const ExecutionStatusStruct = normalized<'0x0' | '0x1'>(
  'one of "0x0", "0x1"',
  (value) => typeof value === 'string' && /^0x0{0,63}[01]$/u.test(value),
  (value) => (value.endsWith('1') ? '0x1' : '0x0'),
);

const LogStruct = type({
  address: NodeAddressStruct,
  blockHash: Bytes32Struct,
  blockNumber: HexQuantityStruct,
  data: NodeBytesStruct,
  logIndex: HexQuantityStruct,
  removed: boolean(),
  // The EVM's maximum.
  topics: list(Bytes32Struct, { max: 4 }),
  transactionHash: Bytes32Struct,
  transactionIndex: HexQuantityStruct,
});

const receiptFields = {
  blockHash: Bytes32Struct,
  blockNumber: HexQuantityStruct,
  contractAddress: optional(nullable(NodeAddressStruct)),
  cumulativeGasUsed: HexQuantityStruct,
  effectiveGasPrice: HexQuantityStruct,
  from: NodeAddressStruct,
  gasUsed: HexQuantityStruct,
  logs: list(LogStruct, { max: MAX_ENTRIES }),
  logsBloom: LogsBloomStruct,
  to: nullable(NodeAddressStruct),
  transactionHash: Bytes32Struct,
  transactionIndex: HexQuantityStruct,
  type: HexQuantityStruct,
};

/** A receipt. The optional fields are those that some nodes omit. */
export const ReceiptStruct = type({
  ...receiptFields,
  cumulativeGasUsed: optional(nullable(receiptFields.cumulativeGasUsed)),
  logs: optional(nullable(receiptFields.logs)),
  logsBloom: optional(nullable(receiptFields.logsBloom)),
  root: optional(nullable(Bytes32Struct)),
  status: optional(nullable(ExecutionStatusStruct)),
  type: optional(nullable(receiptFields.type)),
});

/** A transaction receipt, completed as far as the node's other answers allow. Without a `status`,
 * its success is unknown. @interface */
export type Receipt = Infer<typeof ReceiptStruct>;

/** A receipt with a status: 1 for success, 0 for failure (EIP-658). */
export const ReceiptWithStatusStruct = type({
  ...receiptFields,
  status: ExecutionStatusStruct,
});

/** A receipt from before EIP-658, with the state root instead of a status. */
export const ReceiptWithRootStruct = type({
  ...receiptFields,
  root: Bytes32Struct,
  status: optional(literal(null)),
});

/** A complete receipt (docs/reference/service.md#receipts), distinguished by `status`. */
export const WholeReceiptStruct = eitherOf(
  ({ root, status }) => !isAbsent(root) && isAbsent(status),
  ReceiptWithRootStruct,
  ReceiptWithStatusStruct,
);

const transactionFields = {
  accessList: optional(nullable(AccessListStruct)),
  chainId: optional(nullable(HexQuantityStruct)),
  from: NodeAddressStruct,
  gas: HexQuantityStruct,
  // Some nodes omit it until the base fee is known.
  gasPrice: optional(HexQuantityStruct),
  hash: Bytes32Struct,
  input: NodeBytesStruct,
  maxFeePerGas: optional(nullable(HexQuantityStruct)),
  maxPriorityFeePerGas: optional(nullable(HexQuantityStruct)),
  nonce: HexQuantityStruct,
  r: SignatureWordStruct,
  s: SignatureWordStruct,
  to: nullable(NodeAddressStruct),
  type: HexQuantityStruct,
  // Some nodes return only `yParity`.
  v: optional(HexQuantityStruct),
  value: HexQuantityStruct,
};

export const IncludedTransactionStruct = type({
  ...transactionFields,
  blockHash: Bytes32Struct,
  blockNumber: HexQuantityStruct,
  transactionIndex: HexQuantityStruct,
});

export const PendingTransactionStruct = type({
  ...transactionFields,
  blockHash: literal(null),
  blockNumber: literal(null),
  transactionIndex: literal(null),
});

/** A transaction in a block. @interface */
export type IncludedTransaction = Infer<typeof IncludedTransactionStruct>;

/** A transaction that is not in a block yet. @interface */
export type PendingTransaction = Infer<typeof PendingTransactionStruct>;

/** A transaction as a node returns it (docs/reference/service.md#transactions); `blockHash` is null
 * while pending. */
export type NodeTransaction = IncludedTransaction | PendingTransaction;

export const TransactionStruct = eitherOf<PendingTransaction, IncludedTransaction>(
  ({ blockHash }) => blockHash === null,
  PendingTransactionStruct,
  IncludedTransactionStruct,
);
