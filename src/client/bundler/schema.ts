// The methods of ERC-4337 bundlers that we call (ERC-7769), and those by which some tell
// the fees that they take.
import type { Infer } from '@metamask/superstruct';
import { isObject } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import {
  AddressStruct,
  Bytes32Struct,
  NodeAddressStruct,
  quantityBelow,
  QuantityStruct,
} from '../../eth/hex';
import { nullable, optional, tuple, type } from '../../quick';
import { eitherOf, list, named } from '../../structs';
import { changes, noParams, reads } from '../rpc/schema';
import type { RpcSchema } from '../rpc/schema';

/** Most EntryPoints that a bundler is expected to serve. */
const MAX_ENTRY_POINTS = 100;

/** An object as it came. */
export const JsonObjectStruct = named<Record<string, Json>>('an object', (value) =>
  isObject(value),
);

/** Gas as servers estimate it: some write numbers or decimals. EVMs count it in 64 bits. */
export const GasStruct = quantityBelow(2n ** 64n, '2^64');

const OperationStruct = named<Record<string, Json>>('a user operation', (value) =>
  isObject(value),
);

const EstimateStruct = type({
  callGasLimit: GasStruct,
  verificationGasLimit: GasStruct,
  preVerificationGas: GasStruct,
  paymasterVerificationGasLimit: optional(nullable(GasStruct)),
  paymasterPostOpGasLimit: optional(nullable(GasStruct)),
});

// The bound is the EntryPoint's own.
const FeeStruct = quantityBelow(2n ** 120n, '2^120');

const PriceStruct = type({ maxFeePerGas: FeeStruct, maxPriorityFeePerGas: FeeStruct });

const LevelsStruct = type({ slow: optional(PriceStruct), standard: PriceStruct });

// One price, or one for each level: Biconomy's bundlers answer either, by their version.
const PricesStruct = eitherOf<Infer<typeof LevelsStruct>, Infer<typeof PriceStruct>>(
  ({ standard }) => standard !== undefined,
  LevelsStruct,
  PriceStruct,
);

const operationAt = tuple([OperationStruct, AddressStruct]);

const prices = reads(noParams, PricesStruct);

/** What a bundler estimates. */
export type EstimateAnswer = Infer<typeof EstimateStruct>;

/** Fees of one level, or of several. */
export type PricesAnswer = Infer<typeof PricesStruct>;

/** Methods by which bundlers of one make tell the fees that they take. */
export const priceMethods = {
  // Pimlico's alto refuses what is below the lowest of its recent prices; `slow` is not.
  pimlico_getUserOperationGasPrice: prices,
  zd_getUserOperationGasPrice: prices,
  skandha_getGasPrice: prices,
  biconomy_getGasFeeValues: prices,
  // Alchemy's rundler: the least that it takes at this block.
  rundler_maxPriorityFeePerGas: reads(noParams, FeeStruct),
} as const satisfies RpcSchema;

/** The bundler's methods. */
export const bundlerSchema = {
  eth_chainId: reads(noParams, QuantityStruct),
  eth_supportedEntryPoints: reads(
    noParams,
    list(NodeAddressStruct, { max: MAX_ENTRY_POINTS }),
  ),
  eth_estimateUserOperationGas: reads(operationAt, EstimateStruct),
  eth_sendUserOperation: changes(operationAt, Bytes32Struct),
  eth_getUserOperationByHash: reads(tuple([Bytes32Struct]), nullable(JsonObjectStruct)),
  eth_getUserOperationReceipt: reads(
    tuple([Bytes32Struct]),
    nullable(JsonObjectStruct),
  ),
  ...priceMethods,
} as const satisfies RpcSchema;
