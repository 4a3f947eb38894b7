// Fee levels of a chain: from a fresh cache, else the gas API, else past blocks, else the
// gas price of a chain without a base fee. The result names its source and age.
import { RpcError } from '../client';
import type { FeeHistory, GasApi, NodeClient, SuggestedGasFees } from '../client';
import { TollkeeperError, UnavailableError } from '../errors';
import type { ChainId } from '../eth/chain';
import { smaller, toQuantity } from '../eth/hex';
import type { PublicStore } from '../state/public-state';
import {
  computeSuggestedFees,
  HISTORY_BLOCKS,
  REWARD_PERCENTILES,
} from './fee-history';
import type { FeeLevels, FeePair, FeeSource, LevelName } from './level';
import { cacheLevels, findCachedLevels } from './level-cache';

/** Levels younger than this are used again: a block comes every few seconds. */
const FRESH_MS = 5_000;

/** No fee for a unit of gas was ever near a whole coin. */
const MAX_PLAUSIBLE_FEE = 10n ** 18n;

const METHOD_NOT_FOUND = -32601;

/** What fetching levels needs. */
export type LevelServices = {
  store: PublicStore;
  now: () => number;
};

/** A chain as far as fees are concerned. */
export type FeeChain = { id: ChainId; node: NodeClient; gas?: GasApi };

/**
 * Get the fee levels of a chain.
 *
 * @throws What the node said, if the gas API and the node both fail.
 */
export async function getFeeLevels(
  chain: FeeChain,
  { store, now }: LevelServices,
): Promise<FeeLevels> {
  const known = await findCachedLevels(store, chain.id);
  const age = known ? now() - known.at : Infinity;
  if (known && age >= 0 && age < FRESH_MS) return known;
  const levels = { ...(await fetchLevels(chain)), at: now() };
  await cacheLevels(store, chain.id, levels);
  return levels;
}

type FetchedLevels = Omit<FeeLevels, 'at'>;

async function fetchLevels({ id, node, gas }: FeeChain): Promise<FetchedLevels> {
  if (gas) {
    try {
      return toLevels(await gas.suggestedGasFees(id), 'gas-api');
    } catch (error) {
      // Whatever is wrong with the gas API, the node knows enough.
      if (!(error instanceof TollkeeperError)) throw error;
    }
  }
  return fetchFromNode(node);
}

async function fetchFromNode(node: NodeClient): Promise<FetchedLevels> {
  const history = await fetchHistory(node);
  const hasBaseFee = history?.baseFeePerGas.some((fee) => BigInt(fee) > 0n) ?? false;
  if (history && hasBaseFee) {
    return toLevels(computeSuggestedFees(history), 'fee-history');
  }
  const price = BigInt(await node.request('eth_gasPrice', []));
  assertPlausible(price, 'gas-price');
  const pair = { maxFeePerGas: price, maxPriorityFeePerGas: price };
  const levels = { low: pair, medium: pair, high: pair };
  return { ...levels, estimatedBaseFee: 0n, source: 'gas-price' };
}

async function fetchHistory(node: NodeClient): Promise<FeeHistory | undefined> {
  const blocks = toQuantity(HISTORY_BLOCKS);
  try {
    return await node.request('eth_feeHistory', [blocks, 'latest', REWARD_PERCENTILES]);
  } catch (error) {
    // A node without the method is one of a chain without a base fee.
    if (error instanceof RpcError && error.code === METHOD_NOT_FOUND) return undefined;
    throw error;
  }
}

function toLevels(fees: SuggestedGasFees, source: FeeSource): FetchedLevels {
  const toPair = (name: LevelName): FeePair => {
    const { suggestedMaxFeePerGas, suggestedMaxPriorityFeePerGas } = fees[name];
    assertPlausible(suggestedMaxFeePerGas, source);
    return {
      maxFeePerGas: suggestedMaxFeePerGas,
      // A server may say anything; a priority fee above the maximum cannot be signed.
      maxPriorityFeePerGas: smaller(
        suggestedMaxPriorityFeePerGas,
        suggestedMaxFeePerGas,
      ),
    };
  };
  const levels = { low: toPair('low'), medium: toPair('medium'), high: toPair('high') };
  return { ...levels, estimatedBaseFee: fees.estimatedBaseFee, source };
}

function assertPlausible(fee: bigint, source: FeeSource): void {
  if (fee < MAX_PLAUSIBLE_FEE) return;
  throw new UnavailableError(`The fees suggested (${source}) are not plausible.`);
}
