// What a call says: the function and its arguments where they are known, and the bytes.
import {
  Address,
  Box,
  CollapsibleSection,
  Copyable,
  Row,
  Text,
} from '@metamask/snaps-sdk/jsx';
import type { BoxElement, RowElement, TextElement } from '@metamask/snaps-sdk/jsx';

import { byteLength, MAX_UINT256 } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { Field } from '../ui/components';
import type { Weight } from '../ui/confirmation';
import { toShownCount, toShownLine, toShownToken } from '../ui/format';
import type { TextKey, Translate } from '../ui/i18n';
import { findTokenUnit } from '../ui/tokens';
import type { TokenUnit } from '../ui/tokens';
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

/** A call to draw. */
export type CallDataProps = {
  translate: Translate;
  /** CAIP-2: the token that is called may be one that people know there. */
  chain: string;
  /** `to` null is the creation of a contract, of which the data are the code. */
  call: { to: Hex | null; data: Hex; known: KnownCall | undefined };
};

/** What a call takes of a page. */
export function weighCall({ data }: { data: Hex }): Weight {
  // A call has 25 texts at most, most of them its arguments.
  return { texts: 25, characters: Math.min(data.length, MAX_SHOWN_DATA) };
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

/** Draws the data of a call, the bytes behind a fold; at most 22 texts. */
export function CallData({ translate, chain, call }: CallDataProps): BoxElement {
  const { to, data } = call;
  const isCode = to === null;
  const known = isCode ? undefined : call.known;
  const meaning = known && meanings[known.signature];
  const unit = ofAmounts.includes(meaning) ? findTokenUnit(chain, to) : undefined;
  const size = translate('unit.bytes', {
    count: toShownCount(byteLength(data), translate),
  });
  return (
    <Box>
      {meaning ? (
        <Field label={translate('field.meaning')} value={translate(meaning)} />
      ) : null}
      {isCode ? [] : drawFunction(data, known, translate)}
      {known?.values?.map((value, index) =>
        drawArgument(known.types[index] ?? '', writeArgument(value), {
          translate,
          unit,
        }),
      ) ?? []}
      {known && !known.isCanonical ? (
        <Field
          label={translate('field.arguments')}
          value={translate(known.values ? 'arguments.extra' : 'arguments.unread')}
        />
      ) : null}
      {data === '0x' ? (
        <Field label={translate('field.callData')} value={translate('data.none')} />
      ) : (
        <CollapsibleSection
          label={translate(isCode ? 'data.code' : 'data.call', { size })}
        >
          <Copyable value={data.slice(0, MAX_SHOWN_DATA)} />
          {data.length > MAX_SHOWN_DATA ? (
            <Text>{translate('data.cut', { title: translate('raw.title') })}</Text>
          ) : null}
        </CollapsibleSection>
      )}
    </Box>
  );
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
  type: string,
  value: string,
  { translate, unit }: { translate: Translate; unit: TokenUnit | undefined },
): RowElement {
  if (type === 'address') {
    return (
      <Row label={type}>
        <Address address={value as Hex} />
      </Row>
    );
  }
  const shown = toShownLine(value);
  if (value === String(MAX_UINT256)) {
    return <Field label={type} value={translate('value.largest')} />;
  }
  if (!unit || type !== 'uint256') return <Field label={type} value={shown} />;
  const amount = toShownToken(BigInt(value), unit, translate);
  return <Field label={type} value={`${amount} (${shown})`} />;
}
