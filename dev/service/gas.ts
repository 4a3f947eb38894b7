// The fees that the service suggests, from the node's own history.
import {
  createHttpTransport,
  createRpcClient,
  createRpcEndpoint,
  nodeSchema,
} from '../../src/client';
import type { NodeClient, RpcCallObject, SuggestedGasFees } from '../../src/client';
import { byteLength, toQuantity } from '../../src/eth/hex';
import type { Hex } from '../../src/eth/hex';
import {
  computeBaseFeePercentile,
  computeSuggestedFees,
  HISTORY_BLOCKS,
  REWARD_PERCENTILES,
} from '../../src/fees/fee-history';

/** Gas that a byte of calldata costs on the base layer (EIP-2028). */
const GAS_PER_BYTE = 16n;

/** What `rollup_estimateGas` answers (spec 2.4). */
export type RollupEstimate = {
  baseFeePerGas: Hex;
  gasLimit: Hex;
  priorityFeePerGas: Hex;
};

/** Create a client of the node behind the service. */
export function createNode(nodeUrl: string): NodeClient {
  const transport = createHttpTransport(createRpcEndpoint(nodeUrl), { fetch });
  return createRpcClient(nodeSchema, transport);
}

/** Compute the suggested fees from the last blocks. */
export async function suggestFees(node: NodeClient): Promise<SuggestedGasFees> {
  return computeSuggestedFees(await fetchHistory(node));
}

/** Compute the 50th percentile of the last base fees, in wei. */
export async function suggestPercentile(node: NodeClient): Promise<bigint> {
  return computeBaseFeePercentile(await fetchHistory(node));
}

/**
 * Estimate as a rollup's node does: its priority fee pays for the calldata's place on the
 * base layer.
 */
export async function estimateRollup(
  node: NodeClient,
  call: RpcCallObject,
): Promise<RollupEstimate> {
  const [gasLimit, fees] = await Promise.all([
    node.request('eth_estimateGas', [call]),
    suggestFees(node),
  ]);
  const dataGas = GAS_PER_BYTE * BigInt(byteLength(call.data ?? '0x'));
  const dataFee = (dataGas * fees.estimatedBaseFee) / BigInt(gasLimit);
  return {
    baseFeePerGas: toQuantity(fees.estimatedBaseFee),
    gasLimit,
    priorityFeePerGas: toQuantity(fees.medium.suggestedMaxPriorityFeePerGas + dataFee),
  };
}

async function fetchHistory(
  node: NodeClient,
): ReturnType<typeof node.request<'eth_feeHistory'>> {
  const blocks = toQuantity(HISTORY_BLOCKS);
  return node.request('eth_feeHistory', [blocks, 'latest', REWARD_PERCENTILES]);
}
