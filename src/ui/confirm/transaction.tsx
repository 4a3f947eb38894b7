// Confirmation of a transaction: what it does, what it costs at most and leaves, its fees,
// which the user can choose where they are ours to fill, and all of it as it is signed.
import type { CostAlert } from '../../eth/alerts';
import { toTransactionJson } from '../../eth/sign-transaction';
import { listCallAlerts } from '../../eth/transaction-alerts';
import { toPagedView } from '../components/Confirmation';
import type { TextKey } from '../i18n';
import type { Notice } from '../notice';
import type { PagedView } from '../pages';
import { writeAlert } from './alerts';
import { writeCallAlert } from './call-alerts';
import { drawFeeSection } from './fee-section';
import type { FeeSectionView } from './fee-section';
import { drawReplacement, noticeReplacement } from './replacement';
import type { Replacement } from './replacement';
import { drawContent } from './transaction-content';
import { drawTransactionCost } from './transaction-cost';
import type { TransactionCost } from './transaction-cost';

/** A transaction to sign. */
export type TransactionView = TransactionCost & {
  origin: string;
  title: TextKey;
  /** What is remarkable about its cost. */
  alerts: readonly CostAlert[];
  /** What else is to be known, such as of whom it is for. */
  notices?: readonly Notice[];
  /** Fees that can be chosen; left out where the caller gave them. */
  fees?: FeeSectionView | undefined;
  /** What it takes the place of. */
  replacement?: Replacement | undefined;
  /** Whether it calls a contract where there is none. */
  isDeserted?: boolean;
};

/** Draw the confirmation of a transaction. */
export function TransactionConfirmation(view: TransactionView): PagedView {
  const { translate, title, origin, chain, transaction, fees, replacement } = view;
  return toPagedView({
    translate,
    title,
    origin,
    account: transaction.from,
    chain,
    notices: listNotices(view),
    isHeld: view.isUnpriced,
    head: [
      ...(replacement ? [drawReplacement(replacement, translate)] : []),
      drawContent(transaction, translate, chain),
      ...(fees ? [drawFeeSection(fees, translate)] : []),
      drawTransactionCost(view),
    ],
    raw: JSON.stringify(toTransactionJson(transaction)),
  });
}

function listNotices(view: TransactionView): Notice[] {
  const { translate, chain, transaction, alerts, notices = [], replacement } = view;
  return [
    ...listCallAlerts(transaction, view.isDeserted).map((alert) =>
      writeCallAlert(alert, translate, chain),
    ),
    ...notices,
    ...(view.isUnpriced
      ? []
      : alerts.map((alert) => writeAlert(alert, translate, chain))),
    ...(replacement ? noticeReplacement(replacement, translate) : []),
  ];
}
