// What the REST pair answers (spec 4.1), also where no gas API is configured or it is down:
// then it is computed from the fees of past blocks, as the development service does it.
import type { FeeHistory, GasApi, NodeClient, SuggestedGasFees } from '../client';
import { InternalError, TollkeeperError, UnavailableError } from '../errors';
import type { ChainId } from '../eth/chain';
import { computeBaseFeePercentile, computeSuggestedFees } from './fee-history';
import { findFeeHistory } from './find-fee-history';

/** A chain as far as its fees are concerned. */
type FeeChain = { id: ChainId; node: NodeClient; gas?: GasApi };

/**
 * Fetch the suggested fees of a chain (spec 2.1), in wei.
 *
 * @throws {UnavailableError} If the chain has no fee market; else what the node says.
 */
export async function fetchSuggestedFees(chain: FeeChain): Promise<SuggestedGasFees> {
  return fromEither(
    chain,
    async (gas) => gas.suggestedGasFees(chain.id),
    computeSuggestedFees,
  );
}

/**
 * Fetch the base fee that half of the past ones do not exceed (spec 2.2), in wei.
 *
 * @throws {UnavailableError} If the chain has no fee market; else what the node says.
 */
export async function fetchBaseFeePercentile(chain: FeeChain): Promise<bigint> {
  return fromEither(
    chain,
    async (gas) => gas.baseFeePercentile(chain.id),
    computeBaseFeePercentile,
  );
}

async function fromEither<Result>(
  { node, gas }: FeeChain,
  ask: (gas: GasApi) => Promise<Result>,
  compute: (history: FeeHistory) => Result,
): Promise<Result> {
  if (!gas) return computeFrom(node, compute);
  try {
    return await ask(gas);
  } catch (error) {
    if (!(error instanceof TollkeeperError) || error instanceof InternalError) {
      throw error;
    }
    return computeFrom(node, compute);
  }
}

async function computeFrom<Result>(
  node: NodeClient,
  compute: (history: FeeHistory) => Result,
): Promise<Result> {
  const history = await findFeeHistory(node);
  if (history) return compute(history);
  throw new UnavailableError('The chain has no base fee, and so no suggested fees.');
}
