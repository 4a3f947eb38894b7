// Where fees come from when no fresh ones are known: the chain's gas API, checked against its
// node, or the node alone.
import { isRollup } from '../client';
import type {
  CallOptions,
  FeeLevel,
  GasApi,
  NodeClient,
  RpcCallObject,
} from '../client';
import { withTimeLimit } from '../client/abort';
import { InternalError, TollkeeperError, UnavailableError } from '../errors';
import type { ChainId } from '../eth/chain';
import { findBlockMs } from './block-time';
import { computeSuggestedFees } from './fee-history';
import { fetchFeeHistory, hasBaseFees } from './find-fee-history';
import { readSuggestedFees } from './gas-api-fees';
import { levelNames } from './level';
import type { FeeFigures, FeeLevels, FeePair, FeeSource } from './level';
import { toMarket } from './market';
import { assertPlausible } from './plausible';
import { computeRollupFees } from './rollup-fees';
import type { NoteAnswer } from './server-answers';

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
