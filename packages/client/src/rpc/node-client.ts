// A client for a node: the read methods of schema.ts, look-ups, simulation and sending.
import {
  array,
  boolean,
  define,
  nullable,
  optional,
  tuple,
  type,
} from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';

import {
  AnswerBytesStruct,
  Bytes32Struct,
  BytesStruct,
  HexQuantityStruct,
  NodeAddressStruct,
  NodeBytesStruct,
} from '../../../../src/eth/hex';
import { list, oneOf, text } from '../../../../src/schema/structs';
import { BlockParameterStruct, BlockStruct } from './block';
import { completeAnswer } from './complete';
import { createRpcClient } from './rpc-client';
import type { AbsentMethods, RpcClient } from './rpc-client';
import {
  CallStruct,
  changes,
  finds,
  createMethodNaming,
  readSchema,
  reads,
  StateOverridesStruct,
} from './schema';
import type { RpcSchema } from './schema';
import { ExecutionStatusStruct, ReceiptStruct, TransactionStruct } from './transaction';
import type { Transport } from './transport';

/** Upper bounds for simulation requests and answers, above the limits of nodes. */
const MAX_BLOCKS = 1_024;
const MAX_CALLS = 10_000;

const SimulationStruct = type({
  blockStateCalls: list(
    type({
      stateOverrides: optional(StateOverridesStruct),
      calls: optional(list(CallStruct, { max: MAX_CALLS })),
    }),
    { max: MAX_BLOCKS },
  ),
  /** Whether transfers of the native currency are reported as logs, from 0xEeee…EEeE or
   * 0xFfff…fffE. */
  traceTransfers: optional(boolean()),
  /** Whether nonces, fees and balances are enforced as in a block. */
  validation: optional(boolean()),
});

/** Maximum number of logs in an answer; a longer answer is invalid. */
const MAX_LOGS = 10_000;

const SimulatedLogStruct = type({
  address: NodeAddressStruct,
  topics: list(Bytes32Struct, { max: 4 }),
  data: AnswerBytesStruct,
});

const LogStruct = type({
  ...SimulatedLogStruct.schema,
  blockNumber: HexQuantityStruct,
  blockHash: optional(nullable(Bytes32Struct)),
  transactionHash: optional(nullable(Bytes32Struct)),
  transactionIndex: optional(nullable(HexQuantityStruct)),
  removed: optional(boolean()),
});

export type Log = Infer<typeof LogStruct>;

const FilterStruct = type({
  address: optional(NodeAddressStruct),
  fromBlock: HexQuantityStruct,
  toBlock: HexQuantityStruct,
  topics: array(array(Bytes32Struct)),
});

const MessageStruct = define<string>('a string', (value) => typeof value === 'string');

const SimulatedCallStruct = type({
  status: ExecutionStatusStruct,
  gasUsed: HexQuantityStruct,
  returnData: AnswerBytesStruct,
  logs: optional(list(SimulatedLogStruct, { max: MAX_LOGS })),
  error: optional(nullable(type({ message: MessageStruct }))),
});

const SimulatedBlocksStruct = list(
  type({ calls: list(SimulatedCallStruct, { max: MAX_CALLS }) }),
  { max: MAX_BLOCKS },
);

/** Result of one call of `eth_simulateV1`. @interface */
export type SimulatedCall = Infer<typeof SimulatedCallStruct>;

/** A log of a simulated call. @interface */
export type SimulatedLog = Infer<typeof SimulatedLogStruct>;

const FilledStruct = type({
  tx: type({
    to: optional(nullable(NodeAddressStruct)),
    value: HexQuantityStruct,
    input: NodeBytesStruct,
    nonce: HexQuantityStruct,
    gas: HexQuantityStruct,
  }),
});

const simulationParams = tuple([SimulationStruct, optional(BlockParameterStruct)]);

export const nodeSchema = {
  ...readSchema,
  eth_fillTransaction: reads(tuple([CallStruct]), FilledStruct),
  eth_getLogs: reads(tuple([FilterStruct]), list(LogStruct, { max: MAX_LOGS })),
  eth_getTransactionByHash: finds(tuple([Bytes32Struct]), TransactionStruct),
  eth_getTransactionReceipt: finds(tuple([Bytes32Struct]), ReceiptStruct),
  eth_getUncleByBlockHashAndIndex: finds(
    tuple([Bytes32Struct, HexQuantityStruct]),
    BlockStruct,
  ),
  eth_getUncleByBlockNumberAndIndex: finds(
    tuple([BlockParameterStruct, HexQuantityStruct]),
    BlockStruct,
  ),
  eth_sendRawTransaction: changes(tuple([BytesStruct]), Bytes32Struct),
  // No time limit parameter: Foundry's anvil refuses it, and geth does not accept hex.
  eth_sendRawTransactionSync: changes(tuple([BytesStruct]), nullable(ReceiptStruct)),
  eth_simulateV1: reads(simulationParams, SimulatedBlocksStruct),
  eth_subscribe: changes(tuple([oneOf(['newHeads'])]), text(256)),
  eth_unsubscribe: changes(tuple([text(256)]), boolean()),
} as const satisfies RpcSchema;

export type NodeClient = RpcClient<typeof nodeSchema>;

/** Creates a client for a chain's node. It fills in missing fields of answers where possible.
 * @param absent - The methods that the node is known to lack. */
export function createNodeClient(
  transport: Transport,
  chainId?: bigint,
  absent?: AbsentMethods,
): NodeClient {
  return createRpcClient(nodeSchema, transport, {
    ...(absent && { absent }),
    toWireName: createMethodNaming(chainId),
    complete: async (method, answer, asked) =>
      completeAnswer(method, answer, { ...asked, chainId }),
  });
}
