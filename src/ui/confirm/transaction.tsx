// Confirmation of a transaction: what it does, what it costs at most and leaves, its fees,
// which the user can choose where they are ours to fill, and all of it as it is signed.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';

import type { CostAlert } from '../../eth/alerts';
import { toTransactionJson } from '../../eth/sign-transaction';
import { findCallAlerts } from '../../eth/transaction-alerts';
import { Confirmation } from '../components/Confirmation';
import { Raw } from '../components/Raw';
import { cutWarnings, toShownText } from '../format';
import type { TextKey } from '../i18n';
import type { Notice } from '../notice';
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
};

/** Draw the confirmation of a transaction. */
export function TransactionConfirmation(view: TransactionView): JSXElement {
  const { translate, title, origin, chain, transaction, fees, replacement } = view;
  const raw = JSON.stringify(toTransactionJson(transaction));
  return (
    <Confirmation
      translate={translate}
      title={title}
      origin={origin}
      account={transaction.from}
      chain={chain}
      notices={listNotices(view, raw)}
      isHeld={view.isUnpriced}
    >
      {replacement ? drawReplacement(replacement, translate) : null}
      {drawContent(transaction, translate, chain)}
      {fees ? drawFeeSection(fees, translate) : null}
      {drawTransactionCost(view)}
      <Raw translate={translate} value={raw} />
    </Confirmation>
  );
}

function listNotices(view: TransactionView, raw: string): Notice[] {
  const { translate, chain, transaction, alerts, notices = [], replacement } = view;
  return [
    ...findCallAlerts(transaction).map((alert) =>
      writeCallAlert(alert, translate, chain),
    ),
    ...notices,
    ...(view.isUnpriced
      ? []
      : alerts.map((alert) => writeAlert(alert, translate, chain))),
    ...(replacement ? noticeReplacement(replacement, translate) : []),
    ...cutWarnings(toShownText(raw), translate),
  ];
}
