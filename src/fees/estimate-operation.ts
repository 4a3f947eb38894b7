// Gas limits of a user operation: from the bundler, which sees the whole operation, else
// from our own simulation.
import {
  BundlerError,
  HttpStatusError,
  NetworkError,
  RateLimitError,
  RpcError,
  TimeoutError,
} from '../client';
import type { BundlerClient, GasEstimate, NodeClient } from '../client';
import { UnavailableError } from '../errors';
import type { ChainId } from '../eth/chain';
import type { EntryPointVersion } from '../eth/entry-point';
import { larger } from '../eth/hex';
import type { GasLimits, UserOperation } from '../eth/user-operation';
import { percentOf } from './level-rules';
import { simulateOperation } from './simulate-operation';

/** Where an operation is estimated. */
export type EstimateSources = {
  chainId: ChainId;
  version: EntryPointVersion;
  node: NodeClient;
  bundler: BundlerClient;
  /** The least that the calls need; a bundler sees those of an account without code do
   * nothing. */
  callGas: bigint;
};

/** What a bundler estimates for an operation's paymaster, as far as it does. */
export type PaymasterGas = Pick<
  GasEstimate,
  'paymasterVerificationGasLimit' | 'paymasterPostOpGasLimit'
>;

/** What an operation needs. */
export type OperationGas = GasLimits & PaymasterGas;

/** Verification gas to estimate with: deploying a SimpleAccount takes a third of it. */
export const VERIFICATION_GAS_BOUND = 1_000_000n;

/** Gas for paying the prefund to the EntryPoint: at the estimate's fees what is deposited
 * can be enough, and at real ones it is not. Verification gas that is not used is free. */
export const PREFUND_GAS = 40_000n;

/** Headroom over an estimate for what changes until the operation is included. */
const LIMIT_MARGIN_PERCENT = 120n;

/** A simulation does not see what a refund gives back at its end (a fifth at most). */
const SIMULATED_MARGIN_PERCENT = 150n;

/** preVerificationGas is paid in full, so it gets just what the bytes of real fees and
 * limits, which the estimate does not know, can add. */
const PRE_VERIFICATION_MARGIN_PERCENT = 110n;

/** Method not found (JSON-RPC). */
const NOT_FOUND = -32601;

/** The first HTTP status by which a server says that it failed itself. */
const SERVER_FAILED = 500;

/** The account cannot pay: whether it could is not the question here. */
const NO_PREFUND = 'AA21';

/**
 * Estimate the gas limits of an operation.
 *
 * @param operation - With a signature of the right length; its limits do not count.
 * @returns The bundler's estimates with a margin: 20 % on the limits, after gas for paying
 * the prefund, and 10 % on preVerificationGas. Where the bundler does not estimate, cannot
 * be reached or asks for money first, those of a simulation with 50 % on the limits.
 * @throws {BundlerError} What the bundler says against the operation.
 */
export async function estimateOperation(
  operation: UserOperation,
  sources: EstimateSources,
): Promise<OperationGas> {
  const { bundler, version, callGas } = sources;
  try {
    const estimate = await bundler.estimate(operation, version);
    return withMargins(estimate, callGas);
  } catch (error) {
    if (!canDoWithout(error)) throw error;
    return simulate(operation, sources, error);
  }
}

function withMargins(estimate: GasEstimate, callGas: bigint): OperationGas {
  const { verificationGasLimit, preVerificationGas } = estimate;
  const {
    paymasterVerificationGasLimit: checkGas,
    paymasterPostOpGasLimit: postOpGas,
  } = estimate;
  return {
    callGasLimit: percentOf(
      larger(estimate.callGasLimit, callGas),
      LIMIT_MARGIN_PERCENT,
    ),
    verificationGasLimit: percentOf(
      verificationGasLimit + PREFUND_GAS,
      LIMIT_MARGIN_PERCENT,
    ),
    preVerificationGas: percentOf(preVerificationGas, PRE_VERIFICATION_MARGIN_PERCENT),
    ...(checkGas === undefined
      ? {}
      : { paymasterVerificationGasLimit: percentOf(checkGas, LIMIT_MARGIN_PERCENT) }),
    ...(postOpGas === undefined
      ? {}
      : { paymasterPostOpGasLimit: percentOf(postOpGas, LIMIT_MARGIN_PERCENT) }),
  };
}

// What it says against the operation counts; that it cannot say anything does not.
function canDoWithout(error: unknown): boolean {
  if (error instanceof BundlerError) return error.aaCode === NO_PREFUND;
  if (error instanceof RpcError) return error.code === NOT_FOUND;
  // Below, it was asked wrongly, such as with a key that it does not know.
  if (error instanceof HttpStatusError) return error.status >= SERVER_FAILED;
  return [NetworkError, TimeoutError, RateLimitError].some(
    (kind) => error instanceof kind,
  );
}

async function simulate(
  operation: UserOperation,
  sources: EstimateSources,
  first: unknown,
): Promise<GasLimits> {
  try {
    const gas = await simulateOperation(operation, sources);
    return {
      callGasLimit: percentOf(gas.callGasLimit, SIMULATED_MARGIN_PERCENT),
      verificationGasLimit: percentOf(
        gas.verificationGasLimit + PREFUND_GAS,
        SIMULATED_MARGIN_PERCENT,
      ),
      preVerificationGas: percentOf(
        gas.preVerificationGas,
        PRE_VERIFICATION_MARGIN_PERCENT,
      ),
    };
  } catch (error) {
    // A node that cannot simulate says nothing of the operation: the bundler's words count.
    if (error instanceof UnavailableError) throw first;
    throw error;
  }
}
