// What a request sends and costs, as the first screen of a dialog shows it.
import { Row, Text } from '@metamask/snaps-sdk/jsx';
import type { RowElement } from '@metamask/snaps-sdk/jsx';

import { sum } from '../../eth/hex';
import { toShownPrice } from '../../fees/prices';
import type { CoinPrice } from '../../fees/prices';
import { Field } from '../../ui/components';
import { toRoundedCoins, toShownCoins } from '../../ui/format';
import type { Translate } from '../../ui/i18n';

/** A network fee. */
export type NetworkFee = {
  translate: Translate;
  /** CAIP-2. */
  chain: string;
  /** Wei, at most. */
  fee: bigint;
  price?: CoinPrice | undefined;
};

/** Draws the coins that are sent, by one call or all of several; nothing of none. */
export function drawValue(
  values: readonly bigint[],
  translate: Translate,
  chain: string,
): RowElement[] {
  const value = sum(values);
  if (value === 0n) return [];
  const label = translate(values.length > 1 ? 'field.totalValue' : 'field.value');
  return [<Field label={label} value={toShownCoins(value, translate, chain)} />];
}

/** Draws what a fee is at most, rounded, and what that is worth where it is known. */
export function drawNetworkFee({
  translate,
  chain,
  fee,
  price,
}: NetworkFee): RowElement[] {
  return [
    <Field
      label={translate('field.networkFee')}
      value={toRoundedCoins(fee, translate, chain)}
    />,
    ...(price ? [drawPrice(fee, price, translate)] : []),
  ];
}

/** Draws what an amount in wei is worth. */
export function drawPrice(
  fee: bigint,
  price: CoinPrice,
  translate: Translate,
): RowElement {
  return (
    <Row label={translate('field.dollars')} tooltip="Chainlink">
      <Text>{toShownPrice(fee, price, translate)}</Text>
    </Row>
  );
}
