// Gas limits of a user operation without a bundler: the node carries out, in one call, what
// the EntryPoint would do as the EntryPoint: deploy the account, have it validate, have it
// act. Nothing needs a valid signature or money there.
import { generateAddress } from '@ethereumjs/util';
import { bytesToHex, hexToBytes } from '@metamask/utils';

import type { CallOptions, NodeClient, SimulatedCall } from '../client';
import { TollkeeperError, UnavailableError } from '../errors';
import type { ChainId } from '../eth/chain';
import { entryPoints } from '../eth/entry-point';
import type { EntryPointVersion } from '../eth/entry-point';
import { larger, MAX_UINT256, sum, toQuantity } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { unpackFactory } from '../eth/packed-fields';
import { computePreVerificationGas } from '../eth/pre-verification-gas';
import { findRevertReason } from '../eth/revert';
import { hashUserOperation } from '../eth/sign-user-operation';
import type { GasLimits, UserOperation } from '../eth/user-operation';
import { encodeAccountValidation } from '../eth/validation-calls';
import { CALL_REVERTED } from './failure';

/** Where an operation is simulated. */
export type SimulationPlace = {
  chainId: ChainId;
  version: EntryPointVersion;
  node: NodeClient;
};

/** A call of the simulation, and what its failure means. */
type Step = { from: Hex; to: Hex; data: Hex; what: string; code: number };

/** Simulated calls are transactions of their own; inside an operation they are not. */
const TRANSACTION_GAS = 21_000n;

/** What the EntryPoint does itself while it verifies: the nonce, the deposit. */
const VERIFICATION_OVERHEAD = 30_000n;

/** A paymaster of 0.6 verifies from the same limit, for the work after the call too. */
const PAYMASTER_GAS = 150_000n;

/** An operation that its EntryPoint refuses, as bundlers code it (ERC-7769). */
const REFUSED = -32500;

/** Enough for anything, and not so much that a sum overflows. */
const PLENTY = toQuantity(MAX_UINT256 >> 1n);

/**
 * Simulate an operation at its EntryPoint.
 *
 * @returns Its gas limits, without a margin.
 * @throws {TollkeeperError} With the reason: -32521 if the calls revert, -32500 if the
 * deployment or the validation does.
 * @throws {UnavailableError} If the node cannot simulate.
 */
export async function simulateOperation(
  operation: UserOperation,
  place: SimulationPlace,
  options?: CallOptions,
): Promise<GasLimits> {
  const { version, node } = place;
  const steps = listSteps(operation, place);
  const calls = steps.map(({ from, to, data }) => ({ from, to, data }));
  const stateOverrides = { [operation.sender]: { balance: PLENTY } };
  const simulation = {
    blockStateCalls: [{ stateOverrides, calls }],
    validation: false,
  };
  const blocks = await node
    .request('eth_simulateV1', [simulation, 'latest'], options)
    .catch(cannotSimulate);
  const results = blocks[0]?.calls ?? [];
  const gas = steps.map((step, index) => {
    const result = results[index];
    if (result) return toGas(result, step);
    throw new UnavailableError(`${node.label} did not simulate the whole operation.`);
  });
  return {
    callGasLimit: sum(gas.slice(-1)),
    verificationGasLimit: toVerificationGas(sum(gas.slice(0, -1)), operation, version),
    preVerificationGas: computePreVerificationGas(operation, version),
  };
}

/** Adds to the gas of deployment and validation what the EntryPoint takes from the same limit. */
export function toVerificationGas(
  gas: bigint,
  { paymasterAndData }: Pick<UserOperation, 'paymasterAndData'>,
  version: EntryPointVersion,
): bigint {
  const isSponsored06 = version === '0.6' && paymasterAndData !== '0x';
  return gas + VERIFICATION_OVERHEAD + (isSponsored06 ? PAYMASTER_GAS : 0n);
}

/** Writes the calls by which an EntryPoint has an account validate an operation, and act. */
export function toAccountCalls(
  operation: UserOperation,
  { version, chainId }: Pick<SimulationPlace, 'version' | 'chainId'>,
): Record<'validation' | 'execution', { from: Hex; to: Hex; data: Hex }> {
  const { sender: to, callData } = operation;
  const { entryPoint: from } = entryPoints[version];
  const hash = hashUserOperation(operation, { chainId, entryPoint: version });
  const data = encodeAccountValidation(operation, hash, version);
  return { validation: { from, to, data }, execution: { from, to, data: callData } };
}

// Nodes without the method say so in many ways; no revert comes as an error.
function cannotSimulate(error: unknown): never {
  if (!(error instanceof TollkeeperError)) throw error;
  throw new UnavailableError(error.message, { context: error.context, cause: error });
}

function listSteps(operation: UserOperation, place: SimulationPlace): Step[] {
  const { entryPoint } = entryPoints[place.version];
  const factory = unpackFactory(operation.initCode);
  const deployment = factory && {
    from: senderCreatorOf(entryPoint),
    to: factory.factory,
    data: factory.data,
    what: 'deployment',
    code: REFUSED,
  };
  const { validation, execution } = toAccountCalls(operation, place);
  return [
    ...(deployment ? [deployment] : []),
    { ...validation, what: 'validation', code: REFUSED },
    { ...execution, what: 'calls', code: CALL_REVERTED },
  ];
}

// The first contract that an EntryPoint creates calls the factories.
function senderCreatorOf(entryPoint: Hex): Hex {
  return bytesToHex(generateAddress(hexToBytes(entryPoint), Uint8Array.of(1)));
}

function toGas(
  { status, gasUsed, returnData }: SimulatedCall,
  { what, code }: Step,
): bigint {
  if (status === '0x1') return larger(0n, BigInt(gasUsed) - TRANSACTION_GAS);
  const reason = findRevertReason(returnData);
  throw new TollkeeperError(
    code,
    `The operation's ${what} would revert${reason === undefined ? '' : `: ${reason}`}.`,
    { context: { data: returnData } },
  );
}
