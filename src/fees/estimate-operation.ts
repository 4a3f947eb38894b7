// Estimates a user operation's gas limits with the bundler, or else with a simulation.
import { BundlerError } from '../../packages/client/src';
import type {
  BundlerClient,
  CallOptions,
  GasEstimate,
} from '../../packages/client/src';
import type { ClientError } from '../../packages/client/src/errors';
import { entryPoints } from '../core/entry-points';
import type { EntryPointVersion } from '../core/entry-points';
import { TollkeeperError, UnavailableError } from '../core/errors';
import type { UserOperation } from '../core/payload';
import { findRevertReason } from '../eth/abi';
import type { ChainId } from '../eth/chain';
import { larger, MAX_UINT256, sum, toQuantity } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { computeIntrinsicGas, forkGas } from '../eth/intrinsic-gas';
import type { GasFork } from '../eth/intrinsic-gas';
import { computePreVerificationGas } from '../eth/operation-cost';
import { encodeValidation } from '../eth/operation-signature';
import { computeCreateAddress } from '../eth/smart-account';
import { unpackFactory } from '../eth/user-operation';
import type { GasLimits } from '../eth/user-operation';
import { CALL_REVERTED } from './gas-limit';
import type { EstimatePlace } from './gas-limit';
import { percentOf } from './level';

export type SimulationPlace = EstimatePlace & { version: EntryPointVersion };

type EstimateSources = SimulationPlace & {
  bundler: BundlerClient;
  /** Minimum call gas, because bundlers ignore the calls of an account without code. */
  callGas: bigint;
};

/** Covers state changes before the operation is included. */
const LIMIT_MARGIN_PERCENT = 120n;

/** A simulation reports gas after refunds, which are up to a fifth. */
const SIMULATED_MARGIN_PERCENT = 150n;

/** preVerificationGas is paid in full, so its margin only covers the bytes of the final fees and
 * limits, which are not known yet. */
const PRE_VERIFICATION_MARGIN_PERCENT = 110n;

/** Estimates the gas limits of an operation whose signature has the right length. Adds a margin to
 * the bundler's estimates: 20% on the limits, 10% on preVerificationGas, and gas for paying the
 * prefund, since the deposit may suffice at an estimate's fees but not at the final ones. If the
 * bundler does not offer estimates, is unreachable or busy, or requires funds first, uses a
 * simulation, with 50% on the limits instead of 20%. Throws the bundler's error if it refuses the
 * operation or the node cannot simulate, and otherwise the simulation's error. */
export async function estimateOperation(
  operation: UserOperation,
  sources: EstimateSources,
): Promise<GasEstimate> {
  const { bundler, version, callGas, findFork } = sources;
  const fork = await findFork();
  try {
    const estimate = await bundler.estimate(operation, version);
    const callGasLimit = larger(estimate.callGasLimit, callGas);
    return withMargins({ ...estimate, callGasLimit }, LIMIT_MARGIN_PERCENT, fork);
  } catch (error) {
    if (!isUnrelated(error)) throw error;
    const simulated = await simulateOperation(operation, sources).catch(
      (other: unknown) => {
        // If the node cannot simulate, the bundler's error is more useful.
        throw other instanceof UnavailableError ? error : other;
      },
    );
    return withMargins(simulated, SIMULATED_MARGIN_PERCENT, fork);
  }
}

function withMargins(
  { preVerificationGas, ...limits }: GasEstimate,
  percent: bigint,
  fork: GasFork,
): GasEstimate {
  const verificationGasLimit = limits.verificationGasLimit + forkGas[fork].prefund;
  const raised = Object.entries({ ...limits, verificationGasLimit }).map(
    ([name, gas]) => [name, percentOf(gas, percent)],
  );
  return {
    ...(Object.fromEntries(raised) as typeof limits),
    preVerificationGas: percentOf(preVerificationGas, PRE_VERIFICATION_MARGIN_PERCENT),
  };
}

function isUnrelated(error: unknown): boolean {
  // The account cannot pay, which does not matter for an estimate.
  if (error instanceof BundlerError) return error.aaCode === 'AA21';
  const { kind } = error as Partial<ClientError>;
  return kind === 'absent' || kind === 'busy' || kind === 'unknown outcome';
}

type NodeCall = { from: Hex; to: Hex; data: Hex };

/** Bundlers' error code for an operation that the EntryPoint refuses (ERC-7769). */
const REFUSED = -32500;

/** A balance that suffices for any operation, but is small enough that no sum overflows. */
const PLENTY = toQuantity(MAX_UINT256 >> 1n);

/** Simulates an operation without a bundler, and returns its gas limits without a margin. In one
 * request, the node makes the EntryPoint's calls that deploy the account, validate the operation
 * and execute it. They need neither a valid signature nor funds. Throws `TollkeeperError` with the
 * reason if the execution reverts (-32521), or if the deployment or validation reverts (-32500).
 * Throws `UnavailableError` if the node cannot simulate. */
export async function simulateOperation(
  operation: UserOperation,
  place: SimulationPlace,
  options?: CallOptions,
): Promise<GasLimits> {
  const { version, node, findFork } = place;
  const steps = listSteps(operation, place);
  const stateOverrides = { [operation.sender]: { balance: PLENTY } };
  const calls = steps.map(({ call }) => call);
  const simulation = {
    blockStateCalls: [{ stateOverrides, calls }],
    validation: false,
  };
  const simulating = node
    .tryRequest('eth_simulateV1', [simulation, 'latest'], options)
    .catch((error: unknown) => {
      // Reverts are part of the answer, so an error means that nothing was simulated.
      if (!(error instanceof TollkeeperError)) throw error;
      const { message, context } = error;
      throw new UnavailableError(message, { context, cause: error });
    });
  const [blocks, fork] = await Promise.all([simulating, findFork()]);
  // A simulated call pays a transaction's intrinsic gas, but a call inside an operation does not.
  const intrinsicGas = computeIntrinsicGas(
    { to: operation.sender, value: 0n, data: '0x' },
    fork,
    { recipient: 'exists' },
  );
  const gas = steps.map(({ what, code }, index) => {
    const result = blocks?.[0]?.calls[index];
    if (!result) {
      throw new UnavailableError(`${node.label} did not simulate the whole operation.`);
    }
    const { status, gasUsed, returnData } = result;
    if (status === '0x1') return larger(0n, BigInt(gasUsed) - intrinsicGas);
    const reason = findRevertReason(returnData);
    const message = `The operation's ${what} would revert${reason === undefined ? '' : `: ${reason}`}.`;
    throw new TollkeeperError(code, message, { context: { data: returnData } });
  });
  const rules = { version, fork };
  const spent = sum(gas.slice(0, -1));
  return {
    callGasLimit: sum(gas.slice(-1)),
    verificationGasLimit: toVerificationGas(spent, operation, rules),
    preVerificationGas: computePreVerificationGas(operation, rules),
  };
}

type OperationPlace = { chainId: ChainId; version: EntryPointVersion };

export function listActions(
  operation: UserOperation,
  place: OperationPlace,
): NodeCall[] {
  return listSteps(operation, place)
    .filter(({ what }) => what !== 'validation')
    .map(({ call }) => call);
}

function listSteps(operation: UserOperation, place: OperationPlace) {
  const { entryPoint } = entryPoints[place.version];
  const factory = unpackFactory(operation.initCode);
  const { validation, execution } = toAccountCalls(operation, place);
  const steps = [
    { call: validation, what: 'validation', code: REFUSED },
    { call: execution, what: 'calls', code: CALL_REVERTED },
  ];
  if (!factory) return steps;
  // An EntryPoint calls factories through its SenderCreator, which is the first contract it
  // creates.
  const from = computeCreateAddress(entryPoint, 1n);
  const call = { from, to: factory.factory, data: factory.data };
  return [{ call, what: 'deployment', code: REFUSED }, ...steps];
}

/** Converts the gas of deployment and validation into a verification gas limit. The limit includes
 * the EntryPoint's own work and, in 0.6, the paymaster's validation. */
export function toVerificationGas(
  gas: bigint,
  { paymasterAndData }: UserOperation,
  { version, fork }: { version: EntryPointVersion; fork: GasFork },
): bigint {
  const { verification, paymaster } = forkGas[fork];
  const isSponsored06 = version === '0.6' && paymasterAndData !== '0x';
  return gas + verification + (isSponsored06 ? paymaster : 0n);
}

export function toAccountCalls(
  operation: UserOperation,
  { version, chainId }: OperationPlace,
): Record<'validation' | 'execution', NodeCall> {
  const { sender: to, callData } = operation;
  const { entryPoint: from } = entryPoints[version];
  const domain = { chainId, entryPoint: version };
  const call = { contract: 'account', amount: 0n } as const;
  const data = encodeValidation(operation, domain, call);
  return { validation: { from, to, data }, execution: { from, to, data: callData } };
}
