// The gas of an operation that no contract can count: its bytes in the bundle, and its
// share of the bundle's transaction. The figures are those of the reference bundler.
import { encodeAbiParameters, getAbiItem, hexToBytes } from 'viem';
import { toPackedUserOperation } from 'viem/account-abstraction';

import { entryPointAbi } from './abi';
import type { Operation } from './operation';

const TRANSACTION = 21_000n;
const OPERATION = 18_300n;
const WORD = 4n;
const ZERO_BYTE = 4n;
const OTHER_BYTE = 16n;

const [packedStruct] = getAbiItem({
  abi: entryPointAbi,
  name: 'simulateValidation',
}).inputs;

/** Count the least that `preVerificationGas` of an operation must be. */
export function countPreVerificationGas(operation: Operation): bigint {
  const packed = toPackedUserOperation(operation);
  const bytes = hexToBytes(encodeAbiParameters([packedStruct], [packed]));
  const words = BigInt(Math.ceil(bytes.length / 32));
  const calldata = bytes.reduce(
    (sum, byte) => sum + (byte === 0 ? ZERO_BYTE : OTHER_BYTE),
    0n,
  );
  return TRANSACTION + OPERATION + WORD * words + calldata;
}
