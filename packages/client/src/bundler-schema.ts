// The JSON-RPC methods of ERC-4337 bundlers (ERC-7769, and vendors' own), one row each, and the
// bundlers' form of user operations.
import {
  boolean,
  define,
  nullable,
  optional,
  tuple,
  type,
  unknown,
} from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';
import { isObject } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import type { EntryPointVersion } from '../../../src/core/entry-points';
import { splitPaymasterSignature } from '../../../src/core/operation';
import type { UserOperation } from '../../../src/core/payload';
import {
  AddressStruct,
  Bytes32Struct,
  NodeAddressStruct,
  quantityBelow,
  QuantityStruct,
  toQuantity,
  withQuantities,
} from '../../../src/eth/hex';
import type { Hex } from '../../../src/eth/hex';
import { unpackFactory, unpackPaymaster } from '../../../src/eth/user-operation';
import { eitherOf, list } from '../../../src/schema/structs';
import { changes, finds, noParams, reads } from './rpc/schema';
import type { RpcSchema } from './rpc/schema';

export const JsonObjectStruct = define<Record<string, Json>>('an object', isObject);

/** A server's gas estimate: hex, a number or a decimal string. EVMs count gas in 64 bits. */
export const GasStruct = quantityBelow(2n ** 64n, '2^64');

/** Gas limits of an operation. `estimate` in bundler.ts drops other fields. */
export const EstimateStruct = type({
  callGasLimit: GasStruct,
  verificationGasLimit: GasStruct,
  preVerificationGas: GasStruct,
  paymasterVerificationGasLimit: optional(nullable(GasStruct)),
  paymasterPostOpGasLimit: optional(nullable(GasStruct)),
});

// The EntryPoint enforces the same bound.
const FeeStruct = quantityBelow(2n ** 120n, '2^120');

const PriceStruct = type({ maxFeePerGas: FeeStruct, maxPriorityFeePerGas: FeeStruct });

const LevelsStruct = type({ slow: optional(PriceStruct), standard: PriceStruct });

// One price, or one per level: Biconomy's bundlers return either, depending on their version.
const PricesStruct = eitherOf(
  ({ standard }) => standard !== undefined,
  LevelsStruct,
  PriceStruct,
);

export type PricesAnswer = Infer<typeof PricesStruct>;

/** The receipt of an operation. Other fields are passed on unchanged. */
export const OperationReceiptStruct = type({
  userOpHash: Bytes32Struct,
  sender: NodeAddressStruct,
  nonce: QuantityStruct,
  success: boolean(),
  actualGasUsed: QuantityStruct,
  actualGasCost: QuantityStruct,
  paymaster: optional(unknown()),
  entryPoint: optional(unknown()),
  reason: optional(unknown()),
  receipt: type({
    transactionHash: Bytes32Struct,
    blockHash: Bytes32Struct,
    blockNumber: QuantityStruct,
  }),
});

export const FoundOperationStruct = type({
  userOperation: type({ sender: NodeAddressStruct, nonce: QuantityStruct }),
  entryPoint: NodeAddressStruct,
  blockNumber: optional(nullable(QuantityStruct)),
  transactionHash: optional(nullable(Bytes32Struct)),
});

const operationAt = tuple([JsonObjectStruct, AddressStruct]);

const byHash = finds(tuple([Bytes32Struct]), JsonObjectStruct);

const prices = reads(noParams, PricesStruct);

/** Vendor methods that report the fees a bundler accepts. */
export const priceMethods = {
  // Pimlico's alto refuses fees below its lowest recent price; it accepts `slow`.
  pimlico_getUserOperationGasPrice: prices,
  zd_getUserOperationGasPrice: prices,
  skandha_getGasPrice: prices,
  biconomy_getGasFeeValues: prices,
  // Alchemy's rundler returns the lowest fee that it currently accepts.
  rundler_maxPriorityFeePerGas: reads(noParams, FeeStruct),
} as const satisfies RpcSchema;

export const bundlerSchema = {
  eth_chainId: reads(noParams, QuantityStruct),
  eth_supportedEntryPoints: reads(noParams, list(NodeAddressStruct, { max: 100 })),
  eth_estimateUserOperationGas: reads(operationAt, EstimateStruct),
  eth_sendUserOperation: changes(operationAt, Bytes32Struct),
  eth_getUserOperationByHash: byHash,
  eth_getUserOperationReceipt: byHash,
  ...priceMethods,
} as const satisfies RpcSchema;

/** Converts an operation to the bundler's form for an EntryPoint version: eleven fields for 0.6;
 * factory and paymaster unpacked from 0.7 on (the packed form is for the chain); the paymaster's
 * signature separate for 0.9. Throws `InvalidParamsError` if a packed field is too short. */
export function toBundlerForm(
  operation: UserOperation,
  version: EntryPointVersion,
): Record<string, Json> {
  const fields = withQuantities(operation);
  if (version === '0.6') return fields;
  const { initCode, paymasterAndData, ...others } = fields;
  const factory = unpackFactory(initCode as Hex);
  const { unsigned, signature } = splitPaymasterSignature(
    paymasterAndData as Hex,
    version,
  );
  const paymaster = unpackPaymaster(unsigned);
  return {
    ...others,
    ...(factory && { factory: factory.factory, factoryData: factory.data }),
    ...(paymaster && {
      paymaster: paymaster.paymaster,
      paymasterVerificationGasLimit: toQuantity(paymaster.verificationGasLimit),
      paymasterPostOpGasLimit: toQuantity(paymaster.postOpGasLimit),
      paymasterData: paymaster.data,
      ...(signature !== '0x' && { paymasterSignature: signature }),
    }),
  };
}
