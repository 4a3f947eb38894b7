// Guard rails: what a user should know of a transaction's cost before it is signed.
import type { NodeClient } from '../client';
import { withTimeLimit } from '../client/abort';
import type { CostAlert } from '../eth/alerts';
import type { Hex } from '../eth/hex';
import type { Transaction } from '../eth/transaction';
import { maxCostOf, maxPriceOf } from '../eth/transaction-cost';
import type { FeeLevels } from './level';

export type { CostAlert } from '../eth/alerts';

/** A fee above three times the high level buys nothing: that level already outlasts four
 * full blocks. */
const MAX_TIMES_HIGH = 3n;

/** A confirmation waits no longer for them. */
const TIME_LIMIT_MS = 5_000;

/** What a transaction is measured by; amounts in wei. */
export type Measures = { levels: FeeLevels; balance: bigint };

/**
 * Fetch what an account's transactions are measured by.
 *
 * @returns Undefined if it cannot be had in time; never fails.
 */
export async function fetchMeasures(
  account: Hex,
  { node, levels }: { node: NodeClient; levels: () => Promise<FeeLevels> },
): Promise<Measures | undefined> {
  try {
    return await withTimeLimit(async (signal) => {
      const [balance, found] = await Promise.all([
        node.request('eth_getBalance', [account, 'latest'], { signal }),
        levels(),
      ]);
      return { levels: found, balance: BigInt(balance) };
    }, TIME_LIMIT_MS);
  } catch {
    // Whoever signs is told that nothing was checked.
    return undefined;
  }
}

/** Find what is remarkable about the cost of a transaction. */
export function findCostAlerts(
  transaction: Transaction,
  measures: Measures | undefined,
): CostAlert[] {
  if (!measures) return [{ kind: 'unchecked' }];
  const { levels, balance } = measures;
  const cost = maxCostOf(transaction);
  return [
    ...findPriceAlerts(transaction, levels),
    ...(cost > balance ? [{ kind: 'balance', cost, balance } as const] : []),
  ];
}

/** Find out whether what a transaction pays for a unit of gas is far above the market, or
 * below what any block takes now. */
export function findPriceAlerts(
  transaction: Transaction,
  levels: FeeLevels,
): CostAlert[] {
  const fee = maxPriceOf(transaction);
  const { estimatedBaseFee: base } = levels;
  return [
    ...findFeeAlerts(fee, levels),
    ...(fee < base ? [{ kind: 'lowFee', fee, base } as const] : []),
  ];
}

/** Find out whether a fee for a unit of gas, in wei, is far above the market. */
export function findFeeAlerts(fee: bigint, levels: FeeLevels): CostAlert[] {
  const high = levels.high.maxFeePerGas;
  return fee > high * MAX_TIMES_HIGH ? [{ kind: 'fee', fee, high }] : [];
}
