// Fetches fees from the chain's gas API, checked against its node, or from the node alone.
import type {
  FeeHistory,
  GasApi,
  NodeClient,
  SuggestedGasFees,
} from '../../packages/client/src';
import { withTimeLimit } from '../../packages/client/src/abort';
import type { Chain } from '../chains/chain';
import { UnavailableError } from '../errors';
import type { ChainId } from '../eth/chain';
import { smaller } from '../eth/hex';
import { levelNames } from '../ui/words';
import type { LevelName } from '../ui/words';
import {
  computeBaseFeePercentile,
  computeSuggestedFees,
  fetchFeeHistory,
  findBlockMs,
  hasBaseFees,
} from './fee-history';
import { assertPlausible, perLevel, sorted } from './level';
import type { FeeFigures } from './level';
import { fetchFromNode, rethrowOwnFault, toMarket } from './node-levels';
import type { Asking, BlockTimes, FetchedLevels, NoteAnswer } from './node-levels';

/** A gas API with a level of more than this many times the node's is passed over. */
const MAX_TIMES_NODE = 10n;

/** Longest wait of the gas API's levels for the node's. */
const CHECK_MS = 2_000;

/**
 * Fetches the levels of a chain. The gas API is checked against the node; both requests are made at
 * once, so the check costs no round trip.
 *
 * - Both answer: the gas API counts, unless a level of it is more than ten times the node's.
 *   Then the node counts, and `passedOver` says so. Neither alone can make a transaction
 *   dearer, so a gas API below the node counts as well.
 * - Only the gas API answers: it counts. A node that fails, is not plausible or takes two seconds
 *   longer than the gas API has not answered.
 * - Only the node answers: it counts. A gas API that fails, contradicts itself or is not plausible
 *   has not answered.
 *
 * @param note - Called with the answer of each server.
 * @param blockTimes - Known block times; measured ones are added.
 * @throws {TollkeeperError} The node's error, if neither answers. Internal errors are thrown at
 * once: another source would only hide them.
 */
export async function fetchLevels(
  chain: Chain,
  note: NoteAnswer = () => undefined,
  blockTimes: BlockTimes = new Map(),
): Promise<FetchedLevels> {
  const { gas } = chain;
  const asking: Asking = { note, blockTimes };
  if (!gas) return fetchFromNode(chain, asking);
  const abort = new AbortController();
  const { signal } = abort;
  const checking = fetchFromNode(chain, { ...asking, signal, isCheck: true });
  // It is awaited below, where its failure may not matter.
  checking.catch(() => undefined);
  const suggested = await findSuggested(chain.id, gas, note);
  if (!suggested) return toOwnLevels(await checking, chain, asking);
  const checked = await withTimeLimit(async () => checking, CHECK_MS)
    .catch(rethrowOwnFault)
    .finally(() => abort.abort(new UnavailableError('The node took too long.')));
  const isPlausible = levelNames.every(
    (name) =>
      !checked ||
      suggested[name].maxFeePerGas <= MAX_TIMES_NODE * checked[name].maxFeePerGas,
  );
  if (!checked || isPlausible) return suggested;
  note('gas', new UnavailableError('The gas API is far above the node.'));
  return { ...(await toOwnLevels(checked, chain, asking)), passedOver: 'gas-api' };
}

/** The answer of a gas API, or its computed replacement. */
type GasAnswer<Result> = { result: Result; isComputed: boolean };

/**
 * Fetches the suggested fees of a chain in wei (docs/reference/service.md#suggested-gas-fees): from
 * its gas API, else computed from past blocks.
 *
 * @throws {UnavailableError} If the chain has no fee market.
 * @throws The node's errors.
 */
export async function fetchSuggestedFees(
  chain: Chain,
): Promise<GasAnswer<SuggestedGasFees>> {
  return askOrCompute(
    chain,
    async (gas) => gas.suggestedGasFees(chain.id),
    async (node) => {
      const [history, blockMs] = await Promise.all([
        fetchMarketHistory(node),
        findBlockMs(node),
      ]);
      return computeSuggestedFees(history, blockMs);
    },
  );
}

/**
 * Fetches the base fee that half of the past ones do not exceed, in wei
 * (docs/reference/service.md#base-fee-percentile): from the gas API, else computed from past blocks.
 *
 * @throws As {@link fetchSuggestedFees}.
 */
export async function fetchBaseFeePercentile(chain: Chain): Promise<GasAnswer<bigint>> {
  return askOrCompute(
    chain,
    async (gas) => gas.baseFeePercentile(chain.id),
    async (node) => computeBaseFeePercentile(await fetchMarketHistory(node)),
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

async function fetchMarketHistory(node: NodeClient): Promise<FeeHistory> {
  const history = await fetchFeeHistory(node);
  if (hasBaseFees(history)) return history;
  throw new UnavailableError('The chain has no base fee, and so no suggested fees.');
}

/**
 * Makes the levels of a gas API consistent: contradictory levels cannot be signed or would never be
 * included.
 *
 * Sorts maxima and priority fees, and lowers a priority fee to its maximum, since that is the price
 * that the user agrees to. A maximum somewhat below base plus priority fee stays: low levels wait
 * for the base fee to fall. Nothing is ever raised, so no contradiction makes a transaction dearer.
 *
 * @throws {UnavailableError} If a fee is not plausible, or if a maximum is less than half of
 * base plus priority fee: the base fee falls by an eighth a block at most, so this would wait
 * for more than five empty blocks in a row, and one of the figures is wrong.
 */
export function readSuggestedFees(fees: SuggestedGasFees): FeeFigures {
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
        'The fees suggested (gas-api) contradict each other: a maximum fee is far below the base fee.',
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

// A check does not measure the block time, and a history without base fees is good only for a check.
async function toOwnLevels(
  checked: FetchedLevels,
  chain: Chain,
  asking: Asking,
): Promise<FetchedLevels> {
  const { source, estimatedBaseFee } = checked;
  const isWhole = estimatedBaseFee > 0n && asking.blockTimes.has(chain.id);
  return source === 'fee-history' && !isWhole ? fetchFromNode(chain, asking) : checked;
}
