// onTransaction: what is said beside any transaction in the wallet's own confirmation. It is
// asked once, when the transaction is added. Whatever fails, it is silent: nobody's
// transaction waits for it, and no news is not bad news.
import { SeverityLevel } from '@metamask/snaps-sdk';
import type { OnTransactionResponse } from '@metamask/snaps-sdk';

import type { Chain, Chains } from '../chains/chain';
import { withTimeLimit } from '../client/abort';
import type { CallAlert } from '../eth/alerts';
import { ChainIdStruct, toCaip2 } from '../eth/chain';
import { findInsightTransaction } from '../eth/insight-transaction';
import type { InsightTransaction } from '../eth/insight-transaction';
import { addressesIn } from '../eth/known-calls';
import { findLookAlikes } from '../eth/look-alike';
import { findCallAlerts } from '../eth/transaction-alerts';
import { findFeeAlerts } from '../fees/guard-rails';
import { compareFees } from '../fees/level';
import type { FeeLevels } from '../fees/level';
import { findAllowanceAlerts } from '../methods';
import type { RouteServices } from '../methods';
import { parse } from '../schema/parse';
import { writeAlert } from '../ui/confirm/alerts';
import { writeCallAlert } from '../ui/confirm/call-alerts';
import { lookAlikeNotices } from '../ui/confirm/look-alike-notices';
import { noticeRival } from '../ui/confirm/replacement';
import type { Rival } from '../ui/confirm/replacement';
import type { Translate } from '../ui/i18n';
import { TransactionInsightView } from '../ui/insight/transaction';
import type { FeeInsight } from '../ui/insight/transaction';
import { info } from '../ui/notice';
import type { Notice } from '../ui/notice';

/** The wallet's own confirmation is open meanwhile. */
const TIME_LIMIT_MS = 5_000;

/** What telling needs. */
export type TransactionInsightServices = {
  chains: Pick<Chains, 'connect'>;
  methodServices: Pick<RouteServices, 'knownAddresses' | 'findRival'>;
  feeLevels: (chain: Chain) => Promise<FeeLevels>;
  loadTranslate: () => Promise<Translate>;
};

/** Tell what is known of a transaction; null if there is nothing to tell. */
export async function handleTransaction(
  { transaction: shown, chainId }: { transaction: unknown; chainId: string },
  services: TransactionInsightServices,
): Promise<OnTransactionResponse | null> {
  const transaction = findInsightTransaction(shown);
  if (!transaction) return null;
  try {
    const [levels, allowances, known, rival, translate] = await Promise.all([
      findLevels(chainId, services),
      findAllowances(transaction, chainId, services),
      services.methodServices.knownAddresses(),
      findRival(transaction, chainId, services),
      services.loadTranslate(),
    ]);
    const resembling = findLookAlikes(addressesIn(transaction), known.all);
    const notices = [
      ...[...findCallAlerts(transaction), ...allowances].map((alert) =>
        writeCallAlert(alert, translate, chainId),
      ),
      ...lookAlikeNotices(resembling, translate),
      ...(rival ? [noticeRival(rival, translate)] : []),
      ...warnOfFees(transaction, levels, translate),
      ...(transaction.to === null ? [info(translate('insight.creation'))] : []),
    ];
    const fees = levels && toFeeInsight(transaction, levels);
    if (!fees && notices.length === 0) return null;
    const content = TransactionInsightView({
      translate,
      chain: chainId,
      notices,
      fees,
    });
    const isCritical = notices.some(({ severity }) => severity === 'danger');
    return { content, ...(isCritical ? { severity: SeverityLevel.Critical } : {}) };
  } catch {
    return null;
  }
}

async function findLevels(
  chain: string,
  { chains, feeLevels }: TransactionInsightServices,
): Promise<FeeLevels | undefined> {
  try {
    const chainId = parse(chain, ChainIdStruct, 'chainId');
    const fetch = async (): Promise<FeeLevels> =>
      feeLevels(await chains.connect(chainId));
    return await withTimeLimit(fetch, TIME_LIMIT_MS);
  } catch {
    return undefined;
  }
}

async function findAllowances(
  transaction: InsightTransaction,
  chain: string,
  { chains }: TransactionInsightServices,
): Promise<CallAlert[]> {
  try {
    const { node } = await chains.connect(parse(chain, ChainIdStruct, 'chainId'));
    const found = await findAllowanceAlerts([transaction], node);
    return found.map(({ alert }) => alert);
  } catch {
    return [];
  }
}

// The wallet chooses most nonces only when the transaction is confirmed.
async function findRival(
  { from, nonce }: InsightTransaction,
  chain: string,
  { methodServices }: TransactionInsightServices,
): Promise<Rival | undefined> {
  if (nonce === undefined) return undefined;
  const chainId = parse(chain, ChainIdStruct, 'chainId');
  return methodServices.findRival({ chain: toCaip2(chainId), from }, nonce);
}

function warnOfFees(
  { fees }: InsightTransaction,
  levels: FeeLevels | undefined,
  translate: Translate,
): Notice[] {
  if (!fees || !levels) return [];
  const alerts = findFeeAlerts(fees.maxFeePerGas, levels);
  return alerts.map((alert) => writeAlert(alert, translate));
}

function toFeeInsight(
  { fees, gasLimit }: InsightTransaction,
  levels: FeeLevels,
): FeeInsight | undefined {
  if (!fees) return undefined;
  const { market, medium } = levels;
  return {
    ...compareFees(fees, levels),
    mediumCost: gasLimit === undefined ? undefined : gasLimit * medium.maxFeePerGas,
    mediumWait: market?.waits.medium.max,
    congestion: market?.congestion,
    baseFeeTrend: market?.baseFeeTrend,
  };
}
