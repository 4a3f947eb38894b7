// The payer of a user operation, and its maximum cost: the EntryPoint's prefund
// (`_getRequiredPrefund`).
import { entryPoints } from '../core/entry-points';
import type { EntryPointVersion } from '../core/entry-points';
import { toChainForm } from '../core/operation';
import type { UserOperation } from '../core/payload';
import { encodeArguments } from './abi';
import { byteLength, isSameAddress, sum, WORD_BYTES, ZERO_ADDRESS } from './hex';
import type { Hex } from './hex';
import { computeIntrinsicGas } from './intrinsic-gas';
import type { GasFork } from './intrinsic-gas';
import { limitNames, unpackPaymaster } from './user-operation';
import type { GasLimits } from './user-operation';

/** Gas per operation that the EntryPoint does not measure, as in eth-infinitism's bundler. */
const OPERATION_GAS = 18_300;

/** Gas per word of an encoded operation, as in that bundler. */
const WORD_GAS = 4;

/**
 * Computes the preVerificationGas of an operation that is alone in its transaction: the
 * transaction's base cost, and its calldata at the floor price. The result is on the high side,
 * because bundlers refuse a value that is too low. On rollups, bundlers add the price of the base
 * layer, which only they know.
 *
 * @param operation - Its signature must have the final length.
 * @returns Gas, for a chain that is not a rollup.
 */
export function computePreVerificationGas(
  operation: UserOperation,
  { version, fork }: { version: EntryPointVersion; fork: GasFork },
): bigint {
  const data = encodeOperation(operation, version);
  const transaction = { to: entryPoints[version].entryPoint, value: 0n, data };
  const gas = computeIntrinsicGas(transaction, fork, { recipient: 'exists' });
  const words = Math.ceil(byteLength(data) / WORD_BYTES) * WORD_GAS;
  return gas + BigInt(OPERATION_GAS + words);
}

export function encodeOperation(
  operation: UserOperation,
  version: EntryPointVersion,
): Hex {
  const { types, values } = toChainForm(operation, version);
  return encodeArguments([`(${types.join(',')})`], [values]);
}

const PAYMASTER_END = 42;

/** Minimum length of a non-empty `paymasterAndData` in bytes. The EntryPoint reverts if it is
 * shorter (AA93, or `InvalidPaymasterData` in 0.9). */
function minPaymasterBytes(version: EntryPointVersion): number {
  return version === '0.6' ? 20 : 52;
}

/** In 0.6, an operation with a paymaster pays for `verificationGasLimit` three times: once for
 * validation and twice for `postOp`. */
const PAYMASTER_FACTOR = 3n;

export type GasField =
  keyof GasLimits | 'paymasterVerificationGasLimit' | 'paymasterPostOpGasLimit';

export function gasLimitsOf(
  operation: UserOperation,
  version: EntryPointVersion,
): [GasField, bigint][] {
  const limits = limitNames.map((name): [GasField, bigint] => [name, operation[name]]);
  const packed = operation.paymasterAndData;
  const isPacked =
    version !== '0.6' && byteLength(packed) >= minPaymasterBytes(version);
  const paymaster = isPacked ? unpackPaymaster(packed) : undefined;
  if (!paymaster) return limits;
  return [
    ...limits,
    ['paymasterVerificationGasLimit', paymaster.verificationGasLimit],
    ['paymasterPostOpGasLimit', paymaster.postOpGasLimit],
  ];
}

/** Computes the prefund in wei that the EntryPoint requires of an operation's payer. Excludes the
 * value that the operation sends. */
export function maxCostOf(
  operation: UserOperation,
  version: EntryPointVersion,
): bigint {
  const gas = sum(gasLimitsOf(operation, version).map(([, limit]) => limit));
  const paymasterGas =
    version === '0.6' && findPaymaster(operation, version) !== undefined
      ? operation.verificationGasLimit * (PAYMASTER_FACTOR - 1n)
      : 0n;
  return (gas + paymasterGas) * operation.maxFeePerGas;
}

/** Computes an operation's maximum cost in wei, including the value of its calls if the account
 * pays for its own gas. */
export function maxCostWithValue(
  operation: UserOperation,
  version: EntryPointVersion,
  values: readonly bigint[],
): bigint {
  const gas = maxCostOf(operation, version);
  return isSponsored(operation, version) ? gas : gas + sum(values);
}

export function isSponsored(
  operation: UserOperation,
  version: EntryPointVersion,
): boolean {
  const payer = payerOf(operation, version);
  return payer !== undefined && !isSameAddress(payer, operation.sender);
}

/** Returns the payer of an operation's gas: the paymaster, or the account itself; undefined if the
 * EntryPoint refuses the `paymasterAndData`. */
export function payerOf(
  operation: UserOperation,
  version: EntryPointVersion,
): Hex | undefined {
  const size = byteLength(operation.paymasterAndData);
  if (size === 0) return operation.sender;
  if (size < minPaymasterBytes(version)) return undefined;
  // Versions from 0.8 on reject a zero paymaster; earlier versions ignore it.
  const none = version === '0.6' || version === '0.7' ? operation.sender : undefined;
  return findPaymaster(operation, version) ?? none;
}

function findPaymaster(
  { paymasterAndData }: UserOperation,
  version: EntryPointVersion,
): Hex | undefined {
  if (byteLength(paymasterAndData) < minPaymasterBytes(version)) return undefined;
  const paymaster = paymasterAndData.slice(0, PAYMASTER_END) as Hex;
  return isSameAddress(paymaster, ZERO_ADDRESS) ? undefined : paymaster;
}
