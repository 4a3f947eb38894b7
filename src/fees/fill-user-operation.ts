// What a user operation needs from the chain and the bundler: nonce, deployment, gas.
import type { BundlerClient, NodeClient } from '../client';
import { encodeCall } from '../eth/abi';
import { toCall } from '../eth/account-calls';
import type { Intent } from '../eth/account-calls';
import { entryPoints } from '../eth/entry-point';
import { toQuantity } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { encodeInitCode } from '../eth/smart-account';
import { DUMMY_SIGNATURE } from '../eth/user-operation';
import type { SmartRecord } from '../state/account-record';

/** An account as its chain knows it. */
export type AccountState = {
  /** Next nonce of the key 0. */
  nonce: Hex;
  /** What deploys the account; `0x` if and only if it has code. */
  initCode: Hex;
  /** Gas that the calls need, found without the account's code; 0 if it has code. */
  callGas: bigint;
};

/** Gas limits as quantities. */
export type GasLimits = {
  callGasLimit: Hex;
  verificationGasLimit: Hex;
  preVerificationGas: Hex;
};

/** Headroom over an estimate for what changes until the operation is included. */
const LIMIT_MARGIN_PERCENT = 120n;

/** preVerificationGas is paid in full, so it gets just what the bytes of real fees and
 * limits, which the estimate does not know, can add. */
const PRE_VERIFICATION_MARGIN_PERCENT = 110n;

/** Verification gas to estimate with: deploying a SimpleAccount takes a third of it. */
const VERIFICATION_GAS_BOUND = 1_000_000n;

/** Gas for paying the prefund to the EntryPoint: at the estimate's fees what is deposited
 * can be enough, and at real ones it is not. Verification gas that is not used is free. */
const PREFUND_GAS = 40_000n;

/** Gas for a call that cannot be estimated alone, such as one that needs the one before. */
const UNKNOWN_CALL_GAS = 500_000n;

/** Gas that a call costs more when an account makes it: the account's own code, and what
 * sending value to a fresh address costs a contract (2,600 + 9,000 + 25,000). */
const EXECUTE_OVERHEAD = 40_000n;

/**
 * Fetch an account's nonce and whether it is deployed, in one batch.
 *
 * @param intents - What it is to do. While the account has no code a bundler sees its
 * calls do nothing, so their gas is estimated here.
 */
export async function fetchAccountState(
  account: SmartRecord,
  intents: readonly Intent[],
  node: NodeClient,
): Promise<AccountState> {
  const { address, entryPoint, factory, owner, salt } = account;
  const getNonce = encodeCall('getNonce(address,uint192)', [address, 0n]);
  const [code, nonce, ...gas] = await Promise.all([
    node.request('eth_getCode', [address, 'latest']),
    node.request('eth_call', [
      { to: entryPoints[entryPoint].entryPoint, data: getNonce },
      'latest',
    ]),
    ...intents.map(async (intent) => estimateCall(address, intent, node)),
  ]);
  const isDeployed = code !== '0x';
  const origin = { entryPoint, factory, owner, salt: BigInt(salt) };
  return {
    nonce: toQuantity(BigInt(nonce)),
    initCode: isDeployed ? '0x' : encodeInitCode(origin),
    callGas: isDeployed
      ? 0n
      : gas.reduce((sum, each) => sum + each + EXECUTE_OVERHEAD, 0n),
  };
}

/**
 * Estimate the gas limits of an operation with the bundler.
 *
 * @returns The estimates with a margin: 20 % on the limits, after gas for paying the
 * prefund, and 10 % on preVerificationGas.
 * @throws {BundlerError} What the bundler says, such as AA21 if the account cannot pay.
 */
export async function estimateOperation(
  account: SmartRecord,
  { nonce, initCode, callData, callGas }: AccountState & { callData: Hex },
  bundler: BundlerClient,
): Promise<GasLimits> {
  const { entryPoint, address } = account;
  // Fees of one wei: some bundlers refuse zero, and more would have to be paid for.
  const operation = {
    sender: address,
    nonce: BigInt(nonce),
    initCode,
    callData,
    callGasLimit: 0n,
    verificationGasLimit: VERIFICATION_GAS_BOUND,
    preVerificationGas: 0n,
    maxFeePerGas: 1n,
    maxPriorityFeePerGas: 1n,
    paymasterAndData: '0x',
    signature: DUMMY_SIGNATURE,
  } as const;
  const estimate = await bundler.estimate(operation, entryPoint);
  const callGasLimit =
    estimate.callGasLimit > callGas ? estimate.callGasLimit : callGas;
  return {
    callGasLimit: withMargin(callGasLimit, LIMIT_MARGIN_PERCENT),
    verificationGasLimit: withMargin(
      estimate.verificationGasLimit + PREFUND_GAS,
      LIMIT_MARGIN_PERCENT,
    ),
    preVerificationGas: withMargin(
      estimate.preVerificationGas,
      PRE_VERIFICATION_MARGIN_PERCENT,
    ),
  };
}

async function estimateCall(
  from: Hex,
  intent: Intent,
  node: NodeClient,
): Promise<bigint> {
  const { to, value, data } = toCall(intent);
  try {
    const call = { from, to, value: toQuantity(value), data };
    return BigInt(await node.request('eth_estimateGas', [call]));
  } catch {
    return UNKNOWN_CALL_GAS;
  }
}

function withMargin(gas: bigint, percent: bigint): Hex {
  return toQuantity((gas * percent + 99n) / 100n);
}
