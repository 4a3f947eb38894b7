// What a call says: the function and its arguments where they are known, and the bytes.
import { Address, Box, Copyable, Row } from '@metamask/snaps-sdk/jsx';
import type { BoxElement, RowElement } from '@metamask/snaps-sdk/jsx';

import { byteLength, MAX_UINT256 } from '../../eth/hex';
import type { Hex } from '../../eth/hex';
import { findKnownCall } from '../../eth/known-calls';
import type { KnownArgument } from '../../eth/known-calls';
import { toShownLine, toShownText } from '../format';
import type { Translate } from '../i18n';
import { Field } from './Field';

/** Longest hex that is shown of a call; the whole is in what is signed. */
const MAX_SHOWN_DATA = 500;

/** Draw the data of a call; at most 20 texts. */
export function CallData({
  translate,
  data,
}: {
  translate: Translate;
  data: Hex;
}): BoxElement {
  const known = findKnownCall(data);
  return (
    <Box>
      {known ? (
        <Field label={translate('field.function')} value={known.signature} />
      ) : null}
      {(known?.arguments ?? []).map((each) => drawArgument(each, translate))}
      {known && !known.arguments ? (
        <Field
          label={translate('field.arguments')}
          value={translate('arguments.unread')}
        />
      ) : null}
      <Field label={translate('field.callData')} value={`${byteLength(data)} B`} />
      {data === '0x' ? null : <Copyable value={toShownData(data)} />}
    </Box>
  );
}

function drawArgument(
  { type, value }: KnownArgument,
  translate: Translate,
): RowElement {
  if (type === 'address') {
    return (
      <Row label={type}>
        <Address address={value as Hex} />
      </Row>
    );
  }
  const isLargest = value === String(MAX_UINT256);
  return (
    <Field
      label={type}
      value={isLargest ? translate('value.largest') : toShownLine(value)}
    />
  );
}

function toShownData(data: Hex): string {
  const { text, isCut } = toShownText(data, MAX_SHOWN_DATA);
  return isCut ? `${text}…` : text;
}
