// ERC-4337 user operations in the eleven-field form of docs/reference/service.md#user-operations,
// their EntryPoints, and the two packed fields: `initCode`, and `paymasterAndData` from EntryPoint
// 0.7 on.
import { object } from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

import { InvalidParamsError } from '../errors';
import { oneOf } from '../schema/structs';
import {
  AddressStruct,
  byteLength,
  BytesStruct,
  concatHex,
  QuantityStruct,
  toPaddedHex,
  withQuantities,
} from './hex';
import type { Hex } from './hex';

/** Versions of the EntryPoint contract, oldest first. */
export const entryPointVersions = [
  '0.6',
  '0.7',
  '0.8',
  '0.9',
] as const satisfies readonly EntryPointVersion[];

export type EntryPointVersion = '0.6' | '0.7' | '0.8' | '0.9';

export const EntryPointVersionStruct = oneOf(entryPointVersions);

/** The version for unknown chains: the newest whose factory is widely deployed. The factory of 0.9
 * has no published deployment. */
export const DEFAULT_ENTRY_POINT: EntryPointVersion = '0.8';

/** Returns whether an EntryPoint hashes operations by EIP-712: from 0.8 on. */
export function hashesByEip712(version: EntryPointVersion): boolean {
  return version !== '0.6' && version !== '0.7';
}

/** Addresses of each EntryPoint and of the SimpleAccountFactory made for it: the canonical
 * deployments, which are the same on every chain. */
export const entryPoints: Record<
  EntryPointVersion,
  Record<'entryPoint' | 'factory', Hex>
> = {
  '0.6': {
    entryPoint: '0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789',
    factory: '0x9406Cc6185a346906296840746125a0E44976454',
  },
  '0.7': {
    entryPoint: '0x0000000071727De22E5E9d8BAf0edAc6f37da032',
    factory: '0x91E60e0613810449d098b0b5Ec8b51A0FE8c8985',
  },
  '0.8': {
    entryPoint: '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108',
    factory: '0x13E9ed32155810FDbd067D4522C492D6f68E5944',
  },
  '0.9': {
    entryPoint: '0x433709009B8330FDa32311DF1C2AFA402eD8D009',
    factory: '0xEDd9667C46f5FC5115EC33940df899ad4EAE5949',
  },
};

/** Deterministic deployer, through which an account creates contracts by CREATE2. */
export const DETERMINISTIC_DEPLOYER: Hex = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

/** A user operation as callers give it. From EntryPoint 0.7 on, `initCode` and
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

/**
 * An ERC-4337 user operation in the eleven-field form. Gas limits and the nonce are bigints,
 * fees are in wei. From EntryPoint 0.7 on, `initCode` and `paymasterAndData` are packed as on
 * chain.
 *
 * @interface
 */
export type UserOperation = Infer<typeof UserOperationStruct>;

export const limitNames = [
  'callGasLimit',
  'verificationGasLimit',
  'preVerificationGas',
] as const;

export type GasLimits = Record<(typeof limitNames)[number], bigint>;

/** 65 bytes that pass for a signature in an estimate: `s` is in the lower half and they recover to
 * an address without a known key. */
export const DUMMY_SIGNATURE: Hex = `0x${'f'.repeat(31)}${'0'.repeat(33)}7${'a'.repeat(63)}1c`;

/** `validAfter` and `validUntil` before a Safe's signature: no bounds. */
export const SAFE_BOUNDS: Hex = `0x${'0'.repeat(24)}`;

/** Converts an operation into the form of docs/reference/service.md#user-operations: every quantity
 * as minimal hex. */
export function toUserOperationJson(
  operation: Partial<UserOperation>,
): Record<string, Json> {
  return withQuantities(operation);
}

/** An unpacked `paymasterAndData` of EntryPoint 0.7 and later. */
export type PaymasterFields = {
  paymaster: Hex;
  verificationGasLimit: bigint;
  postOpGasLimit: bigint;
  data: Hex;
};

const ADDRESS_BYTES = 20;
const GAS_BYTES = 16;

export const GAS_BOUND = 2n ** 128n;

const VERIFICATION_END = ADDRESS_BYTES + GAS_BYTES;
const POST_OP_END = VERIFICATION_END + GAS_BYTES;

/** EIP-7702's marker in place of a factory: alone, or filled up to 20 bytes. */
const DELEGATION = /^0x7702(?:(?:00){0,17}$|(?:00){18})/u;

/** Returns whether an `initCode` asks for an EIP-7702 delegation in place of a factory. */
export function isDelegation(initCode: string): boolean {
  return DELEGATION.test(initCode);
}

/** Unpacks an `initCode`; undefined if it is empty. Throws `InvalidParamsError` if it is too short
 * to name a factory. */
export function unpackFactory(initCode: Hex): { factory: Hex; data: Hex } | undefined {
  if (initCode === '0x') return undefined;
  assertLength('initCode', initCode, ADDRESS_BYTES);
  return {
    factory: cut(initCode, 0, ADDRESS_BYTES),
    data: cut(initCode, ADDRESS_BYTES),
  };
}

/** Packs a `paymasterAndData` of EntryPoint 0.7 and later; throws `InvalidParamsError` if a gas
 * limit does not fit into its 16 bytes. */
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
 * `InvalidParamsError` if it is too short to hold an address and two gas limits. */
export function unpackPaymaster(paymasterAndData: Hex): PaymasterFields | undefined {
  if (paymasterAndData === '0x') return undefined;
  assertLength('paymasterAndData', paymasterAndData, POST_OP_END);
  return {
    paymaster: cut(paymasterAndData, 0, ADDRESS_BYTES),
    verificationGasLimit: BigInt(
      cut(paymasterAndData, ADDRESS_BYTES, VERIFICATION_END),
    ),
    postOpGasLimit: BigInt(cut(paymasterAndData, VERIFICATION_END, POST_OP_END)),
    data: cut(paymasterAndData, POST_OP_END),
  };
}

/** keccak256("PaymasterSignature"), cut: the last bytes behind a paymaster's signature. */
export const PAYMASTER_SIGNATURE_MAGIC: Hex = '0x22e325a297439656';

/** Bytes behind a paymaster's signature: its length in two bytes, and the magic. */
const SIGNATURE_SUFFIX_BYTES = 10;

/** Appends a paymaster's signature to its data, as EntryPoint 0.9 reads it. */
export function appendPaymasterSignature(data: Hex, signature: Hex): Hex {
  const length = byteLength(signature);
  if (length === 0) return data;
  if (length >= 2 ** 16) {
    throw new InvalidParamsError('paymasterSignature must be shorter than 2^16 bytes.');
  }
  const suffix = toPaddedHex(BigInt(length), 2);
  return concatHex(data, signature, suffix, PAYMASTER_SIGNATURE_MAGIC);
}

/** Splits a paymaster's signature, or `0x`, off the end of `paymasterAndData`. Only EntryPoint 0.9
 * has one, and leaves it out of the operation's hash, so that both can sign at the same time.
 * Throws `InvalidParamsError` if it would begin before the paymaster's data. */
export function splitPaymasterSignature(
  paymasterAndData: Hex,
  version: EntryPointVersion,
): { unsigned: Hex; signature: Hex } {
  const end = byteLength(paymasterAndData) - SIGNATURE_SUFFIX_BYTES;
  const isSigned =
    version === '0.9' &&
    end >= POST_OP_END &&
    cut(paymasterAndData, end + 2).toLowerCase() === PAYMASTER_SIGNATURE_MAGIC;
  const length = isSigned ? Number(cut(paymasterAndData, end, end + 2)) : 0;
  if (length === 0) return { unsigned: paymasterAndData, signature: '0x' };
  const start = end - length;
  if (start < POST_OP_END) {
    throw new InvalidParamsError(
      'paymasterAndData is shorter than the paymaster signature that it says it ends with.',
    );
  }
  return {
    unsigned: cut(paymasterAndData, 0, start),
    signature: cut(paymasterAndData, start, end),
  };
}

// A shorter field would be left out at a bundler, which would get another operation than the signed one.
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

function cut(bytes: Hex, start: number, end?: number): Hex {
  return `0x${bytes.slice(2 + 2 * start, end === undefined ? undefined : 2 + 2 * end)}`;
}
