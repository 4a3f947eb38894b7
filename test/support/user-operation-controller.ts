// MetaMask's UserOperationController 40.0.0, followed from its source step by step: what it
// asks of an account's snap and of the bundler, in which order, with which values in between.
// Its own names stand beside each step.
import {
  assert,
  define,
  type Infer,
  object,
  optional,
  string,
  type Struct,
} from '@metamask/superstruct';
import { isStrictHexString } from '@metamask/utils';
import { type Address, type Hex, numberToHex, parseGwei } from 'viem';

import { callRpc } from '../../dev/stack/server';
import type { Wallet } from '../../dev/wallet/wallet';
import { waitFor } from '../fixtures/stack/requests';

/** What MetaMask is asked to do: a transaction of the account. */
type UserOperationRequest = {
  from: Address;
  to: Address;
  value: Hex;
  maxFeePerGas?: Hex;
  maxPriorityFeePerGas?: Hex;
};

/** What the gas API suggests, in gwei. */
export type Medium = {
  suggestedMaxFeePerGas: string;
  suggestedMaxPriorityFeePerGas: string;
};

/** A MetaMask on one chain. */
export type ControllerOptions = {
  keyring: Wallet['keyring'];
  chainId: number;
  entryPoint: Address;
  /** `getGasFeeEstimates`, of which it takes the medium level. */
  fetchMedium: () => Promise<Medium>;
  /** How an operation is written for the bundler; as MetaMask has it by default. */
  toWire?: (operation: MetaMaskOperation) => object;
  /** Takes what the snap prepares as if it had left `gasLimits` out. */
  withoutGasLimits?: boolean;
  /** What the user edits when MetaMask asks for approval. */
  approve?: (
    operation: MetaMaskOperation,
  ) => Pick<UserOperationRequest, 'maxFeePerGas' | 'maxPriorityFeePerGas'>;
};

/** `UserOperationMetadata`, in so far as it matters here. */
type Metadata = {
  bundlerUrl: string;
  hash: Hex;
  /** What was sent. */
  userOperation: MetaMaskOperation;
};

type Draft = Pick<Metadata, 'bundlerUrl' | 'userOperation'>;

/** `addUserOperation`: prepare, have it paid for, approved and signed, and submit it. */
export async function addUserOperation(
  request: UserOperationRequest,
  options: ControllerOptions,
): Promise<Metadata> {
  const draft = await prepareUserOperation(request, options);
  await addPaymasterData(draft, options);
  const approved = await approveUserOperation(draft, request, options);
  await signUserOperation(approved, options);
  return submitUserOperation(approved, options);
}

// #prepareUserOperation: fees first, then the account (validatePrepareUserOperationResponse),
// then gas.
async function prepareUserOperation(
  request: UserOperationRequest,
  options: ControllerOptions,
): Promise<Draft> {
  const fees = await updateGasFees(request, options);
  const response = await askToPrepare(request, options);
  assert(response, PreparedStruct);
  if (!response.gas && !/^0x./u.test(response.dummySignature ?? '')) {
    throw new Error('Must specify dummySignature if not specifying gas');
  }
  const { bundler: bundlerUrl, callData, nonce, sender } = response;
  const userOperation = {
    callData,
    nonce,
    sender,
    ...fees,
    initCode: response.initCode ?? '0x',
    paymasterAndData: response.dummyPaymasterAndData ?? '0x',
    signature: response.dummySignature ?? '0x',
  };
  const gas = response.gas ?? (await updateGas(bundlerUrl, userOperation, options));
  return { bundlerUrl, userOperation: { ...userOperation, ...gas } };
}

// utils/gas-fees.ts, updateGasFees: the request's own, else the medium level.
async function updateGasFees(
  { maxFeePerGas, maxPriorityFeePerGas }: UserOperationRequest,
  { fetchMedium }: ControllerOptions,
): Promise<{ maxFeePerGas: Hex; maxPriorityFeePerGas: Hex }> {
  if (maxFeePerGas && maxPriorityFeePerGas) {
    return { maxFeePerGas, maxPriorityFeePerGas };
  }
  const medium = await fetchMedium();
  const toWei = (gwei: string): Hex => numberToHex(parseGwei(gwei));
  return {
    maxFeePerGas: toWei(medium.suggestedMaxFeePerGas),
    maxPriorityFeePerGas: toWei(medium.suggestedMaxPriorityFeePerGas),
  };
}

// helpers/SnapSmartContractAccount.ts, prepareUserOperation.
async function askToPrepare(
  { from, to, value }: UserOperationRequest,
  { keyring, chainId, withoutGasLimits }: ControllerOptions,
): Promise<Prepared> {
  const context = { chainId: String(chainId) };
  const { bundlerUrl, gasLimits, ...others } = await keyring.prepareUserOperation(
    from,
    [{ data: '0x', to, value }],
    context,
  );
  const gas = gasLimits && !withoutGasLimits ? { gas: gasLimits } : {};
  return { ...others, bundler: bundlerUrl, ...gas, sender: from } as Prepared;
}

// utils/gas.ts, updateGas, where the account gave none: estimated at zero fees.
async function updateGas(
  bundlerUrl: string,
  userOperation: Omit<MetaMaskOperation, GasName>,
  { entryPoint, toWire = asItIs }: ControllerOptions,
): Promise<Record<GasName, Hex>> {
  const payload: MetaMaskOperation = {
    ...userOperation,
    maxFeePerGas: '0x0',
    maxPriorityFeePerGas: '0x0',
    callGasLimit: '0x0',
    preVerificationGas: '0x0',
    verificationGasLimit: '0xF4240',
  };
  return estimateGas(bundlerUrl, [toWire(payload), entryPoint]);
}

// #addPaymasterData, with helpers/SnapSmartContractAccount.ts, updateUserOperation.
async function addPaymasterData(
  { userOperation }: Draft,
  { keyring, chainId }: ControllerOptions,
): Promise<void> {
  const context = { chainId: String(chainId) };
  const { sender } = userOperation;
  const patch = await keyring.patchUserOperation(sender, userOperation, context);
  assert(patch, UpdatedStruct);
  Object.assign(userOperation, patch);
}

// #approveUserOperation: new fees take what a paymaster signed away, so that it is asked
// again from the start (#regenerateUserOperation).
async function approveUserOperation(
  draft: Draft,
  request: UserOperationRequest,
  options: ControllerOptions,
): Promise<Draft> {
  const edited = options.approve?.(draft.userOperation);
  if (!edited) return draft;
  Object.assign(draft.userOperation, edited);
  if (draft.userOperation.paymasterAndData === '0x') return draft;
  const regenerated = await prepareUserOperation({ ...request, ...edited }, options);
  await addPaymasterData(regenerated, options);
  return regenerated;
}

// #signUserOperation: the account is given the operation with the dummy signature.
async function signUserOperation(
  { userOperation }: Draft,
  { keyring, chainId }: ControllerOptions,
): Promise<void> {
  const context = { chainId: String(chainId) };
  const { sender } = userOperation;
  const signature = await keyring.signUserOperation(sender, userOperation, context);
  assert(signature, HexStruct);
  userOperation.signature = signature;
}

// #submitUserOperation.
async function submitUserOperation(
  { bundlerUrl, userOperation }: Draft,
  { entryPoint, toWire = asItIs }: ControllerOptions,
): Promise<Metadata> {
  const params = [toWire(userOperation), entryPoint];
  const hash = await query<Hex>(bundlerUrl, 'eth_sendUserOperation', params);
  return { bundlerUrl, hash, userOperation };
}

const asItIs = (operation: MetaMaskOperation): object => operation;

const hex = (isEmptyAllowed: boolean): Struct<Hex, null> =>
  define('Hexadecimal String', (value) =>
    Boolean(isStrictHexString(value) || (isEmptyAllowed && value === '0x')),
  );

const HexStruct = hex(false);
const BytesStruct = hex(true);

const PreparedStruct = object({
  bundler: string(),
  callData: HexStruct,
  dummyPaymasterAndData: optional(BytesStruct),
  dummySignature: optional(BytesStruct),
  gas: optional(
    object({
      callGasLimit: HexStruct,
      preVerificationGas: HexStruct,
      verificationGasLimit: HexStruct,
    }),
  ),
  initCode: optional(BytesStruct),
  nonce: HexStruct,
  sender: HexStruct,
});

const UpdatedStruct = object({
  paymasterAndData: optional(BytesStruct),
  callGasLimit: optional(BytesStruct),
  preVerificationGas: optional(BytesStruct),
  verificationGasLimit: optional(BytesStruct),
});

/** What an account prepares, in the words of MetaMask's controller. */
type Prepared = Infer<typeof PreparedStruct>;

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
type GasName = 'callGasLimit' | 'preVerificationGas' | 'verificationGasLimit';

type Receipt = { success: boolean; receipt: { transactionHash: Hex } };

/** `estimateUserOperationGas`, and half as much again (GAS_ESTIMATE_MULTIPLIER). */
async function estimateGas(url: string, params: unknown[]) {
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

/** Asks for the receipt until it is there, as MetaMask does at every block. */
export async function waitForConfirmation({ bundlerUrl, hash }: Metadata) {
  const { success, receipt } = await waitFor(async () =>
    query<Receipt | null>(bundlerUrl, 'eth_getUserOperationReceipt', [hash]),
  );
  const { transactionHash } = receipt;
  return { status: success ? 'confirmed' : 'failed', transactionHash };
}

/** `#query`: a failure keeps the bundler's words alone. */
async function query<Result>(url: string, method: string, params: unknown[]) {
  const { result, error } = await callRpc(url, method, params);
  if (error) throw new Error(error.message);
  return result as Result;
}
