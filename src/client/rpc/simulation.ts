// eth_simulateV1: calls that are carried out one after another and left undone.
import { record } from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';

import { HexQuantityStruct, NodeAddressStruct, NodeBytesStruct } from '../../eth/hex';
import { boolean, optional, type } from '../../quick';
import { list } from '../../structs';
import { CallStruct, ExecutionStatusStruct } from './transaction';

/** Most blocks and calls that can be simulated, and that are read of an answer. */
const MAX_BLOCKS = 256;
const MAX_CALLS = 10_000;

/** What is to be simulated. */
export const SimulationStruct = type({
  blockStateCalls: list(
    type({
      stateOverrides: optional(
        record(NodeAddressStruct, type({ balance: HexQuantityStruct })),
      ),
      calls: list(CallStruct, { max: MAX_CALLS }),
    }),
    { max: MAX_BLOCKS },
  ),
  /** Whether nonces, fees and balances count as in a block. */
  validation: boolean(),
});

const SimulatedCallStruct = type({
  status: ExecutionStatusStruct,
  gasUsed: HexQuantityStruct,
  returnData: NodeBytesStruct,
});

const SimulatedBlockStruct = type({
  calls: list(SimulatedCallStruct, { max: MAX_CALLS }),
});

/** The simulated blocks; their other fields are of no use here. */
export const SimulatedBlocksStruct = list(SimulatedBlockStruct, { max: MAX_BLOCKS });

/** What became of a simulated call. */
export type SimulatedCall = Infer<typeof SimulatedCallStruct>;
