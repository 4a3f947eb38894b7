// Computes fee levels from past blocks (eth_feeHistory), and the block time from headers. The gas
// service uses both, and so does the snap: without a gas API, or to check its fees.
import type {
  BlockParameter,
  CallOptions,
  FeeHistory,
  FeeLevel,
  FeeRange,
  NodeClient,
  SuggestedGasFees,
} from '../../packages/client/src';
import { tryInTime } from '../../packages/client/src/abort';
import type { ChainId } from '../eth/chain';
import { larger, smaller, toQuantity } from '../eth/hex';
import type { Hex } from '../eth/hex';
import {
  levelRules,
  MAX_LEAST_TIP,
  MAX_PLAUSIBLE_FEE,
  perLevel,
  sorted,
  toFeePair,
} from './level';
import type { LevelRule } from './level';

export const HISTORY_BLOCKS = 20;

export const REWARD_PERCENTILES = [0, 5, 10, 20, 50, 100];

/** Percentile for full blocks. Transactions below it paid the builder in another way. */
const FULL_PERCENTILE = 20;

const MEDIAN_PERCENTILE = 50;

/** Share of the gas limit from which a block counts as full. */
const FULL = 0.9;

/** Priority fees up to the base fee divided by this are too small to have paid the builder. */
const TRIFLE_DIVISOR = 100_000n;

/** Polygon and Amoy, whose nodes refuse priority fees that their blocks include. */
const FLOORED_CHAINS: ReadonlySet<ChainId> = new Set([137n, 80_002n]);

/** 1,000 gwei in wei: no transaction pool has a higher minimum. */
const MAX_FLOOR = 10n ** 12n;

/** Ethereum's slot time, for chains with an unknown block time. */
const DEFAULT_BLOCK_MS = 12_000;

/** Computes the fields of `suggestedGasFees` (docs/reference/service.md#suggested-gas-fees) from
 * past blocks, with rewards at {@link REWARD_PERCENTILES}. Fees are in wei, with low ≤ medium ≤
 * high and, at each level, maximum fee ≥ base fee + priority fee. Accepts empty blocks, missing
 * rewards and a base fee of zero. Throws `RangeError` if there is no base fee, which means that the
 * chain has no fee market.
 *
 * @param market - The chain, its block time, and `suggestedTip`, the node's suggested priority fee
 *   in wei. If that is the pool's minimum, every level pays at least that much. */
export function computeSuggestedFees(
  history: FeeHistory,
  { chainId, blockMs = DEFAULT_BLOCK_MS, suggestedTip = 0n }: MarketFacts = {},
): SuggestedGasFees {
  const { baseFeePerGas, gasUsedRatio, reward } = takeNewest(history);
  const baseFees = baseFeePerGas.map(BigInt);
  const estimatedBaseFee = findNextBaseFee(baseFees);
  if (estimatedBaseFee === undefined) {
    throw new RangeError('The history has no base fee.');
  }
  // Empty blocks are omitted, because nodes report zeros for them, which would lower the levels.
  // The fees of a block are sorted, because a faulty node may report them in any order.
  const used = reward.flatMap((block, index): UsedBlock[] => {
    const ratio = gasUsedRatio[index] ?? 0;
    if (block.length === 0 || ratio <= 0) return [];
    const baseFee = baseFees[index] ?? 0n;
    return [{ baseFee, isFull: ratio >= FULL, paid: sorted(block.map(BigInt)) }];
  });
  const rewards = used.map(({ paid }) => paid);
  // A node that derives its suggestion from blocks never suggests more than the blocks paid, so a
  // higher suggestion is the node's minimum.
  const isFloor =
    (chainId !== undefined && FLOORED_CHAINS.has(chainId)) ||
    rewards.flat().every((paid) => paid < suggestedTip);
  let tip = isFloor && suggestedTip <= MAX_FLOOR ? suggestedTip : 0n;
  const levels = perLevel((name): FeeLevel => {
    const rule = levelRules[name];
    tip = larger(tip, computeTip(rule, used, estimatedBaseFee));
    const pair = toFeePair(rule, estimatedBaseFee, tip);
    return {
      suggestedMaxPriorityFeePerGas: pair.maxPriorityFeePerGas,
      suggestedMaxFeePerGas: pair.maxFeePerGas,
      minWaitTimeEstimate: rule.waitBlocks.min * blockMs,
      maxWaitTimeEstimate: rule.waitBlocks.max * blockMs,
    };
  });
  return {
    ...levels,
    estimatedBaseFee,
    networkCongestion: meanOf(gasUsedRatio),
    latestPriorityFeeRange: toRange(rewards.at(-1) ?? []),
    historicalPriorityFeeRange: toRange(rewards.flat()),
    historicalBaseFeeRange: toRange(withoutNextBlock(baseFees)),
    priorityFeeTrend: trendOf(rewards.map((paid) => findPaid(paid, MEDIAN_PERCENTILE))),
    baseFeeTrend: trendOf(baseFees),
  };
}

type MarketFacts = {
  chainId?: ChainId | undefined;
  blockMs?: number | undefined;
  suggestedTip?: bigint;
};

// Returns the next block's base fee, or the newest plausible one if the reported value is
// impossible. EIP-1559 lets the base fee fall by at most an eighth per block; on chains where it
// may fall faster, the newest plausible one only makes the maximum fee higher. No chain's base fee
// rises by more than half and one wei per block.
function findNextBaseFee(baseFees: readonly bigint[]): bigint | undefined {
  const next = baseFees.at(-1);
  const isReal = (fee: bigint): boolean => fee > 0n && fee < MAX_PLAUSIBLE_FEE;
  const last = baseFees.slice(0, -1).findLast(isReal);
  if (next === undefined || last === undefined) return next;
  return next * 8n >= last * 7n && next * 2n <= last * 3n + 2n ? next : last;
}

/** Finds the smallest base fee in wei that at least half of the past base fees do not exceed
 * (docs/reference/service.md#base-fee-percentile). Throws `RangeError` if there is no base fee. */
export function computeBaseFeePercentile(history: FeeHistory): bigint {
  const { baseFeePerGas } = takeNewest(history);
  const median = medianOf(withoutNextBlock(baseFeePerGas.map(BigInt)));
  if (median === undefined) throw new RangeError('The history has no base fee.');
  return median;
}

// A node may return more blocks than requested.
function takeNewest(history: FeeHistory) {
  const { baseFeePerGas, gasUsedRatio, reward } = history;
  return {
    baseFeePerGas: baseFeePerGas.slice(-HISTORY_BLOCKS - 1),
    gasUsedRatio: gasUsedRatio.slice(-HISTORY_BLOCKS),
    reward: (reward ?? [])
      .slice(-HISTORY_BLOCKS)
      .map((block) => block.slice(0, REWARD_PERCENTILES.length)),
  };
}

type UsedBlock = {
  baseFee: bigint;
  isFull: boolean;
  /** Priority fees at {@link REWARD_PERCENTILES}, lowest first; at least one. */
  paid: readonly bigint[];
};

// Computes the priority fee that sufficed in past blocks, but at least a small fraction of the base
// fee.
function computeTip(
  { enoughIn, leastTipPermille, defaultPriorityFee }: LevelRule,
  used: readonly UsedBlock[],
  baseFee: bigint,
): bigint {
  if (used.length === 0) return defaultPriorityFee;
  const enough = sorted(used.slice(-enoughIn.blocks).map(findSufficient));
  const count = Math.ceil((enough.length * enoughIn.percent) / 100);
  const found = enough[count - 1] as bigint;
  const least = smaller((baseFee * leastTipPermille) / 1000n, MAX_LEAST_TIP);
  return larger(found, least);
}

// A block with room accepts every priority fee; a full one, only the higher ones.
function findSufficient({ baseFee, isFull, paid }: UsedBlock): bigint {
  if (isFull) return findPaid(paid, FULL_PERCENTILE);
  const usual = paid.slice(0, REWARD_PERCENTILES.indexOf(MEDIAN_PERCENTILE) + 1);
  return usual.find((tip) => tip * TRIFLE_DIVISOR > baseFee) ?? 0n;
}

// A node may report fewer percentiles than requested.
function findPaid(paid: readonly bigint[], percentile: number): bigint {
  const index = REWARD_PERCENTILES.indexOf(percentile);
  return paid[Math.min(index, paid.length - 1)] as bigint;
}

// The last base fee of a history is the next block's.
function withoutNextBlock(baseFees: readonly bigint[]): readonly bigint[] {
  return baseFees.length > 1 ? baseFees.slice(0, -1) : baseFees;
}

function medianOf(values: readonly bigint[]): bigint | undefined {
  return sorted(values)[Math.ceil(values.length / 2) - 1];
}

function meanOf(ratios: readonly number[]): number {
  const total = ratios.reduce((sum, ratio) => sum + Math.min(Math.max(ratio, 0), 1), 0);
  return total / Math.max(ratios.length, 1);
}

function toRange(values: readonly bigint[]): FeeRange {
  const inOrder = sorted(values);
  return [inOrder[0] ?? 0n, inOrder.at(-1) ?? 0n];
}

// Compares two halves, because a single block proves little.
function trendOf(values: readonly bigint[]): 'up' | 'down' {
  const half = Math.floor(values.length / 2);
  const earlier = medianOf(values.slice(0, half)) ?? 0n;
  const later = medianOf(values.slice(values.length - half)) ?? 0n;
  return later > earlier ? 'up' : 'down';
}

/** Fetches past blocks in one batch with the node's suggested priority fee, which is 0 if the node
 * suggests none in time. */
export async function fetchFeeHistory(
  node: NodeClient,
  options?: CallOptions,
): Promise<{ history: FeeHistory; suggestedTip: bigint }> {
  const params = [toQuantity(HISTORY_BLOCKS), 'latest', REWARD_PERCENTILES] as const;
  const [history, suggested] = await Promise.all([
    node.request('eth_feeHistory', [...params], options),
    tryInTime(
      async (signal) => node.tryRequest('eth_maxPriorityFeePerGas', [], { signal }),
      TIME_LIMIT_MS,
    ),
  ]);
  return { history, suggestedTip: BigInt(suggested ?? 0) };
}

/** Returns whether a chain has base fees: at least one in its history is above zero. */
export function hasBaseFees({ baseFeePerGas }: FeeHistory): boolean {
  return baseFeePerGas.some((fee) => BigInt(fee) > 0n);
}

type Header = { number: Hex | null; timestamp: Hex };

/** Number of blocks to measure on chains without finalized blocks. */
export const MEASURED_BLOCKS = 20n;

/** Maximum block time in ms, for chains that pause without transactions. */
const MAX_BLOCK_MS = 60_000;

/** Maximum delay that the measurement or the node's suggestion may add, in ms. */
const TIME_LIMIT_MS = 2_000;

/** Computes the mean block time between two blocks; undefined if it cannot be determined. */
export function computeBlockMs(
  newer: Header | null | undefined,
  older: Header | null | undefined,
): number | undefined {
  if (!newer?.number || !older?.number) return undefined;
  const blocks = BigInt(newer.number) - BigInt(older.number);
  const seconds = BigInt(newer.timestamp) - BigInt(older.timestamp);
  if (blocks <= 0n || seconds <= 0n) return undefined;
  return Math.min(Number((seconds * 1_000n) / blocks), MAX_BLOCK_MS);
}

/** Measures a chain's block time in ms; undefined if that is not possible in time. Never fails. */
export async function findBlockMs(node: NodeClient): Promise<number | undefined> {
  return tryInTime(async (signal) => measure(node, signal), TIME_LIMIT_MS);
}

async function measure(
  node: NodeClient,
  signal: AbortSignal,
): Promise<number | undefined> {
  const fetch = async (block: BlockParameter): Promise<Header | null> =>
    node.request('eth_getBlockByNumber', [block, false], { signal });
  // Not every chain has finalized blocks. Fetching both blocks at once saves a round trip.
  const [newest, finalized] = await Promise.all([
    fetch('latest'),
    fetch('finalized').catch(() => null),
  ]);
  const blockMs = computeBlockMs(newest, finalized);
  if (blockMs !== undefined || !newest?.number) return blockMs;
  const earlier = larger(0n, BigInt(newest.number) - MEASURED_BLOCKS);
  return computeBlockMs(newest, await fetch(toQuantity(earlier)));
}
