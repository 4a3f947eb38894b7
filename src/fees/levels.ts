// Fee levels of a chain: from a fresh cache, else the gas API, else past blocks, else the
// gas price of a chain without a base fee. The result names its source and age.
import { RpcError } from '../client';
import type { GasApi, NodeClient, SuggestedGasFees } from '../client';
import { TollkeeperError, UnavailableError } from '../errors';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { smaller, toQuantity } from '../eth/hex';
import type { PublicStore, StoredLevels } from '../state/public-state';
import {
  computeSuggestedFees,
  HISTORY_BLOCKS,
  REWARD_PERCENTILES,
} from './fee-history';

/** Names of the levels, lowest first. */
export type LevelName = 'low' | 'medium' | 'high';

/** Fees in wei. Without a base fee both are the gas price. */
export type FeePair = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };

/** Where levels came from. `gas-price` tells that the chain has no base fee. */
export type FeeSource = StoredLevels['source'];

/** Fee levels in wei. */
export type FeeLevels = Record<LevelName, FeePair> & {
  estimatedBaseFee: bigint;
  source: FeeSource;
  /** When they were fetched, in ms since 1970. */
  at: number;
};

/** Levels younger than this are used again: a block comes every few seconds. */
const FRESH_MS = 5_000;

const MAX_PLAUSIBLE_FEE = 10n ** 18n;

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
  const scope = toCaip2(chain.id);
  const known = (await store.read()).levels[scope];
  const age = known ? now() - known.at : Infinity;
  if (known && age >= 0 && age < FRESH_MS) return fromStored(known);
  const levels = { ...(await fetchLevels(chain)), at: now() };
  assertPlausible(levels, chain);
  await store.update((state) => ({
    ...state,
    levels: { ...state.levels, [scope]: toStored(levels) },
  }));
  return levels;
}

// A server may say anything; no fee for a unit of gas was ever near a whole coin.
function assertPlausible({ high, medium, low }: FeeLevels, { node }: FeeChain): void {
  const fees = [low, medium, high].map(({ maxFeePerGas }) => maxFeePerGas);
  if (fees.every((fee) => fee < MAX_PLAUSIBLE_FEE)) return;
  throw new UnavailableError(`The fees suggested for ${node.label} are not plausible.`);
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
  const blocks = toQuantity(HISTORY_BLOCKS);
  const [history, gasPrice] = await Promise.all([
    node
      .request('eth_feeHistory', [blocks, 'latest', REWARD_PERCENTILES])
      .catch(ifUnknown),
    node.request('eth_gasPrice', []),
  ]);
  const hasBaseFee = history?.baseFeePerGas.some((fee) => BigInt(fee) > 0n) ?? false;
  if (history && hasBaseFee) {
    return toLevels(computeSuggestedFees(history), 'fee-history');
  }
  const price = BigInt(gasPrice);
  const pair = { maxFeePerGas: price, maxPriorityFeePerGas: price };
  return {
    low: pair,
    medium: pair,
    high: pair,
    estimatedBaseFee: 0n,
    source: 'gas-price',
  };
}

// A node without eth_feeHistory is one of a chain without a base fee.
function ifUnknown(error: unknown): undefined {
  if (!(error instanceof RpcError)) throw error;
}

function toLevels(fees: SuggestedGasFees, source: FeeSource): FetchedLevels {
  const toPair = (name: LevelName): FeePair => ({
    maxFeePerGas: fees[name].suggestedMaxFeePerGas,
    // A server may say anything; a priority fee above the maximum could not be signed.
    maxPriorityFeePerGas: smaller(
      fees[name].suggestedMaxPriorityFeePerGas,
      fees[name].suggestedMaxFeePerGas,
    ),
  });
  const { estimatedBaseFee } = fees;
  return {
    low: toPair('low'),
    medium: toPair('medium'),
    high: toPair('high'),
    estimatedBaseFee,
    source,
  };
}

function toStored(levels: FeeLevels): StoredLevels {
  const toPair = ({
    maxFeePerGas,
    maxPriorityFeePerGas,
  }: FeePair): StoredLevels['low'] => ({
    maxFeePerGas: toQuantity(maxFeePerGas),
    maxPriorityFeePerGas: toQuantity(maxPriorityFeePerGas),
  });
  return {
    source: levels.source,
    at: levels.at,
    estimatedBaseFee: toQuantity(levels.estimatedBaseFee),
    low: toPair(levels.low),
    medium: toPair(levels.medium),
    high: toPair(levels.high),
  };
}

function fromStored(stored: StoredLevels): FeeLevels {
  const toPair = ({
    maxFeePerGas,
    maxPriorityFeePerGas,
  }: StoredLevels['low']): FeePair => ({
    maxFeePerGas: BigInt(maxFeePerGas),
    maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas),
  });
  return {
    source: stored.source,
    at: stored.at,
    estimatedBaseFee: BigInt(stored.estimatedBaseFee),
    low: toPair(stored.low),
    medium: toPair(stored.medium),
    high: toPair(stored.high),
  };
}
