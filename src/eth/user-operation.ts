// ERC-4337 user operations in the eleven-field form of docs/reference/service.md#user-operations,
// their EntryPoints, and their packed fields: `initCode`, and `paymasterAndData` from EntryPoint
// 0.7 on.
import { object } from '@metamask/superstruct';

import { entryPointVersions } from '../core/entry-points';
import type { EntryPointVersion } from '../core/entry-points';
import { InvalidParamsError } from '../core/errors';
import {
  ADDRESS_BYTES,
  sliceBytes,
  GAS_BOUND,
  GAS_BYTES,
  PAYMASTER_SIGNATURE_MAGIC,
  POST_OP_END,
  VERIFICATION_END,
} from '../core/operation';
import { oneOf } from '../schema/structs';
import {
  AddressStruct,
  byteLength,
  BytesStruct,
  concatHex,
  QuantityStruct,
  toPaddedHex,
} from './hex';
import type { Hex } from './hex';

export const EntryPointVersionStruct = oneOf(entryPointVersions);

/** The version to use where none is known to be supported: the newest one whose factory is widely
 * deployed. The factory of version 0.9 has no published deployment. */
export const DEFAULT_ENTRY_POINT: EntryPointVersion = '0.8';

/** The deterministic deployer, which accounts call to create contracts with CREATE2. */
export const DETERMINISTIC_DEPLOYER: Hex = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

/** A caller's user operation. `initCode` and `paymasterAndData` are packed as on chain, also from
 * EntryPoint 0.7 on, when bundlers use unpacked fields. */
export const UserOperationStruct = object({
  sender: AddressStruct,
  nonce: QuantityStruct,
  initCode: BytesStruct,
  callData: BytesStruct,
  callGasLimit: QuantityStruct,
  verificationGasLimit: QuantityStruct,
  preVerificationGas: QuantityStruct,
  maxFeePerGas: QuantityStruct,
  maxPriorityFeePerGas: QuantityStruct,
  paymasterAndData: BytesStruct,
  signature: BytesStruct,
});

export const limitNames = [
  'callGasLimit',
  'verificationGasLimit',
  'preVerificationGas',
] as const;

export type GasLimits = Record<(typeof limitNames)[number], bigint>;

/** A 65-byte signature for estimates, in a form that contracts accept: `s` is in the lower half,
 * and the signature recovers to an address without a known key. */
export const DUMMY_SIGNATURE: Hex = `0x${'f'.repeat(31)}${'0'.repeat(33)}7${'a'.repeat(63)}1c`;

export type PaymasterFields = {
  paymaster: Hex;
  verificationGasLimit: bigint;
  postOpGasLimit: bigint;
  data: Hex;
};

/** Unpacks an `initCode`; undefined if it is empty. Throws `InvalidParamsError` if it is too short
 * to contain a factory. */
export function unpackFactory(initCode: Hex): { factory: Hex; data: Hex } | undefined {
  if (initCode === '0x') return undefined;
  assertLength('initCode', initCode, ADDRESS_BYTES);
  return {
    factory: sliceBytes(initCode, 0, ADDRESS_BYTES),
    data: sliceBytes(initCode, ADDRESS_BYTES),
  };
}

/** Packs a `paymasterAndData` of EntryPoint 0.7 and later; throws `InvalidParamsError` if a gas
 * limit exceeds 16 bytes. */
export function packPaymaster(fields: PaymasterFields): Hex {
  const { paymaster, verificationGasLimit, postOpGasLimit, data } = fields;
  return concatHex(
    paymaster,
    packGas('paymasterVerificationGasLimit', verificationGasLimit),
    packGas('paymasterPostOpGasLimit', postOpGasLimit),
    data,
  );
}

/** Unpacks a `paymasterAndData` of EntryPoint 0.7 and later; undefined if it is empty. Throws
 * `InvalidParamsError` if it is too short for an address and two gas limits. */
export function unpackPaymaster(paymasterAndData: Hex): PaymasterFields | undefined {
  if (paymasterAndData === '0x') return undefined;
  assertLength('paymasterAndData', paymasterAndData, POST_OP_END);
  return {
    paymaster: sliceBytes(paymasterAndData, 0, ADDRESS_BYTES),
    verificationGasLimit: BigInt(
      sliceBytes(paymasterAndData, ADDRESS_BYTES, VERIFICATION_END),
    ),
    postOpGasLimit: BigInt(sliceBytes(paymasterAndData, VERIFICATION_END, POST_OP_END)),
    data: sliceBytes(paymasterAndData, POST_OP_END),
  };
}

/** Appends a paymaster's signature, unless it is empty, to its data (EntryPoint 0.9). Throws
 * `InvalidParamsError` if the signature has 2^16 bytes or more. */
export function appendPaymasterSignature(data: Hex, signature: Hex): Hex {
  const length = byteLength(signature);
  if (length === 0) return data;
  if (length >= 2 ** 16) {
    throw new InvalidParamsError('paymasterSignature must be shorter than 2^16 bytes.');
  }
  const suffix = toPaddedHex(BigInt(length), 2);
  return concatHex(data, signature, suffix, PAYMASTER_SIGNATURE_MAGIC);
}

// Unpacking would drop a field that is too short, and the bundler would get a different operation
// than the signed one.
function assertLength(field: string, packed: Hex, atLeast: number): void {
  if (byteLength(packed) >= atLeast) return;
  throw new InvalidParamsError(
    `${field} must be empty or at least ${atLeast} bytes long for this EntryPoint.`,
  );
}

function packGas(field: string, limit: bigint): Hex {
  if (limit < GAS_BOUND) return toPaddedHex(limit, GAS_BYTES);
  throw new InvalidParamsError(`${field} must be below 2^128.`);
}
