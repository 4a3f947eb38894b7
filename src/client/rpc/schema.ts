// The JSON-RPC methods that we call: one row each. The client and the development
// service read the same rows.
import { array, boolean, nullable, optional, tuple, type } from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';

import {
  AddressStruct,
  Bytes32Struct,
  BytesStruct,
  HexQuantityStruct,
  NodeAddressStruct,
  NodeBytesStruct,
} from '../../eth/hex';
import type { Hex } from '../../eth/hex';
import { matches } from '../../parse';
import type { StructOf } from '../../parse';
import { named } from '../../structs';

/** A method: what it takes, what it answers, whether asking twice does no harm. */
export type RpcMethod = {
  params: StructOf<unknown>;
  result: StructOf<unknown>;
  idempotent: boolean;
};

/** Methods by name. */
export type RpcSchema = Record<string, RpcMethod>;

const blockTags = ['latest', 'earliest', 'pending', 'finalized'] as const;

type BlockTag = (typeof blockTags)[number];

/** A block by number or tag. `safe` is not served (spec 4.2). */
export const BlockParameterStruct = named<Hex | BlockTag>(
  `a block number in hex, or one of ${blockTags.join(', ')}`,
  (value) => matches(value, HexQuantityStruct) || blockTags.includes(value as BlockTag),
);

const FiniteStruct = named<number>('a number', Number.isFinite);

const CallStruct = type({
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

/** A transaction receipt (spec 2.5), with `root` or `status`. */
export const ReceiptStruct = type({
  blockHash: Bytes32Struct,
  blockNumber: HexQuantityStruct,
  contractAddress: optional(nullable(NodeAddressStruct)),
  cumulativeGasUsed: HexQuantityStruct,
  effectiveGasPrice: HexQuantityStruct,
  from: NodeAddressStruct,
  gasUsed: HexQuantityStruct,
  logs: array(LogStruct),
  logsBloom: NodeBytesStruct,
  root: optional(Bytes32Struct),
  status: optional(HexQuantityStruct),
  to: nullable(NodeAddressStruct),
  transactionHash: Bytes32Struct,
  transactionIndex: HexQuantityStruct,
  type: HexQuantityStruct,
});

/** A transaction as a node tells it (spec 2.6); block fields are null while pending. */
export const TransactionStruct = type({
  blockHash: nullable(Bytes32Struct),
  blockNumber: nullable(HexQuantityStruct),
  from: NodeAddressStruct,
  gas: HexQuantityStruct,
  gasPrice: optional(HexQuantityStruct),
  hash: Bytes32Struct,
  input: NodeBytesStruct,
  nonce: HexQuantityStruct,
  r: HexQuantityStruct,
  s: HexQuantityStruct,
  to: nullable(NodeAddressStruct),
  transactionIndex: nullable(HexQuantityStruct),
  type: HexQuantityStruct,
  v: optional(HexQuantityStruct),
  value: HexQuantityStruct,
});

const BlockStruct = type({
  number: nullable(HexQuantityStruct),
  timestamp: HexQuantityStruct,
  baseFeePerGas: optional(HexQuantityStruct),
});

/** Answer of `eth_feeHistory`; `reward` is missing where the node has none. */
export const FeeHistoryStruct = type({
  oldestBlock: HexQuantityStruct,
  baseFeePerGas: array(HexQuantityStruct),
  gasUsedRatio: array(FiniteStruct),
  reward: optional(nullable(array(array(HexQuantityStruct)))),
});

/** Answer of `rollup_estimateGas` (spec 2.4). */
export const RollupEstimateStruct = type({
  baseFeePerGas: HexQuantityStruct,
  gasLimit: HexQuantityStruct,
  priorityFeePerGas: HexQuantityStruct,
});

const noParams = named<[]>(
  'an empty array',
  (value) => Array.isArray(value) && value.length === 0,
);

/** The node's methods. */
export const nodeSchema = {
  eth_chainId: { params: noParams, result: HexQuantityStruct, idempotent: true },
  eth_blockNumber: { params: noParams, result: HexQuantityStruct, idempotent: true },
  eth_gasPrice: { params: noParams, result: HexQuantityStruct, idempotent: true },
  eth_feeHistory: {
    params: tuple([HexQuantityStruct, BlockParameterStruct, array(FiniteStruct)]),
    result: FeeHistoryStruct,
    idempotent: true,
  },
  eth_getBlockByNumber: {
    params: tuple([BlockParameterStruct, boolean()]),
    result: nullable(BlockStruct),
    idempotent: true,
  },
  eth_getTransactionCount: {
    params: tuple([AddressStruct, BlockParameterStruct]),
    result: HexQuantityStruct,
    idempotent: true,
  },
  eth_getCode: {
    params: tuple([AddressStruct, BlockParameterStruct]),
    result: NodeBytesStruct,
    idempotent: true,
  },
  eth_call: {
    params: tuple([CallStruct, BlockParameterStruct]),
    result: NodeBytesStruct,
    idempotent: true,
  },
  eth_estimateGas: {
    params: tuple([CallStruct]),
    result: HexQuantityStruct,
    idempotent: true,
  },
  rollup_estimateGas: {
    params: tuple([CallStruct]),
    result: RollupEstimateStruct,
    idempotent: true,
  },
  eth_getTransactionReceipt: {
    params: tuple([Bytes32Struct]),
    result: nullable(ReceiptStruct),
    idempotent: true,
  },
  eth_getTransactionByHash: {
    params: tuple([Bytes32Struct]),
    result: nullable(TransactionStruct),
    idempotent: true,
  },
} as const satisfies RpcSchema;

/** A transaction receipt. */
export type Receipt = Infer<typeof ReceiptStruct>;

/** A transaction as a node tells it. */
export type NodeTransaction = Infer<typeof TransactionStruct>;

/** Fees of past blocks. */
export type FeeHistory = Infer<typeof FeeHistoryStruct>;

/** Call object of `eth_call` and the estimates. */
export type RpcCallObject = Infer<typeof CallStruct>;
