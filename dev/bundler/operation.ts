// User operations of EntryPoint 0.7 and later in the form that bundlers accept, with separate
// fields for the factory and the paymaster. Only the chain uses the packed form.
import { exactOptional, object } from '@metamask/superstruct';
import type { Struct } from '@metamask/superstruct';
import { isObject } from '@metamask/utils';
import { type Address, type Hex, isAddress, isHex } from 'viem';
import { getUserOperationHash, type UserOperation } from 'viem/account-abstraction';

import { toLower } from '../../src/eth/hex';
import { parse } from '../../src/schema/parse';
import { converted, normalized } from '../../src/schema/structs';
import { chainId } from '../stack/processes';
import { refuse } from '../stack/server';

// Parsing is strict, so that an error names a wrong, missing or unknown field before a contract
// reverts without a reason.

const address = normalized<Hex>(
  'an address',
  (value) => typeof value === 'string' && isAddress(value, { strict: false }),
  toLower,
);

export const bytes = normalized<Hex>(
  'bytes in hex',
  (value) => isHex(value) && value.length % 2 === 0,
  toLower,
);

function quantity(bits: bigint): Struct<bigint, null> {
  return converted<bigint>(
    `a quantity in hex, without leading zeros, of at most ${bits} bits`,
    (value) => typeof value === 'bigint' && value < 1n << bits,
    (value) =>
      typeof value === 'string' && /^0x(?:0|[1-9a-f][\da-f]*)$/iu.test(value)
        ? BigInt(value)
        : undefined,
  );
}

export function requireFields(given: object, names: readonly string[]): void {
  const missing = names.find((name) => !(name in given));
  if (missing !== undefined) refuse(`${missing} is missing.`);
}

export type Operation = UserOperation<'0.9'>;

/** An EntryPoint of a version with this operation format. */
export type EntryPoint = { version: '0.7' | '0.8' | '0.9'; address: Address };

// The EntryPoint has the same limit (AA94).
const gas = quantity(120n);

const gasFields = {
  callGasLimit: exactOptional(gas),
  verificationGasLimit: exactOptional(gas),
  preVerificationGas: exactOptional(gas),
  maxFeePerGas: exactOptional(gas),
  maxPriorityFeePerGas: exactOptional(gas),
};

export const gasNames = Object.keys(gasFields);

export const draftFields = {
  sender: address,
  nonce: quantity(256n),
  callData: bytes,
  ...gasFields,
  signature: exactOptional(bytes),
};

const DraftStruct = object({
  ...draftFields,
  factory: exactOptional(address),
  factoryData: exactOptional(bytes),
  paymaster: exactOptional(address),
  paymasterVerificationGasLimit: exactOptional(gas),
  paymasterPostOpGasLimit: exactOptional(gas),
  paymasterData: exactOptional(bytes),
  paymasterSignature: exactOptional(bytes),
});

export const paymasterLimits = [
  'paymasterVerificationGasLimit',
  'paymasterPostOpGasLimit',
];
const packedNames = ['initCode', 'paymasterAndData', 'accountGasLimits', 'gasFees'];

export function readOperation(
  value: unknown,
  version: EntryPoint['version'],
): Operation {
  const operation = readDraft(value, version);
  requireFields(value as object, ['signature', ...gasNames]);
  if (operation.paymaster) requireFields(value as object, paymasterLimits);
  if (operation.maxPriorityFeePerGas > operation.maxFeePerGas) {
    refuse('maxPriorityFeePerGas must not be above maxFeePerGas.');
  }
  return operation;
}

/** Parses a draft. Missing gas limits and fees become zero, and a missing signature empty. */
export function readDraft(value: unknown, version: EntryPoint['version']): Operation {
  const packed = packedNames.find((name) => isObject(value) && name in value);
  if (packed !== undefined) {
    refuse(
      `${packed} belongs to the packed form, which is for the chain: from EntryPoint 0.7 on, bundlers expect factory, factoryData, paymaster, paymasterData and single gas fields.`,
    );
  }
  const given = parse(value, DraftStruct, 'operation');
  if (given.factory || given.factoryData) {
    requireFields(given, ['factory', 'factoryData']);
  }
  if (given.paymasterSignature && version !== '0.9') {
    refuse(`paymasterSignature is not a field of EntryPoint ${version}.`);
  }
  const ofPaymaster = ['paymasterData', 'paymasterSignature', ...paymasterLimits].find(
    (name) => name in given,
  );
  if (ofPaymaster && !given.paymaster) refuse(`${ofPaymaster} needs a paymaster.`);
  return { ...zero, ...given };
}

export const zero = {
  callGasLimit: 0n,
  verificationGasLimit: 0n,
  preVerificationGas: 0n,
  maxFeePerGas: 0n,
  maxPriorityFeePerGas: 0n,
  signature: '0x',
} as const;

export function hashOperation(
  userOperation: Operation,
  { version: entryPointVersion, address: entryPointAddress }: EntryPoint,
): Hex {
  return getUserOperationHash({
    chainId,
    entryPointAddress,
    entryPointVersion,
    userOperation,
  });
}

export function sumGas(operation: Operation): bigint {
  return (
    operation.callGasLimit +
    operation.verificationGasLimit +
    operation.preVerificationGas +
    (operation.paymasterVerificationGasLimit ?? 0n) +
    (operation.paymasterPostOpGasLimit ?? 0n)
  );
}
