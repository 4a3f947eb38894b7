// Warns about the cost of transactions before they are signed.
import { hexToBytes } from '@metamask/utils';

import type { CallOptions, NodeClient } from '../../packages/client/src';
import { tryInTime } from '../../packages/client/src/abort';
import { UnavailableError } from '../errors';
import { encodeCall, findWord } from '../eth/abi';
import { findKnownChain } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { sum } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { serializeUnsigned } from '../eth/sign-transaction';
import { maxCostOf, maxPriceOf } from '../eth/transaction';
import type { Transaction, TransactionRequest } from '../eth/transaction';
import { info, listFound, warning } from '../ui/warnings';
import type { Warning } from '../ui/warnings';
import { completeTransaction } from './fill-transaction';
import type { FeeLevels } from './level';
import type { CoinPrice, ReadPrice } from './prices';

/** A fee above three times the high level buys nothing: that level already outlasts five
 * full blocks. */
const MAX_TIMES_HIGH = 3n;

/** Longest delay of a confirmation. */
const TIME_LIMIT_MS = 5_000;

/** GasPriceOracle, at the same address on every OP-stack chain. */
const ORACLE: Hex = '0x420000000000000000000000000000000000000f';

/** Facts for the checks of an account's transactions; amounts in wei. */
export type Measures = {
  levels: FeeLevels;
  balance: bigint;
  /** L1 data fees of the transactions; empty on chains without them. */
  dataFees: readonly bigint[];
  /** Of the chain's coin, where it is known. */
  price?: CoinPrice | undefined;
};

type MeasuredChain = {
  chainId: ChainId;
  node: NodeClient;
  levels: () => Promise<FeeLevels>;
  readPrice: ReadPrice;
};

/** Fetches the facts for the checks of an account's transactions, in one batch; undefined if they
 * do not arrive in time. Never fails. */
export async function fetchMeasures(
  requests: readonly [TransactionRequest, ...TransactionRequest[]],
  chain: MeasuredChain,
): Promise<Measures | undefined> {
  const [{ from }] = requests;
  return tryInTime(async (signal) => {
    const options = { signal };
    const [balance, found, price, ...fees] = await Promise.all([
      chain.node.request('eth_getBalance', [from, 'latest'], options),
      chain.levels(),
      chain.readPrice(options),
      ...requests.map(async (request) =>
        findDataFee(() => sketch(request, chain.chainId), chain, options),
      ),
    ]);
    const dataFees = fees.filter((fee) => fee !== undefined);
    return { levels: found, balance: BigInt(balance), dataFees, price };
  }, TIME_LIMIT_MS);
}

// Serializes a transaction at its final length, so that its data fee is known before it is filled.
// The bytes of missing fields are neither zero nor alike, since a data fee depends on them.
function sketch(request: TransactionRequest, chainId: ChainId): Hex {
  const sketched = {
    nonce: 0x9c41n,
    gasLimit: 0x3ad7f2n,
    ...(request.blobVersionedHashes && { maxFeePerBlobGas: 0x35c8f1a7n }),
  };
  const fee = 0x6b3fd192c5n;
  const pair = { maxFeePerGas: fee, maxPriorityFeePerGas: fee };
  const found = { source: 'fee-history', pair, estimatedBaseFee: 0n } as const;
  const whole = { ...sketched, ...request, chainId };
  return serializeUnsigned(completeTransaction(whole, found));
}

/** Fetches the current L1 data fee of a transaction, which `write` serializes without its signature, in
 * wei and in one call; undefined on a chain without such a fee. Makes no request on chains that are
 * known to have none; throws `UnavailableError` if a chain that is known to have one provides none.
 * @see https://specs.optimism.io/protocol/fjord/exec-engine.html */
export async function findDataFee(
  write: () => Hex,
  { chainId, node }: { chainId: ChainId; node: NodeClient },
  options?: CallOptions,
): Promise<bigint | undefined> {
  const kind = findKnownChain(chainId)?.dataFee;
  if (kind === 'none' || kind === 'inGas') return undefined;
  const data = encodeCall('getL1Fee(bytes)', [hexToBytes(write())]);
  const call = { to: ORACLE, data };
  const asked = node.request('eth_call', [call, 'latest'], options);
  // The answer is empty if there is no such contract.
  if (kind === undefined) return findWord(await asked.catch(() => '0x' as const));
  const fee = findWord(await asked);
  if (fee !== undefined) return fee;
  throw new UnavailableError(`${node.label} does not provide the chain's L1 data fee.`);
}

/** Finds warnings about the cost of transactions that are paid from one balance. */
export function findBalanceWarnings(
  transactions: readonly Transaction[],
  measures: Measures | undefined,
): Warning[] {
  if (!measures) return [warning('alert.unchecked')];
  const { balance, dataFees } = measures;
  const cost = sum(transactions.map(maxCostOf)) + sum(dataFees);
  return cost > balance ? [warnOfBalance(cost, balance)] : [];
}

/** Warns that an account's balance is less than a maximum cost, both in wei. */
export function warnOfBalance(cost: bigint, balance: bigint): Warning {
  const values = { cost: { coins: cost }, balance: { coins: balance } };
  return warning('alert.balance', values);
}

export function findCostWarnings(
  transaction: Transaction,
  measures: Measures | undefined,
): Warning[] {
  return listFound(
    measures && findPriceWarnings(transaction, measures.levels),
    findBalanceWarnings([transaction], measures),
  );
}

/** Warns of a price per gas that is far above the market, or below the base fee. */
export function findPriceWarnings(
  transaction: Transaction,
  levels: FeeLevels,
): Warning[] {
  const fee = maxPriceOf(transaction);
  const { estimatedBaseFee: base } = levels;
  if (fee < base) return [info('alert.lowFee', { fee: { fee }, base: { fee: base } })];
  return findFeeWarnings(fee, levels);
}

/** Warns of a fee per gas, in wei, that is far above the market. */
export function findFeeWarnings(fee: bigint, levels: FeeLevels): Warning[] {
  const high = levels.high.maxFeePerGas;
  return fee > high * MAX_TIMES_HIGH
    ? [warning('alert.fee', { fee: { fee }, high: { fee: high } })]
    : [];
}
