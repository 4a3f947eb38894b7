// Draws the changes of a request: what the account sends and receives, the cost, and what others
// may take afterwards.
import { Row, Section, Text } from '@metamask/snaps-sdk/jsx';
import type {
  GenericSnapElement,
  JSXElement,
  RowElement,
  SectionElement,
} from '@metamask/snaps-sdk/jsx';

import {
  isNever,
  isSameAddress,
  smaller,
  sum,
  toLower,
  ZERO_ADDRESS,
} from '../../eth/hex';
import type { Hex } from '../../eth/hex';
import { toShownPrice } from '../../fees/prices';
import type { CoinPrice } from '../../fees/prices';
import { AddressField, Field } from '../../ui/components';
import {
  toRoundedCoins,
  toRoundedToken,
  toShownCount,
  toShownDuration,
  toShownTime,
} from '../../ui/format';
import type { TextKey, Translate } from '../../ui/i18n';
import { findTokenUnit } from '../../ui/tokens';
import type { TokenUnit } from '../../ui/tokens';
import { danger } from '../../ui/warnings';
import type { Warning } from '../../ui/warnings';
import type { AllowanceEffect, Asset, CallEffect, Trade } from '../effects';
import { isCoveredBy } from '../outcome';
import { isUnlimitedApproval } from '../simulate';
import type { Approval, BalanceChanges, Simulation } from '../simulate';

type ChangesProps = AmountContext & {
  /** The called contract, which another row already shows. */
  called?: Hex | null | undefined;
  /** Allowances of the request that have their own rows. */
  allowances?: readonly AllowanceEffect[];
};

export function drawChanges(
  simulation: Simulation | undefined,
  props: ChangesProps,
): SectionElement[] {
  if (simulation === undefined) return [];
  const title = props.translate('changes.title');
  const found = typeof simulation === 'object' ? simulation : undefined;
  const rows = found ? drawAll(found, props) : [];
  if (found && rows.length > 0) {
    return [
      <Section>
        {found.changes.length > 0 ? <Text fontWeight="bold">{title}</Text> : null}
        {rows}
      </Section>,
    ];
  }
  // Other rows already show all changes.
  if (found && found.approvals.length > 0) return [];
  return [
    <Section>
      <Field label={title} value={props.translate(keyOf(simulation))} />
    </Section>,
  ];
}

function keyOf(simulation: Simulation): TextKey {
  if (typeof simulation === 'string') return `changes.${simulation}`;
  return simulation.failure ? 'changes.failing' : 'changes.none';
}

type Drawing = ChangesProps & Partial<Pick<BalanceChanges, 'units' | 'balances'>>;

function drawAll(
  { changes, approvals: all, others, controls, more, units, balances }: BalanceChanges,
  props: ChangesProps,
): RowElement[] {
  const { translate, allowances = [] } = props;
  const gets = translate('field.newController');
  const approvals = all.filter((each) => !isCoveredBy(each, allowances));
  // If there are several changes, each names its contract.
  const isOnly = [changes, approvals, others, controls].flat().length === 1;
  const called = isOnly ? props.called : undefined;
  const drawing = { ...props, called, units, balances };
  return [
    ...changes.flatMap((each) => {
      const label = translate(each.amount < 0n ? 'changes.send' : 'changes.receive');
      return drawAmount(each, label, drawing);
    }),
    ...others.flatMap(({ account, losses }): RowElement[] => [
      <AddressField label={translate('changes.leaves')} address={account} />,
      ...losses.flatMap((each) => drawAmount(each, translate('field.value'), drawing)),
    ]),
    ...approvals.flatMap((each) => drawApproval(each, drawing)),
    ...controls.flatMap(({ of, to }): RowElement[] => [
      ...(to ? [AddressField({ label: gets, address: to, isWhole: true })] : []),
      <AddressField label={translate('field.contract')} address={of} />,
    ]),
    ...drawMore(more, translate),
  ];
}

function drawMore(more: number, translate: Translate): RowElement[] {
  if (more === 0) return [];
  return [
    <Row label={translate('changes.title')} variant="warning">
      <Text>{translate('changes.more', { count: more })}</Text>
    </Row>,
  ];
}

function drawAmount(asset: Asset, label: string, drawing: Drawing): RowElement[] {
  const { token, id } = asset;
  const amount = asset.amount < 0n ? -asset.amount : asset.amount;
  if (isSameAddress(token, ZERO_ADDRESS)) {
    return [<Field label={label} value={writeWorth(amount, drawing)} />];
  }
  const value = writeAsset({ token, amount, id }, drawing);
  return [<Field label={label} value={value} />, ...drawToken(token, drawing)];
}

/** Lists the amounts that a call sends, formatted as in a dialog's rows, without their value in
 * fiat. */
export function listSent(
  { value }: CallEffect,
  { simulation, translate, chain }: ChangesContext,
): string[] {
  const coins = value > 0n ? [toRoundedCoins(value, translate, chain)] : [];
  if (typeof simulation !== 'object') return coins;
  const { units } = simulation;
  const tokens = simulation.changes.flatMap((each) => {
    if (each.id !== undefined || each.amount > 0n) return [];
    const unit = findUnit(each.token, { chain, units });
    return unit ? [toRoundedToken(-each.amount, unit, translate)] : [];
  });
  return [...coins, ...tokens];
}

function drawApproval(
  approval: Approval & { expiration?: bigint | undefined },
  drawing: Drawing,
  label = drawing.translate('changes.spender'),
): RowElement[] {
  const { translate, chain } = drawing;
  const { spender, token, expiration, owner } = approval;
  const ends = translate('allowance.ends');
  return [
    ...(owner
      ? [AddressField({ label: translate('field.owner'), address: owner })]
      : []),
    <AddressField label={label} address={spender} chain={chain} isWhole />,
    <Row
      label={translate('changes.approve')}
      {...(isUnlimitedApproval(approval) ? { variant: 'warning' } : {})}
    >
      <Text>{writeApproval(approval, drawing)}</Text>
    </Row>,
    ...(owner ? [] : drawBalance(approval, drawing)),
    ...drawToken(token, drawing),
    // In Permit2, an expiration of zero means the time of the block.
    ...(expiration === 0n
      ? [Field({ label: ends, value: translate('value.sameBlock') })]
      : drawEnd(ends, expiration, translate)),
  ];
}

/** Draws an end time, given as Unix time in seconds. Draws nothing if it is missing, zero, or so
 * late that it means never. */
export function drawEnd(
  label: string,
  seconds: bigint | undefined,
  translate: Translate,
): RowElement[] {
  const value = writeEnd(seconds, translate);
  return value === undefined ? [] : [<Field label={label} value={value} />];
}

export function writeEnd(
  seconds: bigint | undefined,
  translate: Translate,
): string | undefined {
  if (!seconds || isNever(seconds)) return undefined;
  return toShownTime(Number(seconds) * 1_000, translate);
}

/** Maximum allowances with their own rows, for a call or document. */
export const MAX_ALLOWANCES = 20;

/** Warns of allowances without their own rows, and lists their spenders and tokens. */
export function warnOfUnlistedAllowances(
  allowances: readonly AllowanceEffect[],
): Warning[] {
  const rest = allowances.slice(MAX_ALLOWANCES);
  if (rest.length === 0) return [];
  const named = new Set(rest.flatMap(({ spender, token }) => [spender, token]));
  return [danger('alert.notShown', { addresses: { list: [...named].join(', ') } })];
}

export type AllowancesProps = ChangesContext & {
  /** Balances of the tokens, by token in lower case. Those of the simulation are newer. */
  balances?: ReadonlyMap<Hex, bigint> | undefined;
  label?: string;
};

export function drawAllowances(
  allowances: readonly AllowanceEffect[],
  { translate, chain, simulation, balances, label }: AllowancesProps,
): JSXElement[] {
  const known = typeof simulation === 'object' ? simulation : undefined;
  const ownBalances = allowances.flatMap(({ token, balance }) =>
    balance === undefined ? [] : [[toLower(token), balance] as const],
  );
  const drawing = {
    translate,
    chain,
    ...(known && { units: known.units }),
    balances: new Map([
      ...ownBalances,
      ...(balances ?? []),
      ...(known?.balances ?? []),
    ]),
  };
  const more = allowances.length - MAX_ALLOWANCES;
  return [
    ...allowances.slice(0, MAX_ALLOWANCES).map((each): SectionElement => {
      const rows = drawApproval(each, drawing, label);
      return <Section>{rows as GenericSnapElement[]}</Section>;
    }),
    ...(more > 0 ? [Text({ children: translate('list.more', { count: more }) })] : []),
  ];
}

export function drawTrade(
  { gives, gets }: Trade,
  account: Hex,
  { translate, chain, balances = new Map() }: AllowancesProps,
): SectionElement {
  const drawing = { translate, chain, balances };
  const ownGains = gets.filter(({ to = account }) => isSameAddress(to, account));
  // If the account gets something, payments to others are fees.
  const others = ownGains.length === 0 ? gets : [];
  return (
    <Section>
      {gives.flatMap((each) => [
        ...drawAmount(each, translate('changes.send'), drawing),
        ...(each.id === undefined ? drawBalance(each, drawing) : []),
      ])}
      {ownGains.flatMap((each) =>
        drawAmount(each, translate('changes.receive'), drawing),
      )}
      {ownGains.length === 0 ? (
        <Field label={translate('changes.receive')} value={translate('changes.none')} />
      ) : null}
      {others.flatMap(({ to = account, ...each }) => [
        ...drawAmount(each, translate('changes.othersReceive'), drawing),
        <AddressField label={translate('field.tokensTo')} address={to} isWhole />,
      ])}
    </Section>
  );
}

// Draws how much of the current balance can be taken.
function drawBalance(
  { token, amount }: { token: Hex; amount?: bigint | undefined },
  drawing: Drawing,
): RowElement[] {
  const { translate, balances } = drawing;
  const balance = balances?.get(toLower(token));
  if (amount === undefined || balance === undefined) return [];
  const value = writeAsset({ token, amount: smaller(balance, amount) }, drawing);
  return [<Field label={translate('changes.balance')} value={value} />];
}

function writeApproval(approval: Approval, drawing: Drawing): string {
  const { translate } = drawing;
  const { token, id, amount = 1n } = approval;
  if (!isUnlimitedApproval(approval)) return writeAsset({ token, id, amount }, drawing);
  if (approval.amount === undefined) return translate('changes.allNfts');
  const unit = findUnit(token, drawing);
  const unlimited = translate('changes.unlimited');
  return unit ? `${unlimited} (${unit.symbol})` : unlimited;
}

export function writeAmount(
  amount: bigint,
  unit: TokenUnit | undefined,
  translate: Translate,
): string {
  if (unit) return toRoundedToken(amount, unit, translate);
  return translate('changes.units', { amount });
}

function writeAsset(
  { token, amount, id }: { token: Hex; amount: bigint; id?: Asset['id'] | undefined },
  drawing: Drawing,
): string {
  const { translate } = drawing;
  if (id === undefined) return writeAmount(amount, findUnit(token, drawing), translate);
  if (id === 'any') return translate('changes.anyNft');
  const nft = translate('changes.nft', { id: String(id) });
  return amount === 1n ? nft : `${toShownCount(amount, translate)} × ${nft}`;
}

function findUnit(
  token: Hex,
  { chain, units }: Pick<Drawing, 'chain' | 'units'>,
): TokenUnit | undefined {
  return findTokenUnit(chain, token) ?? units?.get(toLower(token));
}

// Known tokens need only their symbol. Unknown tokens can claim any symbol, so their contract is
// drawn.
function drawToken(
  token: Hex,
  { translate, chain, units, called }: Drawing,
): RowElement[] {
  const isUnverified = units?.has(toLower(token)) === true;
  const isCalled = called && isSameAddress(token, called);
  if (findTokenUnit(chain, token) || (isCalled && !isUnverified)) return [];
  return [
    <AddressField
      label={translate(isUnverified ? 'token.unverified' : 'field.token')}
      address={token}
    />,
  ];
}

export type AmountContext = {
  translate: Translate;
  /** CAIP-2 id. */
  chain: string;
  price?: CoinPrice | undefined;
};

export type ChangesContext = AmountContext & { simulation?: Simulation | undefined };

/** Writes wei with six significant digits and their worth: `1.25 ETH (≈ $4,321.00)`. */
export function writeWorth(
  wei: bigint,
  { translate, chain, price }: AmountContext,
): string {
  const coins = toRoundedCoins(wei, translate, chain);
  return price ? `${coins} (${toShownPrice(wei, price, translate)})` : coins;
}

function drawWorth(label: TextKey, wei: bigint, money: AmountContext): RowElement {
  const { translate, price } = money;
  const age = price && toShownDuration(price.age, translate);
  return (
    <Row
      label={translate(label)}
      {...(age && {
        tooltip: translate('fee.sourceAge', { source: 'Chainlink', age }),
      })}
    >
      <Text>{writeWorth(wei, money)}</Text>
    </Row>
  );
}

export function drawValue(
  values: readonly bigint[],
  money: AmountContext,
): RowElement[] {
  const value = sum(values);
  if (value === 0n) return [];
  return [
    drawWorth(values.length > 1 ? 'field.totalValue' : 'field.value', value, money),
  ];
}

export type CostRows = {
  /** Whether the estimated changes show the value. */
  isValueDrawn: boolean;
  /** Whether another account pays the fee, so that there is no total. */
  isSponsored?: boolean;
};

export function drawMoney(
  values: readonly bigint[],
  fee: bigint,
  { isValueDrawn, isSponsored = false, ...money }: AmountContext & CostRows,
): RowElement[] {
  const value = sum(values);
  return [
    ...(isValueDrawn ? [] : drawValue(values, money)),
    drawWorth('field.networkFee', fee, money),
    ...(value === 0n || isSponsored
      ? []
      : [drawWorth('field.maxCost', value + fee, money)]),
  ];
}
