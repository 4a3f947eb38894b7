// Charges in addition to gas. OP-stack chains and Scroll charge for the bytes on their base layer;
// OP-stack chains also charge for their operator.
import { hexToBytes } from '@metamask/utils';

import { RpcError } from '../../packages/client/src';
import type { CallOptions, NodeClient } from '../../packages/client/src';
import { UnavailableError } from '../core/errors';
import { encodeCall, toWord } from '../eth/abi';
import { findKnownChain } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { findQuantity, larger, sum } from '../eth/hex';
import type { Hex } from '../eth/hex';

/** GasPriceOracle, at the same address on every OP-stack chain. */
const ORACLE: Hex = '0x420000000000000000000000000000000000000f';

const SCROLL_ORACLE: Hex = '0x5300000000000000000000000000000000000002';

/** Stands for the signature, since Scroll's oracle charges for its bytes too. */
const SIGNATURE = '5a'.repeat(66);

/** Gas amount in the query for the operator's rate: the largest divisor in the fee's formula. */
const MILLION = 1_000_000n;

/** Above any plausible price of ether in Mantle's currency. */
const MAX_TOKEN_RATIO = 1_000_000n;

/** Fees in wei. The operator's rates, per transaction and per million gas, apply to any gas limit,
 * so they can be fetched before the limits are known. */
export type DataFees = {
  /** For the bytes of all transactions together. */
  bytes: bigint;
  perTransaction: bigint;
  perMillionGas: bigint;
};

/** Fetches the current data fees of transactions in one batch; undefined, without a request, on a
 * chain known to have none. `writes` serialize the transactions without their signatures. On a
 * chain known to have data fees, throws the node's errors when asked for the byte fees, and
 * `UnavailableError` if an answer is not a number. Other fees that the node does not provide count
 * as zero.
 * @see https://specs.optimism.io/protocol/isthmus/exec-engine.html#operator-fee */
export async function fetchDataFees(
  writes: readonly (() => Hex)[],
  { chainId, node }: { chainId: ChainId; node: NodeClient },
  options?: CallOptions,
): Promise<DataFees | undefined> {
  const kind = findKnownChain(chainId)?.dataFee;
  if (kind === 'none' || kind === 'inGas') return undefined;
  const isScroll = kind === 'scroll';
  const to = isScroll ? SCROLL_ORACLE : ORACLE;
  const ask = async (data: Hex): Promise<bigint | undefined> =>
    toWord(await node.request('eth_call', [{ to, data }, 'latest'], options));
  // Older chains' oracles lack some functions, and chains without data fees have no oracle. On a
  // chain known to have data fees, only a revert says so: a node that fails must not lower the
  // cost.
  const tryAsk = async (data: Hex): Promise<bigint | undefined> =>
    ask(data).catch((error: unknown) => {
      const isReverted = error instanceof RpcError && error.kind === 'reverted';
      if (kind !== undefined && !isReverted) throw error;
      return undefined;
    });
  const askOperator = async (gas: bigint): Promise<bigint> =>
    isScroll
      ? 0n
      : ((await tryAsk(encodeCall('getOperatorFee(uint256)', [gas]))) ?? 0n);
  const askBytes = async (write: () => Hex): Promise<bigint | undefined> => {
    const bytes = hexToBytes(`${write()}${isScroll ? SIGNATURE : ''}`);
    const data = encodeCall('getL1Fee(bytes)', [bytes]);
    return kind === undefined ? tryAsk(data) : ask(data);
  };
  const [found, perTransaction, feeForMillion, ratio = 1n] = await Promise.all([
    Promise.all(writes.map(askBytes)),
    askOperator(0n),
    askOperator(MILLION),
    // Mantle's oracle states the byte fee in ether, but the chain charges its own currency.
    kind === 'mantle' ? tryAsk(encodeCall('tokenRatio()', [])) : undefined,
  ]);
  const fees = found.filter((fee) => fee !== undefined);
  const isExpected = kind !== undefined || fees.length > 0;
  if ((isExpected && fees.length < writes.length) || ratio > MAX_TOKEN_RATIO) {
    throw new UnavailableError(
      `${node.label} does not provide the chain's L1 data fee.`,
    );
  }
  return {
    bytes: sum(fees) * larger(ratio, 1n),
    perTransaction,
    perMillionGas: larger(feeForMillion - perTransaction, 0n),
  };
}

export function computeDataFee(
  fees: DataFees | undefined,
  gasLimits: readonly bigint[],
): bigint {
  if (!fees) return 0n;
  const { bytes, perTransaction, perMillionGas } = fees;
  const operatorFees = gasLimits.map(
    (gas) => perTransaction + (perMillionGas * gas) / MILLION,
  );
  return bytes + sum(operatorFees);
}

/** Reads from a receipt the data fees that its transaction paid, in wei. The operator fee is a
 * constant plus scalar × gas, which is divided by a million before Jovian and multiplied by 100
 * since. Receipts since Jovian have `daFootprintGasScalar`; Mantle's have `tokenRatio`, and Jovian
 * introduced the operator fee there.
 * @see https://specs.optimism.io/protocol/jovian/exec-engine.html#operator-fee */
export function readDataFee(receipt: Record<string, unknown>): bigint {
  const read = (name: string): bigint => findQuantity(receipt[name]) ?? 0n;
  const isJovian = ['daFootprintGasScalar', 'tokenRatio'].some(
    (name) => findQuantity(receipt[name]) !== undefined,
  );
  const scaled = read('gasUsed') * read('operatorFeeScalar');
  const operatorFee = isJovian ? scaled * 100n : scaled / MILLION;
  return read('l1Fee') + operatorFee + read('operatorFeeConstant');
}
