// Fetches fees from a chain's node alone: its own estimate, past blocks, or its gas price.
import type {
  CallOptions,
  FeeLevel,
  RpcCallObject,
  SuggestedGasFees,
} from '../../packages/client/src';
import { isRollup } from '../../packages/client/src/rpc/schema';
import type { Chain } from '../chains/chain';
import { InternalError, TollkeeperError } from '../errors';
import type { ChainId } from '../eth/chain';
import type { Market } from '../state/public-state';
import {
  computeSuggestedFees,
  fetchFeeHistory,
  findBlockMs,
  hasBaseFees,
} from './fee-history';
import { assertPlausible, levelRules, percentOf, perLevel, toFeePair } from './level';
import type { FeeFigures, FeeLevels, FeeSource } from './level';

export type FetchedLevels = Omit<FeeLevels, 'at'>;

/** Notes a server's answer, or its error. */
export type NoteAnswer = (server: 'gas' | 'node', error?: unknown) => void;

/** Block times in ms. */
export type BlockTimes = Map<ChainId, number>;

export type Asking = CallOptions & {
  note: NoteAnswer;
  blockTimes: BlockTimes;
  /** Whether the fees are only compared with others. */
  isCheck?: boolean;
};

/** Levels of a source, which may name itself more exactly. */
type FoundLevels = FeeFigures & { market?: Market; source?: FeeSource };

type NodeSource = {
  name: FeeSource;
  /** Whether a chain has it; all do by default. */
  isOf?: (chainId: ChainId) => boolean;
  /** Returns undefined if the node has no such fees. */
  fetch: (chain: Chain, asking: Asking) => Promise<FoundLevels | undefined>;
};

/** The sources of fees at a node, best first. */
const nodeSources: readonly NodeSource[] = [
  { name: 'rollup-estimate', isOf: isRollup, fetch: fetchRollupFees },
  { name: 'fee-history', fetch: findHistoryFees },
  { name: 'gas-price', fetch: fetchGasPrice },
];

/** A call that any account could make. It has no fees, which an estimate would compare with a
 * balance. A transfer has more bytes per gas than most contract calls, so its share of the base
 * layer's cost is enough for these; calls that are mostly calldata need more. */
const PLAIN_CALL: RpcCallObject = {
  from: `0x${'00'.repeat(20)}`,
  to: `0x${'00'.repeat(20)}`,
  value: '0x0',
};

/** Fetches the levels from the best source that the node has. The first request is made in the tick
 * of the call.
 *
 * @throws The last source's error, if every one fails. */
export async function fetchFromNode(
  chain: Chain,
  asking: Asking,
): Promise<FetchedLevels> {
  const { note } = asking;
  let failure: unknown;
  for (const { name, isOf, fetch } of nodeSources) {
    if (isOf && !isOf(chain.id)) continue;
    try {
      const fees = await fetch(chain, asking);
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

/** Throws internal errors: another source would only hide them. */
export function rethrowOwnFault(error: unknown): undefined {
  if (error instanceof TollkeeperError && !(error instanceof InternalError)) {
    return undefined;
  }
  throw error;
}

/**
 * Computes the levels of a rollup from its node's own estimate
 * (docs/reference/service.md#gas-estimate), which includes the cost of the base layer: past blocks
 * do not show that of the next one.
 *
 * The base fee counts as in any other level. The priority fee is the estimate's at the low and
 * medium levels: by default, Linea's nodes estimate the least that a block takes, and transactions
 * below it stay in the pool. At the high level it is 120 %, which outlasts a rise of the base
 * layer's fees.
 */
async function fetchRollupFees(
  { node }: Chain,
  { signal }: Asking,
): Promise<FeeFigures | undefined> {
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
  const levels = perLevel((name) => ({
    maxFeePerGas: suggested[name].suggestedMaxFeePerGas,
    maxPriorityFeePerGas: suggested[name].suggestedMaxPriorityFeePerGas,
  }));
  const { estimatedBaseFee } = suggested;
  return { ...levels, estimatedBaseFee, market: toMarket(suggested) };
}

/**
 * Computes levels from the node's gas price. Its part above the base fee (`eth_baseFee`), where the
 * node has that, is the priority fee. A base fee of more than twice the price contradicts it and is
 * not used.
 */
async function fetchGasPrice(
  { node }: Chain,
  { signal }: Asking,
): Promise<FoundLevels> {
  const [answer, base] = await Promise.all([
    node.request('eth_gasPrice', [], { signal }),
    node.tryRequest('eth_baseFee', [], { signal }).catch(() => undefined),
  ]);
  const price = BigInt(answer);
  const baseFee = BigInt(base ?? 0);
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

export function toMarket(fees: SuggestedGasFees): Market {
  return {
    congestion: fees.networkCongestion,
    baseFeeTrend: fees.baseFeeTrend,
    priorityFeeTrend: fees.priorityFeeTrend,
    waits: perLevel((name) => toWait(fees[name])),
  };
}

function toWait(level: FeeLevel): { min: number; max: number } {
  const waits = [level.minWaitTimeEstimate, level.maxWaitTimeEstimate];
  const most = Number.MAX_SAFE_INTEGER;
  return { min: Math.min(...waits, most), max: Math.min(Math.max(...waits), most) };
}
