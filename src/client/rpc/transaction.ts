// Transactions and receipts as nodes tell them (spec 2.5, 2.6), and the call object of the
// methods that simulate one.
import type { Infer } from '@metamask/superstruct';

import {
  AddressStruct,
  Bytes32Struct,
  BytesStruct,
  HexQuantityStruct,
  NodeAddressStruct,
  NodeBytesStruct,
} from '../../eth/hex';
import { array, boolean, nothing, nullable, optional, type } from '../../quick';
import { eitherOf, oneOf } from '../../structs';
import { LogsBloomStruct } from './block';

const AuthorizationStruct = type({
  chainId: HexQuantityStruct,
  address: AddressStruct,
  nonce: HexQuantityStruct,
  yParity: HexQuantityStruct,
  r: HexQuantityStruct,
  s: HexQuantityStruct,
});

/** A transaction that is not signed, to be simulated. */
export const CallStruct = type({
  from: optional(AddressStruct),
  to: optional(AddressStruct),
  gas: optional(HexQuantityStruct),
  gasPrice: optional(HexQuantityStruct),
  maxFeePerGas: optional(HexQuantityStruct),
  maxPriorityFeePerGas: optional(HexQuantityStruct),
  value: optional(HexQuantityStruct),
  data: optional(BytesStruct),
  accessList: optional(
    array(type({ address: AddressStruct, storageKeys: array(Bytes32Struct) })),
  ),
  maxFeePerBlobGas: optional(HexQuantityStruct),
  blobVersionedHashes: optional(array(Bytes32Struct)),
  authorizationList: optional(array(AuthorizationStruct)),
});

const LogStruct = type({
  address: NodeAddressStruct,
  blockHash: Bytes32Struct,
  blockNumber: HexQuantityStruct,
  data: NodeBytesStruct,
  logIndex: HexQuantityStruct,
  removed: boolean(),
  topics: array(Bytes32Struct),
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
  logs: array(LogStruct),
  logsBloom: LogsBloomStruct,
  to: nullable(NodeAddressStruct),
  transactionHash: Bytes32Struct,
  transactionIndex: HexQuantityStruct,
  type: HexQuantityStruct,
};

/** A receipt that tells how the execution ended. */
export const ReceiptWithStatusStruct = type({
  ...receiptFields,
  status: oneOf(['0x0', '0x1']),
});

/** A receipt from before Byzantium. */
export const ReceiptWithRootStruct = type({ ...receiptFields, root: Bytes32Struct });

/** A receipt that tells how the execution ended: `0x1` success, `0x0` failure. */
export type ReceiptWithStatus = Infer<typeof ReceiptWithStatusStruct>;

/** A receipt from before Byzantium: it has the state's root in place of a status. */
export type ReceiptWithRoot = Infer<typeof ReceiptWithRootStruct> & {
  status?: undefined;
};

/** A transaction receipt (spec 2.5), told apart by `status`. */
export type Receipt = ReceiptWithStatus | ReceiptWithRoot;

/** A transaction receipt (spec 2.5). */
export const ReceiptStruct = eitherOf<ReceiptWithRoot, ReceiptWithStatus>(
  ({ root, status }) => root !== undefined && status === undefined,
  ReceiptWithRootStruct,
  ReceiptWithStatusStruct,
);

const transactionFields = {
  accessList: optional(
    nullable(
      array(type({ address: NodeAddressStruct, storageKeys: array(Bytes32Struct) })),
    ),
  ),
  chainId: optional(nullable(HexQuantityStruct)),
  from: NodeAddressStruct,
  gas: HexQuantityStruct,
  // Some nodes leave it out until the base fee that is paid is known.
  gasPrice: optional(HexQuantityStruct),
  hash: Bytes32Struct,
  input: NodeBytesStruct,
  maxFeePerGas: optional(nullable(HexQuantityStruct)),
  maxPriorityFeePerGas: optional(nullable(HexQuantityStruct)),
  nonce: HexQuantityStruct,
  r: HexQuantityStruct,
  s: HexQuantityStruct,
  to: nullable(NodeAddressStruct),
  type: HexQuantityStruct,
  // Some nodes write `yParity` in its place.
  v: optional(HexQuantityStruct),
  value: HexQuantityStruct,
};

/** A transaction in a block. */
export const IncludedTransactionStruct = type({
  ...transactionFields,
  blockHash: Bytes32Struct,
  blockNumber: HexQuantityStruct,
  transactionIndex: HexQuantityStruct,
});

/** A transaction that waits to be included. */
export const PendingTransactionStruct = type({
  ...transactionFields,
  blockHash: nothing(),
  blockNumber: nothing(),
  transactionIndex: nothing(),
});

/** A transaction in a block. */
export type IncludedTransaction = Infer<typeof IncludedTransactionStruct>;

/** A transaction that waits to be included. */
export type PendingTransaction = Infer<typeof PendingTransactionStruct>;

/** A transaction as a node tells it (spec 2.6); `blockHash` is null while it waits. */
export type NodeTransaction = IncludedTransaction | PendingTransaction;

/** A transaction as a node tells it (spec 2.6). */
export const TransactionStruct = eitherOf<PendingTransaction, IncludedTransaction>(
  ({ blockHash }) => blockHash === null,
  PendingTransactionStruct,
  IncludedTransactionStruct,
);

/** Call object of `eth_call` and the estimates. */
export type RpcCallObject = Infer<typeof CallStruct>;
