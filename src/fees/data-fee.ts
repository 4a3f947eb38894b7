// What chains charge beside the gas: OP-stack chains and Scroll for the bytes that they publish on
// their base layer, OP-stack chains for their operator as well.
import { hexToBytes } from '@metamask/utils';

import type { CallOptions, NodeClient } from '../../packages/client/src';
import { UnavailableError } from '../core/errors';
import { encodeCall, findWord } from '../eth/abi';
import { findKnownChain } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { findQuantity, larger, sum } from '../eth/hex';
import type { Hex } from '../eth/hex';

/** GasPriceOracle, at the same address on every OP-stack chain. */
const ORACLE: Hex = '0x420000000000000000000000000000000000000f';

/** L1GasPriceOracle of Scroll. */
const SCROLL_ORACLE: Hex = '0x5300000000000000000000000000000000000002';

/** In place of a signature, whose bytes Scroll's oracle counts, too. */
const SIGNATURE = '5a'.repeat(66);

/** Gas for which the operator's fee is asked: its formula divides by no more. */
const MILLION = 1_000_000n;

/** A coin of Mantle has never been worth so little of an ether. */
const MAX_TOKEN_RATIO = 1_000_000n;

/** Fees in wei. The operator's are independent of gas limits, so these need not be known yet. */
export type DataFees = {
  /** Of the bytes of all transactions. */
  bytes: bigint;
  /** Of the operator, for each transaction. */
  perTransaction: bigint;
  /** Of the operator, for a million units of gas. */
  perMillionGas: bigint;
};

/** Fetches the current fees of transactions beside the gas, in one batch; undefined on a chain without
 * such fees. `writes` serialize the transactions without their signatures. Makes no request on chains
 * that are known to have none; throws `UnavailableError` if a chain that is known to have a data fee
 * provides none.
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
    findWord(await node.request('eth_call', [{ to, data }, 'latest'], options));
  // Oracles of older chains lack it, and none is there on chains without such fees.
  const tryAsk = async (data: Hex): Promise<bigint | undefined> =>
    ask(data).catch(() => undefined);
  const askOperator = async (gas: bigint): Promise<bigint> =>
    isScroll
      ? 0n
      : ((await tryAsk(encodeCall('getOperatorFee(uint256)', [gas]))) ?? 0n);
  const askBytes = async (write: () => Hex): Promise<bigint | undefined> => {
    const bytes = hexToBytes(`${write()}${isScroll ? SIGNATURE : ''}`);
    const data = encodeCall('getL1Fee(bytes)', [bytes]);
    return kind === undefined ? tryAsk(data) : ask(data);
  };
  const [found, perTransaction, ofMillion, ratio = 1n] = await Promise.all([
    Promise.all(writes.map(askBytes)),
    askOperator(0n),
    askOperator(MILLION),
    // Mantle's oracle states the fee of the bytes in ether, and the chain charges its own coin.
    kind === 'mantle' ? tryAsk(encodeCall('tokenRatio()', [])) : undefined,
  ]);
  const fees = found.filter((fee) => fee !== undefined);
  if (kind !== undefined && fees.length < writes.length) {
    throw new UnavailableError(
      `${node.label} does not provide the chain's L1 data fee.`,
    );
  }
  return {
    bytes: sum(fees) * (ratio <= MAX_TOKEN_RATIO ? larger(ratio, 1n) : 1n),
    perTransaction,
    perMillionGas: larger(ofMillion - perTransaction, 0n),
  };
}

/** Computes the fees beside the gas of transactions with these gas limits, in wei. */
export function computeDataFee(
  fees: DataFees | undefined,
  gasLimits: readonly bigint[],
): bigint {
  if (!fees) return 0n;
  const { bytes, perTransaction, perMillionGas } = fees;
  const ofOperator = gasLimits.map(
    (gas) => perTransaction + (perMillionGas * gas) / MILLION,
  );
  return bytes + sum(ofOperator);
}

/** Reads what a transaction has paid beside the gas from its receipt, in wei. Jovian made the
 * operator's fee 100 for a unit of its scalar and of gas, where it was a millionth; its receipts have
 * `daFootprintGasScalar`. Mantle's have `tokenRatio`, and the operator's fee came with Jovian there.
 * @see https://specs.optimism.io/protocol/jovian/exec-engine.html#operator-fee */
export function readDataFee(receipt: Record<string, unknown>): bigint {
  const read = (name: string): bigint => findQuantity(receipt[name]) ?? 0n;
  const isJovian = ['daFootprintGasScalar', 'tokenRatio'].some(
    (name) => findQuantity(receipt[name]) !== undefined,
  );
  const scaled = read('gasUsed') * read('operatorFeeScalar');
  const ofGas = isJovian ? scaled * 100n : scaled / MILLION;
  return read('l1Fee') + ofGas + read('operatorFeeConstant');
}
