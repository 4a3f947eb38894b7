// The values of typed data: each by its type, in the groups that the message makes.
import {
  Address,
  Bold,
  Box,
  Copyable,
  Row,
  Section,
  Text,
} from '@metamask/snaps-sdk/jsx';
import type { BoxElement, RowElement, SectionElement } from '@metamask/snaps-sdk/jsx';

import { findQuantity, NodeAddressStruct } from '../../eth/hex';
import type { Hex } from '../../eth/hex';
import { findKnownCall } from '../../eth/known-calls';
import { findTime, isLargest } from '../../eth/typed-tree';
import type { TypedGroup, TypedTree, TypedValue } from '../../eth/typed-tree';
import type { TypedUnit } from '../../eth/typed-units';
import { matches } from '../../parse';
import { Field } from '../components/Field';
import { toShownLine, toShownText } from '../foreign-text';
import {
  toShownCoins,
  toShownCount,
  toShownFee,
  toShownTime,
  toShownToken,
} from '../format';
import type { Translate } from '../i18n';
import { warning } from '../notice';
import type { Notice } from '../notice';

/** Longest text that has room beside its label. */
const MAX_BESIDE = 60;

/** Longest text or hex that is shown of one value. */
const MAX_VALUE = 1_000;

/** How values are written. */
type Writing = {
  translate: Translate;
  /** CAIP-2 chain whose coin is spoken of. */
  chain?: string | undefined;
  /** Tells in which unit a number is meant; without it none has one. */
  unitOf?: (value: TypedValue) => TypedUnit | undefined;
};

/** Draw the values of a message. */
export function TypedValues({
  tree,
  ...writing
}: Writing & { tree: TypedTree }): BoxElement {
  return (
    <Box>
      {tree.groups.map((group) => (
        <Group {...writing} group={group} />
      ))}
    </Box>
  );
}

/** Warn of values that are not shown. */
export function hiddenValues(
  { shown, total }: TypedTree,
  translate: Translate,
): Notice[] {
  if (shown === total) return [];
  const counts = {
    shown: toShownCount(shown, translate),
    count: toShownCount(total, translate),
  };
  return [warning(translate('typed.hidden', counts))];
}

function Group({ group, ...writing }: Writing & { group: TypedGroup }): SectionElement {
  const { field, values } = group;
  return (
    <Section>
      {field ? (
        <Text>
          <Bold>{toShownLine(`${field.name}: ${field.type}`, 100)}</Bold>
        </Text>
      ) : null}
      {values.map((each) =>
        drawValue(each, field ? each.place.slice(1) : each.place, writing),
      )}
    </Section>
  );
}

function drawValue(
  value: TypedValue,
  place: readonly string[],
  writing: Writing,
): RowElement | BoxElement {
  const label = toShownLine(place.join(' › '), 100) || '–';
  if (value.type === 'address' && matches(value.value, NodeAddressStruct)) {
    return (
      <Row label={label}>
        <Address address={value.value} />
      </Row>
    );
  }
  const text = writeValue(value, writing);
  if (text.length <= MAX_BESIDE) return <Field label={label} value={text} />;
  return (
    <Box>
      <Text>{label}</Text>
      <Copyable value={text} />
    </Box>
  );
}

function writeValue(each: TypedValue, writing: Writing): string {
  const { type, value } = each;
  const { translate } = writing;
  if (value === null) return translate('value.none');
  if (typeof value === 'boolean') return translate(value ? 'yes' : 'no');
  if (typeof value === 'object') return JSON.stringify(value);
  const number = /^u?int\d*$/u.test(type) ? findInteger(value) : undefined;
  if (number === undefined) return writeText(type, String(value));
  if (isLargest(each)) return translate('value.largestOf', { type });
  const time = findTime(each);
  if (time !== undefined) return `${toShownTime(time, translate)} (${number})`;
  const unit = number < 0n ? undefined : writing.unitOf?.(each);
  if (unit === undefined) return toShownCount(number, translate);
  return `${writeAmount(number, unit, writing)} (${number})`;
}

function writeAmount(
  amount: bigint,
  unit: TypedUnit,
  { translate, chain }: Writing,
): string {
  if (unit === 'coin') return toShownCoins(amount, translate, chain);
  if (unit === 'fee') return toShownFee(amount, translate);
  return toShownToken(amount, unit, translate);
}

function writeText(type: string, value: string): string {
  const { text, isCut } = toShownText(value, MAX_VALUE);
  const known = type === 'bytes' ? findKnownCall(value as Hex) : undefined;
  const shown = isCut ? `${text}…` : text;
  return known ? `${known.signature}\n${shown}` : shown;
}

// findQuantity knows no numbers below zero.
function findInteger(value: string | number): bigint | undefined {
  return /^-\d{1,78}$/u.test(String(value)) ? BigInt(value) : findQuantity(value);
}
