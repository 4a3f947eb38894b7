// What a request sends and costs, as the first screen of a dialog shows it.
import { Row, Text } from '@metamask/snaps-sdk/jsx';
import type { RowElement } from '@metamask/snaps-sdk/jsx';

import { sum } from '../../eth/hex';
import { toShownPrice } from '../../fees/prices';
import type { CoinPrice } from '../../fees/prices';
import { toRoundedCoins, toShownDuration } from '../../ui/format';
import type { TextKey, Translate } from '../../ui/i18n';

/** How an amount in wei is written. */
export type Money = {
  translate: Translate;
  /** CAIP-2. */
  chain: string;
  /** What the chain's coin is worth, where that is known. */
  price?: CoinPrice | undefined;
};

/** Writes wei with six significant digits, and what they are worth: `1.25 ETH (≈ $4,321.00)`. */
export function writeWorth(wei: bigint, { translate, chain, price }: Money): string {
  const coins = toRoundedCoins(wei, translate, chain);
  return price ? `${coins} (${toShownPrice(wei, price, translate)})` : coins;
}

/** Draws an amount in wei; a hint says where its worth comes from. */
export function drawWorth(label: TextKey, wei: bigint, money: Money): RowElement {
  const { translate, price } = money;
  const age = price && toShownDuration(price.age, translate);
  return (
    <Row
      label={translate(label)}
      {...(age && {
        tooltip: translate('fee.sourceAge', { source: 'Chainlink', age }),
      })}
    >
      <Text>{writeWorth(wei, money)}</Text>
    </Row>
  );
}

/** Draws the coins that are sent, by one call or all of several; nothing of none. */
export function drawValue(values: readonly bigint[], money: Money): RowElement[] {
  const value = sum(values);
  if (value === 0n) return [];
  return [
    drawWorth(values.length > 1 ? 'field.totalValue' : 'field.value', value, money),
  ];
}

/** Which rows of the costs are left out. */
export type CostRows = {
  /** Whether the estimated changes show the value. */
  isValueDrawn: boolean;
  /** Whether another account pays the fee, so that there is no total. */
  isSponsored?: boolean;
};

/** Draws the value, the maximum network fee, and the total. */
export function drawMoney(
  values: readonly bigint[],
  fee: bigint,
  { isValueDrawn, isSponsored = false, ...money }: Money & CostRows,
): RowElement[] {
  const value = sum(values);
  return [
    ...(isValueDrawn ? [] : drawValue(values, money)),
    drawWorth('field.networkFee', fee, money),
    ...(value === 0n || isSponsored
      ? []
      : [drawWorth('field.maxCost', value + fee, money)]),
  ];
}
