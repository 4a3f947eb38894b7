// The two methods of a paymaster's service (ERC-7677).
import type { Infer } from '@metamask/superstruct';

import {
  AddressStruct,
  HexQuantityStruct,
  NodeAddressStruct,
  NodeBytesStruct,
} from '../../eth/hex';
import type { Hex } from '../../eth/hex';
import { nullable, optional, tuple, type } from '../../quick';
import { named } from '../../structs';
import { GasStruct, JsonObjectStruct } from '../bundler/schema';
import { reads } from '../rpc/schema';
import type { RpcSchema } from '../rpc/schema';

/** Longest data of a paymaster in bytes: consents take some hundreds. */
const MAX_DATA_BYTES = 10_000;

const DataStruct = named<Hex>(
  `at most ${MAX_DATA_BYTES} bytes in hex (0x and an even number of digits)`,
  (value) => NodeBytesStruct.is(value) && value.length <= 2 + 2 * MAX_DATA_BYTES,
);

const AnyStruct = named<unknown>('anything', () => true);

const gas = optional(nullable(GasStruct));

const AnswerStruct = type({
  paymasterAndData: optional(nullable(DataStruct)),
  paymaster: optional(nullable(NodeAddressStruct)),
  paymasterData: optional(nullable(DataStruct)),
  paymasterVerificationGasLimit: gas,
  paymasterPostOpGasLimit: gas,
  sponsor: optional(AnyStruct),
  isFinal: optional(AnyStruct),
});

/** What a paymaster's service answers; which fields, the EntryPoint decides. */
export type PaymasterAnswer = Infer<typeof AnswerStruct>;

const params = tuple([
  JsonObjectStruct,
  AddressStruct,
  HexQuantityStruct,
  JsonObjectStruct,
]);

/** The service's methods. It gives its word as often as it is asked: neither sends. */
export const paymasterSchema = {
  pm_getPaymasterStubData: reads(params, AnswerStruct),
  pm_getPaymasterData: reads(params, AnswerStruct),
} as const satisfies RpcSchema;
