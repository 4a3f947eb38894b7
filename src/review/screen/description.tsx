// Draws a description: that it is in English, whose contract it is, and the fields.
import { Text } from '@metamask/snaps-sdk/jsx';
import type {
  GenericSnapElement,
  RowElement,
  TextElement,
} from '@metamask/snaps-sdk/jsx';

import { isSameAddress } from '../../eth/hex';
import type { Hex } from '../../eth/hex';
import { AddressField, drawText, Field } from '../../ui/components';
import { toShownCount } from '../../ui/format';
import type { Translate } from '../../ui/i18n';
import { isFamous } from '../../ui/tokens';
import { listCalls } from '../effects';
import type { DescribedField, Description, Effect } from '../effects';

/** Draws a description without its intent and sentence. The calls in it are drawn separately.
 *
 * @param shown - Addresses that other rows of the dialog show.
 */
export function drawDescription(
  { owner, fields, omitted, stated: all }: Description,
  translate: Translate,
  shown: readonly Hex[] = [],
): (GenericSnapElement | null)[] {
  const isShown = (address: Hex): boolean =>
    shown.some((each) => isSameAddress(each, address));
  const stated = all.filter(({ address }) => !isShown(address));
  const symbols = stated.map(({ symbol }) => symbol).join(', ');
  const more = {
    count: toShownCount(omitted, translate),
    title: translate('fields.all'),
  };
  return [
    owner === undefined ? null : (
      <Field label={translate('field.contractBy')} value={owner} />
    ),
    ...fields
      .filter(({ value }) => !('address' in value && isShown(value.address)))
      .map((each) => drawField(each, translate)),
    omitted === 0 ? null : <Text>{translate('fields.more', more)}</Text>,
    ...stated
      .filter(({ symbol }) => isFamous(symbol))
      .map(({ address }): RowElement => (
        <AddressField label={translate('token.unverified')} address={address} />
      )),
    stated.length === 0 ? null : (
      <Text color="alternative" size="sm">
        {translate('token.stated', { symbols })}
      </Text>
    ),
  ];
}

/** Says, once on a screen, that descriptions are in English, where the user reads another language.
 *
 * @param effects - All calls of the screen.
 * @param description - That of a document.
 */
export function drawEnglish(
  translate: Translate,
  effects: readonly Effect[],
  description?: Description,
): TextElement[] {
  const found = [description, ...listCalls(effects).map((call) => call.description)];
  if (translate.language === 'en' || found.every((each) => !each)) return [];
  return [
    <Text color="alternative" size="sm">
      {translate('description.english')}
    </Text>,
  ];
}

function drawField(
  { label, value }: DescribedField,
  translate: Translate,
): GenericSnapElement {
  if ('text' in value) return drawText(label, value.text);
  // The call itself is shown below.
  if ('call' in value && value.call.data === '0x') {
    return drawText(label, translate('data.none'));
  }
  const { address, name } =
    'call' in value
      ? { address: value.call.to ?? value.call.from, name: undefined }
      : value;
  return (
    <AddressField
      label={name === undefined ? label : `${label} (${name})`}
      address={address}
    />
  );
}
