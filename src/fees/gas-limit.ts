// Estimates the gas limit of a transaction, with a margin unless the estimate is exact, and finds the
// reason of a failure in the answer of a node or bundler. Finds the gas rules of a chain, too.
import { BundlerError, RpcError } from '../../packages/client/src';
import type {
  CallOptions,
  EstimateParams,
  NodeClient,
  RpcCallObject,
} from '../../packages/client/src';
import { tryInTime } from '../../packages/client/src/abort';
import { isOfCall } from '../../packages/client/src/errors';
import { isRollup } from '../../packages/client/src/rpc/schema';
import { shareByChain } from '../chains/chain';
import type { Chain } from '../chains/chain';
import { toAuthorizationJson } from '../core/authorization';
import { TollkeeperError } from '../core/errors';
import { findRevert } from '../eth/abi';
import type { ChainId } from '../eth/chain';
import {
  findOwnAuthorization,
  findOwnDelegate,
  toDelegatedCode,
} from '../eth/delegation';
import {
  byteLength,
  isSameAddress,
  larger,
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
import type { GasFork } from '../eth/intrinsic-gas';
import type { TransactionRequest } from '../eth/transaction';
import { warning } from '../ui/warnings';
import type { Warning } from '../ui/warnings';
import { assertPlausible } from './level';

/** Covers changes of the state until the transaction is included. */
const GAS_MARGIN_PERCENT = 120n;

/** Code of nodes for a call that reverts. */
const REVERTED = 3;

/** Code of bundlers for a call that reverts (ERC-7769). */
export const CALL_REVERTED = -32521;

/** Codes of a node that did not try (JSON-RPC, EIP-1474): it does not support the request,
 * something is missing, or it has no capacity. */
const NOT_TRIED: readonly number[] = [
  -32700, -32600, -32601, -32602, -32001, -32002, -32004, -32005, -32006,
];

export type GasEstimate = {
  gasLimit: bigint;
  /** The part that creates the recipient's account. */
  newAccountGas?: bigint | undefined;
  /** On rollups: price of the calldata beside the base fee, in wei per gas. */
  priorityFeePerGas?: bigint;
};

export type EstimatePlace = {
  chainId: ChainId;
  node: NodeClient;
  findFork: () => Promise<GasFork>;
};

/** Estimates a transaction's gas: by the node, but no less than the intrinsic gas, and 20 % more if
 * code runs; on a rollup its own estimate, where the node has that method. Throws the node's errors,
 * such as the reason of a revert, and `UnavailableError` for a fee that is not plausible. */
export async function estimateGas(
  request: TransactionRequest,
  place: EstimatePlace,
): Promise<GasEstimate> {
  const { chainId, node } = place;
  const call = toCallObject(request);
  const { authority = request.from, address } = findOwnAuthorization(request) ?? {};
  // Our own authorization is not signed yet, so the account's later code is an override.
  const params: EstimateParams = address
    ? [call, 'latest', { [authority]: { code: toDelegatedCode(address) } }]
    : [call];
  // A rollup's own method takes no overrides.
  if (!isRollup(chainId) || params.length > 1) {
    return estimatePlainly(request, params, place);
  }
  const estimate = await node
    .tryRequest('rollup_estimateGas', [call])
    .catch((error: unknown) => {
      // A failure of the method says nothing about the transaction.
      if (error instanceof TollkeeperError && error.code !== REVERTED) return undefined;
      throw error;
    });
  if (!estimate) return estimatePlainly(request, params, place);
  const priorityFeePerGas = BigInt(estimate.priorityFeePerGas);
  assertPlausible('rollup-estimate', [priorityFeePerGas]);
  return { gasLimit: BigInt(estimate.gasLimit), priorityFeePerGas };
}

async function estimatePlainly(
  request: TransactionRequest,
  params: EstimateParams,
  { node, findFork }: EstimatePlace,
): Promise<GasEstimate> {
  const [answer, fork] = await Promise.all([
    node.request('eth_estimateGas', params),
    findFork(),
  ]);
  const estimate = BigInt(answer);
  const newAccountGas = findNewAccountGas(request, estimate, fork);
  const { from, to } = request;
  const isSelf = to !== null && isSameAddress(from, to);
  const recipient = isSelf ? 'self' : 'unknown';
  // If no code runs.
  const exact =
    computeIntrinsicGas(request, fork, { recipient }) + (newAccountGas ?? 0n);
  if (estimate === exact) return { gasLimit: estimate, newAccountGas };
  const delegate = findOwnDelegate(request);
  const isSet = delegate !== undefined && !isSameAddress(delegate, ZERO_ADDRESS);
  // The node estimates as if the sender delegated already, so it does not count that cost.
  const delegation = isSet ? forkGas[fork].delegation : 0n;
  const gas = larger(estimate, exact) + delegation;
  const limit = (gas * GAS_MARGIN_PERCENT) / 100n;
  // A margin must not raise a limit over the cap: the chain would refuse it.
  const isCapped = fork === 'prague' && gas <= MAX_TRANSACTION_GAS;
  return { gasLimit: isCapped ? smaller(limit, MAX_TRANSACTION_GAS) : limit };
}

// The extra gas of a transfer that creates the recipient's account; undefined if it creates none, or
// that costs nothing.
function findNewAccountGas(
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

/** Converts a transaction into the call object of an estimate, without fees: with them it could
 * fail for want of balance. */
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

/** Assumes a gas limit for a transaction or call that cannot be estimated: enough for most calls
 * and for the bytes, and far below a block's limit. */
export function assumeGasLimit(
  { to, data }: { to: Hex | null; data: Hex },
  fork: GasFork,
): bigint {
  const { unknownCall, calldataByte, codeByte } = forkGas[fork];
  const gasOfByte = to === null ? calldataByte + codeByte : calldataByte;
  return unknownCall + BigInt(byteLength(data)) * gasOfByte;
}

/** Tries a transaction with a given gas limit, in the tick of the call; returns the failure, or the
 * gas for a new account, or neither if the node does not say. */
export async function tryGivenGas(
  request: TransactionRequest & { gasLimit: bigint },
  { node, findFork }: EstimatePlace,
  options: CallOptions,
): Promise<{ failure?: Warning | undefined; newAccountGas?: bigint | undefined }> {
  const call = { ...toCallObject(request), gas: toQuantity(request.gasLimit) };
  try {
    const [estimate, fork] = await Promise.all([
      node.request('eth_estimateGas', [call], options),
      findFork(),
    ]);
    return { newAccountGas: findNewAccountGas(request, BigInt(estimate), fork) };
  } catch (error) {
    return { failure: findFailure(error) };
  }
}

/** Finds the reason of a transaction's or call's failure in a node's error; undefined if the error
 * says nothing about it, such as a timeout. */
export function findFailure(error: unknown): Warning | undefined {
  if (!(error instanceof RpcError) || NOT_TRIED.includes(error.code)) return undefined;
  return warning(isOfCall(error) ? 'alert.willFail' : 'alert.mayFail', {
    reason: { text: toReason(error) },
  });
}

/** Finds the reason why the calls of an operation fail; undefined if the error says nothing about
 * the calls, since the operation may not be valid. */
export function findCallFailure(error: unknown): Warning | undefined {
  if (!(error instanceof TollkeeperError) || error.code !== CALL_REVERTED) {
    return undefined;
  }
  return warning('alert.willFail', { reason: { text: toReason(error) } });
}

// The reason in the words of the contract, else of the server.
function toReason(error: TollkeeperError): string {
  const isOfServer = error instanceof RpcError || error instanceof BundlerError;
  const revert = findRevert(isOfServer ? error.revertData : error.context['data']);
  if (revert?.reason) return revert.reason;
  const words = isOfServer && error.said !== '' ? error.said : 'execution reverted';
  // The selector of a custom error, with `0x`.
  const selector = revert?.data.slice(0, 10) ?? '';
  return words.includes(selector) ? words : `${words} (custom error ${selector})`;
}

/**
 * Finds a chain's gas rules; never fails. Any request is made in the tick of the call.
 *
 * `eth_config` (EIP-7910) names the contracts of a fork; nodes without it show them by their estimate
 * for a transfer of an account to itself, which EIP-2780 makes cheaper. Without an answer in time the
 * older rules are assumed.
 */
export type FindFork = (chain: Chain) => Promise<GasFork>;

const HOUR_MS = 3_600_000;

/** A dialog may wait for the answer. */
const TIME_LIMIT_MS = 2_000;

const SELF_CALL = { from: ZERO_ADDRESS, to: ZERO_ADDRESS } as const;

const SELF_GAS = computeIntrinsicGas(
  { to: ZERO_ADDRESS, value: 0n, data: '0x' },
  'prague',
  { recipient: 'self' },
);

/** Creates the finder of forks; one a worker. It remembers each fork for an hour, or until the next
 * fork of the chain. */
export function createFindFork({
  now,
  epoch,
}: Record<'now' | 'epoch', () => number>): FindFork {
  const known = new Map<ChainId, { fork: GasFork; until: number }>();
  const ask = shareByChain(async (chain: Chain): Promise<GasFork> => {
    const found = await tryInTime(
      async (signal) => fetchFork(chain, signal),
      TIME_LIMIT_MS,
    );
    // A node that lacks the method gets the other request next time.
    if (!found) return 'prague';
    const { fork, next = Infinity } = found;
    known.set(chain.id, { fork, until: Math.min(now() + HOUR_MS, next) });
    return fork;
  }, epoch);
  return async (chain) => {
    const found = known.get(chain.id);
    return found && now() < found.until ? found.fork : ask(chain);
  };
}

// One request at a time: few nodes lack eth_config, and that is remembered for a day.
async function fetchFork(
  { node }: Chain,
  signal: AbortSignal,
): Promise<{ fork: GasFork; next?: number } | undefined> {
  if (node.lacks('eth_config')) {
    const estimate = await node.request('eth_estimateGas', [SELF_CALL], { signal });
    return { fork: BigInt(estimate) < SELF_GAS ? 'amsterdam' : 'prague' };
  }
  const config = await node.tryRequest('eth_config', [], { signal });
  if (!config) return undefined;
  const { current, next } = config;
  // A system contract of Amsterdam (EIP-8282).
  const contracts = current.systemContracts ?? {};
  return {
    fork: 'BUILDER_DEPOSIT_CONTRACT_ADDRESS' in contracts ? 'amsterdam' : 'prague',
    ...(next && { next: next.activationTime * 1_000 }),
  };
}
