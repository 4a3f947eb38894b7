// How much gas a transaction may use: estimated by the node, with a margin unless the estimate is
// exact; and why it fails, told from what a node or a bundler answers when it tries it.
import { BundlerError, RpcError } from '../../packages/client/src';
import type {
  CallOptions,
  EstimateParams,
  NodeClient,
  RpcCallObject,
} from '../../packages/client/src';
import { isRollup } from '../../packages/client/src/rpc/schema';
import { TollkeeperError } from '../errors';
import { toAuthorizationJson } from '../eth/authorization';
import type { ChainId } from '../eth/chain';
import { findOwnDelegate, toDelegatedCode } from '../eth/delegation';
import {
  byteLength,
  isSameAddress,
  larger,
  NodeBytesStruct,
  smaller,
  toQuantity,
  ZERO_ADDRESS,
} from '../eth/hex';
import type { Hex } from '../eth/hex';
import {
  computeIntrinsicGas,
  forkGas,
  MAX_TRANSACTION_GAS,
} from '../eth/intrinsic-gas';
import type { GasFork, Recipient } from '../eth/intrinsic-gas';
import { findRevertReason } from '../eth/revert';
import type { TransactionRequest } from '../eth/transaction';
import { matches } from '../schema/parse';
import { warning } from '../ui/warnings';
import type { Warning } from '../ui/warnings';
import { assertPlausible } from './level';

/** An estimate holds for the present state; 20 % more covers what changes until then. */
const GAS_MARGIN_PERCENT = 120n;

/** A call that reverts, as nodes code it. */
const REVERTED = 3;

/** A call that reverts, as bundlers code it (ERC-7769). */
export const CALL_REVERTED = -32521;

/** Codes of a node that did not try (JSON-RPC, EIP-1474): the request or the method is none that
 * it takes, something is not there, or it wants to be asked later. */
const NOT_TRIED: readonly number[] = [
  -32700, -32600, -32601, -32602, -32001, -32002, -32004, -32005, -32006,
];

/** What nodes say of what fails, where their code does not tell. */
const FAILS =
  /revert|insufficient|out of gas|gas required|exceeds|invalid opcode|invalid jump|stack (?:over|under)flow|intrinsic/iu;

/** Hex digits, with `0x`, of a custom error's selector. */
const SELECTOR_END = 10;

/** What a node estimates. */
export type GasEstimate = {
  gasLimit: bigint;
  /** What of it creates the recipient's account. */
  newAccountGas?: bigint | undefined;
  /** On rollups: what its calldata has to pay beside the base fee, in wei for a unit. */
  priorityFeePerGas?: bigint;
};

/** Where gas is estimated. */
export type EstimatePlace = {
  chainId: ChainId;
  node: NodeClient;
  findFork: () => Promise<GasFork>;
};

/**
 * Estimates a transaction's gas.
 *
 * @returns The node's estimate, but no less than what the transaction takes before any code runs,
 * and 20 % more if code runs. On a rollup what its own estimate recommends, where the node has
 * that method.
 * @throws What the node says, such as why the transaction would revert.
 * @throws {UnavailableError} If a rollup's node asks for a fee that is not plausible.
 */
export async function estimateGas(
  request: TransactionRequest,
  place: EstimatePlace,
): Promise<GasEstimate> {
  const { chainId, node } = place;
  const call = toCallObject(request);
  const params = withDelegate(request, call);
  // A rollup's own method takes no overrides.
  if (!isRollup(chainId) || params.length > 1) {
    return estimatePlainly(request, params, place);
  }
  const estimate = await node
    .tryRequest('rollup_estimateGas', [call])
    .catch((error: unknown) => {
      // What is wrong with the method says nothing of the transaction.
      if (error instanceof RpcError && error.code !== REVERTED) return undefined;
      throw error;
    });
  if (!estimate) return estimatePlainly(request, params, place);
  const priorityFeePerGas = BigInt(estimate.priorityFeePerGas);
  assertPlausible('rollup-estimate', [priorityFeePerGas]);
  return { gasLimit: BigInt(estimate.gasLimit), priorityFeePerGas };
}

// The sender's own authorization is not signed yet: the node is told what code the account will
// have.
function withDelegate(
  request: TransactionRequest,
  call: RpcCallObject,
): EstimateParams {
  const delegate = findOwnDelegate(request);
  if (delegate === undefined) return [call];
  return [call, 'latest', { [request.from]: { code: toDelegatedCode(delegate) } }];
}

async function estimatePlainly(
  request: TransactionRequest,
  params: EstimateParams,
  { node, findFork }: EstimatePlace,
): Promise<GasEstimate> {
  const [told, fork] = await Promise.all([
    node.request('eth_estimateGas', params),
    findFork(),
  ]);
  const estimate = BigInt(told);
  const newAccountGas = findNewAccountGas(request, estimate, fork);
  const exact = leastGasOf(request, fork) + (newAccountGas ?? 0n);
  if (estimate === exact) return { gasLimit: estimate, newAccountGas };
  const gas = larger(estimate, exact) + toDelegationGas(request, fork);
  const limit = (gas * GAS_MARGIN_PERCENT) / 100n;
  // A margin must not carry a limit over the cap: the chain would refuse it.
  const isCapped = fork === 'prague' && gas <= MAX_TRANSACTION_GAS;
  return { gasLimit: isCapped ? smaller(limit, MAX_TRANSACTION_GAS) : limit };
}

// The gas of a transaction, if no code runs and no account is created.
function leastGasOf(request: TransactionRequest, fork: GasFork): bigint {
  const { from, to } = request;
  const recipient: Recipient =
    to !== null && isSameAddress(from, to) ? 'self' : 'unknown';
  return computeIntrinsicGas(request, fork, { recipient });
}

/**
 * Finds the gas by which a transfer is dearer because it creates the recipient's account.
 *
 * @param estimate - The node's.
 * @returns Undefined if it creates none, or that costs nothing.
 */
export function findNewAccountGas(
  request: TransactionRequest,
  estimate: bigint,
  fork: GasFork,
): bigint | undefined {
  const { from, to } = request;
  if (to === null || isSameAddress(from, to)) return undefined;
  const gas = computeIntrinsicGas(request, fork, { recipient: 'created' });
  const more = gas - computeIntrinsicGas(request, fork, { recipient: 'exists' });
  return estimate === gas && more > 0n ? more : undefined;
}

// The node estimates as if the sender delegated already, so it does not count what that costs.
function toDelegationGas(request: TransactionRequest, fork: GasFork): bigint {
  const delegate = findOwnDelegate(request);
  const isSet = delegate !== undefined && !isSameAddress(delegate, ZERO_ADDRESS);
  return isSet ? forkGas[fork].delegation : 0n;
}

/** Writes a transaction as a node is to try it. Without fees: with them it fails for reasons
 * that have nothing to do with what it does. */
export function toCallObject(request: TransactionRequest): RpcCallObject {
  const { from, to, value, data, accessList = [] } = request;
  const { blobVersionedHashes, authorizationList } = request;
  return {
    from,
    ...(to !== null && { to }),
    value: toQuantity(value),
    data,
    ...(accessList.length > 0 && { accessList }),
    ...(blobVersionedHashes && { blobVersionedHashes }),
    ...(authorizationList && {
      authorizationList: authorizationList.map(toAuthorizationJson),
    }),
  };
}

/**
 * Assumes a gas limit for a transaction or call that cannot be estimated: enough for most calls,
 * and for all bytes, and far below what a block takes.
 */
export function assumeGasLimit(
  { to, data }: { to: Hex | null; data: Hex },
  fork: GasFork,
): bigint {
  const { unknownCall, calldataByte, codeByte } = forkGas[fork];
  const gasOfByte = to === null ? calldataByte + codeByte : calldataByte;
  return unknownCall + BigInt(byteLength(data)) * gasOfByte;
}

/**
 * Finds out what becomes of a transaction with a given gas limit. Asks in the tick of the call.
 *
 * @returns Why it fails, or that it creates an account; nothing where the node does not tell.
 */
export async function tryGivenGas(
  request: TransactionRequest & { gasLimit: bigint },
  { node, findFork }: EstimatePlace,
  options: CallOptions,
): Promise<{ failure?: Warning | undefined; newAccountGas?: bigint | undefined }> {
  const call = { ...toCallObject(request), gas: toQuantity(request.gasLimit) };
  try {
    const [told, fork] = await Promise.all([
      node.request('eth_estimateGas', [call], options),
      findFork(),
    ]);
    return { newAccountGas: findNewAccountGas(request, BigInt(told), fork) };
  } catch (error) {
    return { failure: findFailure(error) };
  }
}

/**
 * Finds why a transaction or call fails that a node was to estimate.
 *
 * @returns Undefined if the error tells nothing of it, as where the node was not reached.
 */
export function findFailure(error: unknown): Warning | undefined {
  if (!(error instanceof RpcError) || NOT_TRIED.includes(error.code)) return undefined;
  const isSure =
    error.code === REVERTED ||
    error.revertReason !== undefined ||
    FAILS.test(error.said);
  return warning(isSure ? 'alert.willFail' : 'alert.mayFail', {
    reason: { text: toReason(error) },
  });
}

/**
 * Finds why the calls of an operation fail that was to be estimated as a whole.
 *
 * @returns Undefined if the error tells nothing of the calls: the operation may not even be
 * valid.
 */
export function findCallFailure(error: unknown): Warning | undefined {
  if (!(error instanceof TollkeeperError) || error.code !== CALL_REVERTED) {
    return undefined;
  }
  return warning('alert.willFail', { reason: { text: toReason(error) } });
}

// In the words of the contract, else of the server.
function toReason(error: TollkeeperError): string {
  const { data } = error.context;
  const reason = findRevertReason(data) ?? '';
  if (reason !== '') return reason;
  const hasWords = error instanceof RpcError || error instanceof BundlerError;
  const said = hasWords && error.said !== '' ? error.said : 'execution reverted';
  const isCustom = matches(data, NodeBytesStruct) && data.length >= SELECTOR_END;
  return isCustom ? `${said} (custom error ${data.slice(0, SELECTOR_END)})` : said;
}
