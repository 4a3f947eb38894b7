// User operations of EntryPoint 0.7 and 0.8 as bundlers take them: with factory and
// paymaster unpacked. The packed form is for the chain.
import type { Address, Hex } from 'viem';
import { getUserOperationHash } from 'viem/account-abstraction';
import type { UserOperation } from 'viem/account-abstraction';

import { chainId } from '../stack/anvil';
import { refuse } from '../stack/json-rpc';
import { address, bytes, quantity, readFields, requireFields } from './fields';

/** A user operation, unpacked. */
export type Operation = UserOperation<'0.7'>;

/** One of the EntryPoints whose operations are alike. */
export type EntryPoint = { version: '0.7' | '0.8'; address: Address };

// The EntryPoint takes no more: AA94.
const gas = quantity(120n);

const fields = {
  sender: address,
  nonce: quantity(256n),
  factory: address,
  factoryData: bytes,
  callData: bytes,
  callGasLimit: gas,
  verificationGasLimit: gas,
  preVerificationGas: gas,
  maxFeePerGas: gas,
  maxPriorityFeePerGas: gas,
  paymaster: address,
  paymasterVerificationGasLimit: gas,
  paymasterPostOpGasLimit: gas,
  paymasterData: bytes,
  signature: bytes,
};

const always = ['sender', 'nonce', 'callData'];

/** Gas limits and fees of an account's operation, in every version. */
export const gasNames = [
  'callGasLimit',
  'verificationGasLimit',
  'preVerificationGas',
  'maxFeePerGas',
  'maxPriorityFeePerGas',
];

const paymasterLimits = ['paymasterVerificationGasLimit', 'paymasterPostOpGasLimit'];

const packedNames = ['initCode', 'paymasterAndData', 'accountGasLimits', 'gasFees'];

/**
 * Read an operation that is complete and signed.
 *
 * @throws {RpcFailure} -32602 naming the field that is wrong.
 */
export function readOperation(value: unknown): Operation {
  const operation = readDraft(value);
  requireFields(value as object, ['signature', ...gasNames]);
  if (operation.paymaster) requireFields(value as object, paymasterLimits);
  if (operation.maxPriorityFeePerGas > operation.maxFeePerGas) {
    refuse('maxPriorityFeePerGas must not be above maxFeePerGas.');
  }
  return operation;
}

/**
 * Read an operation that may lack gas limits, fees and signature: they are then zero and
 * empty.
 *
 * @throws {RpcFailure} -32602 naming the field that is wrong.
 */
export function readDraft(value: unknown): Operation {
  refusePacked(value);
  const given = readFields(value, fields);
  requireFields(given, always);
  if (given.factory || given.factoryData) {
    requireFields(given, ['factory', 'factoryData']);
  }
  const ofPaymaster = ['paymasterData', ...paymasterLimits].find(
    (name) => name in given,
  );
  if (ofPaymaster && !given.paymaster) {
    refuse(`${ofPaymaster} stands there without paymaster.`);
  }
  return { ...zero, ...given } as Operation;
}

const zero = {
  callGasLimit: 0n,
  verificationGasLimit: 0n,
  preVerificationGas: 0n,
  maxFeePerGas: 0n,
  maxPriorityFeePerGas: 0n,
  signature: '0x',
} as const;

function refusePacked(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const name = packedNames.find((each) => each in value);
  if (name === undefined) return;
  refuse(
    `${name} is of the packed form, which is for the chain: from EntryPoint 0.7 on a bundler takes factory, factoryData, paymaster, paymasterData and single gas fields.`,
  );
}

/** Hash an operation as its EntryPoint does. */
export function hashOperation(
  operation: Operation,
  { version, address: entryPointAddress }: EntryPoint,
): Hex {
  return getUserOperationHash({
    chainId,
    entryPointAddress,
    entryPointVersion: version,
    userOperation: operation,
  });
}

/** Add up what an operation's gas limits allow. */
export function sumGas(operation: Operation): bigint {
  const { callGasLimit, verificationGasLimit, preVerificationGas } = operation;
  const { paymasterVerificationGasLimit = 0n, paymasterPostOpGasLimit = 0n } =
    operation;
  return (
    callGasLimit +
    verificationGasLimit +
    preVerificationGas +
    paymasterVerificationGasLimit +
    paymasterPostOpGasLimit
  );
}
