// Filling the transactions of a batch, and finding what is remarkable about their cost. What
// can be asked at once is asked at once.
import type { Chain } from '../chains/chain';
import { RpcError } from '../client';
import type { Intent } from '../eth/account-calls';
import type { CostAlert } from '../eth/alerts';
import { findDeserted, listCalled } from '../eth/calldata';
import { toCaip2 } from '../eth/chain';
import type { Transaction, TransactionRequest } from '../eth/transaction';
import { maxCostOf } from '../eth/transaction-cost';
import { findOpenFees } from '../fees/fee-choice';
import { fillTransaction } from '../fees/fill-transaction';
import type { FilledTransaction, FillSources } from '../fees/fill-transaction';
import { UNKNOWN_CALL_GAS } from '../fees/gas-limit';
import { fetchMeasures, findPriceAlerts } from '../fees/guard-rails';
import type { Measures } from '../fees/guard-rails';
import type { AccountRecord } from '../state/account-record';
import type { FeeEditing } from './fee-editor';
import type { MethodServices } from './method';
import { findWithoutCodeAt } from './signing-context';
import { createMeasuring, shared } from './transaction';

/** Filled calls, by what their user may choose their fees; of each whether it was estimated, and
 * whether it calls a contract where there is none. */
export type PreparedCalls = FeeEditing & {
  isEstimated: readonly boolean[];
  isDeserted: readonly boolean[];
};

/**
 * Fill a transaction for each call, with consecutive nonces.
 *
 * @throws What the node says if the first one would fail; one after it may need it.
 */
export async function prepareCalls(
  intents: readonly Intent[],
  { account, chain }: { account: AccountRecord; chain: Chain },
  services: MethodServices,
): Promise<PreparedCalls> {
  const { address: from } = account;
  const { id: chainId, node } = chain;
  // Before anything is asked: from here on all leaves in one tick, and so in one batch.
  const level = await services.feeLevel();
  const levels = shared(async () => services.feeLevels(chain));
  const nonces = findNonces(intents.length, { account, chain }, services);
  const filling = intents.map(async (intent, index) =>
    fillCall({ ...intent, from }, index, {
      chainId,
      node,
      levels,
      level,
      nextNonce: async () => (await nonces)[index] ?? 0n,
    }),
  );
  const [measures, withoutCode, filled] = await Promise.all([
    fetchMeasures(from, { node, levels }),
    findWithoutCodeAt(listCalled(intents, from), node),
    Promise.all(filling),
  ]);
  const transactions = filled.map(({ transaction }) => transaction);
  return {
    isDeserted: findDeserted(transactions, from, withoutCode),
    subjects: filled.map(({ transaction, priorityFloor }) => ({
      transaction,
      open: findOpenFees({}, transaction),
      priorityFloor,
    })),
    isEstimated: filled.map(({ isEstimated }) => isEstimated),
    level,
    levels: filled[0]?.levels,
    measures,
    remeasure: createMeasuring({ from }, chain, services),
    now: services.now,
  };
}

/** Find what is remarkable about the cost of transactions, of each and of all together. */
export function findCallsAlerts(
  transactions: readonly Transaction[],
  measures: Measures | undefined,
): { ofEach: CostAlert[][]; ofAll: CostAlert[] } {
  return {
    ofEach: transactions.map((transaction) =>
      measures ? findPriceAlerts(transaction, measures.levels) : [],
    ),
    ofAll: findTotalAlerts(transactions, measures),
  };
}

type Filled = FilledTransaction & { isEstimated: boolean };

async function fillCall(
  request: TransactionRequest,
  index: number,
  sources: FillSources,
): Promise<Filled> {
  try {
    return { ...(await fillTransaction(request, sources)), isEstimated: true };
  } catch (error) {
    if (index === 0 || !(error instanceof RpcError)) throw error;
    const assumed = { ...request, gasLimit: UNKNOWN_CALL_GAS };
    return { ...(await fillTransaction(assumed, sources)), isEstimated: false };
  }
}

async function findNonces(
  count: number,
  { account, chain }: { account: AccountRecord; chain: Chain },
  { nonces }: Pick<MethodServices, 'nonces'>,
): Promise<bigint[]> {
  const sender = { chain: toCaip2(chain.id), from: account.address };
  const found: bigint[] = [];
  let next = await nonces.next(sender, chain.node);
  while (found.length < count) {
    next = await nonces.findFree(sender, next);
    found.push(next);
    next += 1n;
  }
  return found;
}

// The balance is one for all of them.
function findTotalAlerts(
  transactions: readonly Transaction[],
  measures: Measures | undefined,
): CostAlert[] {
  if (!measures) return [{ kind: 'unchecked' }];
  const { balance } = measures;
  const cost = transactions.reduce((sum, each) => sum + maxCostOf(each), 0n);
  return cost > balance ? [{ kind: 'balance', cost, balance }] : [];
}
