// Confirmation of eth_signTransaction: where to, how much, and what it costs at most.
import { Address, Row, Section, Text } from '@metamask/snaps-sdk/jsx';
import type { JSXElement, SectionElement } from '@metamask/snaps-sdk/jsx';

import { weiToGwei } from '../../eth/gwei';
import { byteLength } from '../../eth/hex';
import { toTransactionJson } from '../../eth/sign-transaction';
import type { Transaction } from '../../eth/transaction';
import { Confirmation } from '../components/Confirmation';
import { Field } from '../components/Field';
import { Raw } from '../components/Raw';
import { cutWarnings, toShownCoins, toShownText } from '../format';
import type { TextKey, Translate } from '../i18n';

/** A transaction to sign. */
export type TransactionView = {
  translate: Translate;
  origin: string;
  /** CAIP-2 chain. */
  chain: string;
  transaction: Transaction;
};

/** Draw the confirmation of a transaction. */
export function TransactionConfirmation(view: TransactionView): JSXElement {
  const { translate, origin, chain, transaction } = view;
  const raw = JSON.stringify(toTransactionJson(transaction));
  return (
    <Confirmation
      translate={translate}
      title="transaction.title"
      origin={origin}
      account={transaction.from}
      chain={chain}
      warnings={cutWarnings(toShownText(raw), translate)}
    >
      {drawCall(transaction, translate)}
      {drawCost(transaction, translate)}
      <Raw translate={translate} value={raw} />
    </Confirmation>
  );
}

function drawCall(transaction: Transaction, translate: Translate): SectionElement {
  const { to, value, data } = transaction;
  const accessList = 'accessList' in transaction ? transaction.accessList : [];
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
      {accessList.length === 0 ? null : (
        <Field
          label={translate('field.accessList')}
          value={String(accessList.length)}
        />
      )}
    </Section>
  );
}

function drawCost(transaction: Transaction, translate: Translate): SectionElement {
  const { value, nonce, gasLimit } = transaction;
  const price =
    transaction.type === '0x2' ? transaction.maxFeePerGas : transaction.gasPrice;
  const maxCost = toShownCoins(value + gasLimit * price, translate);
  return (
    <Section>
      <Field label={translate('field.maxCost')} value={maxCost} />
      <Field label={translate('field.gasLimit')} value={String(gasLimit)} />
      {feesOf(transaction).map(([label, fee]) => (
        <Field
          label={translate(label)}
          value={translate('unit.gwei', { amount: weiToGwei(fee) })}
        />
      ))}
      <Field label={translate('field.nonce')} value={String(nonce)} />
    </Section>
  );
}

function feesOf(transaction: Transaction): [TextKey, bigint][] {
  if (transaction.type !== '0x2') return [['field.gasPrice', transaction.gasPrice]];
  return [
    ['field.maxFee', transaction.maxFeePerGas],
    ['field.priorityFee', transaction.maxPriorityFeePerGas],
  ];
}
