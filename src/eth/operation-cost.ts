// The payer of a user operation and its maximum cost: the EntryPoint's prefund
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

/** The EntryPoint's unmeasured work per operation, as in eth-infinitism's bundler. */
const OPERATION_GAS = 18_300;

/** Gas of a calldata word. */
const WORD_GAS = 4;

/**
 * Computes the preVerificationGas of an operation that is alone in its transaction: its share of
 * the transaction, and its calldata at the floor price. The result is on the high side, since
 * bundlers refuse too low a value. Rollups add the price of their base layer, which only their
 * bundlers know.
 *
 * @param operation - With a signature of its final length.
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

/** Encodes an operation as in the bundler's transaction. */
export function encodeOperation(
  operation: UserOperation,
  version: EntryPointVersion,
): Hex {
  const { types, values } = toChainForm(operation, version);
  return encodeArguments([`(${types.join(',')})`], [values]);
}

/** Length of `0x` and the paymaster's address. */
const PAYMASTER_END = 42;

/** Gets the minimum length of a non-empty `paymasterAndData` in bytes: the EntryPoint reverts
 * (AA93) below it. */
function minPaymasterBytes(version: EntryPointVersion): number {
  return version === '0.6' ? 20 : 52;
}

/** In 0.6, `verificationGasLimit` counts three times with a paymaster: once for validation and
 * twice for `postOp`. */
const PAYMASTER_FACTOR = 3n;

/** Name of a gas limit; the last two are packed in `paymasterAndData`. */
export type GasField =
  keyof GasLimits | 'paymasterVerificationGasLimit' | 'paymasterPostOpGasLimit';

/** Lists an operation's gas limits, including the paymaster's own if there are any. */
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

/** Computes an operation's maximum cost for its payer, without the values it sends: the prefund
 * that its EntryPoint version requires, in wei. */
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

/** Computes an operation's maximum cost in wei: its gas, and the value of its calls if the same
 * account pays for both. */
export function maxCostWithValue(
  operation: UserOperation,
  version: EntryPointVersion,
  values: readonly bigint[],
): bigint {
  const gas = maxCostOf(operation, version);
  return isSponsored(operation, version) ? gas : gas + sum(values);
}

/** Returns whether another account pays for an operation's gas. */
export function isSponsored(
  operation: UserOperation,
  version: EntryPointVersion,
): boolean {
  const payer = payerOf(operation, version);
  return payer !== undefined && !isSameAddress(payer, operation.sender);
}

/** Finds the payer of an operation's gas: its paymaster, or the account itself; undefined if the
 * EntryPoint refuses its `paymasterAndData`. */
export function payerOf(
  operation: UserOperation,
  version: EntryPointVersion,
): Hex | undefined {
  const size = byteLength(operation.paymasterAndData);
  if (size === 0) return operation.sender;
  if (size < minPaymasterBytes(version)) return undefined;
  // Versions from 0.8 reject a zero paymaster (AA98); earlier versions treat it as no paymaster.
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
