// Calls and simulates the functions of EntryPoint 0.7 and later that the bundler needs.
import {
  type Address,
  createPublicClient,
  decodeErrorResult,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  http,
  type Log,
  parseAbi,
  parseEventLogs,
  type PublicClient,
  type RpcLog,
  type StateOverride,
  zeroAddress,
} from 'viem';
import { toPackedUserOperation } from 'viem/account-abstraction';
import { foundry } from 'viem/chains';

import { fetchArtifact } from '../stack/contracts';
import { RpcFailure } from '../stack/server';
import type { EntryPoint, Operation } from './operation';

export const entryPointAbi = parseAbi([
  'struct PackedUserOperation { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }',
  'struct ReturnInfo { uint256 preOpGas; uint256 prefund; uint256 accountValidationData; uint256 paymasterValidationData; bytes paymasterContext; }',
  'struct StakeInfo { uint256 stake; uint256 unstakeDelaySec; }',
  'struct AggregatorStakeInfo { address aggregator; StakeInfo stakeInfo; }',
  'struct ValidationResult { ReturnInfo returnInfo; StakeInfo senderInfo; StakeInfo factoryInfo; StakeInfo paymasterInfo; AggregatorStakeInfo aggregatorInfo; }',
  'function handleOps(PackedUserOperation[] ops, address beneficiary)',
  'function simulateValidation(PackedUserOperation userOp) returns (ValidationResult)',
  'function simulateHandleOp(PackedUserOperation op, address target, bytes targetCallData)',
  'event BeforeExecution()',
  'event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
  'event UserOperationRevertReason(bytes32 indexed userOpHash, address indexed sender, uint256 nonce, bytes revertReason)',
  'event PostOpRevertReason(bytes32 indexed userOpHash, address indexed sender, uint256 nonce, bytes revertReason)',
  'error FailedOp(uint256 opIndex, string reason)',
  'error FailedOpWithRevert(uint256 opIndex, string reason, bytes inner)',
  // Only the simulations of 0.9 have this error.
  'error PaymasterNotDeployed(address paymaster)',
]);

export type Chain = PublicClient;

type TrialCall = {
  account?: Address;
  to: Address;
  data: Hex;
  gas: bigint;
  overrides?: StateOverride;
};

const UNUSED: Address = '0x000000000000000000000000000000000000f00d';

export function createChain(url: string): Chain {
  return createPublicClient({
    chain: foundry,
    transport: http(url, { retryCount: 0, timeout: 10_000 }),
    cacheTime: 0,
  });
}

/** Simulates a call on top of the latest block. Unlike `eth_call`, also returns events. */
export async function tryCall(
  chain: Chain,
  { account = UNUSED, overrides: stateOverrides, ...call }: TrialCall,
): Promise<{ success: boolean; data: Hex; logs: Log[] }> {
  const [block] = await chain.simulateBlocks({
    blocks: [{ stateOverrides, calls: [{ account, ...call }] }],
  });
  const [result] = block?.calls ?? [];
  if (result === undefined) throw new Error('The node did not try the call.');
  const { status, data, logs = [] } = result;
  return { success: status === 'success', data, logs };
}

/** A refused operation: its index in the bundle, the reason, such as `AA21 didn't pay prefund`, and
 * the revert data of the account, factory or paymaster. */
type FailedOp = { index: number; reason: string; inner?: Hex };

/** The first match wins. */
const codesByReason: [RegExp, number][] = [
  [/^AA[23]4/u, -32507],
  [/^AA[23]2/u, -32503],
  [/^AA3/u, -32501],
];

const REJECTED = -32500;

/** Parses the error of an EntryPoint that refuses an operation; undefined for other revert data. */
export function readFailedOp(data: Hex): FailedOp | undefined {
  try {
    const { errorName, args } = decodeErrorResult({ abi: entryPointAbi, data });
    if (errorName === 'PaymasterNotDeployed') {
      return { index: 0, reason: 'AA30 paymaster not deployed' };
    }
    const [index, reason, inner] = args;
    return { index: Number(index), reason, ...(inner && { inner }) };
  } catch {
    return undefined;
  }
}

/** Finds the revert data of an operation's call. If the logs contain several operations, the hash
 * selects one. */
export function findRevertReason(
  logs: readonly (Log | RpcLog)[],
  hash?: Hex,
): Hex | undefined {
  const eventName = ['UserOperationRevertReason', 'PostOpRevertReason'] as const;
  const events = parseEventLogs({
    abi: entryPointAbi,
    eventName: [...eventName],
    logs: [...logs],
  });
  const isOwn = (userOpHash: Hex): boolean => userOpHash === (hash ?? userOpHash);
  return events.find(({ args }) => isOwn(args.userOpHash))?.args.revertReason;
}

export function toRefusal({ reason, inner }: Omit<FailedOp, 'index'>): RpcFailure {
  const [, code = REJECTED] =
    codesByReason.find(([pattern]) => pattern.test(reason)) ?? [];
  return new RpcFailure({ code, message: reason, ...(inner && { data: inner }) });
}

// The EntryPoint's simulation contract is never deployed. Its code replaces the EntryPoint's code
// during the call.

/** Gas of a trial call: a whole block's, which is more than an operation may use. */
const GAS = 30_000_000n;

// Balance of the sender, so that operations can be estimated before the account is funded.
const PLENTY = 10n ** 29n;

const artifacts = new Map<EntryPoint['version'], ReturnType<typeof fetchArtifact>>();

/** Validates an operation. Throws an RpcFailure if the account, factory or paymaster refuses it. */
export async function simulateValidation(
  chain: Chain,
  entryPoint: EntryPoint,
  operation: Operation,
): Promise<{ accountValidationData: bigint; paymasterValidationData: bigint }> {
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

/** Validates and executes an operation. Its sender is funded, and wrong signatures are ignored.
 * Throws like {@link simulateValidation}. */
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
  const rich = { address: operation.sender, balance: PLENTY };
  return (await run(chain, entryPoint, { data, overrides: [rich] })).logs;
}

async function run(
  chain: Chain,
  { version, address }: EntryPoint,
  { data, overrides = [] }: { data: Hex; overrides?: StateOverride },
): ReturnType<typeof tryCall> {
  // The code is read for the first operation, so that the stack starts faster.
  const reading =
    artifacts.get(version) ?? fetchArtifact(version, 'EntryPointSimulations');
  artifacts.set(version, reading);
  const { deployedBytecode: code } = await reading;
  const trial = await tryCall(chain, {
    to: address,
    data,
    gas: GAS,
    overrides: [...overrides, { address, code }],
  });
  if (trial.success) return trial;
  const reason = `The EntryPoint reverted with ${trial.data}.`;
  throw toRefusal(readFailedOp(trial.data) ?? { reason });
}
