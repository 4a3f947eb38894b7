// What a request would change, as a dialog shows it: what leaves the account and what it gets,
// and what others may take from it afterwards.
import { Address, Row, Section, Text } from '@metamask/snaps-sdk/jsx';
import type { RowElement, SectionElement } from '@metamask/snaps-sdk/jsx';

import type { Hex } from '../eth/hex';
import { Field } from '../ui/components';
import { toShownCoins, toShownCount, toShownToken } from '../ui/format';
import type { TextKey, Translate } from '../ui/i18n';
import { findTokenUnit } from '../ui/tokens';
import type { TokenUnit } from '../ui/tokens';
import { toShownPrice } from './prices';
import type { CoinPrice } from './prices';
import { isWide } from './simulate';
import type { Approval, BalanceChanges, Change, Foretold } from './simulate';

/** What is drawn. */
export type ChangesProps = {
  foretold: Foretold;
  translate: Translate;
  /** CAIP-2. */
  chain: string;
};

/** Draws what is foretold at the head of a dialog; nothing where nothing was asked. */
export function drawChanges(
  foretold: Foretold | undefined,
  translate: Translate,
  chain: string,
): SectionElement[] {
  return foretold === undefined ? [] : [Changes({ foretold, translate, chain })];
}

/** Draws what is foretold. */
export function Changes({ foretold, translate, chain }: ChangesProps): SectionElement {
  const title = translate('changes.title');
  const rows = typeof foretold === 'object' ? drawAll(foretold, translate, chain) : [];
  return rows.length > 0 ? (
    <Section>
      <Text fontWeight="bold">{title}</Text>
      {rows}
    </Section>
  ) : (
    <Section>
      <Field label={title} value={translate(keyOf(foretold))} />
    </Section>
  );
}

/** Draws what an amount in wei is worth, where that is known. */
export function drawPrice(
  wei: bigint,
  price: CoinPrice | undefined,
  translate: Translate,
): RowElement[] {
  if (!price) return [];
  const value = toShownPrice(wei, price, translate);
  return [<Field label={translate('field.dollars')} value={value} />];
}

function keyOf(foretold: Foretold): TextKey {
  if (typeof foretold === 'string') return `changes.${foretold}`;
  return foretold.failure ? 'changes.failing' : 'changes.none';
}

function drawAll(
  { changes, approvals, more }: BalanceChanges,
  translate: Translate,
  chain: string,
): RowElement[] {
  return [
    ...changes.flatMap((each) => drawChange(each, translate, chain)),
    ...approvals.flatMap((each) => drawApproval(each, translate, chain)),
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

function drawChange(change: Change, translate: Translate, chain: string): RowElement[] {
  const isLoss = change.amount < 0n;
  const amount = isLoss ? -change.amount : change.amount;
  const label = translate(isLoss ? 'changes.send' : 'changes.receive');
  if (change.kind === 'coin') {
    return [<Field label={label} value={toShownCoins(amount, translate, chain)} />];
  }
  const { token } = change;
  const value =
    change.kind === 'nft'
      ? writeNft(change.id, amount, translate)
      : writeAmount(amount, findTokenUnit(chain, token), translate);
  return [<Field label={label} value={value} />, ...drawToken(token, translate, chain)];
}

function drawApproval(
  approval: Approval,
  translate: Translate,
  chain: string,
): RowElement[] {
  const { token, spender } = approval;
  return [
    <Row
      label={translate('changes.approve')}
      {...(isWide(approval) ? { variant: 'warning' } : {})}
    >
      <Text>{writeApproval(approval, translate, chain)}</Text>
    </Row>,
    ...drawToken(token, translate, chain),
    <Row label={translate('changes.spender')}>
      <Address address={spender} />
    </Row>,
  ];
}

function writeApproval(
  approval: Approval,
  translate: Translate,
  chain: string,
): string {
  const { kind, token } = approval;
  if (kind === 'all') return translate('changes.allNfts');
  if (kind === 'nft') return writeNft(approval.id, 1n, translate);
  const unit = findTokenUnit(chain, token);
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

// A token whose unit is known is named by its symbol.
function drawToken(token: Hex, translate: Translate, chain: string): RowElement[] {
  if (findTokenUnit(chain, token)) return [];
  return [
    <Row label={translate('field.contract')}>
      <Address address={token} />
    </Row>,
  ];
}
