// Confirmation of several transactions of an account that wallet_sendCalls asks for at once
// (EIP-5792). They are sent one after another: nothing holds them together.
import { Address, Row, Section, Text } from '@metamask/snaps-sdk/jsx';
import type { JSXElement, SectionElement } from '@metamask/snaps-sdk/jsx';

import type { CostAlert } from '../../eth/alerts';
import type { Hex } from '../../eth/hex';
import { toTransactionJson } from '../../eth/sign-transaction';
import type { Transaction } from '../../eth/transaction';
import { maxCostOf, maxPriceOf } from '../../eth/transaction-cost';
import { CallData } from '../components/CallData';
import { Confirmation } from '../components/Confirmation';
import { Field } from '../components/Field';
import { Raw } from '../components/Raw';
import { cutWarnings, toShownCoins, toShownFee, toShownText } from '../format';
import type { Translate } from '../i18n';
import { danger, warning } from '../notice';
import type { Notice } from '../notice';
import { writeAlert } from './alerts';
import { MAX_SHOWN_CALLS, warnOfMore } from './operation-calls';

/** One of the transactions. */
export type CallView = {
  transaction: Transaction;
  /** What is remarkable about its cost. */
  alerts: readonly CostAlert[];
  /** Whether its gas limit was found by an estimate; else it was assumed. */
  isEstimated: boolean;
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
};

/** Draw the confirmation of several transactions. */
export function CallsConfirmation(view: CallsView): JSXElement {
  const { translate, origin, account, chain, calls, alerts } = view;
  const shown = calls.slice(0, MAX_SHOWN_CALLS);
  const raw = JSON.stringify(
    calls.map(({ transaction }) => toTransactionJson(transaction)),
  );
  return (
    <Confirmation
      translate={translate}
      title={calls.length > 1 ? 'calls.title' : 'transaction.send'}
      origin={origin}
      account={account}
      chain={chain}
      notices={[
        ...alerts.map((alert) => writeAlert(alert, translate)),
        ...(calls.length > 1 ? [warning(translate('warning.notAtomic'))] : []),
        ...shown.flatMap((call, index) => warnOfCall(call, index + 1, translate)),
        ...warnOfMore(calls, translate),
        ...cutWarnings(toShownText(raw), translate),
      ]}
    >
      {shown.map((call, index) => drawCall(call, index + 1, translate))}
      {drawTotals(calls, translate)}
      <Raw translate={translate} value={raw} />
    </Confirmation>
  );
}

function warnOfCall(
  { transaction, alerts, isEstimated }: CallView,
  number: number,
  translate: Translate,
): Notice[] {
  return [
    ...alerts.map((alert) => writeAlert(alert, translate)),
    ...(isEstimated ? [] : [warning(translate('warning.notEstimated'))]),
    ...(transaction.type === '0x4'
      ? [danger(translate('warning.authorizations'))]
      : []),
  ].map(({ severity, text }) => ({
    severity,
    text: translate('calls.about', { number: String(number), text }),
  }));
}

function drawCall(
  { transaction, isEstimated }: CallView,
  number: number,
  translate: Translate,
): SectionElement {
  const { to, value, data } = transaction;
  const gas = String(transaction.gasLimit);
  return (
    <Section>
      <Row label={translate('calls.call', { number: String(number) })}>
        {to === null ? (
          <Text>{translate('field.creation')}</Text>
        ) : (
          <Address address={to} />
        )}
      </Row>
      <Field label={translate('field.value')} value={toShownCoins(value, translate)} />
      <CallData translate={translate} data={data} />
      <Field
        label={translate('field.gasLimit')}
        value={isEstimated ? gas : translate('gas.assumed', { gas })}
      />
      <Field
        label={translate('field.maxFee')}
        value={toShownFee(maxPriceOf(transaction), translate)}
      />
    </Section>
  );
}

// Of all of them, those that are not drawn as well.
function drawTotals(calls: readonly CallView[], translate: Translate): SectionElement {
  const sum = (get: (transaction: Transaction) => bigint): string => {
    const amounts = calls.map(({ transaction }) => get(transaction));
    return toShownCoins(
      amounts.reduce((total, amount) => total + amount, 0n),
      translate,
    );
  };
  return (
    <Section>
      <Field label={translate('field.totalValue')} value={sum(({ value }) => value)} />
      <Field label={translate('field.maxCost')} value={sum(maxCostOf)} />
    </Section>
  );
}
