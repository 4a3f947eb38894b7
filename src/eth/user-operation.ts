// ERC-4337 user operations in the eleven-field form of spec 2.8.
import { object } from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

import { AddressStruct, BytesStruct, QuantityStruct, toQuantity } from './hex';
import type { Hex } from './hex';

/** A user operation as callers give it. For EntryPoint 0.7 and 0.8, `initCode` and
 * `paymasterAndData` are the packed bytes that go on chain. */
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

/** A user operation. Gas and nonce as numbers, fees in wei. */
export type UserOperation = Infer<typeof UserOperationStruct>;

/** Names of the gas limits that every operation has. */
export const limitNames = [
  'callGasLimit',
  'verificationGasLimit',
  'preVerificationGas',
] as const;

/** Gas limits of an operation. */
export type GasLimits = Pick<UserOperation, (typeof limitNames)[number]>;

/**
 * 65 bytes that pass for a signature in an estimate: `s` is in the lower half and they
 * recover to an address, which is nobody's.
 */
export const DUMMY_SIGNATURE: Hex = `0x${'f'.repeat(31)}${'0'.repeat(33)}7${'a'.repeat(63)}1c`;

/** Write an operation in the form of spec 2.8: every quantity as minimal hex. */
export function toUserOperationJson(
  operation: Partial<UserOperation>,
): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(operation).map(([name, value]) => [
      name,
      typeof value === 'bigint' ? toQuantity(value) : value,
    ]),
  );
}
