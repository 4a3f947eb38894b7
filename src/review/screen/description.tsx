// Draws a description: the contract's owner, and the fields.
import { Text } from '@metamask/snaps-sdk/jsx';
import type { GenericSnapElement } from '@metamask/snaps-sdk/jsx';

import { hasAddress } from '../../eth/hex';
import type { Hex } from '../../eth/hex';
import { AddressField, drawLine, drawRows, drawText } from '../../ui/components';
import type { Translate } from '../../ui/i18n';
import { isDoubtful } from '../../ui/tokens';
import { listCalls } from '../effects';
import type { DescribedField, Description, Effect } from '../effects';

/**
 * Draws a description without its sentence. The calls in it are drawn separately.
 *
 * @param options.addresses - Addresses that other rows of the dialog show.
 * @param options.tokens - Tokens that other rows show. Fields still show their addresses.
 * @param options.amounts - Sent amounts as other rows show them. The first field that repeats such
 *   an amount is omitted.
 * @param options.isExact - Whether to show all digits of amounts, and the intent, as a collapsed
 *   section does.
 */
export function drawDescription(
  { intent, owner, fields, omitted, stated: all }: Description,
  translate: Translate,
  {
    addresses = [],
    tokens = [],
    amounts = [],
    isExact = false,
  }: {
    addresses?: readonly Hex[];
    tokens?: readonly Hex[];
    amounts?: readonly string[];
    isExact?: boolean;
  } = {},
): GenericSnapElement[] {
  const stated = all.filter(({ address }) => !hasAddress(tokens, address));
  const repeated = amounts.map((amount) =>
    fields.findIndex(({ value }) => 'text' in value && value.text === amount),
  );
  const symbols = stated.map(({ symbol }) => symbol).join(', ');
  const more = { count: omitted, title: translate('fields.all') };
  return [
    ...(isExact ? [drawLine(intent)] : []),
    ...drawRows(translate, [['field.contractBy', owner]]),
    ...fields
      .filter(({ value }, index) =>
        'address' in value
          ? !hasAddress(addresses, value.address)
          : !repeated.includes(index),
      )
      .map((each) => drawField(each, translate, isExact)),
    ...(omitted === 0 ? [] : [drawLine(translate('fields.more', more))]),
    ...stated
      .filter(({ symbol }) => isDoubtful(symbol))
      .map(({ address }): GenericSnapElement => (
        <AddressField label={translate('token.unverified')} address={address} />
      )),
    ...(stated.length === 0 ? [] : [drawNote(translate('token.stated', { symbols }))]),
  ];
}

/** Notes once per screen that descriptions are in English, if the user reads another language. */
export function drawEnglish(
  translate: Translate,
  effects: readonly Effect[],
  description?: Description,
): GenericSnapElement[] {
  const found = [description, ...listCalls(effects).map((call) => call.description)];
  if (translate.language === 'en' || found.every((each) => !each)) return [];
  return [drawNote(translate('description.english'))];
}

function drawNote(text: string): GenericSnapElement {
  return (
    <Text color="alternative" size="sm">
      {text}
    </Text>
  );
}

function drawField(
  { label, value }: DescribedField,
  translate: Translate,
  isExact: boolean,
): GenericSnapElement {
  if ('text' in value) {
    return drawText(label, (isExact && value.exact) || value.text);
  }
  if ('address' in value) {
    const { address, name, note } = value;
    return <AddressField label={label} address={address} stated={name ?? note} />;
  }
  // The call itself is shown below.
  const { from, to, data } = value.call;
  if (data === '0x') return drawText(label, translate('data.none'));
  return <AddressField label={label} address={to ?? from} />;
}
