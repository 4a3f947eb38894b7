// Warns about the cost of transactions before they are signed.
import type { NodeClient } from '../../packages/client/src';
import { tryInTime } from '../../packages/client/src/abort';
import type { Transaction } from '../core/payload';
import { serializeUnsigned } from '../core/transaction';
import type { ChainId } from '../eth/chain';
import { sum } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { maxCostOf, maxPriceOf } from '../eth/transaction';
import type { TransactionRequest } from '../eth/transaction';
import { info, listFound, warning } from '../ui/warnings';
import type { Warning } from '../ui/warnings';
import { computeDataFee, fetchDataFees } from './data-fee';
import type { DataFees } from './data-fee';
import { completeTransaction } from './fill-transaction';
import type { FeeLevels } from './level';
import type { CoinPrice, ReadPrice } from './prices';

/** A fee above three times the high level is useless, because that level already suffices for five
 * full blocks. */
const MAX_TIMES_HIGH = 3n;

/** Maximum delay of a confirmation, in ms. */
const TIME_LIMIT_MS = 5_000;

/** Data for checking the cost of an account's transactions. Amounts are in wei. */
export type Measures = {
  levels: FeeLevels;
  balance: bigint;
  dataFees: DataFees | undefined;
  price?: CoinPrice | undefined;
};

export type MeasuredChain = {
  chainId: ChainId;
  node: NodeClient;
  levels: () => Promise<FeeLevels>;
  readPrice: ReadPrice;
};

/** Fetches the data for checking the cost of an account's transactions in one batch; undefined
 * unless all of it arrives in time. Never fails. */
export async function fetchMeasures(
  requests: readonly [TransactionRequest, ...TransactionRequest[]],
  chain: MeasuredChain,
): Promise<Measures | undefined> {
  const [{ from }] = requests;
  return tryInTime(async (signal) => {
    const options = { signal };
    const writes = requests.map((request) => (): Hex => sketch(request, chain.chainId));
    const [balance, found, price, dataFees] = await Promise.all([
      chain.node.request('eth_getBalance', [from, 'latest'], options),
      chain.levels(),
      chain.readPrice(options),
      fetchDataFees(writes, chain, options),
    ]);
    return { levels: found, balance: BigInt(balance), dataFees, price };
  }, TIME_LIMIT_MS);
}

// Serializes a transaction at its final length, so that its data fee is known before it is filled
// in. Missing fields are filled with varied nonzero bytes, because the fee depends on them.
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

/** Computes the data fees of transactions, in wei; 0 if they were not measured. */
export function dataFeeOf(
  transactions: readonly Transaction[],
  measures: Measures | undefined,
): bigint {
  return computeDataFee(
    measures?.dataFees,
    transactions.map(({ gasLimit }) => gasLimit),
  );
}

export function findBalanceWarnings(
  transactions: readonly Transaction[],
  measures: Measures | undefined,
): Warning[] {
  if (!measures) return [warning('alert.unchecked')];
  const { balance } = measures;
  const cost = sum(transactions.map(maxCostOf)) + dataFeeOf(transactions, measures);
  return cost > balance ? [warnOfBalance(cost, balance)] : [];
}

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
