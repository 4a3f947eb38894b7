// What a call says: the function and its arguments where they are known, and the bytes.
import {
  Address,
  Bold,
  Box,
  CollapsibleSection,
  Copyable,
  Divider,
  Row,
  Text,
} from '@metamask/snaps-sdk/jsx';
import type {
  BoxElement,
  CollapsibleSectionElement,
  GenericSnapElement,
  RowElement,
  TextElement,
} from '@metamask/snaps-sdk/jsx';

import { byteLength, MAX_UINT256 } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { Field } from '../ui/components';
import type { Weight } from '../ui/confirmation';
import { toShownCoins, toShownCount, toShownLine, toShownToken } from '../ui/format';
import type { TextKey, Translate } from '../ui/i18n';
import { findTokenUnit } from '../ui/tokens';
import type { TokenUnit } from '../ui/tokens';
import type { DecodedCall, Description } from './call';
import { drawDescription } from './draw-description';
import { writeArgument } from './known-functions';
import type { KnownCall } from './known-functions';

/** Longest hex that is shown of a call; the rest is in the raw data below. */
const MAX_SHOWN_DATA = 150_000;

/** `0x` and the digits of a function's selector. */
const SELECTOR_END = 10;

/** What well-known functions do, by signature. */
const meanings: Readonly<Record<string, TextKey>> = {
  'transfer(address,uint256)': 'call.transfer',
  'transferFrom(address,address,uint256)': 'call.transferFrom',
  'safeTransferFrom(address,address,uint256)': 'call.transferFrom',
  'safeTransferFrom(address,address,uint256,bytes)': 'call.transferFrom',
  'safeTransferFrom(address,address,uint256,uint256,bytes)': 'call.transferFrom',
  'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)':
    'call.transferFrom',
  'approve(address,uint256)': 'call.approve',
  'increaseAllowance(address,uint256)': 'call.approve',
  'increaseApproval(address,uint256)': 'call.approve',
  'approve(address,address,uint160,uint48)': 'call.approve',
  'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)': 'call.permit',
  'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)': 'call.permit',
  'setApprovalForAll(address,bool)': 'call.approveAll',
};

/** Those whose numbers are amounts of the token that is called. */
const ofAmounts: readonly (TextKey | undefined)[] = [
  'call.transfer',
  'call.transferFrom',
  'call.approve',
];

/** A part of a drawing; nothing where there is nothing to say. */
type Part = GenericSnapElement | null;

/** A call to draw. */
export type CallDataProps = {
  translate: Translate;
  /** CAIP-2: the token that is called may be one that people know there. */
  chain: string;
  /** `to` null is the creation of a contract, of which the data are the code. */
  call: ShownCall;
  /** Whether the intent stands above, where it is not the title. */
  hasIntent?: boolean;
};

type ShownCall = Pick<DecodedCall, 'to' | 'data' | 'known' | 'description'> &
  Partial<Pick<DecodedCall, 'inner' | 'value'>>;

/** What a call takes of a page. */
export function weighCall(
  call: Pick<DecodedCall, 'data'> & Partial<DecodedCall>,
): Weight {
  return {
    texts: countTexts(call),
    characters: Math.min(call.data.length, MAX_SHOWN_DATA),
  };
}

// Each has 25 texts of its own at most, most of them its arguments, beside its description.
function countTexts({ inner = [], description }: Partial<DecodedCall>): number {
  const fields = description?.fields ?? [];
  const calls = [
    ...inner,
    ...fields.flatMap(({ value }) => ('call' in value ? [value.call] : [])),
  ];
  return calls.reduce(
    (count, each) => count + countTexts(each),
    25 + 2 * fields.length,
  );
}

/** Says which calls a page shows, where there are several pages. */
export function writeCallRange(
  pages: readonly (readonly unknown[])[],
  page: number,
  translate: Translate,
): TextElement[] {
  if (pages.length === 1) return [];
  const before = pages.slice(0, page).flat().length;
  const [first, last, count] = [
    before + 1,
    before + (pages[page] ?? []).length,
    pages.flat().length,
  ].map((each) => toShownCount(each, translate));
  const range = { first: `${first}`, last: `${last}`, count: `${count}` };
  return [<Text>{translate('pager.calls', range)}</Text>];
}

/** Draws what a call does: in words where it is described, else by its function and arguments.
 * {@link CallFold} has the rest. */
export function CallData(props: CallDataProps): BoxElement {
  const { translate, call } = props;
  const { description } = call;
  if (!description) {
    return (
      <Box>
        {drawArguments(props)}
        {drawInner(props)}
      </Box>
    );
  }
  const hasOwn = description.fields.some(({ value }) => 'call' in value);
  return (
    <Box>
      {props.hasIntent ? drawIntent(description) : null}
      {drawDescription(description, translate, (each) => drawCallIn(each, props))}
      {hasOwn ? [] : drawInner(props)}
    </Box>
  );
}

/** Draws the bytes of a call behind a fold, with all arguments where it is described; nothing
 * of a call without data. */
export function CallFold(props: CallDataProps): CollapsibleSectionElement[] {
  const { translate, call } = props;
  const { description, data } = call;
  if (data === '0x') return [];
  if (!description) {
    return [
      <CollapsibleSection label={labelData(call, translate)}>
        {drawBytes(data, translate)}
      </CollapsibleSection>,
    ];
  }
  return [
    <CollapsibleSection label={translate('fields.all')}>
      {description.original === undefined ? null : (
        <Field label={translate('field.original')} value={description.original} />
      )}
      {drawArguments(props)}
      <Text>{labelData(call, translate)}</Text>
      {drawBytes(data, translate)}
    </CollapsibleSection>,
  ];
}

/** Draws whom a call is for, or that it creates a contract. A transfer of tokens is for whom it
 * gives them. */
export function drawRecipients(
  call: Pick<DecodedCall, 'to' | 'known'>,
  label: string,
  translate: Translate,
): RowElement[] {
  const { to } = call;
  if (to === null) return [<Field label={label} value={translate('field.creation')} />];
  const receiver = findReceiver(call);
  const rows: [label: string, address: Hex][] = receiver
    ? [
        [label, receiver],
        [translate('field.contract'), to],
      ]
    : [[label, to]];
  return rows.map(([each, address]) => (
    <Row label={each}>
      <Address address={address} />
    </Row>
  ));
}

/** Draws the intent of a description, and its sentence. */
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

// Whom a call gives tokens.
function findReceiver({ known }: Pick<DecodedCall, 'known'>): Hex | undefined {
  const meaning = known && meanings[known.signature];
  if (meaning !== 'call.transfer' && meaning !== 'call.transferFrom') return undefined;
  return known?.values?.[known.names.indexOf('to')] as Hex | undefined;
}

/** Draws the calls that a call contains. */
function drawInner(props: CallDataProps): GenericSnapElement[] {
  const { translate, call } = props;
  return (call.inner ?? []).flatMap((each, index) => {
    const number = toShownCount(index + 1, translate);
    return [
      <Box>
        <Divider />
        <Row label={translate('calls.call', { number })}>
          <Address address={each.to as Hex} />
        </Row>
        {drawCallIn(each, props)}
      </Box>,
    ];
  });
}

// Its bytes are among those of the call around it.
function drawCallIn(call: DecodedCall, props: CallDataProps): BoxElement {
  const { translate, chain } = props;
  const own = { ...props, call, hasIntent: true };
  return (
    <Box>
      {call.value > 0n ? (
        <Field
          label={translate('field.value')}
          value={toShownCoins(call.value, translate, chain)}
        />
      ) : null}
      <CallData {...own} />
      {call.description ? (
        <CollapsibleSection label={translate('fields.all')}>
          {drawArguments(own)}
        </CollapsibleSection>
      ) : null}
    </Box>
  );
}

function labelData({ to, data }: ShownCall, translate: Translate): string {
  const size = translate('unit.bytes', {
    count: toShownCount(byteLength(data), translate),
  });
  return translate(to === null ? 'data.code' : 'data.call', { size });
}

function drawBytes(data: Hex, translate: Translate): Part[] {
  const isCut = data.length > MAX_SHOWN_DATA;
  return [
    <Copyable value={data.slice(0, MAX_SHOWN_DATA)} />,
    isCut ? (
      <Text>{translate('data.cut', { title: translate('raw.title') })}</Text>
    ) : null,
  ];
}

function drawArguments({ translate, chain, call }: CallDataProps): Part[] {
  const { to, data, known } = call;
  if (data === '0x') {
    return [
      <Field label={translate('field.callData')} value={translate('data.none')} />,
    ];
  }
  if (to === null) return [];
  const meaning = known && meanings[known.signature];
  const unit = ofAmounts.includes(meaning) ? findTokenUnit(chain, to) : undefined;
  return [
    meaning ? (
      <Field label={translate('field.meaning')} value={translate(meaning)} />
    ) : null,
    ...drawFunction(data, known, translate),
    ...(known?.values ?? []).map((value, index) =>
      drawArgument(known as KnownCall, index, {
        value: writeArgument(value),
        translate,
        unit,
      }),
    ),
    known && !known.isCanonical ? (
      <Field
        label={translate('field.arguments')}
        value={translate(known.values ? 'arguments.extra' : 'arguments.unread')}
      />
    ) : null,
  ];
}

function drawFunction(
  data: Hex,
  known: KnownCall | undefined,
  translate: Translate,
): RowElement[] {
  const label = translate('field.function');
  if (known) return [<Field label={label} value={known.signature} />];
  const selector = data.slice(0, SELECTOR_END);
  if (selector.length < SELECTOR_END) return [];
  return [<Field label={label} value={translate('function.unknown', { selector })} />];
}

function drawArgument(
  known: KnownCall,
  index: number,
  {
    value,
    translate,
    unit,
  }: { value: string; translate: Translate; unit: TokenUnit | undefined },
): RowElement {
  const type = known.types[index] ?? '';
  const label = known.names[index] ?? type;
  if (type === 'address') {
    return (
      <Row label={label}>
        <Address address={value as Hex} />
      </Row>
    );
  }
  const shown = toShownLine(value);
  if (value === String(MAX_UINT256)) {
    return <Field label={label} value={translate('value.largest')} />;
  }
  const isAmount = unit && type === 'uint256' && /amount/iu.test(label);
  if (!isAmount) return <Field label={label} value={shown} />;
  const amount = toShownToken(BigInt(value), unit, translate);
  return <Field label={label} value={`${amount} (${shown})`} />;
}
