// The JSON-RPC methods for reading a chain, one row each. The client and the gas service share
// these rows.
import {
  boolean,
  define,
  nullable,
  optional,
  record,
  refine,
  tuple,
  type,
} from '@metamask/superstruct';
import type { Infer, Struct } from '@metamask/superstruct';

import {
  AnswerBytesStruct,
  Bytes32Struct,
  BytesStruct,
  CodeStruct,
  HexQuantityStruct,
  NodeAddressStruct,
  NodeBytesStruct,
  StorageWordStruct,
} from '../../../../src/eth/hex';
import type { StructOf } from '../../../../src/schema/parse';
import { integerBetween, list, listOrNull, text } from '../../../../src/schema/structs';
import { BlockHeaderStruct, BlockParameterStruct } from './block';
import type { BlockParameter } from './block';

/** Method prefixes of rollups with their own gas estimate method. The specification writes
 * `rollup_` for all of them (docs/reference/service.md#json-rpc). */
const PREFIXES: ReadonlyMap<bigint, string> = new Map([
  [59144n, 'linea'],
  [59141n, 'linea'],
]);

export function isRollup(chainId: bigint): boolean {
  return PREFIXES.has(chainId);
}

/** Returns a function that replaces the prefix `rollup_` by the chain's own, as in
 * `linea_estimateGas`. */
export function createMethodNaming(chainId = 0n): (method: string) => string {
  const prefix = PREFIXES.get(chainId) ?? 'rollup';
  return (method) => method.replace(/^rollup_/u, `${prefix}_`);
}

/** Maximum storage keys or logs: more than a transaction on Ethereum can afford. */
export const MAX_ENTRIES = 100_000;

export const AccessListStruct = list(
  type({
    address: NodeAddressStruct,
    storageKeys: listOrNull(Bytes32Struct, { max: MAX_ENTRIES }),
  }),
  { max: MAX_ENTRIES },
);

const AuthorizationStruct = type({
  chainId: HexQuantityStruct,
  address: NodeAddressStruct,
  nonce: HexQuantityStruct,
  yParity: HexQuantityStruct,
  r: HexQuantityStruct,
  s: HexQuantityStruct,
});

/** An unsigned transaction to simulate. `to` is null or missing for a contract creation. */
export const CallStruct = type({
  from: optional(NodeAddressStruct),
  to: optional(nullable(NodeAddressStruct)),
  gas: optional(HexQuantityStruct),
  gasPrice: optional(HexQuantityStruct),
  maxFeePerGas: optional(HexQuantityStruct),
  maxPriorityFeePerGas: optional(HexQuantityStruct),
  value: optional(HexQuantityStruct),
  data: optional(BytesStruct),
  accessList: optional(AccessListStruct),
  maxFeePerBlobGas: optional(HexQuantityStruct),
  blobVersionedHashes: optional(list(Bytes32Struct, { max: MAX_ENTRIES })),
  authorizationList: optional(list(AuthorizationStruct, { max: MAX_ENTRIES })),
});

/** The call object of `eth_call` and `eth_estimateGas`. @interface */
export type RpcCallObject = Infer<typeof CallStruct>;

export const StateOverridesStruct = record(
  NodeAddressStruct,
  type({ balance: optional(HexQuantityStruct), code: optional(BytesStruct) }),
);

/** Balance (wei, hex) and code of addresses during a simulated call. @interface */
export type StateOverrides = Infer<typeof StateOverridesStruct>;

export type RpcMethod = {
  params: StructOf<unknown>;
  result: StructOf<unknown>;
  idempotent: boolean;
  /** Whether to treat a "not found" error of the server as null. */
  isNullable?: boolean;
};

export type RpcSchema = Record<string, RpcMethod>;

const FiniteStruct = define<number>('a number', Number.isFinite);

const MAX_HISTORY = 1_024;
const MAX_PERCENTILES = 100;

// The base fee of the next block is included.
const baseFees = list(HexQuantityStruct, { max: MAX_HISTORY + 1 });

const rewards = list(HexQuantityStruct, { max: MAX_PERCENTILES });

export const FeeHistoryStruct = type({
  oldestBlock: HexQuantityStruct,
  baseFeePerGas: baseFees,
  gasUsedRatio: list(FiniteStruct, { max: MAX_HISTORY }),
  /** Per unit of blob gas; missing if the node does not know it. */
  baseFeePerBlobGas: optional(nullable(baseFees)),
  reward: optional(nullable(list(rewards, { max: MAX_HISTORY }))),
});

export const RollupEstimateStruct = type({
  baseFeePerGas: HexQuantityStruct,
  gasLimit: HexQuantityStruct,
  priorityFeePerGas: HexQuantityStruct,
});

/** Result of `eth_feeHistory`. Fees are in wei; `reward` is missing or null if there is none.
 * @interface */
export type FeeHistory = Infer<typeof FeeHistoryStruct>;

/** Result of `linea_estimateGas`: gas limit, and fees in wei. @interface */
export type RollupEstimate = Infer<typeof RollupEstimateStruct>;

const MAX_CONTRACTS = 1_000;

const ContractsStruct = refine(
  record(text(128), NodeAddressStruct),
  `at most ${MAX_CONTRACTS} contracts`,
  (contracts) => Object.keys(contracts).length <= MAX_CONTRACTS,
);

const ForkConfigurationStruct = type({
  activationTime: integerBetween(0, Number.MAX_SAFE_INTEGER),
  chainId: HexQuantityStruct,
  forkId: NodeBytesStruct,
  precompiles: ContractsStruct,
  systemContracts: optional(nullable(ContractsStruct)),
});

const NodeConfigurationStruct = type({
  current: ForkConfigurationStruct,
  next: optional(nullable(ForkConfigurationStruct)),
  last: optional(nullable(ForkConfigurationStruct)),
});

/**
 * A fork in a node's configuration: its start in seconds since 1970, its `FORK_HASH` (EIP-6122),
 * and its precompiles and system contracts by name.
 *
 * @see https://eips.ethereum.org/EIPS/eip-7910
 * @interface
 */
export type ForkConfiguration = Infer<typeof ForkConfigurationStruct>;

/** Result of `eth_config` (EIP-7910): the current, the next and the last known fork. @interface */
export type NodeConfiguration = Infer<typeof NodeConfigurationStruct>;

const CapabilitiesStruct = type({
  head: type({ number: HexQuantityStruct }),
  receipts: type({ disabled: boolean(), oldestBlock: optional(HexQuantityStruct) }),
});

export const noParams = define<[]>(
  'an empty array',
  (value) => Array.isArray(value) && value.length === 0,
);

const block = optional(BlockParameterStruct);

const overrides = optional(StateOverridesStruct);

const estimateParams = tuple([CallStruct, block, overrides]);

/** A call, the block whose state it uses (the latest by default), and overrides of that state. */
export type EstimateParams = [
  call: RpcCallObject,
  block?: BlockParameter,
  overrides?: StateOverrides,
];

const BlockOverridesStruct = type({
  time: optional(HexQuantityStruct),
  prevRandao: optional(NodeBytesStruct),
  feeRecipient: optional(NodeAddressStruct),
  baseFeePerGas: optional(HexQuantityStruct),
});

/** Overridden values of a block. @interface */
export type BlockOverrides = Infer<typeof BlockOverridesStruct>;

// Not every node supports block overrides.
const callParams = tuple([
  CallStruct,
  block,
  overrides,
  optional(BlockOverridesStruct),
]);

const historyParams = tuple([
  HexQuantityStruct,
  BlockParameterStruct,
  list(FiniteStruct, { max: MAX_PERCENTILES }),
]);

const accountParams = tuple([NodeAddressStruct, block]);

// Nodes accept different forms of a slot.
const storageParams = tuple([NodeAddressStruct, text(256), block]);

/** The elements of a tuple, of which optional ones at the end may be omitted. */
type Values<Params extends unknown[]> = Params extends [...infer Before, infer Last]
  ? undefined extends Last
    ? [...Values<Before>, Last?]
    : Params
  : Params;

export const reads = <Params extends unknown[], Result>(
  params: StructOf<Params>,
  result: StructOf<Result>,
): RpcMethod & { params: StructOf<Values<Params>>; result: StructOf<Result> } => ({
  params: params as StructOf<unknown> as StructOf<Values<Params>>,
  result,
  idempotent: true,
});

/** A look-up method; its result is null if nothing is found. */
export const finds = <Params extends unknown[], Result, Schema>(
  params: StructOf<Params>,
  result: Struct<Result, Schema>,
): ReturnType<typeof reads<Params, Result | null>> => ({
  ...reads(params, nullable(result)),
  isNullable: true,
});

/** A method that must not be called twice, because a second call may repeat its side effects. */
export const changes: typeof reads = (params, result) => ({
  ...reads(params, result),
  idempotent: false,
});

export const readSchema = {
  eth_baseFee: reads(noParams, HexQuantityStruct),
  eth_blobBaseFee: reads(noParams, HexQuantityStruct),
  eth_blockNumber: reads(noParams, HexQuantityStruct),
  eth_call: reads(callParams, AnswerBytesStruct),
  eth_capabilities: reads(noParams, CapabilitiesStruct),
  eth_chainId: reads(noParams, HexQuantityStruct),
  eth_config: reads(noParams, NodeConfigurationStruct),
  eth_estimateGas: reads(estimateParams, HexQuantityStruct),
  eth_feeHistory: reads(historyParams, FeeHistoryStruct),
  eth_gasPrice: reads(noParams, HexQuantityStruct),
  eth_getBalance: reads(accountParams, HexQuantityStruct),
  eth_getBlockByNumber: finds(
    tuple([BlockParameterStruct, boolean()]),
    BlockHeaderStruct,
  ),
  eth_getCode: reads(accountParams, CodeStruct),
  eth_getStorageAt: reads(storageParams, StorageWordStruct),
  eth_getTransactionCount: reads(accountParams, HexQuantityStruct),
  eth_maxPriorityFeePerGas: reads(noParams, HexQuantityStruct),
  rollup_estimateGas: reads(estimateParams, RollupEstimateStruct),
} as const satisfies RpcSchema;
