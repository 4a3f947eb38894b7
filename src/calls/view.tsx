// Confirmation of an ordinary account's calls from wallet_sendCalls (EIP-5792): either one
// transaction per call, sent one after another and independent of each other, or one transaction
// for all.
import { Box, Section } from '@metamask/snaps-sdk/jsx';
import type {
  BoxElement,
  CollapsibleSectionElement,
  GenericSnapElement,
  SectionElement,
} from '@metamask/snaps-sdk/jsx';

import type { Transaction } from '../core/payload';
import { toTransactionJson } from '../core/transaction';
import { findOwnAuthorization } from '../eth/delegation';
import { sum } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { maxCostOf, maxPriceOf } from '../eth/transaction';
import { findAct } from '../review/act';
import type { CallEffect } from '../review/effects';
import {
  drawNumberedCall,
  showsSentCurrency,
  toCallPages,
  warnOfUnshown,
} from '../review/screen/calls';
import type { CallItem } from '../review/screen/calls';
import { drawChanges } from '../review/screen/changes';
import { drawEnglish } from '../review/screen/description';
import type { Simulation } from '../review/simulate';
import { drawFeeSection, drawFeeSource } from '../transaction/fee-editor';
import type { FeeSectionView } from '../transaction/fee-editor';
import { drawCosts, drawOwnDelegation, drawTotal } from '../transaction/view';
import type { CostContext } from '../transaction/view';
import { drawRows } from '../ui/components';
import { toPagedView } from '../ui/confirmation';
import type { PagedView } from '../ui/confirmation';
import { toShownCount, toShownFee } from '../ui/format';
import type { Warning } from '../ui/warnings';

type CallsTransaction = {
  transaction: Transaction;
  isEstimated: boolean;
};

export type CallsView = CostContext & {
  origin: string;
  account: Hex;
  calls: readonly CallEffect[];
  /** One for each call, or one for all. */
  transactions: readonly CallsTransaction[];
  warnings: readonly Warning[];
  fees?: FeeSectionView | undefined;
  simulation?: Simulation | undefined;
};

export function CallsConfirmation(view: CallsView): PagedView {
  const { translate, origin, account, chain, calls, warnings, fees } = view;
  const isSingleTransaction = view.transactions.length < calls.length;
  const act = findAct(calls, view);
  const transactions = view.transactions.map(({ transaction }) => transaction);
  const [first] = view.transactions;
  const values = calls.map(({ value }) => value);
  const gas = sum(transactions.map(({ gasLimit }) => gasLimit));
  return toPagedView({
    translate,
    title: act.write(translate),
    approve: act.verb,
    ...(calls.length > 1 && {
      subtitle: translate(isSingleTransaction ? 'userOperation.batch' : 'calls.title'),
    }),
    origin,
    account,
    chain,
    warnings: [...warnings, ...warnOfUnshown(calls, view)],
    isHeld: view.isUnpriced,
    summary: [...drawEnglish(translate, calls), ...drawChanges(view.simulation, view)],
    costs: drawCosts(values, transactions, {
      ...view,
      isValueDrawn: showsSentCurrency(calls, view),
    }),
    pages: toCallPages(calls, view, (item) => [drawCall(item, view)]),
    foot: [
      ...(isSingleTransaction && first ? drawUpgrade(first.transaction, view) : []),
      ...(fees ? [drawFeeSection(fees, gas, view)] : []),
    ],
    details: drawDetails(view),
    raw: JSON.stringify(transactions.map(toTransactionJson)),
  });
}

function drawDetails(view: CallsView): BoxElement {
  const { translate, calls, transactions, fees } = view;
  const [first] = transactions;
  const value = sum(calls.map((call) => call.value));
  const costs = transactions.map(
    ({ transaction: each }) => maxCostOf(each) - each.value,
  );
  const total = value + sum(costs);
  return (
    <Box>
      {drawTotal({ ...view, value, total })}
      {fees ? (drawFeeSource(fees, translate) as GenericSnapElement) : null}
      {transactions.length < calls.length && first ? drawGas(first, view) : null}
    </Box>
  );
}

function drawUpgrade(
  transaction: Transaction,
  { translate, chain }: CallsView,
): SectionElement[] {
  const own = findOwnAuthorization(transaction);
  if (!own) return [];
  return [<Section>{drawOwnDelegation({ own, translate, chain })}</Section>];
}

function drawCall(item: CallItem, view: CallsView): CollapsibleSectionElement {
  const { calls, transactions } = view;
  const isSingleTransaction = transactions.length < calls.length;
  const callTransaction = isSingleTransaction
    ? undefined
    : transactions[Number(item.number) - 1];
  const isOpen = calls.length === 1;
  return drawNumberedCall(
    item,
    { ...view, isOpen },
    callTransaction && drawGas(callTransaction, view),
  );
}

function drawGas(
  { transaction, isEstimated }: CallsTransaction,
  { translate, isUnpriced = false }: CallsView,
): GenericSnapElement[] {
  const gas = toShownCount(transaction.gasLimit, translate);
  const fee = toShownFee(maxPriceOf(transaction), translate);
  return drawRows(translate, [
    ['field.gasLimit', isEstimated ? gas : translate('gas.assumed', { gas })],
    ['field.maxFee', isUnpriced ? undefined : fee],
  ]);
}
