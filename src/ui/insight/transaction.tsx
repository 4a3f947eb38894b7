// What stands beside a transaction in the wallet's own confirmation: what deserves a second
// look, and its fees beside the market's.
import { Box, Section } from '@metamask/snaps-sdk/jsx';
import type {
  GenericSnapElement,
  JSXElement,
  RowElement,
} from '@metamask/snaps-sdk/jsx';

import { Field } from '../components/Field';
import { drawNotices } from '../components/Notices';
import {
  toShownCoins,
  toShownDecimal,
  toShownDuration,
  toShownPercent,
} from '../format';
import type { TextKey, Translate } from '../i18n';
import { levelKeys, trendKeys } from '../market-words';
import type { LevelName, Trend } from '../market-words';
import type { Notice } from '../notice';

/** How a transaction's fees stand beside the market. */
export type FeeInsight = {
  /** The highest level that they reach. */
  level: LevelName | undefined;
  isBelowBaseFee: boolean;
  /** How many times the high level they are, in tenths. */
  tenthsOfHigh: bigint;
  /** What the gas costs at most at the medium level, in wei, where the gas is known. */
  mediumCost: bigint | undefined;
  /** Time until inclusion there, in ms. */
  mediumWait: number | undefined;
  /** From 0, empty, to 1. */
  congestion: number | undefined;
  baseFeeTrend: Trend | undefined;
};

/** What is known of a transaction. */
export type TransactionInsight = {
  translate: Translate;
  /** CAIP-2. */
  chain: string;
  notices: readonly Notice[];
  fees: FeeInsight | undefined;
};

/** Fees from this many tenths of the high level on are told as a multiple of it. */
const MULTIPLE = 15n;

/** Draw what is known of a transaction. */
export function TransactionInsightView(view: TransactionInsight): JSXElement {
  const { translate, notices, fees, chain } = view;
  return (
    <Box>
      {drawNotices(notices, translate)}
      {fees ? drawFees(fees, chain, translate) : null}
    </Box>
  );
}

function drawFees(
  fees: FeeInsight,
  chain: string,
  translate: Translate,
): GenericSnapElement {
  return (
    <Section>
      <Field label={translate('insight.fee')} value={writeFee(fees, translate)} />
      {drawMedium(fees, chain, translate)}
      {drawMarket(fees, translate)}
    </Section>
  );
}

function writeFee(fees: FeeInsight, translate: Translate): string {
  const { level, isBelowBaseFee, tenthsOfHigh } = fees;
  if (isBelowBaseFee) return translate('insight.fee.belowBase');
  if (level === undefined) return translate('insight.fee.below');
  if (tenthsOfHigh < MULTIPLE) {
    return translate('insight.fee.at', { level: translate(levelKeys[level]) });
  }
  const times = `${tenthsOfHigh / 10n}.${tenthsOfHigh % 10n}`;
  return translate('insight.fee.above', { times: toShownDecimal(times, translate) });
}

function drawMedium(
  { mediumCost, mediumWait }: FeeInsight,
  chain: string,
  translate: Translate,
): RowElement | null {
  if (mediumCost === undefined) return null;
  const cost = toShownCoins(mediumCost, translate, chain);
  const value =
    mediumWait === undefined
      ? translate('insight.medium.cost', { cost })
      : translate('insight.medium.wait', {
          cost,
          wait: toShownDuration(mediumWait, translate),
        });
  return <Field label={translate('insight.medium')} value={value} />;
}

function drawMarket(
  { congestion, baseFeeTrend }: FeeInsight,
  translate: Translate,
): RowElement[] {
  const rows: [TextKey, string | undefined][] = [
    ['insight.trend', baseFeeTrend && translate(trendKeys[baseFeeTrend])],
    [
      'insight.congestion',
      congestion === undefined ? undefined : toShownPercent(congestion, translate),
    ],
  ];
  return rows.flatMap(([label, value]) =>
    value === undefined ? [] : [<Field label={translate(label)} value={value} />],
  );
}
