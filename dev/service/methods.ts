// The JSON-RPC methods that are served, one row each: what they take, and what is done
// with the node's result. Reading the chain and sending what is signed; nothing that signs
// with the node's accounts, mines, rules or debugs the node, or leaves a filter in it.
import {
  any,
  array,
  boolean,
  optional,
  record,
  string,
  tuple,
  type,
} from '@metamask/superstruct';

import { nodeSchema } from '../../src/client';
import { BlockParameterStruct } from '../../src/client/rpc/block';
import { CallStruct } from '../../src/client/rpc/transaction';
import {
  AddressStruct,
  Bytes32Struct,
  BytesStruct,
  HexQuantityStruct,
} from '../../src/eth/hex';
import type { StructOf } from '../../src/parse';
import { completeBlock, completeReceipt, completeTransaction } from './complete';
import type { Complete } from './complete';

/** A method that is forwarded to the node. */
export type Served = {
  params: StructOf<unknown>;
  /** What nodes take as read when the last parameter is left out. */
  last?: { at: number; value: unknown };
  /** Adds to an object what the specification asks for and the node leaves out. */
  complete?: Complete;
  /** Answered near the head only, where that rule is on. */
  isNearHead?: boolean;
};

const overrides = record(string(), any());

const none = nodeSchema.eth_chainId.params;

const hashAnd = (...others: StructOf<unknown>[]): StructOf<unknown> =>
  toTuple(Bytes32Struct, ...others);

const toTuple = (...items: StructOf<unknown>[]): StructOf<unknown> =>
  tuple(items as unknown as Parameters<typeof tuple>[0]);

const numberAnd = (...others: StructOf<unknown>[]): StructOf<unknown> =>
  toTuple(BlockParameterStruct, ...others);

const latest = (at: number): Pick<Served, 'last'> => ({
  last: { at, value: 'latest' },
});

const transactionRow = { complete: completeTransaction, isNearHead: true };

/** Methods whose params are rows of the client's table. */
const shared = {
  eth_blobBaseFee: {},
  eth_blockNumber: {},
  eth_chainId: {},
  eth_estimateGas: {},
  eth_feeHistory: { last: { at: 2, value: [] } },
  eth_gasPrice: {},
  eth_getBalance: latest(1),
  eth_getBlockByNumber: {},
  eth_getCode: latest(1),
  eth_getTransactionByHash: transactionRow,
  eth_getTransactionCount: latest(1),
  eth_getTransactionReceipt: { complete: completeReceipt, isNearHead: true },
  eth_getUncleByBlockHashAndIndex: { complete: completeBlock },
  eth_getUncleByBlockNumberAndIndex: { complete: completeBlock },
  eth_maxPriorityFeePerGas: {},
  eth_sendRawTransaction: {},
  eth_simulateV1: {},
} satisfies Partial<Record<keyof typeof nodeSchema, Omit<Served, 'params'>>>;

const filterFields = {
  address: optional(any()),
  topics: optional(array(any())),
};

/** What `eth_getLogs` takes; a subscription has no blocks in it. */
const LogFilterStruct = type({
  ...filterFields,
  fromBlock: optional(BlockParameterStruct),
  toBlock: optional(BlockParameterStruct),
  blockHash: optional(Bytes32Struct),
});

/** Methods that only the service knows. */
const own: Record<string, Served> = {
  eth_call: {
    params: toTuple(
      CallStruct,
      BlockParameterStruct,
      optional(overrides),
      optional(overrides),
    ),
    ...latest(1),
  },
  eth_createAccessList: {
    params: toTuple(CallStruct, BlockParameterStruct),
    ...latest(1),
  },
  eth_getBlockByHash: { params: hashAnd(boolean()) },
  eth_getBlockReceipts: { params: numberAnd() },
  eth_getBlockTransactionCountByHash: { params: hashAnd() },
  eth_getBlockTransactionCountByNumber: { params: numberAnd() },
  eth_getLogs: { params: toTuple(LogFilterStruct) },
  eth_getProof: {
    params: toTuple(AddressStruct, array(HexQuantityStruct), BlockParameterStruct),
    ...latest(2),
  },
  eth_getStorageAt: {
    params: toTuple(AddressStruct, HexQuantityStruct, BlockParameterStruct),
    ...latest(2),
  },
  eth_getTransactionByBlockHashAndIndex: {
    params: hashAnd(HexQuantityStruct),
    complete: completeTransaction,
  },
  eth_getTransactionByBlockNumberAndIndex: {
    params: numberAnd(HexQuantityStruct),
    complete: completeTransaction,
  },
  eth_getUncleCountByBlockHash: { params: hashAnd() },
  eth_getUncleCountByBlockNumber: { params: numberAnd() },
  eth_syncing: { params: none },
  net_listening: { params: none },
  net_version: { params: none },
  web3_clientVersion: { params: none },
  web3_sha3: { params: toTuple(BytesStruct) },
};

/** The methods that are forwarded. A Map: callers' names are not looked up in objects. */
export const servedMethods: ReadonlyMap<string, Served> = new Map<string, Served>([
  ...Object.entries(shared).map(([name, row]): [string, Served] => [
    name,
    { ...row, params: nodeSchema[name as keyof typeof shared].params },
  ]),
  ...Object.entries(own),
]);

/** The estimate's neutral name, and the one of the chain that it comes from. */
export const rollupMethods: ReadonlySet<string> = new Set([
  'rollup_estimateGas',
  'linea_estimateGas',
]);
