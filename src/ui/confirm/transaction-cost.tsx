// What a transaction costs at most, what is left afterwards, and its fees as they are signed.
import { Section } from '@metamask/snaps-sdk/jsx';
import type { RowElement, SectionElement } from '@metamask/snaps-sdk/jsx';

import { toCaip2 } from '../../eth/chain';
import { feesOf, maxCostOf } from '../../eth/transaction';
import type { FeeField, Transaction } from '../../eth/transaction';
import { Field } from '../components/Field';
import { toShownCoins, toShownCount, toShownFee } from '../format';
import type { TextKey, Translate } from '../i18n';

/** What this section is drawn from. */
export type TransactionCost = {
  translate: Translate;
  /** CAIP-2 chain. */
  chain: string;
  transaction: Transaction;
  /** What the account has now, in wei, if it is known. */
  balance?: bigint | undefined;
  /** What the chain charges beside the gas, in wei. */
  dataFee?: bigint;
  /** Whether the nonce is settled only when the user has approved. */
  isNonceOpen: boolean;
  /** Whether the gas limit is assumed, since it could not be estimated. */
  isGasAssumed?: boolean;
  /** Whether fees are typed that cannot be signed: then nothing is told of the cost. */
  isUnpriced?: boolean | undefined;
};

const feeLabels: Record<FeeField, TextKey> = {
  gasPrice: 'field.gasPrice',
  maxFeePerGas: 'field.maxFee',
  maxPriorityFeePerGas: 'field.priorityFee',
  maxFeePerBlobGas: 'field.maxBlobFee',
};

/** Something that is paid. */
export type Cost = {
  label: TextKey;
  amount: bigint;
  /** Writes the amount in its unit. */
  write: (amount: bigint, translate: Translate) => string;
};

/** Lists all that transactions of one chain pay: what they cost at most, then the parts. */
export function listCosts(transactions: readonly Transaction[]): Cost[] {
  const total = transactions.reduce((sum, each) => sum + maxCostOf(each), 0n);
  const chain = transactions[0] && toCaip2(transactions[0].chainId);
  return [
    {
      label: 'field.maxCost',
      amount: total,
      write: (amount, translate) => toShownCoins(amount, translate, chain),
    },
    ...transactions.flatMap((transaction): Cost[] => [
      ...feesOf(transaction).map(([name, amount]): Cost => ({
        label: feeLabels[name],
        amount,
        write: toShownFee,
      })),
      {
        label: 'field.gasLimit',
        amount: transaction.gasLimit,
        write: toShownCount,
      },
    ]),
  ];
}

/** Draw the maximum cost and its parts. */
export function drawTransactionCost(view: TransactionCost): SectionElement {
  const { transaction, translate, isNonceOpen, isUnpriced = false } = view;
  const gas = toShownCount(transaction.gasLimit, translate);
  const nonce = toShownCount(transaction.nonce, translate);
  const cost = { total: maxCostOf(transaction), ...view };
  return (
    <Section>
      {drawTotal(cost)}
      <Field
        label={translate('field.gasLimit')}
        value={view.isGasAssumed ? translate('gas.assumed', { gas }) : gas}
      />
      {isUnpriced
        ? []
        : feesOf(transaction).map(([name, fee]) => (
            <Field
              label={translate(feeLabels[name])}
              value={toShownFee(fee, translate)}
            />
          ))}
      <Field
        label={translate('field.nonce')}
        value={isNonceOpen ? translate('nonce.open', { nonce }) : nonce}
      />
    </Section>
  );
}

/** What all costs at most, without the data fee, in wei, and from what it is paid. */
export type Total = Pick<
  TransactionCost,
  'translate' | 'chain' | 'balance' | 'dataFee' | 'isUnpriced'
> & { total: bigint };

/** Draw what all costs at most, and what the account has afterwards at least. */
export function drawTotal(view: Total): RowElement[] {
  const { translate, chain, balance, dataFee = 0n, isUnpriced = false } = view;
  const total = view.total + dataFee;
  if (isUnpriced) {
    const label = translate('field.maxCost');
    return [<Field label={label} value={translate('fee.unpriced')} />];
  }
  const amounts: [TextKey, bigint][] = [
    ['field.maxCost', total],
    ...(dataFee === 0n ? [] : [['field.dataFee', dataFee] as [TextKey, bigint]]),
    ...(balance === undefined || balance < total
      ? []
      : [['field.balanceAfter', balance - total] as [TextKey, bigint]]),
  ];
  return amounts.map(([key, amount]) => (
    <Field label={translate(key)} value={toShownCoins(amount, translate, chain)} />
  ));
}
