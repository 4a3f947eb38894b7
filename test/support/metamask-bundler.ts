// How MetaMask's UserOperationController 40.0.0 talks to the bundler that a snap names
// (helpers/Bundler.ts, utils/gas.ts, helpers/PendingUserOperationTracker.ts).
import { numberToHex } from 'viem';
import type { Hex } from 'viem';

import { callRpc } from '../../dev/stack/call-rpc';
import { waitFor } from '../fixtures/stack/requests';

/** An operation as MetaMask knows it: the eleven fields of EntryPoint 0.6. */
export type MetaMaskOperation = {
  sender: Hex;
  nonce: Hex;
  initCode: Hex;
  callData: Hex;
  callGasLimit: Hex;
  verificationGasLimit: Hex;
  preVerificationGas: Hex;
  maxFeePerGas: Hex;
  maxPriorityFeePerGas: Hex;
  paymasterAndData: Hex;
  signature: Hex;
};

/** The fields that `updateGas` fills. */
export type GasName = 'callGasLimit' | 'preVerificationGas' | 'verificationGasLimit';

/** The end of an operation. */
export type Confirmation = {
  status: 'confirmed' | 'failed';
  transactionHash: Hex;
};

type Receipt = { success: boolean; receipt: { transactionHash: Hex } };

/** `estimateUserOperationGas`, and half as much again (GAS_ESTIMATE_MULTIPLIER). */
export async function estimateGas(
  url: string,
  params: unknown[],
): Promise<Record<GasName, Hex>> {
  const estimate = await query<Record<string, Hex | number>>(
    url,
    'eth_estimateUserOperationGas',
    params,
  );
  const normalize = (value: Hex | number | undefined): Hex =>
    numberToHex((BigInt(value ?? 0) * 3n) / 2n);
  const { callGasLimit, preVerificationGas, verificationGasLimit, verificationGas } =
    estimate;
  return {
    callGasLimit: normalize(callGasLimit),
    preVerificationGas: normalize(preVerificationGas),
    verificationGasLimit: normalize(verificationGasLimit ?? verificationGas),
  };
}

/** Ask for the receipt until it is there, as MetaMask does at every block. */
export async function waitForConfirmation({
  bundlerUrl,
  hash,
}: {
  bundlerUrl: string;
  hash: Hex;
}): Promise<Confirmation> {
  const { success, receipt } = await waitFor(async () =>
    query<Receipt | null>(bundlerUrl, 'eth_getUserOperationReceipt', [hash]),
  );
  const { transactionHash } = receipt;
  return { status: success ? 'confirmed' : 'failed', transactionHash };
}

/** `#query`: a failure keeps the bundler's words alone. */
export async function query<Result>(
  url: string,
  method: string,
  params: unknown[],
): Promise<Result> {
  const { result, error } = await callRpc(url, method, params);
  if (error) throw new Error(error.message);
  return result as Result;
}
