// Estimates a transaction's gas limit, with a margin unless the estimate is exact or a rollup's
// own. Also finds the reason for a failure in a node's or bundler's answer, and a chain's gas
// rules.
import { BundlerError, RpcError } from '../../packages/client/src';
import type {
  EstimateParams,
  NodeClient,
  RpcCallObject,
} from '../../packages/client/src';
import { tryInTime } from '../../packages/client/src/abort';
import { isContentRefusal } from '../../packages/client/src/errors';
import { isRollup } from '../../packages/client/src/rpc/schema';
import { shareByChain } from '../chains/chain';
import type { Chain } from '../chains/chain';
import { toAuthorizationJson } from '../core/authorization';
import { TollkeeperError } from '../core/errors';
import { findRevert } from '../eth/abi';
import type { ChainId } from '../eth/chain';
import { findOwnAuthorization, toDelegatedCode } from '../eth/delegation';
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
  computePlainGas,
  forkGas,
  MAX_TRANSACTION_GAS,
} from '../eth/intrinsic-gas';
import type { GasFork } from '../eth/intrinsic-gas';
import type { TransactionRequest } from '../eth/transaction';
import { warning } from '../ui/warnings';
import type { Warning } from '../ui/warnings';
import { assertPlausible } from './level';

/** Covers state changes before the transaction is included. */
const GAS_MARGIN_PERCENT = 120n;

const TRY_LIMIT_MS = 1_500;

/** Nodes' error code for a call that reverts. */
const REVERTED = 3;

/** Bundlers' error code for a call that reverts (ERC-7769). */
export const CALL_REVERTED = -32521;

/** Error codes of a node that did not try the call (JSON-RPC, EIP-1474): the request is
 * unsupported, something is missing, or the node is over capacity. */
const NOT_TRIED: readonly number[] = [
  -32700, -32600, -32601, -32602, -32001, -32002, -32004, -32005, -32006,
];

export type GasEstimate = {
  gasLimit: bigint;
  /** The part of `gasLimit` for creating the recipient's account. */
  newAccountGas?: bigint | undefined;
  /** Priority fee that a rollup charges for the calldata, in wei per gas. */
  priorityFeePerGas?: bigint;
};

type FoundGas = GasEstimate & { failure?: Warning | undefined };

export type EstimatePlace = {
  chainId: ChainId;
  node: NodeClient;
  findFork: () => Promise<GasFork>;
};

/** Finds a transaction's gas limit: the given one, or an estimate. If the estimate fails, throws
 * the node's error. With `mayFail`, assumes a limit instead if the node tried the call, and also
 * tries out a given limit. `isPriced` means that no fee is missing. */
export async function findGas(
  request: TransactionRequest,
  place: EstimatePlace,
  { mayFail, isPriced }: { mayFail: boolean; isPriced: boolean },
): Promise<FoundGas> {
  const { gasLimit } = request;
  if (gasLimit === undefined) {
    return estimateGas(request, place).catch(async (error: unknown) => {
      const failure = mayFail ? findFailure(error) : undefined;
      if (!failure) throw error;
      return { gasLimit: await assumeWithinBlock(request, place), failure };
    });
  }
  const [estimate, tried] = await Promise.all([
    // On rollups, the estimate also returns a priority fee for the calldata, which is optional.
    isPriced || !isRollup(place.chainId)
      ? undefined
      : estimateGas(request, place).catch(() => undefined),
    mayFail ? tryGivenGas({ ...request, gasLimit }, place) : undefined,
  ]);
  const newAccountGas = estimate?.newAccountGas ?? tried?.newAccountGas;
  return { ...estimate, gasLimit, newAccountGas, failure: tried?.failure };
}

/** Estimates a transaction's gas: the node's estimate, but at least the intrinsic gas, plus 20% if
 * code runs. On a rollup, uses the rollup's own method if the node has it, without a margin. Throws
 * the node's errors, such as a revert reason, and `UnavailableError` for an implausible fee. */
export async function estimateGas(
  request: TransactionRequest,
  { chainId, node, findFork }: EstimatePlace,
): Promise<GasEstimate> {
  const call = toCallObject(request);
  const { authority = request.from, address } = findOwnAuthorization(request) ?? {};
  // A rollup's own method does not support overrides.
  const found =
    isRollup(chainId) && !address ? await estimateOnRollup(call, node) : undefined;
  if (found) return found;
  // Our own authorization is not signed yet, so an override sets the delegation's code.
  const params: EstimateParams = address
    ? [call, 'latest', { [authority]: { code: toDelegatedCode(address) } }]
    : [call];
  const [answer, fork] = await Promise.all([
    node.request('eth_estimateGas', params),
    findFork(),
  ]);
  const estimate = BigInt(answer);
  const { gas: exact, newAccountGas } = computePlainGas(request, estimate, fork);
  if (estimate === exact) return { gasLimit: estimate, newAccountGas };
  const isDelegating = address !== undefined && !isSameAddress(address, ZERO_ADDRESS);
  // The override already contains the delegation, so the node's estimate excludes its cost.
  const delegation = isDelegating ? forkGas[fork].delegation : 0n;
  const gas = larger(estimate, exact) + delegation;
  const limit = (gas * GAS_MARGIN_PERCENT) / 100n;
  // Since Osaka, chains refuse a transaction whose margin raises the limit above the cap.
  const isCapped = fork === 'prague' && gas <= MAX_TRANSACTION_GAS;
  return { gasLimit: isCapped ? smaller(limit, MAX_TRANSACTION_GAS) : limit };
}

async function estimateOnRollup(
  call: RpcCallObject,
  node: NodeClient,
): Promise<GasEstimate | undefined> {
  const estimate = await node
    .tryRequest('rollup_estimateGas', [call])
    .catch((error: unknown) => {
      // Only a revert means that the transaction fails.
      if (error instanceof TollkeeperError && error.code !== REVERTED) return undefined;
      throw error;
    });
  if (!estimate) return undefined;
  const priorityFeePerGas = BigInt(estimate.priorityFeePerGas);
  assertPlausible('rollup-estimate', [priorityFeePerGas]);
  return { gasLimit: BigInt(estimate.gasLimit), priorityFeePerGas };
}

/** Converts a transaction to the call object of an estimate. Omits the fees, because the estimate
 * could otherwise fail for lack of balance. */
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

// Caps a high limit at the latest block's, because no block could include the transaction.
async function assumeWithinBlock(
  request: TransactionRequest,
  { node, findFork }: EstimatePlace,
): Promise<bigint> {
  const assumed = assumeGasLimit(request, await findFork());
  if (assumed <= MAX_TRANSACTION_GAS) return assumed;
  const block = await tryInTime(
    async (signal) =>
      node.request('eth_getBlockByNumber', ['latest', false], { signal }),
    TRY_LIMIT_MS,
  );
  return smaller(assumed, BigInt(block?.gasLimit ?? assumed));
}

/** Assumes a gas limit for a transaction or call that cannot be estimated: enough for most calls
 * with this amount of data and, unless there is a lot of data, far below a block's limit. */
export function assumeGasLimit(
  { to, data }: { to: Hex | null; data: Hex },
  fork: GasFork,
): bigint {
  const { unknownCall, calldataByte, codeByte } = forkGas[fork];
  const gasOfByte = to === null ? calldataByte + codeByte : calldataByte;
  return unknownCall + BigInt(byteLength(data)) * gasOfByte;
}

// Tries out a given gas limit. Returns the failure, or the gas for a new account; undefined if the
// node does not answer in time.
async function tryGivenGas(
  request: TransactionRequest & { gasLimit: bigint },
  { node, findFork }: EstimatePlace,
): Promise<Pick<FoundGas, 'failure' | 'newAccountGas'> | undefined> {
  const call = { ...toCallObject(request), gas: toQuantity(request.gasLimit) };
  return tryInTime(async (signal) => {
    try {
      const [estimate, fork] = await Promise.all([
        node.request('eth_estimateGas', [call], { signal }),
        findFork(),
      ]);
      const { newAccountGas } = computePlainGas(request, BigInt(estimate), fork);
      return { newAccountGas };
    } catch (error) {
      return { failure: findFailure(error) };
    }
  }, TRY_LIMIT_MS);
}

/** Finds the reason for the failure of a transaction or call in a node's error; undefined for
 * unrelated errors, such as a timeout. */
export function findFailure(error: unknown): Warning | undefined {
  if (!(error instanceof RpcError) || NOT_TRIED.includes(error.code)) return undefined;
  return warning(isContentRefusal(error) ? 'alert.willFail' : 'alert.mayFail', {
    reason: { text: toReason(error) },
  });
}

/** Finds the reason why an operation's calls fail; undefined for other errors, such as an invalid
 * operation. */
export function findCallFailure(error: unknown): Warning | undefined {
  if (!(error instanceof TollkeeperError) || error.code !== CALL_REVERTED) {
    return undefined;
  }
  return warning('alert.willFail', { reason: { text: toReason(error) } });
}

function toReason(error: TollkeeperError): string {
  const isServerError = error instanceof RpcError || error instanceof BundlerError;
  const revert = findRevert(isServerError ? error.revertData : error.context['data']);
  if (revert?.reason) return revert.reason;
  const words = isServerError && error.said !== '' ? error.said : 'execution reverted';
  const selector = revert?.data.slice(0, 10) ?? '';
  return words.includes(selector) ? words : `${words} (custom error ${selector})`;
}

/**
 * Finds a chain's gas rules; never fails. Sends its first request in the same tick.
 *
 * `eth_config` (EIP-7910) names a fork's contracts. Nodes without this method reveal the fork by
 * their estimate for a transfer from an account to itself, which EIP-2780 makes cheaper. If no
 * usable answer arrives in time, the older rules are assumed.
 */
export type FindFork = (chain: Chain) => Promise<GasFork>;

const HOUR_MS = 3_600_000;

const TEN_MINUTES_MS = 600_000;

/** Maximum delay of a dialog, in ms. */
const TIME_LIMIT_MS = 2_000;

const SELF_CALL = { from: ZERO_ADDRESS, to: ZERO_ADDRESS } as const;

const SELF_GAS = computeIntrinsicGas(
  { to: ZERO_ADDRESS, value: 0n, data: '0x' },
  'prague',
  { recipient: 'self' },
);

/** Creates the fork finder, once per worker. It remembers Amsterdam for an hour. It remembers an
 * earlier fork for an hour at most: until the chain's next fork, or for ten minutes if the node
 * does not say when that is. */
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
    // If the node lacks eth_config, the next attempt uses eth_estimateGas.
    if (!found) return 'prague';
    const { fork, next = now() + TEN_MINUTES_MS } = found;
    const until = fork === 'prague' ? Math.min(now() + HOUR_MS, next) : now() + HOUR_MS;
    known.set(chain.id, { fork, until });
    return fork;
  }, epoch);
  return async (chain) => {
    const found = known.get(chain.id);
    return found && now() < found.until ? found.fork : ask(chain);
  };
}

// If the node turns out to lack eth_config, the attempt ends, because few nodes lack it and the
// lack is remembered for a day.
async function fetchFork(
  { node }: Chain,
  signal: AbortSignal,
): Promise<{ fork: GasFork; next?: number } | undefined> {
  const lacks = node.lacks('eth_config');
  const config = lacks ? null : await node.tryRequest('eth_config', [], { signal });
  const contracts = config?.current.systemContracts;
  if (!contracts) {
    if (!lacks && !config) return undefined;
    const estimate = await node.request('eth_estimateGas', [SELF_CALL], { signal });
    return { fork: BigInt(estimate) < SELF_GAS ? 'amsterdam' : 'prague' };
  }
  const { next } = config;
  return {
    // A system contract of Amsterdam (EIP-8282).
    fork: 'BUILDER_DEPOSIT_CONTRACT_ADDRESS' in contracts ? 'amsterdam' : 'prague',
    next: next ? next.activationTime * 1_000 : Infinity,
  };
}
