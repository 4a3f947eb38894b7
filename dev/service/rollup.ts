// The estimate of a rollup's node over any node: its priority fee pays for the place of
// the calldata on the base layer.
import { nodeSchema } from '../../src/client';
import type { RollupEstimate, RpcCallObject } from '../../src/client';
import { byteLength, HexQuantityStruct, toQuantity } from '../../src/eth/hex';
import type { Hex } from '../../src/eth/hex';
import { matches, parse } from '../../src/parse';
import type { Outcome } from './failure';
import type { Gas } from './gas';
import { requireResult } from './head';
import type { Ask } from './upstream';

/** Gas that a byte of calldata costs on the base layer (EIP-2028). */
const GAS_PER_BYTE = 16n;

/**
 * Estimate as `rollup_estimateGas` does. What the node says of a call that fails is passed
 * on with its code and data.
 *
 * @throws {InvalidParamsError} Before the node is asked.
 * @throws {ServiceFailure} If the node's answers make no sense.
 */
export async function estimateRollup(
  params: unknown[],
  { gas, ask }: { gas: Gas; ask: Ask },
): Promise<Outcome> {
  const row = nodeSchema.rollup_estimateGas;
  const [call, ...block] = parse(params, row.params, 'params');
  const asked = gas.fetch();
  // Without this it would count as unhandled while the estimate is waited for.
  asked.catch(() => undefined);
  const outcome = await ask('eth_estimateGas', [call, ...block]);
  if ('error' in outcome) return outcome;
  const gasLimit = requireResult<Hex>(outcome, HexQuantityStruct);
  const { fees } = await asked;
  const { estimatedBaseFee, medium } = fees;
  const dataFee = feeOfData(dataOf(call), BigInt(gasLimit), estimatedBaseFee);
  const result: RollupEstimate = {
    baseFeePerGas: toQuantity(estimatedBaseFee),
    gasLimit: toQuantity(BigInt(gasLimit)),
    priorityFeePerGas: toQuantity(medium.suggestedMaxPriorityFeePerGas + dataFee),
  };
  return { result };
}

function feeOfData(data: Hex, gasLimit: bigint, baseFee: bigint): bigint {
  const dataGas = GAS_PER_BYTE * BigInt(byteLength(data));
  return gasLimit === 0n ? 0n : (dataGas * baseFee) / gasLimit;
}

// Newer clients write `input` where older ones write `data`.
function dataOf(call: RpcCallObject & { input?: unknown }): Hex {
  if (call.data !== undefined) return call.data;
  return matches(call.input, nodeSchema.eth_call.result) ? call.input : '0x';
}
