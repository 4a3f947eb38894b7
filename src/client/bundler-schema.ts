// What bundlers tell of an operation: read for us, and kept as it came for dapps.
import type { Infer } from '@metamask/superstruct';
import { isObject } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import {
  AddressStruct,
  Bytes32Struct,
  NodeAddressStruct,
  NodeBytesStruct,
  quantityBelow,
  QuantityStruct,
  toQuantity,
} from '../eth/hex';
import type { Hex } from '../eth/hex';
import { unpackFactory, unpackPaymaster } from '../eth/packed-fields';
import { findRevertReason } from '../eth/revert';
import { toUserOperationJson } from '../eth/user-operation';
import type { EntryPointVersion, UserOperation } from '../eth/user-operation';
import { matches } from '../schema/parse';
import { boolean, nullable, optional, tuple, type } from '../schema/quick';
import { eitherOf, list, named } from '../schema/structs';
import { InvalidResponseError } from './errors';
import type { Place } from './errors';
import { changes, noParams, readAnswer, reads } from './rpc/schema';
import type { RpcSchema } from './rpc/schema';

// A user operation in the form that bundlers take: for EntryPoint 0.6 the eleven fields,
// from 0.7 on with factory and paymaster unpacked (the packed form is for the chain).

/**
 * Write an operation in the bundler's form for an EntryPoint version.
 *
 * @throws {InvalidParamsError} If a packed field is too short to be unpacked.
 */
export function toBundlerForm(
  operation: UserOperation,
  version: EntryPointVersion,
): Record<string, Json> {
  const fields = toUserOperationJson(operation);
  if (version === '0.6') return fields;
  const { initCode, paymasterAndData, ...others } = fields;
  return {
    ...others,
    ...toFactoryForm(initCode as Hex),
    ...toPaymasterForm(paymasterAndData as Hex),
  };
}

function toFactoryForm(initCode: Hex): Record<string, Json> {
  const fields = unpackFactory(initCode);
  return fields ? { factory: fields.factory, factoryData: fields.data } : {};
}

function toPaymasterForm(paymasterAndData: Hex): Record<string, Json> {
  const fields = unpackPaymaster(paymasterAndData);
  if (!fields) return {};
  return {
    paymaster: fields.paymaster,
    paymasterVerificationGasLimit: toQuantity(fields.verificationGasLimit),
    paymasterPostOpGasLimit: toQuantity(fields.postOpGasLimit),
    paymasterData: fields.data,
  };
}

// The methods of ERC-4337 bundlers that we call (ERC-7769), and those by which some tell
// the fees that they take.

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

/** What became of an operation that a block includes. */
export type OperationReceipt = {
  userOpHash: Hex;
  sender: Hex;
  nonce: bigint;
  success: boolean;
  actualGasUsed: bigint;
  /** In wei: what the account or its paymaster paid. */
  actualGasCost: bigint;
  paymaster?: Hex;
  entryPoint?: Hex;
  /** Why it failed, as the account's code or the bundler says it. */
  reason?: string;
  transactionHash: Hex;
  blockHash: Hex;
  blockNumber: Hex;
  /** The answer as it came. */
  raw: Json;
};

/** An operation that a bundler knows. */
export type FoundOperation = {
  isIncluded: boolean;
  sender: Hex;
  nonce: bigint;
  entryPoint: Hex;
  /** The answer as it came. */
  raw: Json;
};

/** Longest reason that is passed on: it is the contract's text. */
const MAX_REASON_LENGTH = 300;

const ZERO_ADDRESS = /^0x0{40}$/u;

const AnyStruct = named<unknown>('anything', () => true);

/** What is read of a bundler's receipt. */
export const OperationReceiptStruct = type({
  userOpHash: Bytes32Struct,
  sender: NodeAddressStruct,
  nonce: QuantityStruct,
  success: boolean(),
  actualGasUsed: QuantityStruct,
  actualGasCost: QuantityStruct,
  paymaster: optional(AnyStruct),
  entryPoint: optional(AnyStruct),
  reason: optional(AnyStruct),
  receipt: type({
    transactionHash: Bytes32Struct,
    blockHash: Bytes32Struct,
    blockNumber: QuantityStruct,
  }),
});

/** What is read of an operation that a bundler knows. */
export const FoundOperationStruct = type({
  userOperation: type({ sender: NodeAddressStruct, nonce: QuantityStruct }),
  entryPoint: NodeAddressStruct,
  blockNumber: optional(nullable(QuantityStruct)),
  transactionHash: optional(nullable(Bytes32Struct)),
});

/**
 * Read the receipt of an operation.
 *
 * @throws {InvalidResponseError} If it is none, or another operation's.
 */
export function readReceipt(raw: Json, hash: Hex, place: Place): OperationReceipt {
  const { receipt, ...given } = readAnswer(raw, OperationReceiptStruct, place);
  if (given.userOpHash.toLowerCase() !== hash.toLowerCase()) {
    throw new InvalidResponseError(
      place,
      `it is about the operation ${given.userOpHash}, not ${hash}.`,
    );
  }
  const paymaster = findAddress(given.paymaster);
  const entryPoint = findAddress(given.entryPoint);
  const reason = findReason(given.reason);
  return {
    userOpHash: given.userOpHash,
    sender: given.sender,
    nonce: given.nonce,
    success: given.success,
    actualGasUsed: given.actualGasUsed,
    actualGasCost: given.actualGasCost,
    ...(paymaster === undefined ? {} : { paymaster }),
    ...(entryPoint === undefined ? {} : { entryPoint }),
    ...(reason === undefined ? {} : { reason }),
    transactionHash: receipt.transactionHash,
    blockHash: receipt.blockHash,
    blockNumber: toQuantity(receipt.blockNumber),
    raw,
  };
}

/**
 * Read an operation that a bundler knows. Whether it is the one that was asked for, only
 * its hash tells, which is the caller's to compute.
 *
 * @throws {InvalidResponseError} If it is none.
 */
export function readOperation(raw: Json, place: Place): FoundOperation {
  const given = readAnswer(raw, FoundOperationStruct, place);
  const { sender, nonce } = given.userOperation;
  const { entryPoint, blockNumber, transactionHash } = given;
  const isIncluded = isPresent(blockNumber) && isPresent(transactionHash);
  return { isIncluded, sender, nonce, entryPoint, raw };
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

// Where an operation has none, bundlers write null, nothing, empty bytes or zeros.
function findAddress(value: unknown): Hex | undefined {
  return matches(value, NodeAddressStruct) && !ZERO_ADDRESS.test(value)
    ? value
    : undefined;
}

// A text, or the bytes that the account's code reverted with.
function findReason(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '' || value === '0x') return undefined;
  const decoded = matches(value, NodeBytesStruct) ? findRevertReason(value) : undefined;
  return (decoded ?? value).slice(0, MAX_REASON_LENGTH);
}
