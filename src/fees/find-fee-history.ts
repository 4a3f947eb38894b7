// Asking a node for the fees of past blocks.
import type { FeeHistory, NodeClient } from '../client';
import { toQuantity } from '../eth/hex';
import { HISTORY_BLOCKS, REWARD_PERCENTILES } from './fee-history';

/** Find the fees of past blocks; undefined where all base fees are zero: there is no market
 * for them, only a gas price. */
export async function findFeeHistory(
  node: NodeClient,
): Promise<FeeHistory | undefined> {
  const history = await node.request('eth_feeHistory', [
    toQuantity(HISTORY_BLOCKS),
    'latest',
    REWARD_PERCENTILES,
  ]);
  return history.baseFeePerGas.some((fee) => BigInt(fee) > 0n) ? history : undefined;
}
