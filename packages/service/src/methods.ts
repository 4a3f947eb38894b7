// The service's JSON-RPC methods, one row each, and the rule for chains whose nodes only keep the
// latest blocks (spec section 8): requests about older state and blocks are refused, and older
// receipts and transactions are null.
import {
  any,
  array,
  boolean,
  nullable,
  object,
  optional,
  record,
  string,
  tuple,
  type,
  union,
} from '@metamask/superstruct';
import { isObject } from '@metamask/utils';

import {
  Bytes32Struct,
  BytesStruct,
  HexQuantityStruct,
  NodeAddressStruct,
} from '../../../src/eth/hex';
import { matches, parse, type StructOf } from '../../../src/schema/parse';
import { nodeSchema, type RpcMethod } from '../../client/src';
import { BlockParameterStruct as BlockStruct } from '../../client/src/rpc/block';
import { CallStruct } from '../../client/src/rpc/schema';
import { WholeReceiptStruct } from '../../client/src/rpc/transaction';
import type { Head } from './head';
import { codes, toError, type Outcome } from './json-rpc';
import type { Ask } from './upstream';

const BLOCKS = 128n;

/** The oldest block of a request: a number, tag or hash, and how many blocks before it. */
type Oldest = { block: unknown; before?: bigint };

/** Finds the oldest block of a request from its params. */
export type Reach = (params: readonly unknown[]) => Oldest;

/** A block identifier of EIP-1898. */
const BlockIdStruct = union([
  object({ blockHash: Bytes32Struct, requireCanonical: optional(boolean()) }),
  object({ blockNumber: BlockStruct, requireCanonical: optional(boolean()) }),
]);

/** Gets the hash, number or tag that a param uses to name a block. */
export function toBlock(param: unknown): unknown {
  if (!isObject(param) || !matches(param, BlockIdStruct)) return param;
  return 'blockHash' in param ? param.blockHash : param.blockNumber;
}

/** Creates the reach of requests about the block in a param, by default the latest. */
export function atBlock(index: number): Reach {
  return (params) => ({ block: toBlock(params[index] ?? 'latest') });
}

function ofBlockAt(at: number): Required<Pick<Served, 'at' | 'reach'>> {
  return { at, reach: atBlock(at) };
}

/** Validates params, which are forwarded unchanged. @throws {InvalidParamsError} */
export function checkParams(
  params: readonly unknown[],
  { params: struct, at }: Pick<Served, 'params' | 'at'>,
): void {
  const plain = params.map((each, index) => (index === at ? toBlock(each) : each));
  parse(plain, struct, 'params');
}

/** `eth_feeHistory`: a number of blocks that ends with the named block. */
const overHistory: Reach = ([count, newest]) => ({
  block: toBlock(newest),
  before: matches(count, HexQuantityStruct) ? BigInt(count) - 1n : 0n,
});

/** `eth_getLogs`: one block by its hash, or a range that starts at a block. */
const ofFilter: Reach = ([filter]) => {
  const { blockHash, fromBlock = 'latest' } = isObject(filter) ? filter : ({} as never);
  return { block: blockHash ?? fromBlock };
};

type Asking = { head: Head; ask: Ask };

/** Refuses a request about blocks that the nodes of a near-head chain no longer keep. */
export async function refuseArchive(
  { block, before = 0n }: Oldest,
  asking: Asking,
): Promise<Outcome | undefined> {
  const number = await findNumber(block, asking);
  if (number === undefined || (await isKept(number - before, asking))) return undefined;
  const message = `Archive requests are not served: this one is about a block before the latest ${BLOCKS}.`;
  return toError(codes.refused, message);
}

export async function isTooOld(result: unknown, asking: Asking): Promise<boolean> {
  const number = isObject(result) ? result['blockNumber'] : undefined;
  return matches(number, HexQuantityStruct) && !(await isKept(BigInt(number), asking));
}

async function isKept(number: bigint, { head }: Asking): Promise<boolean> {
  return number > (await head.fetch()).number - BLOCKS;
}

// Undefined if the nodes fail or do not know the block; the request is then forwarded to them.
async function findNumber(block: unknown, { head, ask }: Asking) {
  if (block === 'latest' || block === 'pending') return (await head.fetch()).number;
  if (block === 'earliest') return 0n;
  const isHash = matches(block, Bytes32Struct);
  if (!isHash && matches(block, HexQuantityStruct)) return BigInt(block);
  // Otherwise the block is the tag `finalized`.
  const method = isHash ? 'eth_getBlockByHash' : 'eth_getBlockByNumber';
  const { result: found } = await ask(method, [block, false]);
  const number = isObject(found) ? found['number'] : undefined;
  return matches(number, HexQuantityStruct) ? BigInt(number) : undefined;
}

// The methods read the chain and send signed transactions. None signs with the node's accounts,
// mines, controls or debugs the node, or creates a filter.

export type Served = {
  params: StructOf<unknown>;
  /** The value that nodes assume for an omitted last param. */
  last?: { at: number; value: unknown };
  /** The complete form of the result, as the specification and our client expect it. */
  found?: StructOf<unknown>;
  /** Whether the result is never rejected or hidden, because the transaction was sent. */
  isSent?: boolean;
  /** Whether the result may be null; a node's "not found" error is then treated as null. */
  isNullable?: boolean | undefined;
  /** The oldest block of the request. Without it, the block of the result decides: see `found`. */
  reach?: Reach;
  /** Index of the param that names the block. */
  at?: number;
};

const overrides = record(string(), any());
const none = nodeSchema.eth_chainId.params;

/** Requests for the state at the block in a param, the latest by default. */
const ofState = (at: number): Pick<Served, 'at' | 'last' | 'reach'> => ({
  last: { at, value: 'latest' },
  ...ofBlockAt(at),
});

/** Requests for the block in the first param; null if there is none. */
const ofBlock = { isNullable: true, ...ofBlockAt(0) } satisfies Partial<Served>;

const byBlockHash = { params: tuple([Bytes32Struct]), ...ofBlock };
const byBlockNumber = { params: tuple([BlockStruct]), ...ofBlock };

const { result: transaction } = nodeSchema.eth_getTransactionByHash;
const byPosition = { found: transaction, ...ofBlock };
const { result: uncle } = nodeSchema.eth_getUncleByBlockHashAndIndex;

/** Methods with the params of the client's table. */
const shared = {
  eth_baseFee: {},
  eth_blobBaseFee: {},
  eth_blockNumber: {},
  eth_chainId: {},
  eth_config: {},
  eth_estimateGas: ofBlockAt(1),
  eth_feeHistory: { at: 1, last: { at: 2, value: [] }, reach: overHistory },
  eth_fillTransaction: {},
  eth_gasPrice: {},
  eth_getBalance: ofState(1),
  eth_getBlockByNumber: ofBlockAt(0),
  eth_getCode: ofState(1),
  eth_getStorageAt: ofState(2),
  eth_getTransactionByHash: { found: transaction },
  eth_getTransactionCount: ofState(1),
  eth_getTransactionReceipt: { found: nullable(WholeReceiptStruct) },
  eth_getUncleByBlockHashAndIndex: { found: uncle, ...ofBlockAt(0) },
  eth_getUncleByBlockNumberAndIndex: { found: uncle, ...ofBlockAt(0) },
  eth_maxPriorityFeePerGas: {},
  eth_sendRawTransaction: {},
  eth_sendRawTransactionSync: { found: any(), isSent: true },
  eth_simulateV1: ofState(1),
} satisfies Partial<
  Record<keyof typeof nodeSchema, Omit<Served, 'params' | 'isNullable'>>
>;

export const LogsStruct = type({
  address: optional(any()),
  topics: optional(array(any())),
});

const LogFilterStruct = type({
  ...LogsStruct.schema,
  fromBlock: optional(BlockStruct),
  toBlock: optional(BlockStruct),
  blockHash: optional(Bytes32Struct),
});

/** Methods that the client lacks, or has with fewer params. */
const own: Record<string, Served> = {
  eth_call: {
    params: tuple([CallStruct, BlockStruct, optional(overrides), optional(overrides)]),
    ...ofState(1),
  },
  eth_createAccessList: { params: tuple([CallStruct, BlockStruct]), ...ofState(1) },
  eth_getBlockByHash: { params: tuple([Bytes32Struct, boolean()]), ...ofBlock },
  eth_getBlockReceipts: byBlockNumber,
  eth_getBlockTransactionCountByHash: byBlockHash,
  eth_getBlockTransactionCountByNumber: byBlockNumber,
  eth_getLogs: { params: tuple([LogFilterStruct]), reach: ofFilter },
  eth_getProof: {
    params: tuple([NodeAddressStruct, array(HexQuantityStruct), BlockStruct]),
    ...ofState(2),
  },
  eth_getTransactionByBlockHashAndIndex: {
    params: tuple([Bytes32Struct, HexQuantityStruct]),
    ...byPosition,
  },
  eth_getTransactionByBlockNumberAndIndex: {
    params: tuple([BlockStruct, HexQuantityStruct]),
    ...byPosition,
  },
  eth_getUncleCountByBlockHash: byBlockHash,
  eth_getUncleCountByBlockNumber: byBlockNumber,
  eth_syncing: { params: none },
  net_listening: { params: none },
  net_version: { params: none },
  web3_clientVersion: { params: none },
  web3_sha3: { params: tuple([BytesStruct]) },
};

/** The forwarded methods. A Map, so no caller's method name matches a prototype property. */
export const servedMethods: ReadonlyMap<string, Served> = new Map<string, Served>([
  ...Object.entries(shared).map(([name, row]): [string, Served] => {
    const { params, isNullable }: RpcMethod = nodeSchema[name as keyof typeof shared];
    return [name, { ...row, params, isNullable }];
  }),
  ...Object.entries(own),
]);

/** The rollup gas estimate under its neutral name, and under its name on Linea. */
export const rollupMethods: ReadonlySet<string> = new Set([
  'rollup_estimateGas',
  'linea_estimateGas',
]);

/** Finds the newest block that a call asks about: a number, tag or hash. */
export function findNewestAsked(method: string, params: readonly unknown[]): unknown {
  const [filter] = params;
  if (method === 'eth_getLogs' && isObject(filter)) {
    return filter['blockHash'] ?? filter['toBlock'] ?? 'latest';
  }
  const at = servedMethods.get(method)?.at;
  return at === undefined ? undefined : toBlock(params[at] ?? 'latest');
}

/** All methods of the service. Subscriptions need a WebSocket. */
export const servedNames: readonly string[] = [
  ...servedMethods.keys(),
  ...rollupMethods,
  'eth_subscribe',
  'eth_unsubscribe',
];
