// Draws a description: whose contract it is, and the fields.
import { Address, Box, Divider, Row, Text } from '@metamask/snaps-sdk/jsx';
import type { BoxElement, GenericSnapElement } from '@metamask/snaps-sdk/jsx';

import { drawText, Field } from '../ui/components';
import { toShownCount } from '../ui/format';
import type { Translate } from '../ui/i18n';
import type { DecodedCall, DescribedField, Description } from './call';

/** Draws a description without its intent and sentence. `drawCall` draws a call in it. */
export function drawDescription(
  { owner, fields, omitted, stated }: Description,
  translate: Translate,
  drawCall: (call: DecodedCall) => BoxElement,
): (GenericSnapElement | null)[] {
  const symbols = stated.map(({ symbol }) => symbol).join(', ');
  const more = {
    count: toShownCount(omitted, translate),
    title: translate('fields.all'),
  };
  return [
    owner === undefined ? null : (
      <Field label={translate('field.contractBy')} value={owner} />
    ),
    ...fields.map((field) => drawField(field, drawCall)),
    omitted === 0 ? null : <Text>{translate('fields.more', more)}</Text>,
    stated.length === 0 ? null : (
      <Text color="alternative" size="sm">
        {translate('token.stated', { symbols })}
      </Text>
    ),
  ];
}

function drawField(
  { label, value }: DescribedField,
  drawCall: (call: DecodedCall) => BoxElement,
): GenericSnapElement {
  if ('text' in value) return drawText(label, value.text);
  if ('call' in value) {
    return (
      <Box>
        <Divider />
        <Row label={label}>
          <Address address={value.call.to ?? value.call.from} />
        </Row>
        {drawCall(value.call)}
        <Divider />
      </Box>
    );
  }
  const { address, name } = value;
  return (
    <Row label={name === undefined ? label : `${label} (${name})`}>
      <Address address={address} />
    </Row>
  );
}
