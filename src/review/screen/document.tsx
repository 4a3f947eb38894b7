// Confirmation of eth_signTypedData: its effects and contract, then the message value by value,
// formatted by type and grouped by field.
import { Bold, CollapsibleSection, Section, Text } from '@metamask/snaps-sdk/jsx';
import type {
  GenericSnapElement,
  JSXElement,
  RowElement,
  SectionElement,
} from '@metamask/snaps-sdk/jsx';

import { drawVerifier } from '../../accounts/verifier';
import type { Verifier } from '../../accounts/verifier';
import type { Hashes, TypedData } from '../../core/typed-data';
import { toCaip2 } from '../../eth/chain';
import type { ChainId } from '../../eth/chain';
import { findQuantity, isSameAddress, NodeAddressStruct, smaller } from '../../eth/hex';
import type { Hex } from '../../eth/hex';
import { matches } from '../../schema/parse';
import { AddressField, drawText, Field } from '../../ui/components';
import { toPagedView, toPages } from '../../ui/confirmation';
import type { PagedView, Weight } from '../../ui/confirmation';
import {
  splitText,
  toShownCoins,
  toShownCount,
  toShownFee,
  toShownLine,
  toShownName,
  toShownText,
  toShownTime,
  toShownToken,
} from '../../ui/format';
import type { Translate } from '../../ui/i18n';
import { PERMIT2 } from '../../ui/tokens';
import { warning } from '../../ui/warnings';
import type { Warning } from '../../ui/warnings';
import { findDocumentAct } from '../act';
import { findTime, findTypedUnit, isTypeMaximum } from '../documents';
import type { DecodedTypedData, TypedGroup, TypedUnit, TypedValue } from '../documents';
import type { Description } from '../effects';
import { findFunction } from '../functions';
import { quantitiesIn } from '../shapes';
import {
  drawInner,
  listItems,
  warnOfUnshown,
  warnOfUnknownUnits,
  weighItem,
} from './calls';
import type { CallItem } from './calls';
import {
  drawAllowances,
  drawEnd,
  drawTrade,
  warnOfUnlistedAllowances,
} from './changes';
import type { AllowancesProps } from './changes';
import { drawDescription, drawEnglish } from './description';
import { drawDigestRows, listTypedDigests } from './digests';
import { drawSignIn } from './message';

export type TypedDataView = {
  translate: Translate;
  origin: string;
  account: Hex;
  /** The signature's chain; undefined if it is valid on every chain. */
  chainId: ChainId | undefined;
  typed: DecodedTypedData;
  /** The contract that verifies a smart account's signature. */
  verifier?: Verifier | undefined;
  description?: Description | undefined;
  balances?: ReadonlyMap<Hex, bigint> | undefined;
  warnings: readonly Warning[];
  hashes?: Hashes | undefined;
};

/** Maximum length of text or hex shown in one piece. */
const MAX_PIECE = 10_000;

const MAX_PATH = 100;

type ValueContext = {
  translate: Translate;
  /** CAIP-2 chain of the native currency. */
  chain: string | undefined;
  typed: DecodedTypedData;
};

/** A value of a group, or one piece of a long text. */
type ValueItem = { group: TypedGroup; value: TypedValue; piece?: string };

type Item = CallItem | ValueItem;

export function TypedDataConfirmation(view: TypedDataView): PagedView {
  const { translate, origin, account, chainId, typed, description, warnings } = view;
  const { verifier } = view;
  const { data, document, groups } = typed;
  const chain = chainId === undefined ? undefined : toCaip2(chainId);
  const act = findDocumentAct(typed, account, view);
  const { allowances, trades, message, shape, wrapped } = typed;
  const isGiving = allowances.length + trades.length > 0;
  const isExplained = (description !== undefined || isGiving) && !message;
  const isKnown =
    isExplained ||
    typed.calls.length > 0 ||
    [shape, message, wrapped].some((each) => each !== undefined);
  const items: Item[] = [
    ...listItems(typed.calls),
    ...groups.flatMap((group) =>
      group.values.flatMap((value) => toItems(group, value)),
    ),
  ];
  const pages = toPages(items, weigh);
  const drawFields = (page: readonly Item[]): GenericSnapElement[] => {
    const sections = toSections(page.filter((item) => 'value' in item)).map((section) =>
      drawSection(section, { translate, chain, typed }),
    );
    if (sections.length === 0) return [];
    return [
      ...(description ? [drawDescribed(description, translate, true)] : []),
      ...(document ? [drawType(document, translate)] : []),
      ...sections,
    ] as GenericSnapElement[];
  };
  return toPagedView({
    translate,
    title: act.write(translate),
    approve: act.verb,
    isDescribed: act.description !== undefined,
    sentence: isKnown ? description?.sentence : translate('typedData.unknown'),
    summary: [
      ...drawCards(typed, account, {
        translate,
        chain: chain ?? '',
        balances: view.balances,
      }),
      ...(description && !isGiving ? [drawDescribed(description, translate)] : []),
    ],
    origin,
    account,
    chain: chain ?? translate('chain.every'),
    warnings: [
      ...warnings,
      ...warnOfUnlistedAllowances(allowances),
      ...warnOfUnshown(typed.calls, { chain: chain ?? '' }),
      ...warnOfUnknownUnits(description),
      ...(toShownText(message?.text ?? '').isFolded ? [warning('warning.folded')] : []),
    ],
    recipients: drawContract(typed, { translate, chain }),
    head: [
      ...(message?.signIn ? [drawSignIn(message.signIn, translate)] : []),
      ...(verifier ? [drawVerifier(verifier, translate)] : []),
    ],
    pages: pages.map((page) => () => {
      const calls = page.flatMap((item) =>
        'call' in item ? [drawInner(item, { translate, chain: chain ?? '' })] : [],
      );
      const fields = isExplained ? [] : drawFields(page);
      return fields.length === 0
        ? calls
        : [
            ...calls,
            <CollapsibleSection label={translate('fields.all')} isExpanded>
              {fields}
            </CollapsibleSection>,
          ];
    }),
    folded: pages.map((page) => () => [
      ...drawEnglish(translate, typed.calls, description),
      ...(isExplained ? drawFields(page) : []),
      ...drawDigestRows(listTypedDigests(typed, view.hashes), translate),
    ]),
    raw: JSON.stringify(data),
  });
}

export function drawCards(
  { allowances, trades, shape }: DecodedTypedData,
  account: Hex,
  props: Omit<AllowancesProps, 'label'>,
): JSXElement[] {
  const isTransfer = shape?.name === 'transfer';
  return [
    ...drawAllowances(allowances, {
      ...props,
      ...(isTransfer && { label: props.translate('field.to') }),
    }),
    ...trades.map((each) => drawTrade(each, account, props)),
  ];
}

export function drawDescribed(
  description: Description,
  translate: Translate,
  isExact = false,
): SectionElement {
  return <Section>{drawDescription(description, translate, { isExact })}</Section>;
}

function drawContract(
  { document, shape, allowances }: DecodedTypedData,
  { translate, chain = '' }: { translate: Translate; chain: string | undefined },
): RowElement[] {
  const { domain, message } = document ?? {};
  const contract = domain?.verifyingContract;
  // Zero is not a time: Permit2 uses it for the block's time, DAI for never.
  const ends = quantitiesIn(message, shape?.deadlines).filter((each) => each > 0n);
  const end = ends.reduce((least, each) => smaller(least, each), ends[0] ?? 0n);
  // The contract of a permit is the token, which is already shown above or named in a warning.
  // Permit2 needs no row.
  const isKnown = allowances.some(
    ({ token }) =>
      matches(contract, NodeAddressStruct) &&
      (isSameAddress(token, contract) || isSameAddress(contract, PERMIT2)),
  );
  const label = translate('field.verifier');
  return [
    ...(matches(contract, NodeAddressStruct) && !isKnown
      ? [AddressField({ label, address: contract, chain })]
      : []),
    ...drawEnd(translate('allowance.valid'), end, translate),
  ];
}

function drawType(
  { domain, primaryType }: TypedData,
  translate: Translate,
): RowElement {
  const { name } = domain;
  const prefix = typeof name === 'string' ? `${name}: ` : '';
  const value = toShownLine(`${prefix}${primaryType}`);
  return <Field label={translate('field.primaryType')} value={value} />;
}

function toItems(group: TypedGroup, value: TypedValue): ValueItem[] {
  const text = value.value;
  if (typeof text !== 'string' || text.length <= MAX_PIECE) return [{ group, value }];
  const pieces = splitText(text, MAX_PIECE);
  return pieces.map((piece, index) => {
    const path = [...value.path, `${index + 1}/${pieces.length}`];
    const name = index === 0 ? writeFunction(value.type, text) : '';
    return { group, value: { ...value, path }, piece: `${name}${piece}` };
  });
}

function weigh(item: Item): Weight {
  if ('call' in item) return weighItem(item);
  const { value } = item.value;
  const text = item.piece ?? (typeof value === 'string' ? value : '');
  // A label, the value, and the heading of a group.
  return { texts: 3, characters: text.length };
}

function toSections(items: readonly ValueItem[]): [ValueItem, ...ValueItem[]][] {
  const sections: [ValueItem, ...ValueItem[]][] = [];
  for (const item of items) {
    const last = sections.at(-1);
    if (last?.[0].group === item.group) last.push(item);
    else sections.push([item]);
  }
  return sections;
}

function drawSection(
  items: [ValueItem, ...ValueItem[]],
  context: ValueContext,
): SectionElement {
  const { field } = items[0].group;
  return (
    <Section>
      {field ? (
        <Text>
          <Bold>{`${toShownName(field.name, 100)}: ${toShownLine(field.type, 100)}`}</Bold>
        </Text>
      ) : null}
      {items.map((item) => drawItem(item, context))}
    </Section>
  );
}

function drawItem(
  { group: { field }, value, piece }: ValueItem,
  context: ValueContext,
): GenericSnapElement {
  const label = writePath(field ? value.path.slice(1) : value.path);
  if (value.type === 'address' && matches(value.value, NodeAddressStruct)) {
    return <AddressField label={label} address={value.value} />;
  }
  const text =
    piece === undefined ? writeValue(value, context) : toShownText(piece).text;
  return drawText(label, text);
}

function writePath(path: readonly string[]): string {
  const parts = path.map((part) => toShownName(part, MAX_PATH));
  while (parts.length > 1 && parts.join(' › ').length > MAX_PATH) parts.shift();
  const shown = parts.length < path.length ? ['…', ...parts] : parts;
  return shown.join(' › ') || '–';
}

function writeValue(each: TypedValue, context: ValueContext): string {
  const { type, value } = each;
  const { translate } = context;
  if (value === null) return translate('value.none');
  if (typeof value === 'boolean') return translate(value ? 'yes' : 'no');
  if (typeof value === 'object') return JSON.stringify(value);
  const number = /^u?int\d*$/u.test(type) ? findInteger(value) : undefined;
  if (number === undefined) {
    const text = String(value);
    return `${writeFunction(type, text)}${toShownText(text).text}`;
  }
  if (isTypeMaximum(each)) return translate('value.largestOf', { type });
  const time = findTime(each);
  if (time !== undefined) return `${toShownTime(time, translate)} (${number})`;
  const unit = number < 0n ? undefined : findTypedUnit(context.typed, each);
  if (unit === undefined) return toShownCount(number, translate);
  return `${writeAmount(number, unit, context)} (${number})`;
}

function writeAmount(
  amount: bigint,
  unit: TypedUnit,
  { translate, chain }: ValueContext,
): string {
  if (unit === 'coin') return toShownCoins(amount, translate, chain);
  if (unit === 'fee') return toShownFee(amount, translate);
  return toShownToken(amount, unit, translate);
}

function writeFunction(type: string, value: string): string {
  const known = type === 'bytes' ? findFunction(value as Hex) : undefined;
  return known ? `${known.signature}\n` : '';
}

// findQuantity does not support negative numbers.
function findInteger(value: string | number): bigint | undefined {
  return /^-\d{1,78}$/u.test(String(value)) ? BigInt(value) : findQuantity(value);
}
