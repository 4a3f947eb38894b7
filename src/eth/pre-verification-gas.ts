// What a bundler is paid for beyond the operation's own execution: its share of the
// transaction, and the calldata. As eth-infinitism's bundler computes it, which most take
// over. Rollups add what their base layer asks; only their bundlers know it.
import { hexToBytes } from '@metamask/utils';

import { encodeArguments } from './abi';
import type { EntryPointVersion } from './entry-point';
import type { Hex } from './hex';
import { toChainForm } from './operation-form';
import type { UserOperation } from './user-operation';

/** A transaction's own gas, all for one operation. */
const TRANSACTION_GAS = 21_000;

/** What the EntryPoint does for an operation outside of what it measures. */
const OPERATION_GAS = 18_300;

const WORD_GAS = 4;

/** Calldata at EIP-7623's floor, which is more than most operations end up at: what is
 * too low is refused, and it is a small part of all. */
const ZERO_BYTE_GAS = 10;
const BYTE_GAS = 40;

const WORD = 32;

/**
 * Compute the preVerificationGas of an operation.
 *
 * @param operation - With a signature of its final length.
 * @returns Gas; on a chain that is no rollup.
 */
export function computePreVerificationGas(
  operation: UserOperation,
  version: EntryPointVersion,
): bigint {
  const bytes = hexToBytes(encodeOperation(operation, version));
  const calldata = bytes.reduce(
    (sum, byte) => sum + (byte === 0 ? ZERO_BYTE_GAS : BYTE_GAS),
    0,
  );
  const words = Math.ceil(bytes.length / WORD) * WORD_GAS;
  return BigInt(TRANSACTION_GAS + OPERATION_GAS + calldata + words);
}

/** Encodes an operation as it stands in the bundler's transaction. */
export function encodeOperation(
  operation: UserOperation,
  version: EntryPointVersion,
): Hex {
  const { types, values } = toChainForm(operation, version);
  return encodeArguments([`(${types.join(',')})`], [values]);
}
