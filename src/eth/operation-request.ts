// Parses a caller's user operation, complete or partial. `initCode` and `paymasterAndData` can each
// be packed, or unpacked as in requests to bundlers.
import { exactOptional } from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';
import { isObject } from '@metamask/utils';

import type { EntryPointVersion } from '../core/entry-points';
import { InvalidParamsError } from '../core/errors';
import { GAS_BOUND, isDelegation } from '../core/operation';
import type { UserOperation } from '../core/payload';
import { parse } from '../schema/parse';
import { paramObject } from '../schema/structs';
import {
  AddressStruct,
  BytesStruct,
  concatHex,
  quantityBelow,
  QuantityStruct,
} from './hex';
import {
  appendPaymasterSignature,
  packPaymaster,
  unpackFactory,
  unpackPaymaster,
} from './user-operation';

const PackedGasStruct = quantityBelow(GAS_BOUND, '2^128');

export const OperationRequestStruct = paramObject({
  sender: exactOptional(AddressStruct),
  nonce: exactOptional(QuantityStruct),
  initCode: exactOptional(BytesStruct),
  factory: exactOptional(AddressStruct),
  factoryData: exactOptional(BytesStruct),
  callData: exactOptional(BytesStruct),
  callGasLimit: exactOptional(QuantityStruct),
  verificationGasLimit: exactOptional(QuantityStruct),
  preVerificationGas: exactOptional(QuantityStruct),
  maxFeePerGas: exactOptional(QuantityStruct),
  maxPriorityFeePerGas: exactOptional(QuantityStruct),
  paymasterAndData: exactOptional(BytesStruct),
  paymaster: exactOptional(AddressStruct),
  paymasterVerificationGasLimit: exactOptional(PackedGasStruct),
  paymasterPostOpGasLimit: exactOptional(PackedGasStruct),
  paymasterData: exactOptional(BytesStruct),
  paymasterSignature: exactOptional(BytesStruct),
  signature: exactOptional(BytesStruct),
});

export type OperationRequest = Infer<typeof OperationRequestStruct>;

type Field = keyof OperationRequest & string;

/** The unpacked fields of each packed field. The first one is required if any of the others is
 * given. */
const UNPACKED = {
  initCode: ['factory', 'factoryData'],
  paymasterAndData: [
    'paymaster',
    'paymasterVerificationGasLimit',
    'paymasterPostOpGasLimit',
    'paymasterData',
    'paymasterSignature',
  ],
} as const satisfies Partial<Record<Field, readonly Field[]>>;

const packedFields = Object.keys(UNPACKED) as (keyof typeof UNPACKED)[];

/** Parses a caller's user operation. Throws an `InvalidParamsError` that names the field. */
export function parseOperationRequest(value: unknown, root: string): OperationRequest {
  // superstruct accepts an array as an object if all fields are optional.
  if (!isObject(value)) throw new InvalidParamsError(`${root} must be an object.`);
  refuseDelegation(value, root);
  const request = parse(value, OperationRequestStruct, root);
  for (const packed of packedFields) assertOneForm(request, packed, root);
  return request;
}

/** Converts a request, possibly partial, to the eleven-field form of an EntryPoint version. Throws
 * `InvalidParamsError` if the version lacks a given field, a packed field is too short, or a
 * paymaster's gas limit is missing. */
export function toPackedRequest(
  request: OperationRequest,
  version: EntryPointVersion,
): Partial<UserOperation> {
  if (version === '0.6') {
    for (const packed of packedFields) {
      const given = UNPACKED[packed].find((field) => field in request);
      if (given === undefined) continue;
      throw new InvalidParamsError(
        `${given} is not a field of EntryPoint 0.6: use ${packed} instead.`,
      );
    }
    return request;
  }
  const unpacked: readonly string[] = packedFields.flatMap((field) => UNPACKED[field]);
  const fields: Partial<UserOperation> = Object.fromEntries(
    Object.entries(request).filter(([field]) => !unpacked.includes(field)),
  );
  // Throws if a packed field is too short, since bundlers require the unpacked form.
  unpackFactory(fields.initCode ?? '0x');
  unpackPaymaster(fields.paymasterAndData ?? '0x');
  const { factory, factoryData: data = '0x' } = request;
  return {
    ...fields,
    ...(factory && { initCode: concatHex(factory, data) }),
    ...toPaymasterFields(request, version),
  };
}

function toPaymasterFields(
  request: OperationRequest,
  version: EntryPointVersion,
): Partial<UserOperation> {
  const { paymaster, paymasterData = '0x', paymasterSignature = '0x' } = request;
  if (paymaster === undefined) return {};
  if (version !== '0.9' && paymasterSignature !== '0x') {
    throw new InvalidParamsError(
      `paymasterSignature is not a field of EntryPoint ${version}: put it into paymasterData.`,
    );
  }
  const fields = {
    paymaster,
    verificationGasLimit: requireLimit(request, 'paymasterVerificationGasLimit'),
    postOpGasLimit: requireLimit(request, 'paymasterPostOpGasLimit'),
    data: appendPaymasterSignature(paymasterData, paymasterSignature),
  };
  return { paymasterAndData: packPaymaster(fields) };
}

function assertOneForm(
  request: OperationRequest,
  packed: keyof typeof UNPACKED,
  root: string,
): void {
  const [first, ...others] = UNPACKED[packed];
  const [given] = [first, ...others].filter((field) => field in request);
  if (given === undefined) return;
  if (packed in request) {
    throw new InvalidParamsError(
      `${root} must have ${packed} or ${given}, not both: they mean the same.`,
    );
  }
  if (given !== first) {
    throw new InvalidParamsError(`${root}.${given} also needs ${root}.${first}.`);
  }
}

function requireLimit(
  request: OperationRequest,
  field: 'paymasterVerificationGasLimit' | 'paymasterPostOpGasLimit',
): bigint {
  const limit = request[field];
  if (limit !== undefined) return limit;
  throw new InvalidParamsError(`${field} is missing: it must be given with paymaster.`);
}

// Runs before the struct, whose message would only say that the value is not an address.
function refuseDelegation(value: Record<PropertyKey, unknown>, root: string): void {
  const isMarker = (field: PropertyKey): boolean => {
    const given = value[field];
    return typeof given === 'string' && isDelegation(given);
  };
  const field =
    (value.eip7702Auth ?? null) === null
      ? (['factory', 'initCode'] as const).find(isMarker)
      : 'eip7702Auth';
  if (field === undefined) return;
  throw new InvalidParamsError(
    `${root}.${field} asks for an EIP-7702 delegation, which is not supported.`,
  );
}
