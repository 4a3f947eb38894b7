// What a request would change, as a dialog shows it: what leaves the account and what it gets,
// and what others may take from it afterwards.
import { Row, Section, Text } from '@metamask/snaps-sdk/jsx';
import type { RowElement, SectionElement } from '@metamask/snaps-sdk/jsx';

import { isSameAddress, smaller } from '../../eth/hex';
import type { Hex } from '../../eth/hex';
import { AddressField, Field } from '../../ui/components';
import { toRoundedCoins, toShownCount, toShownToken } from '../../ui/format';
import type { TextKey, Translate } from '../../ui/i18n';
import { findTokenUnit } from '../../ui/tokens';
import type { TokenUnit } from '../../ui/tokens';
import { isWide } from '../simulate';
import type { Approval, BalanceChanges, Change, Foretold } from '../simulate';

/** What is drawn. */
export type ChangesProps = {
  foretold: Foretold;
  translate: Translate;
  /** CAIP-2. */
  chain: string;
  /** The contract that is called: it stands below already. */
  called?: Hex | null | undefined;
};

/** Draws what is foretold at the head of a dialog; nothing where nothing was asked. */
export function drawChanges(
  foretold: Foretold | undefined,
  props: Omit<ChangesProps, 'foretold'>,
): SectionElement[] {
  return foretold === undefined ? [] : [Changes({ ...props, foretold })];
}

/** Draws what is foretold. */
export function Changes(props: ChangesProps): SectionElement {
  const { foretold, translate } = props;
  const title = translate('changes.title');
  const rows = typeof foretold === 'object' ? drawAll(foretold, props) : [];
  return typeof foretold === 'object' && rows.length > 0 ? (
    <Section>
      {foretold.changes.length > 0 ? <Text fontWeight="bold">{title}</Text> : null}
      {rows}
    </Section>
  ) : (
    <Section>
      <Field label={title} value={translate(keyOf(foretold))} />
    </Section>
  );
}

function keyOf(foretold: Foretold): TextKey {
  if (typeof foretold === 'string') return `changes.${foretold}`;
  return foretold.failure ? 'changes.failing' : 'changes.none';
}

/** What every row is drawn with. */
type Drawing = Omit<ChangesProps, 'foretold'> &
  Pick<BalanceChanges, 'units' | 'balances'>;

function drawAll(
  { changes, approvals, others, more, units, balances }: BalanceChanges,
  props: Omit<ChangesProps, 'foretold'>,
): RowElement[] {
  const { translate } = props;
  // Of several, each names its contract.
  const isOnly = changes.length + approvals.length + others.length === 1;
  const called = isOnly ? props.called : undefined;
  const drawing = { ...props, called, units, balances };
  return [
    ...changes.flatMap((each) => drawChange(each, drawing)),
    ...others.flatMap((each) => drawOther(each, drawing)),
    ...approvals.flatMap((each) => drawApproval(each, drawing)),
    ...drawMore(more, translate),
  ];
}

function drawMore(more: number, translate: Translate): RowElement[] {
  if (more === 0) return [];
  const count = toShownCount(more, translate);
  return [
    <Row label={translate('changes.title')} variant="warning">
      <Text>{translate('changes.more', { count })}</Text>
    </Row>,
  ];
}

function drawChange(change: Change, drawing: Drawing): RowElement[] {
  const { translate } = drawing;
  const label = translate(change.amount < 0n ? 'changes.send' : 'changes.receive');
  return drawAmount(change, label, drawing);
}

function drawOther(
  { account, losses }: BalanceChanges['others'][number],
  drawing: Drawing,
): RowElement[] {
  const { translate } = drawing;
  return [
    <AddressField label={translate('changes.leaves')} address={account} />,
    ...losses.flatMap((each) => drawAmount(each, translate('field.value'), drawing)),
  ];
}

function drawAmount(change: Change, label: string, drawing: Drawing): RowElement[] {
  const { translate, chain } = drawing;
  const amount = change.amount < 0n ? -change.amount : change.amount;
  if (change.kind === 'coin') {
    return [<Field label={label} value={toRoundedCoins(amount, translate, chain)} />];
  }
  const value =
    change.kind === 'nft'
      ? writeNft(change.id, amount, translate)
      : writeAmount(amount, findUnit(change.token, drawing), translate);
  return [<Field label={label} value={value} />, ...drawToken(change.token, drawing)];
}

function drawApproval(approval: Approval, drawing: Drawing): RowElement[] {
  const { translate } = drawing;
  return [
    <Row
      label={translate('changes.approve')}
      {...(isWide(approval) ? { variant: 'warning' } : {})}
    >
      <Text>{writeApproval(approval, drawing)}</Text>
    </Row>,
    ...drawBalance(approval, drawing),
    ...drawToken(approval.token, drawing),
    <AddressField label={translate('changes.spender')} address={approval.spender} />,
  ];
}

// What there is to take now; later there may be more.
function drawBalance(approval: Approval, drawing: Drawing): RowElement[] {
  const { translate, balances } = drawing;
  const balance = balances.get(approval.token);
  if (approval.kind !== 'token' || balance === undefined) return [];
  const amount = smaller(balance, approval.amount);
  const value = writeAmount(amount, findUnit(approval.token, drawing), translate);
  return [<Field label={translate('changes.balance')} value={value} />];
}

function writeApproval(approval: Approval, drawing: Drawing): string {
  const { translate } = drawing;
  if (approval.kind === 'all') return translate('changes.allNfts');
  if (approval.kind === 'nft') return writeNft(approval.id, 1n, translate);
  const unit = findUnit(approval.token, drawing);
  if (!isWide(approval)) return writeAmount(approval.amount, unit, translate);
  const unlimited = translate('changes.unlimited');
  return unit ? `${unlimited} (${unit.symbol})` : unlimited;
}

function writeAmount(
  amount: bigint,
  unit: TokenUnit | undefined,
  translate: Translate,
): string {
  if (unit) return toShownToken(amount, unit, translate);
  return translate('changes.units', { amount: toShownCount(amount, translate) });
}

function writeNft(id: bigint, count: bigint, translate: Translate): string {
  const nft = translate('changes.nft', { id: String(id) });
  return count === 1n ? nft : `${toShownCount(count, translate)} × ${nft}`;
}

function findUnit(token: Hex, { chain, units }: Drawing): TokenUnit | undefined {
  return findTokenUnit(chain, token) ?? units.get(token);
}

// A token that people know is named by its symbol alone; what another states of itself can be
// anything.
function drawToken(
  token: Hex,
  { translate, chain, units, called }: Drawing,
): RowElement[] {
  const isUnverified = units.has(token);
  const isCalled = called && isSameAddress(token, called);
  if (findTokenUnit(chain, token) || (isCalled && !isUnverified)) return [];
  return [
    <AddressField
      label={translate(isUnverified ? 'token.unverified' : 'field.contract')}
      address={token}
    />,
  ];
}
