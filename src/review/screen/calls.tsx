// Draws calls: a descriptor's words or the function and its arguments, then the bytes, then the
// inner calls.
import { Bold, Box, CollapsibleSection, Copyable, Text } from '@metamask/snaps-sdk/jsx';
import type {
  CollapsibleSectionElement,
  GenericSnapElement,
  JSXElement,
  RowElement,
} from '@metamask/snaps-sdk/jsx';

import type { AbiValue } from '../../eth/abi';
import {
  byteLength,
  isSameAddress,
  MAX_UINT256,
  sum,
  toLower,
  ZERO_ADDRESS,
} from '../../eth/hex';
import type { Hex } from '../../eth/hex';
import { AddressField, drawLine, drawRows, Field, toHalves } from '../../ui/components';
import { toPages } from '../../ui/confirmation';
import type { Weight } from '../../ui/confirmation';
import { capitalize, toShownLine, toShownToken, toShownWord } from '../../ui/format';
import type { Translate } from '../../ui/i18n';
import { findName, findTokenUnit } from '../../ui/tokens';
import type { TokenUnit } from '../../ui/tokens';
import { danger, listDistinct, warning } from '../../ui/warnings';
import type { Warning } from '../../ui/warnings';
import { findAct } from '../act';
import {
  isRead,
  listAddresses,
  listCalls,
  listEffects,
  listOwnCalls,
  SELECTOR_END,
} from '../effects';
import type {
  AllowanceEffect,
  Asset,
  CallEffect,
  Description,
  Effect,
  KnownCall,
  TransferEffect,
} from '../effects';
import { findFunction, writeArgument } from '../functions';
import { toAddressList } from '../outcome';
import { isUnlimitedApproval } from '../simulate';
import type { Simulation } from '../simulate';
import {
  drawAllowances,
  drawChanges,
  drawValue,
  listSent,
  warnOfUnlistedAllowances,
  writeAmount,
} from './changes';
import type { AmountContext, ChangesContext } from './changes';
import { drawDescription, drawEnglish } from './description';
import { drawDigests, getCalldataDigest } from './digests';

/** Maximum characters of a call's hex on a page. The raw data at the end of the dialog is
 * complete. */
const MAX_SHOWN_DATA = 150_000;

const MAX_LINE = 120;

/** Meanings whose numbers are amounts of the called token. */
const amountMeanings: readonly (string | undefined)[] = [
  'call.transfer',
  'call.transferFrom',
  'call.approve',
];

type CallDataProps = ChangesContext & {
  call: CallEffect;
  /** Whether the call's intent and allowances are drawn here rather than above. */
  hasIntent?: boolean;
};

/** A call of a request with its number: the second call inside the first is 1.2. `by` is its
 * caller, if that is neither the contract nor the caller of the outer call. */
export type CallItem = { call: CallEffect; number: string; by?: Hex };

/** Distributes calls and their inner calls over pages. Each call is drawn once; `draw` draws the
 * outer calls. */
export function toCallPages(
  calls: readonly CallEffect[],
  money: AmountContext,
  draw: (item: CallItem) => JSXElement[],
): (() => JSXElement[])[] {
  const items = listItems(calls);
  const pages = toPages(items, weighItem);
  let before = 0;
  return pages.map((page) => {
    const first = before + 1;
    before += page.length;
    const range = { first, last: before, count: items.length };
    const position = Text({ children: money.translate('pager.calls', range) });
    return () => [
      ...(pages.length === 1 ? [] : [position]),
      ...page.flatMap((item) =>
        isInner(item) ? [drawInner(item, money)] : draw(item),
      ),
    ];
  });
}

export function listItems(
  effects: readonly Effect[],
  prefix = '',
  outer?: CallEffect,
): CallItem[] {
  return listOwnCalls(effects).flatMap((call, index) => {
    const number = `${prefix}${index + 1}`;
    const isOther =
      outer &&
      ![outer.from, outer.to ?? ''].some((each) => isSameAddress(each, call.from));
    const item = { call, number, ...(isOther && { by: call.from }) };
    return [item, ...listItems(call.inside, `${number}.`, call)];
  });
}

/** Selects the calls that an insight can draw without pages. A danger warning names the recipients
 * and spenders in the omitted calls. */
export function selectFittingCalls(effects: readonly Effect[]): {
  items: readonly CallItem[];
  warnings: readonly Warning[];
} {
  // An inner call's bytes are part of the outer call's, and must not hide calls.
  const [items = [], ...others] = toPages(listItems(effects), (item) =>
    isInner(item) ? { ...weighItem(item), characters: 0 } : weighItem(item),
  );
  const omitted = listEffects(others.flat().map(({ call }) => call));
  const addresses = omitted.flatMap((each) =>
    each.kind === 'allow' ? each.spender : 'to' in each ? (each.to ?? []) : [],
  );
  return {
    items,
    warnings: [
      ...(omitted.length > 0
        ? [danger('alert.notShown', { addresses: toAddressList(addresses) })]
        : []),
      ...items.flatMap(({ call }) => warnOfOmitted(call)),
    ],
  };
}

/** Warns of allowances without their own rows, described fields that only the details show, and
 * amounts of unknown tokens, in calls and inner calls. */
export function warnOfUnshown(
  effects: readonly Effect[],
  tokens: KnownTokens,
): Warning[] {
  return listDistinct(
    listCalls(effects).flatMap((call) => [
      ...warnOfOmitted(call, tokens.simulation),
      ...(hasBareAmount(call, tokens) ? [UNKNOWN_TOKEN] : []),
    ]),
  );
}

type KnownTokens = Pick<ChangesContext, 'chain' | 'simulation'>;

const UNKNOWN_TOKEN = warning('alert.unknownToken');

function warnOfOmitted(call: CallEffect, simulation?: Simulation): Warning[] {
  const omitted = call.description?.omitted ?? 0;
  const addresses = toAddressList(listAddresses([call]));
  return [
    ...warnOfUnlistedAllowances(listGiven(call)),
    ...(omitted > 0 ? [danger('alert.notShown', { addresses })] : []),
    ...warnOfUnknownUnits(call.description, simulation),
  ];
}

/** Warns of described amounts of unknown tokens, unless the simulation shows an exchange. */
export function warnOfUnknownUnits(
  description: Description | undefined,
  simulation?: Simulation,
): Warning[] {
  const isBare = description?.fields.some(({ value }) => 'isBare' in value) === true;
  const changes = typeof simulation === 'object' ? simulation.changes : [];
  const isExchange =
    changes.some(({ amount }) => amount < 0n) &&
    changes.some(({ amount }) => amount > 0n);
  return isBare && !isExchange ? [UNKNOWN_TOKEN] : [];
}

export function isInner({ number }: CallItem): boolean {
  return number.includes('.');
}

/** Returns the weight of a call on a page. Besides its description and lists, a call has at most 25
 * text elements, mostly arguments. */
export function weighItem(item: CallItem): Weight {
  const { description, data, inside } = item.call;
  return {
    texts:
      25 +
      2 * ((description?.fields.length ?? 0) + inside.length) +
      10 * listGiven(item.call).length,
    characters: Math.min(data.length, MAX_SHOWN_DATA),
  };
}

export function drawInner(
  { call, number, by }: CallItem,
  money: AmountContext,
): JSXElement {
  const label = money.translate('field.madeBy');
  const isOpen = by !== undefined;
  const maker = by ? [AddressField({ label, address: by })] : [];
  return drawNumberedCall({ call, number }, { ...money, isOpen }, maker);
}

/** Draws one of several calls as a collapsible section, labelled with its act and recipients. The
 * section starts expanded if the label omits anything important. */
export function drawNumberedCall(
  { call, number }: CallItem,
  money: AmountContext & { isOpen?: boolean },
  details: readonly (GenericSnapElement | RowElement)[] = [],
): CollapsibleSectionElement {
  const { translate, chain, isOpen = false } = money;
  const callProps = { translate, chain, call, hasIntent: true };
  const named = listNamed(call);
  const names = named.map((each) => findName(chain, each) ?? toHalves(each)).join(', ');
  const { description, write } = findAct([call], { chain, warnings: [] });
  const line = description && writeDescribed(description);
  const isShort =
    named.length <= 1 &&
    (!description || line !== undefined) &&
    listTokens(call).every((each) => findTokenUnit(chain, each)) &&
    (call.data === '0x' || isExplained(call));
  const { fields, bytes } = listFolded(callProps);
  return (
    <CollapsibleSection
      label={`${number} · ${line ?? write(translate)}${names === '' ? '' : ` → ${names}`}`}
      isExpanded={isOpen || !isShort}
    >
      {
        [
          ...drawRecipients(call, callProps, translate('field.to')),
          ...drawValue([call.value], money),
          ...drawCallData(callProps),
          ...fields,
          ...bytes,
          ...details,
        ] as GenericSnapElement[]
      }
    </CollapsibleSection>
  );
}

// Omits addresses, which the label adds.
function writeDescribed({
  intent,
  sentence,
  fields,
  omitted,
}: Description): string | undefined {
  const texts = fields.flatMap(({ label, value }) =>
    'text' in value ? [`${label} ${value.text}`] : [],
  );
  const line = `${capitalize(intent)}: ${texts.join(', ')}`;
  const isWhole = omitted === 0 && fields.every(({ value }) => !('call' in value));
  const fits = isWhole && texts.length > 0 && line.length <= MAX_LINE;
  return sentence ?? (fits ? line : undefined);
}

function listNamed({ from, to, inside, description }: CallEffect): Hex[] {
  const recipients = inside.flatMap((each): Hex[] => {
    if (each.kind === 'transfer') return [each.to];
    if (each.kind === 'allow') return [each.spender];
    return each.kind === 'control' && each.to ? [each.to] : [];
  });
  const described = (description?.fields ?? []).flatMap(({ value }) =>
    'address' in value && !isSameAddress(value.address, from) ? [value.address] : [],
  );
  const all = [...recipients, ...described].map(toLower);
  return all.length > 0 ? [...new Set(all)] : to ? [to] : [];
}

function listTokens({ inside }: CallEffect): Hex[] {
  return inside.flatMap((each) =>
    each.kind === 'transfer' || each.kind === 'allow' ? [each.token] : [],
  );
}

/** Draws a call's allowances, otherwise its description, otherwise its function. Omits what is
 * shown elsewhere. {@link drawCallFold} draws the details, and {@link drawOutcome} the allowances
 * of a dialog's only call. */
export function drawCallData(props: CallDataProps): GenericSnapElement[] {
  const { call, hasIntent } = props;
  const { description } = call;
  const allowances = listGiven(call);
  return [
    ...(description && hasIntent ? [drawIntent(description)] : []),
    ...(hasIntent ? drawAllowances(allowances, props) : []),
    ...(allowances.length > 0 ? [] : drawMeaning(props)),
    ...drawOthers(props),
  ] as GenericSnapElement[];
}

/** Draws the allowances and changes of a dialog's only call. */
export function drawOutcome(
  call: CallEffect,
  { translate, chain, simulation, price }: ChangesContext,
): JSXElement[] {
  const allowances = listGiven(call);
  return [
    ...drawAllowances(allowances, { translate, chain, simulation }),
    ...(isInTitle(call, simulation, chain)
      ? []
      : drawChanges(simulation, {
          translate,
          chain,
          price,
          called: call.to,
          allowances,
        })),
  ];
}

export function showsSentCurrency(
  calls: readonly CallEffect[],
  { simulation, chain }: ChangesContext,
): boolean {
  const [only, ...others] = calls;
  if (typeof simulation !== 'object' || !only) return false;
  if (others.length === 0 && isInTitle(only, simulation, chain)) return false;
  const value = sum(calls.map((each) => each.value));
  return simulation.changes.some(
    ({ token, amount }) => token === ZERO_ADDRESS && amount === -value,
  );
}

function isInTitle(
  call: CallEffect,
  simulation: Simulation | undefined,
  chain: string,
): boolean {
  if (typeof simulation !== 'object') return false;
  const { changes, approvals, others, controls, more, failure } = simulation;
  const [only, ...rest] = changes;
  const isMore = [rest, approvals, others, controls].flat().length + more > 0;
  if (!only || isMore || failure) return false;
  if (only.token === ZERO_ADDRESS) {
    return call.data === '0x' && only.amount === -call.value;
  }
  const sent = findSent(call);
  return (
    only.id === undefined &&
    call.value === 0n &&
    sent !== undefined &&
    isSameAddress(sent.token, only.token) &&
    sent.amount === -only.amount &&
    findTokenUnit(chain, sent.token) !== undefined
  );
}

// Returns whether a function can also send an NFT, whose id takes the place of the amount.
function mayMoveNft(known: KnownCall | undefined): boolean {
  return known?.signature.startsWith('transferFrom(') === true;
}

/** Finds the tokens that a call sends, if it does nothing else. */
function findSent({ from, known, inside }: CallEffect): TransferEffect | undefined {
  const [only, ...others] = inside;
  const isSending =
    known !== undefined &&
    only?.kind === 'transfer' &&
    others.length === 0 &&
    only.amount !== undefined &&
    isSameAddress(only.from, from);
  return isSending ? only : undefined;
}

function drawMeaning(props: CallDataProps): GenericSnapElement[] {
  const { translate, chain, call, hasIntent } = props;
  const { description, data, to } = call;
  const sent = findSent(call);
  const unit = sent && findTokenUnit(chain, sent.token);
  if (sent?.amount !== undefined && !description && (unit || !mayMoveNft(call.known))) {
    const amount = writeAmount(sent.amount, unit, translate);
    // The title shows the amount of a dialog's only call.
    return unit && !hasIntent
      ? []
      : [<Field label={translate('changes.send')} value={amount} />];
  }
  // The description of a dialog's only call is drawn with its recipients.
  if (description) return hasIntent ? drawDescription(description, translate) : [];
  if (data === '0x') {
    const label = translate('field.callData');
    return [<Field label={label} value={translate('data.none')} />];
  }
  if (to === null) return [];
  const meaning = call.isRevocation ? 'call.revoke' : findFunction(data)?.meaning;
  return [
    ...drawRows(translate, [['field.meaning', meaning && translate(meaning)]]),
    ...(isWrapping(call) ? [] : drawFunction(call, translate)),
  ];
}

// Returns whether inner calls already say what the function does.
function isWrapping({ known, inside }: CallEffect): boolean {
  return known !== undefined && listOwnCalls(inside).length > 0;
}

/** Draws the recipient and description of a dialog's only call, without values that other rows
 * show. */
export function drawRequested(props: CallDataProps): GenericSnapElement[] {
  const { translate, call, simulation } = props;
  const isAllowing = listGiven(call).length > 0;
  const receiver = findReceiver(call);
  return [
    ...(drawRecipients(call, props) as GenericSnapElement[]),
    ...(drawBareAmount(props) as GenericSnapElement[]),
    ...(call.description && !isAllowing
      ? drawDescription({ ...call.description, owner: undefined }, translate, {
          addresses: receiver ? [receiver, call.from] : [],
          tokens: typeof simulation === 'object' ? [...simulation.units.keys()] : [],
          amounts: listSent(call, props),
        })
      : []),
  ];
}

// Draws the amount of an unknown token, which the title cannot name.
function drawBareAmount({ call, ...outcome }: CallDataProps): RowElement[] {
  const { translate } = outcome;
  const sent = call.inside.find((each) => each.kind === 'transfer');
  if (sent?.amount === undefined || call.description || !isBare(sent, outcome)) {
    return [];
  }
  const nft = translate('changes.nft', { id: String(sent.amount) });
  const units = writeAmount(sent.amount, undefined, translate);
  const value = mayMoveNft(call.known) ? `${units} / ${nft}` : units;
  return [<Field label={translate('field.value')} value={value} />];
}

function hasBareAmount(
  { known, inside, description }: CallEffect,
  tokens: KnownTokens,
): boolean {
  return inside.some((each) => {
    if (each.kind !== 'transfer' && each.kind !== 'allow') return false;
    const isShown =
      each.kind === 'transfer' ? !description : !isUnlimitedApproval(each);
    // Zero can be an NFT's id.
    return isShown && (each.amount !== 0n || mayMoveNft(known)) && isBare(each, tokens);
  });
}

/** Returns whether an amount is of a token that neither the token list nor the simulation knows. */
function isBare(
  { token, amount, id }: Pick<AllowanceEffect, 'token' | 'amount' | 'id'>,
  { chain, simulation }: KnownTokens,
): boolean {
  const isAmount = amount !== undefined && id === undefined;
  if (!isAmount || findTokenUnit(chain, token)) return false;
  if (typeof simulation !== 'object') return true;
  const { changes, approvals, units } = simulation;
  const isKnown = (each: Pick<Asset, 'token' | 'id'>): boolean =>
    isSameAddress(each.token, token) &&
    (each.id !== undefined || units.has(each.token));
  return ![...changes, ...approvals].some(isKnown);
}

/** Lists the allowances in a call of a known function, without those of inner calls, which have
 * their own rows. */
function listGiven(call: CallEffect): AllowanceEffect[] {
  return isRead(call) ? call.inside.filter((each) => each.kind === 'allow') : [];
}

// Draws recipients that no row above shows.
function drawOthers({ call, translate, chain }: CallDataProps): GenericSnapElement[] {
  const given = listGiven(call);
  // Next to allowance cards, other values may be visible only in the details.
  const shown =
    given.length > 0
      ? given.map(({ spender }) => spender)
      : [
          findReceiver(call),
          ...(call.description?.fields ?? []).map(({ value }) =>
            'address' in value ? value.address : undefined,
          ),
        ];
  const rows = call.inside.flatMap((each): [string, Hex][] => {
    if (each.kind === 'transfer') return [[translate('field.tokensTo'), each.to]];
    if (each.kind === 'allow') return [[translate('changes.spender'), each.spender]];
    return each.kind === 'control' && each.to
      ? [[translate('field.newController'), each.to]]
      : [];
  });
  return rows.flatMap(([label, address]) => {
    if (shown.some((each) => each && isSameAddress(each, address))) return [];
    shown.push(address);
    return [<AddressField label={label} address={address} chain={chain} isWhole />];
  });
}

export function drawCallFold(props: CallDataProps): CollapsibleSectionElement[] {
  const { translate, call } = props;
  const { fields, bytes } = listFolded(props);
  if (bytes.length === 0) return [];
  if (fields.length === 0) {
    const label = labelData(call, translate);
    return [
      <CollapsibleSection label={label}>
        {drawBytes(call, translate)}
      </CollapsibleSection>,
    ];
  }
  return [
    <CollapsibleSection label={translate('fields.all')} isExpanded={!isExplained(call)}>
      {fields}
      {bytes}
    </CollapsibleSection>,
  ];
}

/** Draws the details of a dialog's only call: an open section if only its arguments explain the
 * call, otherwise rows for the dialog's collapsible details. */
export function drawOnlyFold(props: CallDataProps): {
  section: CollapsibleSectionElement[];
  folded: GenericSnapElement[];
} {
  const { translate, call } = props;
  const { fields, bytes } = listFolded(props);
  const english = drawEnglish(translate, [call]);
  if (fields.length > 0 && !isExplained(call)) {
    return { section: drawCallFold(props), folded: english };
  }
  const label = translate('field.contract');
  const contract =
    call.to === null || bytes.length === 0
      ? []
      : [AddressField({ label, address: call.to, isWhole: true })];
  return {
    section: [],
    folded: [...english, ...contract, ...fields, ...bytes] as GenericSnapElement[],
  };
}

function listFolded(
  props: CallDataProps,
): Record<'fields' | 'bytes', GenericSnapElement[]> {
  const { translate, call } = props;
  const { to, data, isUpgradeable } = call;
  if (data === '0x') return { fields: [], bytes: [] };
  return {
    fields: [
      ...drawFields(props),
      ...(isUpgradeable && to !== null
        ? [drawLine(translate('alert.upgradeable', { address: to }))]
        : []),
    ],
    bytes: [drawLine(labelData(call, translate)), ...drawBytes(call, translate)],
  };
}

function isExplained({ known, description, inside }: CallEffect): boolean {
  const hasEffects = known !== undefined && inside.length > 0;
  return description !== undefined || (hasEffects && !mayMoveNft(known));
}

function drawFields(props: CallDataProps): GenericSnapElement[] {
  const { translate, call } = props;
  const { description } = call;
  const isAllowing = listGiven(call).length > 0;
  const isSummarized =
    description !== undefined ||
    isAllowing ||
    findSent(call) !== undefined ||
    isWrapping(call);
  return [
    ...(description ? drawDescription(description, translate, { isExact: true }) : []),
    ...(isSummarized ? drawFunction(call, translate) : []),
    ...drawArguments(props),
  ];
}

/** Draws the recipient of a call, or that it creates a contract. Omits the contract of approvals in
 * a dialog's only call, because their cards name it. `numbered` is the label of one call among
 * several. */
export function drawRecipients(
  call: CallEffect,
  { translate, chain }: AmountContext,
  numbered?: string,
): RowElement[] {
  const { from, to, value, description } = call;
  const given = value === 0n ? listGiven(call) : [];
  const label = numbered ?? translate(given.length > 0 ? 'field.contract' : 'field.to');
  if (to === null) return [<Field label={label} value={translate('field.creation')} />];
  const isOnCard =
    given.length > 0 && given.every(({ token }) => isSameAddress(token, to));
  if (isOnCard && numbered === undefined) return [];
  const receiver = findReceiver(call);
  const contract = value > 0n ? label : translate('field.contract');
  const owner = numbered === undefined ? description?.owner : undefined;
  const row = AddressField({
    label: receiver ? contract : label,
    address: to,
    chain,
    stated: owner,
    isWhole: !isSameAddress(to, from),
  });
  if (!receiver) return [row];
  const tokensTo = translate('field.tokensTo');
  return [
    <AddressField label={tokensTo} address={receiver} chain={chain} isWhole />,
    row,
  ];
}

export function drawIntent({ intent, sentence }: Description): GenericSnapElement {
  return (
    <Box>
      <Text>
        <Bold>{intent}</Bold>
      </Text>
      {sentence === undefined ? null : <Text>{sentence}</Text>}
    </Box>
  );
}

function findReceiver({ inside }: CallEffect): Hex | undefined {
  const ownRecipient = inside.find((each) => each.kind === 'transfer')?.to;
  const inner = listEffects(inside).filter((each) => each.kind === 'transfer');
  const [only, ...others] = new Set(inner.map(({ to }) => toLower(to)));
  return ownRecipient ?? (others.length > 0 ? undefined : only);
}

function labelData({ to, data }: CallEffect, translate: Translate): string {
  const size = translate('unit.bytes', { count: byteLength(data) });
  return translate(to === null ? 'data.code' : 'data.call', { size });
}

function drawBytes(
  { to, data }: CallEffect,
  translate: Translate,
): GenericSnapElement[] {
  const isCut = data.length > MAX_SHOWN_DATA;
  return [
    <Copyable value={data.slice(0, MAX_SHOWN_DATA)} />,
    ...(isCut
      ? [drawLine(translate('data.cut', { title: translate('raw.title') }))]
      : []),
    ...(to === null ? [] : drawDigests([getCalldataDigest(data)])),
  ];
}

function drawArguments({
  translate,
  chain,
  call,
}: CallDataProps): GenericSnapElement[] {
  const { to, data, known } = call;
  if (to === null || !known) return [];
  // Inner calls have their own rows.
  const hasInner = isWrapping(call);
  const meaning = findFunction(data)?.meaning;
  const unit = amountMeanings.includes(meaning) ? findTokenUnit(chain, to) : undefined;
  const oddText = translate(known.values ? 'arguments.extra' : 'arguments.unread');
  return [
    ...(known.values ?? []).flatMap((value, index) =>
      hasInner && /bytes(?!\d)/u.test(known.types[index] ?? '')
        ? []
        : [drawArgument(known, index, { value, translate, unit })],
    ),
    ...drawRows(translate, [
      ['field.arguments', known.isCanonical ? undefined : oddText],
    ]),
  ];
}

function drawFunction(
  { data, known }: CallEffect,
  translate: Translate,
): GenericSnapElement[] {
  const label = translate('field.function');
  if (known) return [<Field label={label} value={known.signature} />];
  const selector = data.slice(0, SELECTOR_END);
  if (selector.length < SELECTOR_END) return [];
  return [<Field label={label} value={translate('function.unknown', { selector })} />];
}

function drawArgument(
  known: KnownCall,
  index: number,
  drawing: { value: AbiValue; translate: Translate; unit: TokenUnit | undefined },
): GenericSnapElement {
  const { translate, unit } = drawing;
  const value = writeArgument(drawing.value);
  const type = known.types[index] ?? '';
  const label = known.names[index] ?? type;
  if (type === 'address') {
    return <AddressField label={label} address={value as Hex} />;
  }
  const shown = toShownLine(toShownWord(value));
  if (value === String(MAX_UINT256)) {
    return <Field label={label} value={translate('value.largest')} />;
  }
  const isAmount = unit && type === 'uint256' && /amount/iu.test(label);
  if (!isAmount) return <Field label={label} value={shown} />;
  const amount = toShownToken(BigInt(value), unit, translate);
  return <Field label={label} value={`${amount} (${shown})`} />;
}
