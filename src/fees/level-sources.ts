// Where fees come from when no fresh ones are known: the chain's gas API, checked against its
// node, or the node alone.
import { isRollup } from '../client';
import type {
  CallOptions,
  FeeLevel,
  GasApi,
  NodeClient,
  RpcCallObject,
  SuggestedGasFees,
} from '../client';
import { withTimeLimit } from '../client/abort';
import { InternalError, TollkeeperError, UnavailableError } from '../errors';
import type { ChainId } from '../eth/chain';
import { smaller } from '../eth/hex';
import type { Hex } from '../eth/hex';
import type { Market } from '../state/public-state';
import {
  computeSuggestedFees,
  fetchFeeHistory,
  findBlockMs,
  hasBaseFees,
} from './fee-history';
import {
  assertPlausible,
  levelNames,
  levelRules,
  percentOf,
  sorted,
  toFeePair,
} from './level';
import type { FeeFigures, FeeLevels, FeePair, FeeSource, LevelRule } from './level';
import type { NoteAnswer } from './server-answers';

// How the market of fees is, as far as a source tells: how full blocks are, where fees are
// heading, and how long each level waits.

export type { Market } from '../state/public-state';

/** Take what suggested fees say of the market. */
export function toMarket(fees: SuggestedGasFees): Market {
  const { low, medium, high } = fees;
  return {
    congestion: fees.networkCongestion,
    baseFeeTrend: fees.baseFeeTrend,
    priorityFeeTrend: fees.priorityFeeTrend,
    waits: { low: toWait(low), medium: toWait(medium), high: toWait(high) },
  };
}

function toWait(level: FeeLevel): { min: number; max: number } {
  const { minWaitTimeEstimate: min, maxWaitTimeEstimate: max } = level;
  return { min: toMs(Math.min(min, max)), max: toMs(Math.max(min, max)) };
}

function toMs(wait: number): number {
  return Math.min(wait, Number.MAX_SAFE_INTEGER);
}

// What a gas API suggests, made consistent: a server may say anything, and levels that
// contradict themselves cannot be signed or would never be included.

/**
 * Read the levels of a gas API's answer.
 *
 * Repaired are levels in the wrong order (maxima and priority fees are sorted, each for
 * themselves) and a priority fee above its maximum (lowered to it: the maximum is what
 * its user agrees to pay). A maximum somewhat below base plus priority fee stays: low
 * levels wait for the base fee to fall. Nothing is ever raised, so that no contradiction
 * makes a transaction dearer.
 *
 * @throws {UnavailableError} If a fee is not plausible, or if a maximum is less than half
 * of base plus priority fee: the base fee falls by an eighth a block at most, so this
 * would wait for more than five empty blocks in a row, and one of the figures is wrong.
 */
export function readSuggestedFees(fees: SuggestedGasFees): FeeFigures {
  const { low, medium, high, estimatedBaseFee } = fees;
  const maxima = sorted([
    low.suggestedMaxFeePerGas,
    medium.suggestedMaxFeePerGas,
    high.suggestedMaxFeePerGas,
  ] as const);
  const priorities = sorted([
    low.suggestedMaxPriorityFeePerGas,
    medium.suggestedMaxPriorityFeePerGas,
    high.suggestedMaxPriorityFeePerGas,
  ] as const);
  assertPlausible('gas-api', [...maxima, ...priorities, estimatedBaseFee]);
  const toPair = (level: 0 | 1 | 2): FeePair => ({
    maxFeePerGas: maxima[level],
    maxPriorityFeePerGas: smaller(priorities[level], maxima[level]),
  });
  const levels = { low: toPair(0), medium: toPair(1), high: toPair(2) };
  Object.values(levels).forEach((pair) => assertCovers(pair, estimatedBaseFee));
  return { ...levels, estimatedBaseFee };
}

function assertCovers(
  { maxFeePerGas, maxPriorityFeePerGas }: FeePair,
  baseFee: bigint,
): void {
  if (maxFeePerGas * 2n >= baseFee + maxPriorityFeePerGas) return;
  throw new UnavailableError(
    'The fees suggested (gas-api) contradict each other: a maximum fee is far below the base fee.',
  );
}

// Fees of a rollup from its node's own estimate (spec 2.4), which knows what a place on
// the base layer costs: past blocks do not tell that of the next one. Pure.

/**
 * Compute the levels of a rollup.
 *
 * The base fee counts as in any other level. The priority fee is the estimate's own at the
 * medium level and at the low one too: Linea's nodes estimate, by default, the least that
 * a block takes, and what pays less stays in the pool. At the high level it is 120 %,
 * which outlasts a rise of the base layer's fees.
 *
 * @param estimate - Quantities in wei.
 */
export function computeRollupFees(estimate: {
  baseFeePerGas: Hex;
  priorityFeePerGas: Hex;
}): FeeFigures {
  const baseFee = BigInt(estimate.baseFeePerGas);
  const priorityFee = BigInt(estimate.priorityFeePerGas);
  const toPair = (rule: LevelRule): FeePair =>
    toFeePair(rule, baseFee, percentOf(priorityFee, rule.priorityPercent));
  return {
    low: toPair(levelRules.low),
    medium: toPair(levelRules.medium),
    high: toPair(levelRules.high),
    estimatedBaseFee: baseFee,
  };
}

/** A chain as far as fees are concerned. */
export type FeeChain = {
  id: ChainId;
  node: NodeClient;
  gas?: GasApi;
  /** Number of the newest block, as a live `newHeads` subscription tells it; undefined
   * while there is none. */
  head?: () => bigint | undefined;
};

/** Levels that were just fetched. */
export type FetchedLevels = Omit<FeeLevels, 'at'>;

/** What a source tells. */
type FoundLevels = FeeFigures & Pick<FeeLevels, 'market'>;

/** How long chains take for a block, in ms. */
export type BlockTimes = Map<ChainId, number>;

/** How the node is asked. */
type Asking = CallOptions & {
  note: NoteAnswer;
  /** Those that are known; it grows by the ones that are measured. */
  blockTimes: BlockTimes;
  /** Whether the fees are only compared with others. */
  isCheck?: boolean;
};

type NodeSource = {
  name: FeeSource;
  /** Tells which chains have it; all do if it is left out. */
  isOf?: (chainId: ChainId) => boolean;
  /** Answers undefined where the node has nothing to tell. */
  fetch: (chain: FeeChain, asking: Asking) => Promise<FoundLevels | undefined>;
};

/** What a node tells of fees, best first. */
const nodeSources: readonly NodeSource[] = [
  { name: 'rollup-estimate', isOf: isRollup, fetch: fetchRollupFees },
  { name: 'fee-history', fetch: findHistoryFees },
  { name: 'gas-price', fetch: fetchGasPrice },
];

/** A gas API with a level of more than so many times the node's is passed over. */
const MAX_TIMES_NODE = 10n;

/** How long the gas API's levels wait for the node's, in ms. */
const CHECK_MS = 2_000;

/** A call that any account could make. Without fees, which an estimate would compare with
 * a balance. A transfer has more bytes for its gas than most calls of contracts, so its
 * share of the base layer's cost does for these; what is mostly calldata needs more. */
const PLAIN_CALL: RpcCallObject = {
  from: `0x${'00'.repeat(20)}`,
  to: `0x${'00'.repeat(20)}`,
  value: '0x0',
};

/**
 * Fetches the levels of a chain. The gas API is checked against the node; both are asked at
 * once, so the check costs no round trip.
 *
 * - Both answer: the gas API counts, unless a level of it is more than ten times the node's.
 *   Then the node counts, and `passedOver` says so. Neither alone can make a transaction
 *   dearer, so a gas API below the node counts as well.
 * - Only the gas API answers: it counts. A node that fails, tells nothing plausible or takes
 *   two seconds longer than the gas API has not answered.
 * - Only the node answers: it counts. A gas API that fails, contradicts itself or tells
 *   nothing plausible has not answered.
 *
 * @param note - Told how each server that was asked answered.
 * @param blockTimes - Those that are known; it grows by the ones that were measured.
 * @throws {TollkeeperError} What the node says, if neither answers. Faults of ours are thrown
 * at once: another source would only hide them.
 */
export async function fetchLevels(
  chain: FeeChain,
  note: NoteAnswer = () => undefined,
  blockTimes: BlockTimes = new Map(),
): Promise<FetchedLevels> {
  const { gas } = chain;
  const asking: Asking = { note, blockTimes };
  if (!gas) return fetchFromNode(chain, asking);
  const abort = new AbortController();
  const { signal } = abort;
  const checking = fetchFromNode(chain, { ...asking, signal, isCheck: true });
  // It is awaited below, and what it failed with may count for nothing.
  checking.catch(() => undefined);
  const suggested = await findSuggested(chain.id, gas, note);
  if (!suggested) return toOwnLevels(await checking, chain, asking);
  const checked = await withTimeLimit(async () => checking, CHECK_MS)
    .catch(rethrowOwnFault)
    .finally(() => abort.abort(new UnavailableError('The node took too long.')));
  if (!checked || !isFarAbove(suggested, checked)) return suggested;
  note('gas', new UnavailableError('The gas API is far above the node.'));
  return { ...(await toOwnLevels(checked, chain, asking)), passedOver: 'gas-api' };
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

function isFarAbove(suggested: FeeFigures, own: FeeFigures): boolean {
  return levelNames.some(
    (name) => suggested[name].maxFeePerGas > MAX_TIMES_NODE * own[name].maxFeePerGas,
  );
}

// A check does not measure how long a block takes, and a history without base fees is good for
// nothing else.
async function toOwnLevels(
  checked: FetchedLevels,
  chain: FeeChain,
  asking: Asking,
): Promise<FetchedLevels> {
  const { source, estimatedBaseFee } = checked;
  const isWhole = estimatedBaseFee > 0n && asking.blockTimes.has(chain.id);
  return source === 'fee-history' && !isWhole ? fetchFromNode(chain, asking) : checked;
}

// The first one is asked in the tick of the call.
async function fetchFromNode(chain: FeeChain, asking: Asking): Promise<FetchedLevels> {
  const { note } = asking;
  let failure: unknown;
  for (const { name, isOf, fetch } of nodeSources) {
    if (isOf && !isOf(chain.id)) continue;
    try {
      const fees = await fetch(chain, asking);
      if (!fees) continue;
      assertPlausible(name, [fees.high.maxFeePerGas, fees.estimatedBaseFee]);
      note('node');
      return { ...fees, source: name };
    } catch (error) {
      failure = error;
      note('node', error);
      rethrowOwnFault(error);
    }
  }
  throw failure;
}

// A fault of ours is thrown: another source would only hide it.
function rethrowOwnFault(error: unknown): undefined {
  if (error instanceof TollkeeperError && !(error instanceof InternalError)) {
    return undefined;
  }
  throw error;
}

async function fetchRollupFees(
  { node }: FeeChain,
  { signal }: Asking,
): Promise<FeeFigures> {
  const estimate = node.request('rollup_estimateGas', [PLAIN_CALL], { signal });
  return computeRollupFees(await estimate);
}

async function findHistoryFees(
  { id, node }: FeeChain,
  { signal, blockTimes, isCheck = false }: Asking,
): Promise<FoundLevels | undefined> {
  const [history, blockMs] = await Promise.all([
    fetchFeeHistory(node, { signal }),
    blockTimes.get(id) ?? (isCheck ? undefined : findBlockMs(node)),
  ]);
  if (blockMs !== undefined) blockTimes.set(id, blockMs);
  const isUseful = isCheck ? history.baseFeePerGas.length > 0 : hasBaseFees(history);
  if (!isUseful) return undefined;
  const suggested = computeSuggestedFees(history, blockMs);
  const { low, medium, high, estimatedBaseFee } = suggested;
  return {
    low: toPair(low),
    medium: toPair(medium),
    high: toPair(high),
    estimatedBaseFee,
    market: toMarket(suggested),
  };
}

function toPair(level: FeeLevel): FeePair {
  return {
    maxFeePerGas: level.suggestedMaxFeePerGas,
    maxPriorityFeePerGas: level.suggestedMaxPriorityFeePerGas,
  };
}

async function fetchGasPrice(
  { node }: FeeChain,
  { signal }: Asking,
): Promise<FeeFigures> {
  const price = BigInt(await node.request('eth_gasPrice', [], { signal }));
  const pair = { maxFeePerGas: price, maxPriorityFeePerGas: price };
  return { low: pair, medium: pair, high: pair, estimatedBaseFee: 0n };
}
