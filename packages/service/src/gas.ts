// The fees that the service suggests, from the node's own history. One look at the history
// serves a whole block for all concurrent callers, of all instances that share a
// store; the answers are kept as the text that is sent.
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

/** The fees of a block: for callers as JSON, for the service in wei. */
type BlockFees = Record<GasResource, string> & { fees: SuggestedGasFees };

/** Fetches the fees of the newest block; throws {@link ServiceFailure} if the node does not say. */
export type Gas = () => Promise<BlockFees>;

/** How long the instances keep what one of them found out about a block. */
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
  // By its number: another node may have an older block as its latest.
  const params = [toQuantity(HISTORY_BLOCKS), toQuantity(newest), REWARD_PERCENTILES];
  const [answer, suggested, { blockMs }] = await Promise.all([
    ask('eth_feeHistory', params),
    ask('eth_maxPriorityFeePerGas', []),
    fetchPace(ask, newest),
  ]);
  const filled = 'error' in answer ? answer : withLists('eth_feeHistory', answer);
  const history = requireResult<FeeHistory>(filled, FeeHistoryStruct);
  // Not every node suggests a priority fee.
  const tip = 'result' in suggested ? suggested.result : undefined;
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

// The estimate of a rollup's node over any node: its priority fee pays for calldata on its base.

/** Gas that a byte of calldata costs on the base layer (EIP-2028). */
const GAS_PER_BYTE = 16n;

/** Estimates as `rollup_estimateGas` does; an error of the node is passed on. Throws an
 * InvalidParamsError before the node is asked, a ServiceFailure if it talks nonsense. */
export async function estimateRollup(
  params: unknown[],
  { gas, ask }: { gas: Gas; ask: Ask },
): Promise<Outcome> {
  checkParams(params, { ...nodeSchema.rollup_estimateGas, at: 1 });
  const asked = gas();
  // Without this it would count as unhandled while the estimate is waited for.
  asked.catch(() => undefined);
  const outcome = await ask('eth_estimateGas', params);
  if ('error' in outcome) return outcome;
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

// Newer clients write `input` where older ones write `data`.
function dataOf(call: RpcCallObject & { input?: unknown }): Hex {
  if (call.data !== undefined) return call.data;
  return matches(call.input, nodeSchema.eth_call.result) ? call.input : '0x';
}
