// Filling the transactions of a batch, and finding what is remarkable about their cost. What
// can be asked at once is asked at once.
import type { Chain } from '../chains/chain';
import type { Intent } from '../eth/account-calls';
import type { CostAlert, NumberedAlert } from '../eth/alerts';
import { findDeserted, listCalled } from '../eth/calldata';
import { toCaip2 } from '../eth/chain';
import type { Transaction, TransactionRequest } from '../eth/transaction';
import { findOpenFees } from '../fees/fee-choice';
import { fillTransaction } from '../fees/fill-transaction';
import type { FilledTransaction, FillSources } from '../fees/fill-transaction';
import { fetchMeasures, findBalanceAlerts, findPriceAlerts } from '../fees/guard-rails';
import type { Measures } from '../fees/guard-rails';
import type { AccountRecord } from '../state/account-record';
import type { FeeEditing } from './fee-editor';
import type { MethodServices } from './method';
import { findAllowanceAlerts, findWithoutCodeAt } from './signing-context';
import { createMeasuring, prepareLevels } from './transaction';

/** Filled calls, by what their user may choose their fees, and how each was filled. */
export type PreparedCalls = FeeEditing & {
  gas: readonly Pick<FilledCall, 'isEstimated' | 'failure'>[];
  /** Of each whether it calls a contract where there is none. */
  isDeserted: readonly boolean[];
  /** What the chain knows of what they allow. */
  allowances: readonly NumberedAlert[];
};

/**
 * Fill a transaction for each call, with consecutive nonces. Only the first one is known to
 * fail if it does: one after it may need it.
 *
 * @throws What the node says.
 */
export async function prepareCalls(
  intents: readonly Intent[],
  { account, chain }: { account: AccountRecord; chain: Chain },
  services: MethodServices,
): Promise<PreparedCalls> {
  const { address: from } = account;
  const requests = intents.map((intent) => ({ ...intent, from })) as Requests;
  const { id: chainId, node } = chain;
  // Before anything is asked: from here on all leaves in one tick, and so in one batch.
  const [level, levels] = await Promise.all([
    services.feeLevel(),
    prepareLevels(chain, services),
  ]);
  const sender = { chain: toCaip2(chainId), from };
  const nonces = services.nonces.list(sender, node, intents.length);
  const filling = requests.map(async (request, index) =>
    fillCall(request, index, {
      chainId,
      node,
      levels,
      level,
      nextNonce: async () => (await nonces)[index] ?? 0n,
    }),
  );
  const [measures, withoutCode, allowances, filled] = await Promise.all([
    fetchMeasures(requests, { chainId, node, levels }),
    findWithoutCodeAt(listCalled(intents, from), node),
    findAllowanceAlerts(requests, node),
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
    allowances,
    gas: filled.map(({ isEstimated, failure }) => ({ isEstimated, failure })),
    level,
    levels: filled[0]?.levels,
    measures,
    remeasure: createMeasuring(requests, chain, services),
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
    ofAll: findBalanceAlerts(transactions, measures),
  };
}

/** At least one. */
type Requests = [TransactionRequest, ...TransactionRequest[]];

type FilledCall = FilledTransaction & { isEstimated: boolean };

async function fillCall(
  request: TransactionRequest,
  index: number,
  sources: FillSources,
): Promise<FilledCall> {
  const filled = await fillTransaction(request, { ...sources, mayFail: true });
  const isEstimated = filled.failure === undefined;
  return { ...filled, isEstimated, failure: index === 0 ? filled.failure : undefined };
}
