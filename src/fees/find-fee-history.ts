// Asking a node for the fees of past blocks.
import type { CallOptions, FeeHistory, NodeClient } from '../client';
import { toQuantity } from '../eth/hex';
import { HISTORY_BLOCKS, REWARD_PERCENTILES } from './fee-history';

/** Fetches the fees of past blocks. */
export async function fetchFeeHistory(
  node: NodeClient,
  options?: CallOptions,
): Promise<FeeHistory> {
  const blocks = toQuantity(HISTORY_BLOCKS);
  return node.request(
    'eth_feeHistory',
    [blocks, 'latest', REWARD_PERCENTILES],
    options,
  );
}

/** Tells whether a chain has base fees: without them there is no market, only a gas price. */
export function hasBaseFees({ baseFeePerGas }: FeeHistory): boolean {
  return baseFeePerGas.some((fee) => BigInt(fee) > 0n);
}

/** Find the fees of past blocks; undefined where all base fees are zero: there is no market
 * for them, only a gas price. */
export async function findFeeHistory(
  node: NodeClient,
): Promise<FeeHistory | undefined> {
  const history = await fetchFeeHistory(node);
  return hasBaseFees(history) ? history : undefined;
}
