// Fetches fees from the chain's gas API, checked against its node, or from the node alone.
import type {
  CallOptions,
  GasApi,
  NodeClient,
  RpcCallObject,
  SuggestedGasFees,
} from '../../packages/client/src';
import { withTimeLimit } from '../../packages/client/src/abort';
import { isRollup } from '../../packages/client/src/rpc/schema';
import type { Chain } from '../chains/chain';
import { InternalError, TollkeeperError, UnavailableError } from '../core/errors';
import type { ChainId } from '../eth/chain';
import { larger, smaller, ZERO_ADDRESS } from '../eth/hex';
import type { Market } from '../state/public-state';
import { levelNames } from '../ui/i18n';
import type { LevelName } from '../ui/i18n';
import {
  computeBaseFeePercentile,
  computeSuggestedFees,
  fetchFeeHistory,
  findBlockMs,
  hasBaseFees,
} from './fee-history';
import {
  assertPlausible,
  levelRules,
  percentOf,
  perLevel,
  sorted,
  toFeePair,
} from './level';
import type { LevelFees, FeeLevels, FeeSource } from './level';

export type FetchedLevels = Omit<FeeLevels, 'at'>;

export type NoteAnswer = (server: 'gas' | 'node', error?: unknown) => void;

export type BlockTimes = Map<ChainId, number>;

type FetchOptions = CallOptions & {
  note: NoteAnswer;
  blockTimes: BlockTimes;
  /** Whether the fees are first compared with the gas API's. */
  isCheck?: boolean;
};

/** A gas API is ignored if one of its maximum fees is above this multiple of the node's. */
const MAX_TIMES_NODE = 10n;

/** Maximum time, in ms, that the gas API's levels wait for the node's. */
const CHECK_MS = 2_000;

/**
 * Fetches a chain's levels. The gas API is checked against the node; both requests start at once,
 * so the check costs no round trip.
 *
 * - If both answer, the gas API is used, unless one of its maximum fees is more than ten times the
 *   node's. In that case the node is used, and `passedOver` says so. This way, neither server alone
 *   can make a transaction far more expensive. A gas API below the node is used if its fees can be
 *   included: its base fee and its low maximum must be at least half of the node's base fee.
 *   Otherwise the node is used, but a node whose base fee or priority fee is more than ten times
 *   the gas API's high maximum is ignored.
 * - If only one answers, it is used. A gas API that contradicts itself counts as not answering, as
 *   do an implausible server and a node that takes two seconds longer than the gas API.
 *
 * @throws {TollkeeperError} The node's error, if neither answers. Internal errors are thrown at
 *   once, because another source would only hide them.
 */
export async function fetchLevels(
  chain: Chain,
  options: Pick<FetchOptions, 'note' | 'blockTimes'>,
): Promise<FetchedLevels> {
  const { gas } = chain;
  const { note } = options;
  if (!gas) return fetchFromNode(chain, options);
  const abort = new AbortController();
  const { signal } = abort;
  const checking = fetchFromNode(chain, { ...options, signal, isCheck: true });
  // Prevents an unhandled rejection. The promise is awaited below.
  checking.catch(() => undefined);
  const suggested = await findSuggested(chain.id, gas, note);
  if (!suggested) return toOwnLevels(await checking, chain, options);
  const checked = await withTimeLimit(async () => checking, CHECK_MS)
    .catch(rethrowOwnFault)
    .finally(() => abort.abort(new UnavailableError('The node took too long.')));
  if (!checked) return suggested;
  const isFarAbove = levelNames.some(
    (name) =>
      suggested[name].maxFeePerGas > MAX_TIMES_NODE * checked[name].maxFeePerGas,
  );
  if (!isFarAbove && !isBelowBaseFee(suggested, checked)) return suggested;
  const where = isFarAbove ? 'far above the node' : "far below the node's base fee";
  note('gas', new UnavailableError(`The gas API is ${where}.`));
  const levels = await toOwnLevels(checked, chain, options);
  return isFarAbove ? { ...levels, passedOver: 'gas-api' } : levels;
}

// With a maximum below half of the base fee, a transaction waits for more than five empty blocks in
// a row.
function isBelowBaseFee(
  { estimatedBaseFee, low, high }: LevelFees,
  { estimatedBaseFee: baseFee, high: { maxPriorityFeePerGas: tip } }: LevelFees,
): boolean {
  const isBelow = smaller(estimatedBaseFee, low.maxFeePerGas) * 2n < baseFee;
  const most = MAX_TIMES_NODE * high.maxFeePerGas;
  return isBelow && (most === 0n || larger(baseFee, tip) <= most);
}

type GasAnswer<Result> = { result: Result; isComputed: boolean };

/** Fetches a chain's suggested fees in wei (docs/reference/service.md#suggested-gas-fees) from its
 * gas API, or computes them from past blocks. Throws `UnavailableError` if the chain has no fee
 * market, and the node's errors. */
export async function fetchSuggestedFees(
  chain: Chain,
): Promise<GasAnswer<SuggestedGasFees>> {
  return askOrCompute(
    chain,
    async (gas) => {
      const fees = await gas.suggestedGasFees(chain.id);
      readSuggestedFees(fees);
      return fees;
    },
    async (node) => {
      const [{ history, suggestedTip }, blockMs] = await Promise.all([
        fetchMarket(node),
        findBlockMs(node),
      ]);
      const facts = { chainId: chain.id, blockMs, suggestedTip };
      const fees = computeSuggestedFees(history, facts);
      assertPlausible('fee-history', [fees.high.suggestedMaxFeePerGas]);
      return fees;
    },
  );
}

/** Fetches the median of past base fees in wei (docs/reference/service.md#base-fee-percentile) from
 * the same sources as {@link fetchSuggestedFees}. */
export async function fetchBaseFeePercentile(chain: Chain): Promise<GasAnswer<bigint>> {
  return askOrCompute(
    chain,
    async (gas) => gas.baseFeePercentile(chain.id),
    async (node) => computeBaseFeePercentile((await fetchMarket(node)).history),
  );
}

async function askOrCompute<Result>(
  { node, gas }: Chain,
  ask: (gas: GasApi) => Promise<Result>,
  compute: (node: NodeClient) => Promise<Result>,
): Promise<GasAnswer<Result>> {
  try {
    if (gas) return { result: await ask(gas), isComputed: false };
  } catch (error) {
    rethrowOwnFault(error);
  }
  return { result: await compute(node), isComputed: true };
}

async function fetchMarket(node: NodeClient): ReturnType<typeof fetchFeeHistory> {
  const market = await fetchFeeHistory(node);
  if (hasBaseFees(market.history)) return market;
  throw new UnavailableError('The chain has no base fee, and so no suggested fees.');
}

/**
 * Makes a gas API's levels consistent, because a transaction with contradictory fees cannot be
 * signed or is never included. Sorts maxima and priority fees, and lowers a priority fee to its
 * maximum, which is the price that the user agrees to. A maximum slightly below base plus priority
 * fee stays, because low levels wait for the base fee to fall. Apart from sorting, nothing is
 * raised, so no fee exceeds the highest one of its kind that was suggested.
 *
 * @throws {UnavailableError} If a fee is not plausible, or a maximum is less than half of base plus
 *   priority fee. The base fee falls by at most an eighth per block, so a transaction with this
 *   maximum would wait for more than five empty blocks in a row. One of the values must be wrong.
 */
export function readSuggestedFees(fees: SuggestedGasFees): LevelFees {
  const { estimatedBaseFee } = fees;
  const maxima = sortLevels(perLevel((name) => fees[name].suggestedMaxFeePerGas));
  const priorities = sortLevels(
    perLevel((name) => fees[name].suggestedMaxPriorityFeePerGas),
  );
  const all = [...Object.values(maxima), ...Object.values(priorities)];
  assertPlausible('gas-api', [...all, estimatedBaseFee]);
  const levels = perLevel((name) => {
    const maxFeePerGas = maxima[name];
    const maxPriorityFeePerGas = smaller(priorities[name], maxFeePerGas);
    if (maxFeePerGas * 2n < estimatedBaseFee + maxPriorityFeePerGas) {
      throw new UnavailableError(
        'The suggested fees (gas-api) contradict each other: a maximum fee is far below the base fee.',
      );
    }
    return { maxFeePerGas, maxPriorityFeePerGas };
  });
  return { ...levels, estimatedBaseFee };
}

function sortLevels(fees: Record<LevelName, bigint>): Record<LevelName, bigint> {
  const [low, medium, high] = sorted(Object.values(fees)) as [bigint, bigint, bigint];
  return { low, medium, high };
}

async function findSuggested(
  id: ChainId,
  gas: GasApi,
  note: NoteAnswer,
): Promise<FetchedLevels | undefined> {
  try {
    const suggested = await gas.suggestedGasFees(id);
    const levels = readSuggestedFees(suggested);
    note('gas');
    return { ...levels, market: toMarket(suggested), source: 'gas-api' };
  } catch (error) {
    note('gas', error);
    return rethrowOwnFault(error);
  }
}

// Fetches incomplete levels again. A check does not measure the block time, and accepts a history
// whose base fees are all zero.
async function toOwnLevels(
  checked: FetchedLevels,
  chain: Chain,
  options: FetchOptions,
): Promise<FetchedLevels> {
  const { source, estimatedBaseFee } = checked;
  const isWhole = estimatedBaseFee > 0n && options.blockTimes.has(chain.id);
  return source === 'fee-history' && !isWhole ? fetchFromNode(chain, options) : checked;
}

/** A source's levels, and the source's more precise name if it has one. */
type FoundLevels = LevelFees & { market?: Market; source?: FeeSource };

type NodeSource = {
  name: FeeSource;
  isOf?: (chainId: ChainId) => boolean;
  /** Returns undefined if the node does not support the source, or its answer has no base fees. */
  fetch: (chain: Chain, options: FetchOptions) => Promise<FoundLevels | undefined>;
};

/** A node's fee sources, best first. */
const nodeSources: readonly NodeSource[] = [
  { name: 'rollup-estimate', isOf: isRollup, fetch: fetchRollupFees },
  { name: 'fee-history', fetch: findHistoryFees },
  { name: 'gas-price', fetch: fetchGasPrice },
];

/** A call that any account could make. It has no fees, because an estimate would compare them with
 * a balance. A transfer has more bytes per gas than most contract calls, so its base-layer cost per
 * gas is enough for them. Calls that are mostly calldata need more. */
const PLAIN_CALL: RpcCallObject = {
  from: ZERO_ADDRESS,
  to: ZERO_ADDRESS,
  value: '0x0',
};

/** Fetches the levels from the node's best source. Sends the first request in the same tick.
 *
 * @throws The last source's error, if every source fails. */
export async function fetchFromNode(
  chain: Chain,
  options: FetchOptions,
): Promise<FetchedLevels> {
  const { note } = options;
  let failure: unknown;
  for (const { name, isOf, fetch } of nodeSources) {
    if (isOf && !isOf(chain.id)) continue;
    try {
      const fees = await fetch(chain, options);
      if (!fees) continue;
      assertPlausible(name, [fees.high.maxFeePerGas, fees.estimatedBaseFee]);
      note('node');
      return { source: name, ...fees };
    } catch (error) {
      failure = error;
      note('node', error);
      rethrowOwnFault(error);
    }
  }
  throw failure;
}

// Throws internal errors, because another source would only hide them.
function rethrowOwnFault(error: unknown): undefined {
  if (error instanceof TollkeeperError && !(error instanceof InternalError)) {
    return undefined;
  }
  throw error;
}

// Uses the node's own estimate (docs/reference/service.md#gas-estimate), because past blocks do not
// show the next cost of the base layer. The base fee is treated as in any other source. The low and
// medium levels use the estimate's priority fee. By default, Linea's nodes estimate the minimum
// that a block accepts, and transactions below it stay in the pool. The high level adds 20%, in
// case the base layer's fees rise.
async function fetchRollupFees(
  { node }: Chain,
  { signal }: FetchOptions,
): Promise<LevelFees | undefined> {
  const estimate = await node.tryRequest('rollup_estimateGas', [PLAIN_CALL], {
    signal,
  });
  if (!estimate) return undefined;
  const baseFee = BigInt(estimate.baseFeePerGas);
  const priorityFee = BigInt(estimate.priorityFeePerGas);
  const levels = perLevel((name) => {
    const rule = levelRules[name];
    return toFeePair(rule, baseFee, percentOf(priorityFee, rule.priorityPercent));
  });
  return { ...levels, estimatedBaseFee: baseFee };
}

async function findHistoryFees(
  { id, node }: Chain,
  { signal, blockTimes, isCheck = false }: FetchOptions,
): Promise<FoundLevels | undefined> {
  const [{ history, suggestedTip }, blockMs] = await Promise.all([
    fetchFeeHistory(node, { signal }),
    blockTimes.get(id) ?? (isCheck ? undefined : findBlockMs(node)),
  ]);
  if (blockMs !== undefined) blockTimes.set(id, blockMs);
  const isUseful = isCheck ? history.baseFeePerGas.length > 0 : hasBaseFees(history);
  if (!isUseful) return undefined;
  const suggested = computeSuggestedFees(history, {
    chainId: id,
    blockMs,
    suggestedTip,
  });
  const levels = perLevel((name) => ({
    maxFeePerGas: suggested[name].suggestedMaxFeePerGas,
    maxPriorityFeePerGas: suggested[name].suggestedMaxPriorityFeePerGas,
  }));
  const { estimatedBaseFee } = suggested;
  return { ...levels, estimatedBaseFee, market: toMarket(suggested) };
}

// The priority fee is the part of the price above the base fee, or a default if there is none. The
// base fee is that of `eth_baseFee`, or else the latest block's if it is below the price. A base
// fee of more than twice the price contradicts the price, and is ignored.
async function fetchGasPrice(
  { node }: Chain,
  { signal }: FetchOptions,
): Promise<FoundLevels> {
  const [answer, base, block] = await Promise.all([
    node.request('eth_gasPrice', [], { signal }),
    node.tryRequest('eth_baseFee', [], { signal }).catch(() => undefined),
    node
      .request('eth_getBlockByNumber', ['latest', false], { signal })
      .catch(() => undefined),
  ]);
  const price = BigInt(answer);
  const blockBaseFee = BigInt(block?.baseFeePerGas ?? 0);
  const baseFee = BigInt(base ?? (price > blockBaseFee ? blockBaseFee : 0));
  if (baseFee === 0n || baseFee > 2n * price) {
    const pair = { maxFeePerGas: price, maxPriorityFeePerGas: price };
    return { ...perLevel(() => pair), estimatedBaseFee: 0n };
  }
  const levels = perLevel((name) => {
    const rule = levelRules[name];
    const paid = price > baseFee ? price - baseFee : rule.defaultPriorityFee;
    return toFeePair(rule, baseFee, paid);
  });
  return { ...levels, estimatedBaseFee: baseFee, source: 'base-fee' };
}

function toMarket(fees: SuggestedGasFees): Market {
  const most = Number.MAX_SAFE_INTEGER;
  return {
    congestion: fees.networkCongestion,
    baseFeeTrend: fees.baseFeeTrend,
    priorityFeeTrend: fees.priorityFeeTrend,
    waits: perLevel((name) => {
      const { minWaitTimeEstimate, maxWaitTimeEstimate } = fees[name];
      const waits = [minWaitTimeEstimate, maxWaitTimeEstimate];
      return { min: Math.min(...waits, most), max: Math.min(Math.max(...waits), most) };
    }),
  };
}
