// Confirmation of several transactions of an account that wallet_sendCalls asks for at once
// (EIP-5792). They are sent one after another: nothing holds them together.
import { CollapsibleSection, Section } from '@metamask/snaps-sdk/jsx';
import type { SectionElement } from '@metamask/snaps-sdk/jsx';

import {
  CallData,
  CallFold,
  drawRecipients,
  weighCall,
  writeCallRange,
} from '../calldata/CallData';
import type { DecodedCall } from '../calldata/call';
import { sum } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { toTransactionJson } from '../eth/sign-transaction';
import { maxCostOf, maxPriceOf } from '../eth/transaction';
import type { Transaction } from '../eth/transaction';
import { drawChanges } from '../foretell/changes';
import { drawValue } from '../foretell/costs';
import type { Foretold } from '../foretell/simulate';
import { drawFeeSection } from '../transaction/fee-section';
import type { FeeSectionView } from '../transaction/fee-section';
import { drawDelegates, drawFee, drawTotal } from '../transaction/view';
import type { Total } from '../transaction/view';
import { Field } from '../ui/components';
import { toPagedView, toPages } from '../ui/confirmation';
import type { PagedView } from '../ui/confirmation';
import { toShownCount, toShownFee } from '../ui/format';
import type { Warning } from '../ui/warnings';

/** One of the transactions. */
export type CallView = {
  transaction: Transaction;
  /** What it does, decoded. */
  call: DecodedCall;
  /** Whether its gas limit was found by an estimate; else it was assumed. */
  isEstimated: boolean;
};

/** Transactions to sign and send, at least one. */
export type CallsView = Omit<Total, 'total'> & {
  origin: string;
  account: Hex;
  calls: readonly CallView[];
  warnings: readonly Warning[];
  /** Fees that can be chosen. */
  fees?: FeeSectionView | undefined;
  /** What they change for the account. */
  foretold?: Foretold | undefined;
};

/** Draws the confirmation of several transactions. */
export function CallsConfirmation(view: CallsView): PagedView {
  const { translate, origin, account, chain, calls, warnings, fees } = view;
  const numbered = calls.map((call, index) => ({ ...call, number: index + 1 }));
  const pages = toPages(numbered, ({ call }) => weighCall(call));
  const transactions = calls.map(({ transaction }) => transaction);
  const values = transactions.map((each) => each.value);
  return toPagedView({
    translate,
    title: calls.length > 1 ? 'calls.title' : 'transaction.send',
    origin,
    account,
    chain,
    warnings,
    isHeld: view.isUnpriced,
    summary: drawChanges(view.foretold, { translate, chain }),
    costs: [
      ...drawValue(values, translate, chain),
      ...drawFee({ ...view, fee: sum(transactions.map(maxCostOf)) - sum(values) }),
    ],
    pages: pages.map((page, index) => () => [
      ...writeCallRange(pages, index, translate),
      ...page.map((call) => drawCall(call, view)),
    ]),
    foot: [
      ...(fees ? [drawFeeSection(fees, translate)] : []),
      <CollapsibleSection label={translate('details.title')}>
        {drawTotal({ ...view, total: sum(transactions.map(maxCostOf)) })}
      </CollapsibleSection>,
    ],
    raw: JSON.stringify(transactions.map(toTransactionJson)),
  });
}

function drawCall(
  { transaction, call, isEstimated, number }: CallView & { number: number },
  { translate, chain, isUnpriced = false }: CallsView,
): SectionElement {
  const gas = toShownCount(transaction.gasLimit, translate);
  const label = translate('calls.call', { number: toShownCount(number, translate) });
  return (
    <Section>
      {drawRecipients(call, label, translate)}
      {drawValue([transaction.value], translate, chain)}
      <CallData translate={translate} chain={chain} call={call} hasIntent />
      {CallFold({ translate, chain, call })}
      {drawDelegates(transaction, translate)}
      <CollapsibleSection label={translate('details.title')}>
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
      </CollapsibleSection>
    </Section>
  );
}
