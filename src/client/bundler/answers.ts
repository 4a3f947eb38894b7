// What bundlers tell of an operation: read for us, and kept as it came for dapps.
import type { Json } from '@metamask/utils';

import {
  Bytes32Struct,
  NodeAddressStruct,
  NodeBytesStruct,
  QuantityStruct,
  toQuantity,
} from '../../eth/hex';
import type { Hex } from '../../eth/hex';
import { findRevertReason } from '../../eth/revert';
import { matches } from '../../parse';
import { boolean, nullable, optional, type } from '../../quick';
import { named } from '../../structs';
import { InvalidResponseError } from '../errors';
import type { Place } from '../place';
import { readAnswer } from '../rpc/read-answer';

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
