// The dialog of a transaction: what it does, its maximum cost, the balance afterwards, its fees,
// and the raw data to be signed.
import { Box, Section, Text } from '@metamask/snaps-sdk/jsx';
import type {
  BoxElement,
  CollapsibleSectionElement,
  GenericSnapElement,
  RowElement,
  SectionElement,
} from '@metamask/snaps-sdk/jsx';

import type { Delegation } from '../chains/delegation';
import { findImplementation } from '../core/authorization';
import type { Authorization, Transaction } from '../core/payload';
import { toTransactionJson, feesOf } from '../core/transaction';
import { toCaip2 } from '../eth/chain';
import {
  findAuthority,
  findOwnAuthorization,
  findOwnDelegate,
} from '../eth/delegation';
import { isSameAddress, sum, ZERO_ADDRESS } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { maxCostOf, maxPriceOf } from '../eth/transaction';
import type { TransactionRequest } from '../eth/transaction';
import { findAct } from '../review/act';
import type { CallEffect } from '../review/effects';
import { readCall } from '../review/read';
import {
  drawCallData,
  drawOnlyFold,
  drawOutcome,
  drawRequested,
  showsSentCurrency,
  toCallPages,
  warnOfUnshown,
} from '../review/screen/calls';
import { drawMoney, drawValue } from '../review/screen/changes';
import type { CostRows, AmountContext as Amounts } from '../review/screen/changes';
import type { Simulation } from '../review/simulate';
import { AddressField, drawText, Field } from '../ui/components';
import { toPagedView } from '../ui/confirmation';
import type { ConfirmationProps, PagedView } from '../ui/confirmation';
import {
  toRoundedCoins,
  toShortHex,
  toShownChain,
  toShownCoins,
  toShownCount,
  toShownFee,
} from '../ui/format';
import { writeImplementation } from '../ui/i18n';
import type { TextKey, Translate } from '../ui/i18n';
import type { Warning } from '../ui/warnings';
import { drawFeeSection, drawFeeSource, feeLabels } from './fee-editor';
import type { FeeSectionView } from './fee-editor';

export type CostContext = Amounts & {
  /** Current balance of the account, in wei, if known. */
  balance?: bigint | undefined;
  /** Fees of the chain and its operator in addition to gas, in wei. */
  dataFee?: bigint;
  /** Whether the user entered invalid fees. No fee or total is shown then. */
  isUnpriced?: boolean | undefined;
};

export type Replacement = {
  action: 'speedUp' | 'cancel';
  /** Hash of the pending transaction. */
  hash: Hex;
  transaction: Transaction;
};

/** Titles that are not derived from the calls, and the verbs on their buttons. */
const verbs = {
  'delegation.delegate': 'act.verb.delegate',
  'delegation.revoke': 'act.verb.revoke',
  'rescue.move': 'rescue.move',
  'transaction.cancel': 'activity.cancel',
  'transaction.speedUp': 'activity.speedUp',
} as const satisfies Partial<Record<TextKey, TextKey>>;

export type ActTitle = keyof typeof verbs;

export type TransactionView = CostContext & {
  origin: string;
  title?: ActTitle | undefined;
  transaction: Transaction;
  call: CallEffect;
  warnings: readonly Warning[];
  isNonceOpen: boolean;
  isGasAssumed?: boolean;
  /** Fees that the user can choose. Omitted if the caller set them. */
  fees?: FeeSectionView | undefined;
  replacement?: Replacement | undefined;
  delegation?: Delegation | undefined;
  simulation?: Simulation | undefined;
};

/** Maximum listed authorizations. Further ones are only counted. */
const MAX_DELEGATES = 10;

export function TransactionConfirmation(view: TransactionView): PagedView {
  const { translate, origin, chain, transaction, warnings } = view;
  const { isUnpriced = false, fees, replacement } = view;
  return toPagedView({
    translate,
    ...toTitle(view),
    origin,
    account: transaction.from,
    chain,
    warnings: [...warnings, ...warnOfUnshown([view.call], view)],
    isHeld: isUnpriced,
    summary: drawOutcome(view.call, view),
    sentence:
      transaction.to === null
        ? translate('creation.unknown')
        : view.call.description?.sentence,
    recipients: [
      // A cancellation goes to the account itself, which has its own row.
      ...(replacement?.action === 'cancel' ? [] : drawRequested(view)),
      ...(replacement ? drawReplacement(replacement, view) : []),
    ],
    costs: drawCosts([transaction.value], [transaction], {
      ...view,
      isValueDrawn: showsSentCurrency([view.call], view),
    }),
    pages: toCallPages([view.call], view, () => drawContent(view)),
    foot: fees ? [drawFeeSection(fees, transaction.gasLimit, view)] : [],
    folded: [() => (isDelegating(view) ? [] : drawOnlyFold(view).folded)],
    details: drawDetails(view),
    raw: JSON.stringify(toTransactionJson(transaction)),
  });
}

function toTitle(
  view: TransactionView,
): Partial<ConfirmationProps> & { title: string } {
  const { title, call, translate } = view;
  if (title) return { title: translate(title), approve: verbs[title] };
  const { write, verb, description } = findAct([call], view);
  return {
    title: write(translate),
    approve: verb,
    isDescribed: description !== undefined,
  };
}

function drawDelegates(
  transaction: Transaction,
  translate: Translate,
): GenericSnapElement[] {
  const { from, authorizationList = [] }: TransactionRequest = transaction;
  const nameOf = (authority: Hex): string =>
    translate(isSameAddress(authority, from) ? 'self' : 'notSelf');
  const everyChain = translate('delegate.everyChain');
  const label = translate('field.delegator');
  const more = authorizationList.length - MAX_DELEGATES;
  const shown = authorizationList.slice(0, MAX_DELEGATES).flatMap((each) => {
    const { address, chainId } = each;
    const chain = chainId === 0n ? everyChain : toShownChain(toCaip2(chainId));
    const authority = findAuthority(each);
    return [
      authority ? (
        <AddressField label={label} address={authority} stated={nameOf(authority)} />
      ) : (
        <Field label={label} value={translate('delegate.nobody')} />
      ),
      <AddressField label={translate('field.delegate')} address={address} />,
      <Field label={translate('field.delegateChain')} value={chain} />,
    ];
  });
  if (more > 0) shown.push(<Text>{translate('list.more', { count: more })}</Text>);
  return shown;
}

/** Draws the value and the maximum network fee, which is unknown while the entered fees are
 * invalid. */
export function drawCosts(
  values: readonly bigint[],
  transactions: readonly Transaction[],
  { dataFee = 0n, isUnpriced = false, ...money }: CostContext & CostRows,
): RowElement[] {
  const fee = sum(transactions.map((each) => maxCostOf(each) - each.value));
  if (!isUnpriced) return drawMoney(values, fee + dataFee, money);
  const { translate } = money;
  const value = translate('fee.unpriced');
  return [
    ...(money.isValueDrawn ? [] : drawValue(values, money)),
    <Field label={translate('field.networkFee')} value={value} />,
  ];
}

/** Draws the exact value and the maximum total cost if other rows round them, then the data fee and
 * the balance afterwards. All amounts are in wei. */
export function drawTotal(
  view: CostContext & { value: bigint; total: bigint },
): GenericSnapElement[] {
  const { translate, chain, value, balance, dataFee = 0n, isUnpriced = false } = view;
  const total = view.total + dataFee;
  if (isUnpriced) {
    const label = translate('field.maxCost');
    return [<Field label={label} value={translate('fee.unpriced')} />];
  }
  const exact: [TextKey, bigint][] = [
    ['field.value', value],
    ['field.maxCost', total],
  ];
  const amounts: [TextKey, bigint][] = [
    ...exact.filter(
      ([, amount]) =>
        toRoundedCoins(amount, translate) !== toShownCoins(amount, translate),
    ),
    ...(dataFee === 0n ? [] : [['field.dataFee', dataFee] as [TextKey, bigint]]),
    ...(balance === undefined || balance < total
      ? []
      : [['field.balanceAfter', balance - total] as [TextKey, bigint]]),
  ];
  return amounts.map(([key, amount]) => (
    <Field label={translate(key)} value={toShownCoins(amount, translate, chain)} />
  ));
}

function drawContent(
  view: TransactionView,
): (SectionElement | CollapsibleSectionElement)[] {
  const { transaction, call, translate, chain } = view;
  if (isDelegating(view)) {
    const own = findOwnAuthorization(transaction);
    return [<Section>{drawOwnDelegation({ ...view, own })}</Section>];
  }
  const { accessList, blobVersionedHashes, authorizationList }: TransactionRequest =
    transaction;
  const lists: [TextKey, readonly unknown[] | undefined][] = [
    ['field.accessList', accessList],
    ['field.blobs', blobVersionedHashes],
    ['field.authorizations', authorizationList],
  ];
  const parts = [
    // Contract creations are already described above.
    ...(call.data === '0x' || call.to === null
      ? []
      : drawCallData({ translate, chain, call })),
    ...lists
      .filter(([, list]) => list !== undefined && list.length > 0)
      .map(([label, list = []]): RowElement => (
        <Field label={translate(label)} value={toShownCount(list.length, translate)} />
      )),
    ...drawDelegates(transaction, translate),
  ];
  const { section } = drawOnlyFold(view);
  if (parts.length === 0) return section;
  return [<Section>{parts as GenericSnapElement[]}</Section>, ...section];
}

function isDelegating({ transaction }: TransactionView): boolean {
  return findOwnDelegate(transaction) !== undefined;
}

export function drawOwnDelegation({
  own,
  delegation,
  translate,
  chain,
}: Pick<TransactionView, 'delegation' | 'translate' | 'chain'> & {
  own: Authorization | undefined;
}): GenericSnapElement[] {
  const delegate = own?.address;
  const isRevoking = delegate !== undefined && isSameAddress(delegate, ZERO_ADDRESS);
  const next = delegate !== undefined &&
    !isRevoking && {
      address: delegate,
      implementation: findImplementation(delegate),
    };
  const nonce = toShownCount(own?.nonce ?? 0n, translate);
  return [
    own?.authority ? (
      <AddressField
        label={translate(isRevoking ? 'field.rescued' : 'field.delegator')}
        address={own.authority}
      />
    ) : null,
    ...(delegation ? [drawContract('field.delegatesNow', delegation, translate)] : []),
    ...(next ? [drawContract('field.delegate', next, translate)] : []),
    <Field label={translate('field.delegateChain')} value={toShownChain(chain)} />,
    <Field label={translate('field.authorizationNonce')} value={nonce} />,
  ];
}

function drawContract(
  label: TextKey,
  { address, implementation }: Delegation,
  translate: Translate,
): RowElement {
  const stated = writeImplementation(implementation, translate);
  return <AddressField label={translate(label)} address={address} stated={stated} />;
}

function drawDetails(view: TransactionView): BoxElement {
  const { transaction, translate, isUnpriced = false } = view;
  const { value } = transaction;
  const gas = toShownCount(transaction.gasLimit, translate);
  const limit = view.isGasAssumed ? translate('gas.assumed', { gas }) : gas;
  const nonce = toShownCount(transaction.nonce, translate);
  const shownNonce = view.isNonceOpen ? translate('nonce.open', { nonce }) : nonce;
  const fees = isUnpriced ? [] : feesOf(transaction);
  return (
    <Box>
      {view.replacement
        ? drawText(translate('field.replaces'), view.replacement.hash)
        : null}
      {drawTotal({ ...view, value, total: maxCostOf(transaction) })}
      {view.fees ? drawFeeSource(view.fees, translate) : null}
      <Field label={translate('field.gasLimit')} value={limit} />
      {fees.map(([name, fee]) => (
        <Field label={translate(feeLabels[name])} value={toShownFee(fee, translate)} />
      ))}
      <Field label={translate('field.nonce')} value={shownNonce} />
    </Box>
  );
}

function drawReplacement(
  { hash, transaction }: Replacement,
  { translate, chain }: TransactionView,
): RowElement[] {
  const act = findAct([readCall(transaction)], { chain, warnings: [] });
  const replaced = `${act.write(translate)} (${toShortHex(hash)})`;
  const fee = toShownFee(maxPriceOf(transaction), translate);
  return [
    <Field label={translate('field.replaces')} value={replaced} />,
    <Field label={translate('field.replacedFee')} value={fee} />,
  ];
}
