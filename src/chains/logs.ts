// The node's method for logs. It has its own client, since only the list of permissions needs it:
// the insight snap and the gas service do without it.
import type { Infer } from '@metamask/superstruct';

import type { RpcClient } from '../../packages/client/src';
import { reads } from '../../packages/client/src/rpc/schema';
import {
  Bytes32Struct,
  HexQuantityStruct,
  NodeAddressStruct,
  NodeBytesStruct,
} from '../eth/hex';
import { array, boolean, list, optional, tuple, type } from '../schema/structs';

/** Most logs of an answer: more than any node gives at once. */
const MAX_LOGS = 10_000;

const FilterStruct = type({
  fromBlock: HexQuantityStruct,
  toBlock: HexQuantityStruct,
  topics: array(array(Bytes32Struct)),
});

const LogStruct = type({
  address: NodeAddressStruct,
  blockNumber: HexQuantityStruct,
  data: NodeBytesStruct,
  removed: optional(boolean()),
  topics: list(Bytes32Struct, { max: 4 }),
});

export type Log = Infer<typeof LogStruct>;

export const logSchema = {
  eth_getLogs: reads(tuple([FilterStruct]), list(LogStruct, { max: MAX_LOGS })),
};

/** A client of a node's logs. */
export type LogClient = RpcClient<typeof logSchema>;
