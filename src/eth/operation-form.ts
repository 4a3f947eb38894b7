// A user operation as its EntryPoint takes it: a struct whose fields differ by version.
import { InvalidParamsError } from '../errors';
import type { AbiValue } from './abi';
import type { EntryPointVersion } from './entry-point';
import { concatHex, toPaddedHex } from './hex';
import type { Hex } from './hex';
import type { UserOperation } from './user-operation';

const MAX_UINT128 = 2n ** 128n - 1n;

/** The types of a struct's fields, and their values. */
export type ChainForm = { types: readonly string[]; values: readonly AbiValue[] };

/** Two words that hold two numbers of 16 bytes each, from EntryPoint 0.7 on. */
export type PackedGas = { accountGasLimits: Hex; gasFees: Hex };

/**
 * Write an operation as the struct that goes on chain.
 *
 * @throws {InvalidParamsError} If a gas limit or fee does not fit.
 */
export function toChainForm(
  operation: UserOperation,
  version: EntryPointVersion,
): ChainForm {
  const { sender, nonce, initCode, callData, preVerificationGas } = operation;
  const head = [sender, nonce, initCode, callData];
  const tail = [operation.paymasterAndData, operation.signature];
  const headTypes = ['address', 'uint256', 'bytes', 'bytes'];
  if (version === '0.6') {
    const gas = [
      operation.callGasLimit,
      operation.verificationGasLimit,
      preVerificationGas,
      operation.maxFeePerGas,
      operation.maxPriorityFeePerGas,
    ];
    const gasTypes = gas.map(() => 'uint256');
    return {
      types: [...headTypes, ...gasTypes, 'bytes', 'bytes'],
      values: [...head, ...gas, ...tail],
    };
  }
  const { accountGasLimits, gasFees } = packGas(operation);
  return {
    types: [...headTypes, 'bytes32', 'uint256', 'bytes32', 'bytes', 'bytes'],
    values: [...head, accountGasLimits, preVerificationGas, gasFees, ...tail],
  };
}

/**
 * Pack the gas limits and the fees of an operation.
 *
 * @throws {InvalidParamsError} If one is 2^128 or more.
 */
export function packGas(operation: UserOperation): PackedGas {
  const pack = (high: bigint, low: bigint): Hex => {
    if (high <= MAX_UINT128 && low <= MAX_UINT128) {
      return concatHex(toPaddedHex(high, 16), toPaddedHex(low, 16));
    }
    throw new InvalidParamsError(
      'Gas limits and fees of a user operation must be below 2^128 from EntryPoint 0.7 on.',
    );
  };
  return {
    accountGasLimits: pack(operation.verificationGasLimit, operation.callGasLimit),
    gasFees: pack(operation.maxPriorityFeePerGas, operation.maxFeePerGas),
  };
}
