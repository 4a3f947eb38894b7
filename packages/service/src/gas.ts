// Suggests fees from the node's fee history. The history is normally read once per block for all
// callers and all instances that share a store.
import {
  byteLength,
  HexQuantityStruct,
  toQuantity,
  type Hex,
} from '../../../src/eth/hex';
import { weiToGwei } from '../../../src/eth/units';
import {
  computeBaseFeePercentile,
  computeSuggestedFees,
  HISTORY_BLOCKS,
  REWARD_PERCENTILES,
} from '../../../src/fees/fee-history';
import { assertPlausible } from '../../../src/fees/level';
import { matches, parse } from '../../../src/schema/parse';
import {
  nodeSchema,
  type FeeHistory,
  type RollupEstimate,
  type RpcCallObject,
  type SuggestedGasFees,
} from '../../client/src';
import {
  toWire,
  BaseFeePercentileStruct,
  SuggestedGasFeesStruct,
} from '../../client/src/gas-api';
import { FeeHistoryStruct } from '../../client/src/rpc/schema';
import { fetchPace, requireResult, type Head } from './head';
import { toNodeFailure, type Outcome } from './json-rpc';
import { withLists } from './lists';
import { checkParams } from './methods';
import type { ChainStore } from './store';
import type { Ask } from './upstream';

export const gasResources = ['suggestedGasFees', 'baseFeePercentile'] as const;

export type GasResource = (typeof gasResources)[number];

/** A block's fees: as JSON for callers, in wei for the service. */
type BlockFees = Record<GasResource, string> & { fees: SuggestedGasFees };

/** Fetches the newest block's fees; throws {@link ServiceFailure} if the node reports none. */
export type Gas = () => Promise<BlockFees>;

/** How long instances share a block's fees, in ms. */
const SHARED_MS = 60_000;

type GasSources = { head: Head; share: ChainStore['share']; chainId: number };

export function createGas(ask: Ask, { head, share, chainId }: GasSources): Gas {
  let last: { key: string; fees: Promise<BlockFees> } | undefined;
  return async () => {
    const { key, number: newest } = await head.fetch();
    if (last?.key === key) return last.fees;
    const fees = share({
      name: `fees:${key}`,
      maxAgeMs: SHARED_MS,
      load: async () => fetchFees(ask, { chainId: BigInt(chainId), newest }),
      decode: toBlockFees,
    }).then(({ value }) => value);
    const asked = { key, fees };
    last = asked;
    fees.catch(() => {
      if (last === asked) last = undefined;
    });
    return fees;
  };
}

async function fetchFees(
  ask: Ask,
  { chainId, newest }: { chainId: bigint; newest: bigint },
) {
  // Queries by number, because another node's latest block may be older.
  const params = [toQuantity(HISTORY_BLOCKS), toQuantity(newest), REWARD_PERCENTILES];
  const [answer, { result: tip }, { blockMs }] = await Promise.all([
    ask('eth_feeHistory', params),
    ask('eth_maxPriorityFeePerGas', []),
    fetchPace(ask, newest),
  ]);
  const filled = answer.error ? answer : withLists('eth_feeHistory', answer);
  const history = requireResult<FeeHistory>(filled, FeeHistoryStruct);
  // Not every node suggests a priority fee.
  const suggestedTip = matches(tip, HexQuantityStruct) ? BigInt(tip) : 0n;
  try {
    const fees = computeSuggestedFees(history, { chainId, blockMs, suggestedTip });
    const percentile = computeBaseFeePercentile(history);
    assertPlausible('fee-history', [fees.high.suggestedMaxFeePerGas, percentile]);
    const baseFeePercentile = { baseFeePercentile: weiToGwei(percentile) };
    const loaded = { suggestedGasFees: toWire(fees), baseFeePercentile };
    toBlockFees(loaded);
    return loaded;
  } catch {
    throw toNodeFailure('The chain has no plausible base fee, and so no fee market.');
  }
}

function toBlockFees(loaded: unknown): BlockFees {
  const { suggestedGasFees, baseFeePercentile } = loaded as Record<GasResource, object>;
  parse(baseFeePercentile, BaseFeePercentileStruct, 'baseFeePercentile');
  return {
    fees: parse(suggestedGasFees, SuggestedGasFeesStruct, 'suggestedGasFees'),
    suggestedGasFees: JSON.stringify(suggestedGasFees),
    baseFeePercentile: JSON.stringify(baseFeePercentile),
  };
}

// A rollup's gas estimate from any node. Its priority fee covers calldata on the base layer.

/** Gas that a nonzero byte of calldata costs on the base layer (EIP-2028). */
const GAS_PER_BYTE = 16n;

/** Estimates gas as `rollup_estimateGas` does, and passes on the node's error. Throws an
 * InvalidParamsError for invalid params, and a ServiceFailure without a valid answer or fees. */
export async function estimateRollup(
  params: unknown[],
  { gas, ask }: { gas: Gas; ask: Ask },
): Promise<Outcome> {
  checkParams(params, { ...nodeSchema.rollup_estimateGas, at: 1 });
  const asked = gas();
  // Prevents an unhandled rejection if the fees fail before the estimate arrives.
  asked.catch(() => undefined);
  const outcome = await ask('eth_estimateGas', params);
  if (outcome.error) return outcome;
  const gasLimit = BigInt(requireResult<Hex>(outcome, HexQuantityStruct));
  const { estimatedBaseFee, medium } = (await asked).fees;
  const dataGas = GAS_PER_BYTE * BigInt(byteLength(dataOf(params[0] as RpcCallObject)));
  const dataFee = gasLimit === 0n ? 0n : (dataGas * estimatedBaseFee) / gasLimit;
  const result: RollupEstimate = {
    baseFeePerGas: toQuantity(estimatedBaseFee),
    gasLimit: toQuantity(gasLimit),
    priorityFeePerGas: toQuantity(medium.suggestedMaxPriorityFeePerGas + dataFee),
  };
  return { result };
}

// Newer clients send `input` instead of `data`.
function dataOf(call: RpcCallObject & { input?: unknown }): Hex {
  if (call.data !== undefined) return call.data;
  return matches(call.input, nodeSchema.eth_call.result) ? call.input : '0x';
}
