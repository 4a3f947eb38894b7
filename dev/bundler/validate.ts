// Whether an operation may be bundled now.
import { hexToBigInt, numberToHex, slice } from 'viem';

import { refuse } from '../stack/json-rpc';
import type { Chain } from './chain';
import { toRefusal } from './failed-op';
import { sumGas } from './operation';
import type { EntryPoint, Operation } from './operation';
import { countPreVerificationGas } from './pre-verification-gas';
import { fetchFloor, requireFloor } from './prices';
import { simulateValidation } from './simulation';

/** An operation above this could not be bundled. */
const MAX_GAS = 20_000_000n;

/**
 * Check what can be told without the contracts: gas and fees.
 *
 * @throws {RpcFailure} -32602 naming the field, and what it must be.
 */
export async function requirePayment(
  chain: Chain,
  operation: Operation,
): Promise<void> {
  const least = countPreVerificationGas(operation);
  if (operation.preVerificationGas < least) {
    refuse(
      `preVerificationGas is ${operation.preVerificationGas} and must be at least ${least}.`,
    );
  }
  const gas = sumGas(operation);
  if (gas > MAX_GAS) {
    refuse(`The gas limits add up to ${gas}; ${MAX_GAS} is the most.`);
  }
  requireFloor(operation, await fetchFloor(chain));
}

/**
 * Have the EntryPoint validate an operation.
 *
 * @throws {RpcFailure} With the EntryPoint's reason, such as `AA24 signature error`.
 */
export async function requireValid(
  chain: Chain,
  entryPoint: EntryPoint,
  operation: Operation,
): Promise<void> {
  const validation = await simulateValidation(chain, entryPoint, operation);
  const { timestamp } = await chain.getBlock();
  const account = readValidationData(validation.accountValidationData);
  const paymaster = readValidationData(validation.paymasterValidationData);
  // In words of the EntryPoint, which says them only when it executes.
  if (account.isWrong) throw toRefusal({ reason: 'AA24 signature error' });
  if (!isDue(account, timestamp)) {
    throw toRefusal({ reason: 'AA22 expired or not due' });
  }
  if (paymaster.isWrong) throw toRefusal({ reason: 'AA34 signature error' });
  if (!isDue(paymaster, timestamp)) {
    throw toRefusal({ reason: 'AA32 paymaster expired or not due' });
  }
}

type ValidationData = { isWrong: boolean; validUntil: bigint; validAfter: bigint };

// validAfter (6 bytes), validUntil (6), and 1 for a wrong signature or an aggregator (20).
function readValidationData(data: bigint): ValidationData {
  const word = numberToHex(data, { size: 32 });
  return {
    validAfter: hexToBigInt(slice(word, 0, 6)),
    validUntil: hexToBigInt(slice(word, 6, 12)),
    isWrong: hexToBigInt(slice(word, 12)) !== 0n,
  };
}

function isDue({ validUntil, validAfter }: ValidationData, now: bigint): boolean {
  return (validUntil === 0n || now <= validUntil) && now >= validAfter;
}
