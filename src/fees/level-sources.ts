// Where fees come from when no fresh ones are known: a list of sources, best first. Each
// falls to the next, and the last one's failure is what the caller sees.
import { isRollup } from '../client';
import type { FeeLevel, GasApi, NodeClient, RpcCallObject } from '../client';
import { InternalError, TollkeeperError } from '../errors';
import type { ChainId } from '../eth/chain';
import { findBlockMs } from './block-time';
import { computeSuggestedFees } from './fee-history';
import { findFeeHistory } from './find-fee-history';
import { readSuggestedFees } from './gas-api-fees';
import type { FeeFigures, FeeLevels, FeePair, FeeSource } from './level';
import { toMarket } from './market';
import { assertPlausible } from './plausible';
import { computeRollupFees } from './rollup-fees';
import type { FeeServer, NoteAnswer } from './server-answers';

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

type Source = {
  name: FeeSource;
  server: FeeServer;
  /** Answers undefined where the chain has no such source. */
  fetch: (chain: FeeChain, blockTimes: BlockTimes) => Promise<FoundLevels | undefined>;
};

const sources: readonly Source[] = [
  {
    name: 'gas-api',
    server: 'gas',
    fetch: async ({ id, gas }) => gas && fetchSuggested(gas, id),
  },
  {
    name: 'rollup-estimate',
    server: 'node',
    fetch: async ({ id, node }) => (isRollup(id) ? fetchRollupFees(node) : undefined),
  },
  {
    name: 'fee-history',
    server: 'node',
    fetch: findHistoryFees,
  },
  {
    name: 'gas-price',
    server: 'node',
    fetch: async ({ node }) => fetchGasPrice(node),
  },
];

/** A call that any account could make. Without fees, which an estimate would compare with
 * a balance. A transfer has more bytes for its gas than most calls of contracts, so its
 * share of the base layer's cost does for these; what is mostly calldata needs more. */
const PLAIN_CALL: RpcCallObject = {
  from: `0x${'00'.repeat(20)}`,
  to: `0x${'00'.repeat(20)}`,
  value: '0x0',
};

/**
 * Fetch the levels of a chain from the first source that has them.
 *
 * @param note - Told how each server that was asked answered.
 * @param blockTimes - Those that are known; it grows by the ones that were measured.
 * @throws {TollkeeperError} What the last source says, if all fail. Faults of ours are
 * thrown at once: another source would only hide them.
 */
export async function fetchLevels(
  chain: FeeChain,
  note: NoteAnswer = () => undefined,
  blockTimes: BlockTimes = new Map(),
): Promise<FetchedLevels> {
  let failure: unknown;
  for (const { name, server, fetch } of sources) {
    try {
      const fees = await fetch(chain, blockTimes);
      if (!fees) continue;
      assertPlausible(name, [fees.high.maxFeePerGas, fees.estimatedBaseFee]);
      note(server);
      return { ...fees, source: name };
    } catch (error) {
      if (!isFailureOutside(error)) throw error;
      note(server, error);
      failure = error;
    }
  }
  throw failure;
}

function isFailureOutside(error: unknown): boolean {
  return error instanceof TollkeeperError && !(error instanceof InternalError);
}

async function fetchRollupFees(node: NodeClient): Promise<FeeFigures> {
  return computeRollupFees(await node.request('rollup_estimateGas', [PLAIN_CALL]));
}

async function fetchSuggested(gas: GasApi, id: ChainId): Promise<FoundLevels> {
  const suggested = await gas.suggestedGasFees(id);
  return { ...readSuggestedFees(suggested), market: toMarket(suggested) };
}

async function findHistoryFees(
  { id, node }: FeeChain,
  blockTimes: BlockTimes,
): Promise<FoundLevels | undefined> {
  const [history, blockMs] = await Promise.all([
    findFeeHistory(node),
    blockTimes.get(id) ?? findBlockMs(node),
  ]);
  if (blockMs !== undefined) blockTimes.set(id, blockMs);
  if (!history) return undefined;
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

async function fetchGasPrice(node: NodeClient): Promise<FeeFigures> {
  const price = BigInt(await node.request('eth_gasPrice', []));
  const pair = { maxFeePerGas: price, maxPriorityFeePerGas: price };
  return { low: pair, medium: pair, high: pair, estimatedBaseFee: 0n };
}
