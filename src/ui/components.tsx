// Components of all views: labelled values, notices, and multi-page lists.
import {
  Address,
  Banner,
  Box,
  Button,
  Copyable,
  Row,
  Text,
} from '@metamask/snaps-sdk/jsx';
import type {
  BoxElement,
  ButtonProps,
  GenericSnapElement,
  RowElement,
} from '@metamask/snaps-sdk/jsx';

import type { Hex } from '../eth/hex';
import type { TextKey, Translate } from './i18n';
import { findName } from './tokens';

/** Severities, worst first. */
export const severities = ['danger', 'warning', 'info'] as const;

export type Severity = (typeof severities)[number];

/** A message above the content of a view. Its default title is the severity. `key` identifies the
 * text for programs. */
export type Notice = {
  severity: Severity;
  key?: TextKey;
  title?: string;
  text: string;
};

const noticeOf =
  (severity: Severity) =>
  (text: string): Notice => ({ severity, text });

export const danger = noticeOf('danger');

export const warning = noticeOf('warning');

export const info = noticeOf('info');

/** Sorts by severity, worst first. The sort is stable. */
export function sortBySeverity<Each extends { severity: Severity }>(
  all: readonly Each[],
): Each[] {
  const rank = ({ severity }: Each): number => severities.indexOf(severity);
  return [...all].sort((one, other) => rank(one) - rank(other));
}

export function drawNotices(
  notices: readonly Notice[],
  translate: Translate,
): GenericSnapElement[] {
  return sortBySeverity(notices).map(({ severity, title, text }) => (
    <Banner title={title ?? translate(`${severity}.title`)} severity={severity}>
      {text === '' ? null : <Text>{text}</Text>}
    </Banner>
  ));
}

export function Field({ label, value }: { label: string; value: string }): RowElement {
  return (
    <Row label={label}>
      <Text>{value}</Text>
    </Row>
  );
}

export function drawLine(text: string): GenericSnapElement {
  return <Text>{text}</Text>;
}

/** A row of a page; omitted if its value is undefined. */
export type LabeledValue = readonly [
  label: TextKey,
  value: string | AddressValue | undefined,
];

export function drawRows(
  translate: Translate,
  rows: readonly LabeledValue[],
): GenericSnapElement[] {
  return rows.flatMap(([key, value]) => {
    if (value === undefined) return [];
    const label = translate(key);
    return typeof value === 'string'
      ? [<Field label={label} value={value} />]
      : [<AddressField label={label} {...value} />];
  });
}

export function ifKnown<Value>(
  value: Value | undefined,
  write: (value: Value) => string,
): string | undefined {
  return value === undefined ? undefined : write(value);
}

type AddressValue = {
  address: Hex;
  /** CAIP-2 chain, if the address may belong to a known contract. */
  chain?: string | undefined;
  /** A name for the address, such as a descriptor's. Unlike the name of a known contract, it never
   * replaces the full digits. */
  stated?: string | undefined;
  /** Whether to show all digits, as for a recipient or spender. Known contracts are always
   * shortened. */
  isWhole?: boolean;
};

/** Formats all digits of an address, with a space in the middle where a line can break. */
export function toHalves(address: string): string {
  return `${address.slice(0, 21)} ${address.slice(21)}`;
}

/** Draws a label and a shortened address, with the name of a known contract. With `isWhole`, all
 * digits of other addresses follow in two halves. */
export function AddressField({
  label,
  address,
  chain,
  stated,
  isWhole = false,
}: AddressValue & { label: string }): RowElement {
  const known = chain === undefined ? undefined : findName(chain, address);
  const name = known ?? stated;
  const row = drawShort(name === undefined ? label : `${label} (${name})`, address);
  if (!isWhole || known !== undefined) return row;
  return (
    <Box>
      {row}
      <Text size="sm">{toHalves(address)}</Text>
    </Box>
  );
}

function drawShort(label: string, address: Hex): RowElement {
  return (
    <Row label={label}>
      <Address address={address} displayName />
    </Row>
  );
}

/** Maximum length of text that fits next to its label. */
const MAX_BESIDE = 60;

type DrawButton = (
  name: string,
  label: TextKey,
  look?: Pick<ButtonProps, 'size' | 'variant'>,
) => GenericSnapElement;

export function bindButton(translate: Translate): DrawButton {
  return (name, label, look) => (
    <Button name={name} {...look}>
      {translate(label)}
    </Button>
  );
}

export const SMALL = { size: 'sm' } as const;
export const DESTRUCTIVE = { variant: 'destructive' } as const;

/** Draws a label and text of any length; long text can be copied. */
export function drawText(label: string, value: string): GenericSnapElement {
  if (value.length <= MAX_BESIDE) return <Field label={label} value={value} />;
  return (
    <Box>
      <Text>{label}</Text>
      <Copyable value={value} />
    </Box>
  );
}

type PagerProps = {
  translate: Translate;
  /** Counted from 0. */
  page: number;
  pages: number;
  /** Returns the name of a page's button. */
  nameOf: (page: number) => string;
};

/** Draws buttons to the previous and the next page, if there are several pages. */
export function Pager({ translate, page, pages, nameOf }: PagerProps): BoxElement {
  if (pages === 1) return <Box>{null}</Box>;
  return (
    <Box direction="horizontal" alignment="space-between">
      <Button name={nameOf(page - 1)} disabled={page === 0}>
        {translate('pager.previous')}
      </Button>
      <Text>{translate('pager.page', { page: page + 1, pages })}</Text>
      <Button name={nameOf(page + 1)} disabled={page + 1 >= pages}>
        {translate('pager.next')}
      </Button>
    </Box>
  );
}
