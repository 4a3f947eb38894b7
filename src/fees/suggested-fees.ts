// What the REST pair answers (spec 4.1), also where no gas API is configured or it is down:
// then it is computed from the fees of past blocks, as the development service does it.
import type { FeeHistory, GasApi, NodeClient, SuggestedGasFees } from '../client';
import { InternalError, TollkeeperError, UnavailableError } from '../errors';
import { findBlockMs } from './block-time';
import { computeBaseFeePercentile, computeSuggestedFees } from './fee-history';
import { findFeeHistory } from './find-fee-history';
import type { FeeChain } from './level-sources';

/** What was told, and whether it was computed, since no gas API told it. */
export type Told<Result> = { result: Result; isComputed: boolean };

/**
 * Fetch the suggested fees of a chain (spec 2.1), in wei.
 *
 * @throws {UnavailableError} If the chain has no fee market; else what the node says.
 */
export async function fetchSuggestedFees(
  chain: FeeChain,
): Promise<Told<SuggestedGasFees>> {
  return fromEither(
    chain,
    async (gas) => gas.suggestedGasFees(chain.id),
    async (node) => {
      const [history, blockMs] = await Promise.all([
        requireHistory(node),
        findBlockMs(node),
      ]);
      return computeSuggestedFees(history, blockMs);
    },
  );
}

/**
 * Fetch the base fee that half of the past ones do not exceed (spec 2.2), in wei.
 *
 * @throws {UnavailableError} If the chain has no fee market; else what the node says.
 */
export async function fetchBaseFeePercentile(chain: FeeChain): Promise<Told<bigint>> {
  return fromEither(
    chain,
    async (gas) => gas.baseFeePercentile(chain.id),
    async (node) => computeBaseFeePercentile(await requireHistory(node)),
  );
}

async function fromEither<Result>(
  { node, gas }: FeeChain,
  ask: (gas: GasApi) => Promise<Result>,
  compute: (node: NodeClient) => Promise<Result>,
): Promise<Told<Result>> {
  try {
    if (gas) return { result: await ask(gas), isComputed: false };
  } catch (error) {
    if (!(error instanceof TollkeeperError) || error instanceof InternalError) {
      throw error;
    }
  }
  return { result: await compute(node), isComputed: true };
}

async function requireHistory(node: NodeClient): Promise<FeeHistory> {
  const history = await findFeeHistory(node);
  if (history) return history;
  throw new UnavailableError('The chain has no base fee, and so no suggested fees.');
}
