// Confirmation of several transactions of an account that wallet_sendCalls asks for at once
// (EIP-5792). They are sent one after another: nothing holds them together.
import { Section } from '@metamask/snaps-sdk/jsx';
import type { SectionElement } from '@metamask/snaps-sdk/jsx';

import type { CallAlert, CostAlert, FailureAlert } from '../../eth/alerts';
import type { Hex } from '../../eth/hex';
import { findTokenUnit } from '../../eth/known-tokens';
import { toTransactionJson } from '../../eth/sign-transaction';
import { maxCostOf, maxPriceOf } from '../../eth/transaction';
import type { Transaction } from '../../eth/transaction';
import { listCallAlerts } from '../../eth/transaction-alerts';
import { CallData, weighCall, writeCallRange } from '../components/CallData';
import { toPagedView } from '../components/Confirmation';
import { Field } from '../components/Field';
import { toShownCoins, toShownCount, toShownFee } from '../format';
import type { Translate } from '../i18n';
import { warning } from '../notice';
import type { Notice } from '../notice';
import { toPages } from '../pages';
import type { PagedView } from '../pages';
import { writeAlert } from './alerts';
import { numberNotices, writeCallAlert } from './call-alerts';
import { drawFeeSection } from './fee-section';
import type { FeeSectionView } from './fee-section';
import { drawDelegates, drawRecipient } from './transaction-content';
import { drawTotal } from './transaction-cost';

/** One of the transactions. */
export type CallView = {
  transaction: Transaction;
  /** What the chain knows of what it allows. */
  allowances?: readonly CallAlert[];
  /** What is remarkable about its cost. */
  alerts: readonly CostAlert[];
  /** Whether its gas limit was found by an estimate; else it was assumed. */
  isEstimated: boolean;
  /** Why it fails, if that is known. */
  failure?: FailureAlert | undefined;
  /** Whether it calls a contract where there is none. */
  isDeserted?: boolean;
};

/** Transactions to sign and send, at least one. */
export type CallsView = {
  translate: Translate;
  origin: string;
  account: Hex;
  /** CAIP-2 chain. */
  chain: string;
  calls: readonly CallView[];
  /** What is remarkable about all of them together. */
  alerts: readonly CostAlert[];
  /** What else is to be known, such as of whom they are for. */
  notices?: readonly Notice[];
  /** What the account has now, in wei, if it is known. */
  balance?: bigint | undefined;
  /** What the chain charges for all of them beside their gas, in wei. */
  dataFee?: bigint;
  /** Fees that can be chosen. */
  fees?: FeeSectionView | undefined;
  /** Whether fees are typed that cannot be signed. */
  isUnpriced?: boolean | undefined;
};

/** Draw the confirmation of several transactions. */
export function CallsConfirmation(view: CallsView): PagedView {
  const { translate, origin, account, chain, calls, fees } = view;
  const numbered = calls.map((call, index) => ({ call, number: index + 1 }));
  const pages = toPages(numbered, ({ call }) => weighCall(call.transaction));
  return toPagedView({
    translate,
    title: calls.length > 1 ? 'calls.title' : 'transaction.send',
    origin,
    account,
    chain,
    notices: listNotices(view),
    isHeld: view.isUnpriced,
    pages: pages.map((page, index) => () => [
      ...writeCallRange(pages, index, translate),
      ...page.map(({ call, number }) => drawCall(call, number, view)),
    ]),
    foot: [...(fees ? [drawFeeSection(fees, translate)] : []), drawTotals(view)],
    raw: JSON.stringify(calls.map(({ transaction }) => toTransactionJson(transaction))),
  });
}

// Of all of them, whichever page they are on.
function listNotices(view: CallsView): Notice[] {
  const { translate, chain, calls, alerts, notices = [], isUnpriced = false } = view;
  const ofCalls = calls.flatMap((call, index) =>
    listCallNotices(call, view).map((notice) => ({ notice, number: index + 1 })),
  );
  return [
    ...(isUnpriced ? [] : alerts.map((alert) => writeAlert(alert, translate, chain))),
    ...notices,
    ...(calls.length > 1 ? [warning(translate('warning.notAtomic'))] : []),
    ...numberNotices(ofCalls, 'calls.about', translate),
  ];
}

function listCallNotices(
  {
    transaction,
    allowances = [],
    alerts,
    isEstimated,
    failure,
    isDeserted = false,
  }: CallView,
  { translate, chain, isUnpriced = false }: CallsView,
): Notice[] {
  return [
    ...(failure ? [writeAlert(failure, translate)] : []),
    ...[...listCallAlerts(transaction, isDeserted), ...allowances].map((alert) =>
      writeCallAlert(alert, translate, chain),
    ),
    ...(isUnpriced ? [] : alerts.map((alert) => writeAlert(alert, translate, chain))),
    ...(isEstimated || failure ? [] : [warning(translate('warning.notEstimated'))]),
  ];
}

function drawCall(
  { transaction, isEstimated }: CallView,
  number: number,
  { translate, chain, isUnpriced = false }: CallsView,
): SectionElement {
  const { to, value, data } = transaction;
  const gas = toShownCount(transaction.gasLimit, translate);
  const label = translate('calls.call', { number: toShownCount(number, translate) });
  return (
    <Section>
      {drawRecipient(transaction, label, translate)}
      <Field
        label={translate('field.value')}
        value={toShownCoins(value, translate, chain)}
      />
      <CallData
        translate={translate}
        data={data}
        isCode={to === null}
        unit={findTokenUnit(chain, to)}
      />
      {drawDelegates(transaction, translate)}
      <Field
        label={translate('field.gasLimit')}
        value={isEstimated ? gas : translate('gas.assumed', { gas })}
      />
      {isUnpriced ? null : (
        <Field
          label={translate('field.maxFee')}
          value={toShownFee(maxPriceOf(transaction), translate)}
        />
      )}
    </Section>
  );
}

function drawTotals(view: CallsView): SectionElement {
  const { translate, chain, calls } = view;
  const sum = (get: (transaction: Transaction) => bigint): bigint =>
    calls.reduce((total, { transaction }) => total + get(transaction), 0n);
  return (
    <Section>
      <Field
        label={translate('field.totalValue')}
        value={toShownCoins(
          sum(({ value }) => value),
          translate,
          chain,
        )}
      />
      {drawTotal({ ...view, total: sum(maxCostOf) })}
    </Section>
  );
}
