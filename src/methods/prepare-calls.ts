// Filling the transactions of a batch, and finding what is remarkable about their cost. What
// can be asked at once is asked at once.
import type { Chain } from '../chains/chain';
import { RpcError } from '../client';
import type { Intent } from '../eth/account-calls';
import type { CostAlert } from '../eth/alerts';
import { toCaip2 } from '../eth/chain';
import type { TransactionRequest } from '../eth/transaction';
import { maxCostOf, maxPriceOf } from '../eth/transaction-cost';
import { fillTransaction } from '../fees/fill-transaction';
import type { FillSources } from '../fees/fill-transaction';
import { UNKNOWN_CALL_GAS } from '../fees/gas-limit';
import { fetchMeasures, findFeeAlerts } from '../fees/guard-rails';
import type { Measures } from '../fees/guard-rails';
import type { AccountRecord } from '../state/account-record';
import type { CallView } from '../ui/confirm/calls';
import type { MethodServices } from './method';
import { shared } from './transaction';

/** Calls as they are shown, and what is remarkable about all of them together. */
export type PreparedCalls = { calls: CallView[]; alerts: CostAlert[] };

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
  const [measures, filled] = await Promise.all([
    fetchMeasures(from, { node, levels }),
    Promise.all(filling),
  ]);
  const calls = filled.map((call) => ({ ...call, alerts: findAlerts(call, measures) }));
  return { calls, alerts: findTotalAlerts(calls, measures) };
}

type Filled = Omit<CallView, 'alerts'>;

async function fillCall(
  request: TransactionRequest,
  index: number,
  sources: FillSources,
): Promise<Filled> {
  try {
    return { transaction: await fillTransaction(request, sources), isEstimated: true };
  } catch (error) {
    if (index === 0 || !(error instanceof RpcError)) throw error;
    const assumed = { ...request, gasLimit: UNKNOWN_CALL_GAS };
    return { transaction: await fillTransaction(assumed, sources), isEstimated: false };
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

function findAlerts(
  { transaction }: Filled,
  measures: Measures | undefined,
): CostAlert[] {
  return measures ? findFeeAlerts(maxPriceOf(transaction), measures.levels) : [];
}

// The balance is one for all of them.
function findTotalAlerts(
  calls: readonly Filled[],
  measures: Measures | undefined,
): CostAlert[] {
  if (!measures) return [{ kind: 'unchecked' }];
  const { balance } = measures;
  const cost = calls.reduce((sum, { transaction }) => sum + maxCostOf(transaction), 0n);
  return cost > balance ? [{ kind: 'balance', cost, balance }] : [];
}
