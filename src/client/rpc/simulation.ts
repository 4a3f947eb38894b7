// eth_simulateV1: calls that are carried out one after another and left undone.
import { record } from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';

import { AddressStruct, HexQuantityStruct, NodeBytesStruct } from '../../eth/hex';
import { array, boolean, optional, type } from '../../quick';
import { oneOf } from '../../structs';
import { CallStruct } from './transaction';

/** What is to be simulated. */
export const SimulationStruct = type({
  blockStateCalls: array(
    type({
      stateOverrides: optional(
        record(AddressStruct, type({ balance: HexQuantityStruct })),
      ),
      calls: array(CallStruct),
    }),
  ),
  /** Whether nonces, fees and balances count as in a block. */
  validation: boolean(),
});

const SimulatedCallStruct = type({
  /** `0x1` success, `0x0` failure. */
  status: oneOf(['0x0', '0x1']),
  gasUsed: HexQuantityStruct,
  returnData: NodeBytesStruct,
});

/** A simulated block; its other fields are of no use here. */
export const SimulatedBlockStruct = type({ calls: array(SimulatedCallStruct) });

/** What became of a simulated call. */
export type SimulatedCall = Infer<typeof SimulatedCallStruct>;
