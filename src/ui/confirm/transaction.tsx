// Confirmation of eth_signTransaction: where to, how much, and what it costs at most.
import { Address, Row, Section, Text } from '@metamask/snaps-sdk/jsx';
import type { JSXElement, SectionElement } from '@metamask/snaps-sdk/jsx';

import type { CostAlert } from '../../eth/alerts';
import { byteLength } from '../../eth/hex';
import { toTransactionJson } from '../../eth/sign-transaction';
import type { Transaction, TransactionRequest } from '../../eth/transaction';
import { feesOf, maxCostOf } from '../../eth/transaction-cost';
import type { FeeField } from '../../eth/transaction-cost';
import { Confirmation } from '../components/Confirmation';
import { Field } from '../components/Field';
import { Raw } from '../components/Raw';
import { cutWarnings, toShownCoins, toShownFee, toShownText } from '../format';
import type { TextKey, Translate } from '../i18n';
import { danger } from '../notice';
import { writeAlert } from './alerts';

/** A transaction to sign. */
export type TransactionView = {
  translate: Translate;
  origin: string;
  /** CAIP-2 chain. */
  chain: string;
  transaction: Transaction;
  title: TextKey;
  /** What is remarkable about its cost. */
  alerts: readonly CostAlert[];
  /** Whether the nonce is settled only when the user has approved. */
  isNonceOpen: boolean;
};

const feeLabels: Record<FeeField, TextKey> = {
  gasPrice: 'field.gasPrice',
  maxFeePerGas: 'field.maxFee',
  maxPriorityFeePerGas: 'field.priorityFee',
  maxFeePerBlobGas: 'field.maxBlobFee',
};

/** Draw the confirmation of a transaction. */
export function TransactionConfirmation(view: TransactionView): JSXElement {
  const { translate, title, origin, chain, transaction, alerts } = view;
  const raw = JSON.stringify(toTransactionJson(transaction));
  return (
    <Confirmation
      translate={translate}
      title={title}
      origin={origin}
      account={transaction.from}
      chain={chain}
      notices={[
        ...alerts.map((alert) => writeAlert(alert, translate)),
        ...(transaction.type === '0x4'
          ? [danger(translate('warning.authorizations'))]
          : []),
        ...cutWarnings(toShownText(raw), translate),
      ]}
    >
      {drawCall(transaction, translate)}
      {drawCost(view)}
      <Raw translate={translate} value={raw} />
    </Confirmation>
  );
}

function drawCall(transaction: Transaction, translate: Translate): SectionElement {
  const { to, value, data } = transaction;
  return (
    <Section>
      <Row label={translate('field.to')}>
        {to === null ? (
          <Text>{translate('field.creation')}</Text>
        ) : (
          <Address address={to} />
        )}
      </Row>
      <Field label={translate('field.value')} value={toShownCoins(value, translate)} />
      <Field label={translate('field.data')} value={`${byteLength(data)} B`} />
      {countLists(transaction).map(([label, count]) => (
        <Field label={translate(label)} value={String(count)} />
      ))}
    </Section>
  );
}

function countLists(transaction: Transaction): [TextKey, number][] {
  const lists: TransactionRequest = transaction;
  const counts: [TextKey, number][] = [
    ['field.accessList', lists.accessList?.length ?? 0],
    ['field.blobs', lists.blobVersionedHashes?.length ?? 0],
    ['field.authorizations', lists.authorizationList?.length ?? 0],
  ];
  return counts.filter(([, count]) => count > 0);
}

function drawCost(view: TransactionView): SectionElement {
  const { transaction, translate, isNonceOpen } = view;
  const { gasLimit } = transaction;
  const nonce = String(transaction.nonce);
  const maxCost = toShownCoins(maxCostOf(transaction), translate);
  return (
    <Section>
      <Field label={translate('field.maxCost')} value={maxCost} />
      <Field label={translate('field.gasLimit')} value={String(gasLimit)} />
      {feesOf(transaction).map(([name, fee]) => (
        <Field label={translate(feeLabels[name])} value={toShownFee(fee, translate)} />
      ))}
      <Field
        label={translate('field.nonce')}
        value={isNonceOpen ? translate('nonce.open', { nonce }) : nonce}
      />
    </Section>
  );
}
