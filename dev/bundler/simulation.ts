// Tries an operation with the EntryPoint's own simulations: a contract that is never
// deployed, whose code stands in for the EntryPoint's during the call.
import {
  decodeFunctionResult,
  encodeFunctionData,
  numberToHex,
  zeroAddress,
} from 'viem';
import type { Hex, Log } from 'viem';
import { toPackedUserOperation } from 'viem/account-abstraction';

import { fetchRuntimeCode } from '../stack/artifacts';
import { entryPointAbi } from './abi';
import { tryCall } from './chain';
import type { Chain } from './chain';
import { readFailedOp, toRefusal } from './failed-op';
import type { EntryPoint, Operation } from './operation';

/** What the validation of an operation gives. */
export type Validation = {
  accountValidationData: bigint;
  paymasterValidationData: bigint;
};

/** More than an operation may use: the gas of a block. */
const GAS = 30_000_000n;

// So that an account can be estimated before it has money.
const PLENTY = numberToHex(10n ** 29n);

const runtimeCodes = new Map<EntryPoint['version'], Promise<Hex>>();

/**
 * Validate an operation as it would be now.
 *
 * @throws {RpcFailure} If account, factory or paymaster refuses it.
 */
export async function simulateValidation(
  chain: Chain,
  entryPoint: EntryPoint,
  operation: Operation,
): Promise<Validation> {
  const functionName = 'simulateValidation';
  const data = encodeFunctionData({
    abi: entryPointAbi,
    functionName,
    args: [toPackedUserOperation(operation)],
  });
  const result = await run(chain, entryPoint, { data });
  return decodeFunctionResult({ abi: entryPointAbi, functionName, data: result.data })
    .returnInfo;
}

/**
 * Validate and execute an operation whose sender has all the money it needs. Signatures
 * that are wrong do not matter.
 *
 * @returns The events.
 * @throws {RpcFailure} If account, factory or paymaster refuses it.
 */
export async function simulateHandling(
  chain: Chain,
  entryPoint: EntryPoint,
  operation: Operation,
): Promise<Log[]> {
  const data = encodeFunctionData({
    abi: entryPointAbi,
    functionName: 'simulateHandleOp',
    args: [toPackedUserOperation(operation), zeroAddress, '0x'],
  });
  const overrides = { [operation.sender]: { balance: PLENTY } };
  return (await run(chain, entryPoint, { data, overrides })).logs;
}

async function run(
  chain: Chain,
  { version, address }: EntryPoint,
  call: { data: Hex; overrides?: Record<Hex, { balance: Hex }> },
): Promise<{ data: Hex; logs: Log[] }> {
  const code = await fetchSimulations(version);
  const overrides = { ...call.overrides, [address]: { code } };
  const trial = await tryCall(chain, { ...call, to: address, gas: GAS, overrides });
  if (trial.success) return trial;
  const reason = `The EntryPoint reverted with ${trial.data}.`;
  throw toRefusal(readFailedOp(trial.data) ?? { reason });
}

// Read when the first operation comes, so that the stack starts without it.
async function fetchSimulations(version: EntryPoint['version']): Promise<Hex> {
  const known = runtimeCodes.get(version);
  if (known) return known;
  const code = fetchRuntimeCode(version, 'EntryPointSimulations');
  runtimeCodes.set(version, code);
  return code;
}
