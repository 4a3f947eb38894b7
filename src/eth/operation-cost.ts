// Who pays for a user operation, and how much at most: what the EntryPoint takes as prefund
// (`_getRequiredPrefund`) before it runs anything.
import { encodeArguments } from './abi';
import { byteLength, isSameAddress, ZERO_ADDRESS } from './hex';
import type { Hex } from './hex';
import { computeIntrinsicGas } from './intrinsic-gas';
import type { GasFork } from './intrinsic-gas';
import { toChainForm } from './sign-user-operation';
import { entryPoints, unpackPaymaster } from './user-operation';
import type { EntryPointVersion, UserOperation } from './user-operation';

// What a bundler is paid for beyond the operation's own execution: its share of the
// transaction, and the calldata. As eth-infinitism's bundler computes it, which most take
// over. Rollups add what their base layer asks; only their bundlers know it.

/** What the EntryPoint does for an operation outside of what it measures. */
const OPERATION_GAS = 18_300;

const WORD_GAS = 4;

const WORD = 32;

/**
 * Computes the preVerificationGas of an operation that is alone in its transaction. Its bytes
 * count at the calldata's floor, which is more than most operations end up at: what is too low is
 * refused, and it is a small part of all.
 *
 * @param operation - With a signature of its final length.
 * @returns Gas; on a chain that is no rollup.
 */
export function computePreVerificationGas(
  operation: UserOperation,
  { version, fork }: { version: EntryPointVersion; fork: GasFork },
): bigint {
  const data = encodeOperation(operation, version);
  const { entryPoint: to } = entryPoints[version];
  const recipient = 'exists';
  const ofTransaction = computeIntrinsicGas({ to, value: 0n, data }, fork, {
    recipient,
  });
  const words = Math.ceil(byteLength(data) / WORD) * WORD_GAS;
  return ofTransaction + BigInt(OPERATION_GAS + words);
}

/** Encodes an operation as it stands in the bundler's transaction. */
export function encodeOperation(
  operation: UserOperation,
  version: EntryPointVersion,
): Hex {
  const { types, values } = toChainForm(operation, version);
  return encodeArguments([`(${types.join(',')})`], [values]);
}

/** Hex digits, with `0x`, up to the end of the paymaster. */
const PAYMASTER_END = 42;

/** The EntryPoint reverts (AA93) on fewer bytes, if there are any. */
const MIN_PAYMASTER_BYTES: Record<EntryPointVersion, number> = {
  '0.6': 20,
  '0.7': 52,
  '0.8': 52,
  '0.9': 52,
};

/** From 0.6, whose paymaster may use the verification gas for itself and twice for postOp. */
const PAYMASTER_FACTOR = 3n;

/** Name of a gas limit; the last two are packed in `paymasterAndData`. */
export type GasField =
  | 'callGasLimit'
  | 'verificationGasLimit'
  | 'preVerificationGas'
  | 'paymasterVerificationGasLimit'
  | 'paymasterPostOpGasLimit';

/** Lists the gas limits of an operation; the paymaster's own if there are any. */
export function gasLimitsOf(
  operation: UserOperation,
  version: EntryPointVersion,
): [GasField, bigint][] {
  const { callGasLimit, verificationGasLimit, preVerificationGas } = operation;
  const packed = operation.paymasterAndData;
  const limits: [GasField, bigint][] = [
    ['callGasLimit', callGasLimit],
    ['verificationGasLimit', verificationGasLimit],
    ['preVerificationGas', preVerificationGas],
  ];
  const isPacked =
    version !== '0.6' && byteLength(packed) >= MIN_PAYMASTER_BYTES[version];
  const paymaster = isPacked ? unpackPaymaster(packed) : undefined;
  if (!paymaster) return limits;
  return [
    ...limits,
    ['paymasterVerificationGasLimit', paymaster.verificationGasLimit],
    ['paymasterPostOpGasLimit', paymaster.postOpGasLimit],
  ];
}

/**
 * Computes what an operation costs its payer at most, without the values that it sends.
 *
 * @returns Wei: the prefund that the EntryPoint of that version requires.
 */
export function maxCostOf(
  operation: UserOperation,
  version: EntryPointVersion,
): bigint {
  const gas = gasLimitsOf(operation, version).reduce((sum, [, each]) => sum + each, 0n);
  const again =
    version === '0.6' && findPaymaster(operation, version) !== undefined
      ? operation.verificationGasLimit * (PAYMASTER_FACTOR - 1n)
      : 0n;
  return (gas + again) * operation.maxFeePerGas;
}

/**
 * Finds who pays for the gas of an operation: its paymaster, or the account itself.
 *
 * @returns Undefined if `paymasterAndData` is such that the EntryPoint refuses it.
 */
export function payerOf(
  operation: UserOperation,
  version: EntryPointVersion,
): Hex | undefined {
  const size = byteLength(operation.paymasterAndData);
  if (size === 0) return operation.sender;
  if (size < MIN_PAYMASTER_BYTES[version]) return undefined;
  // From 0.8 on a paymaster of zero is refused (AA98); before it is none.
  const none = version === '0.6' || version === '0.7' ? operation.sender : undefined;
  return findPaymaster(operation, version) ?? none;
}

function findPaymaster(
  { paymasterAndData }: UserOperation,
  version: EntryPointVersion,
): Hex | undefined {
  if (byteLength(paymasterAndData) < MIN_PAYMASTER_BYTES[version]) return undefined;
  const paymaster = paymasterAndData.slice(0, PAYMASTER_END) as Hex;
  return isSameAddress(paymaster, ZERO_ADDRESS) ? undefined : paymaster;
}
