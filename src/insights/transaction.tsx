// onTransaction: what is said beside any transaction in the wallet's own confirmation: what
// deserves a second look, and its fees beside the market's. It is asked once, when the
// transaction is added. Whatever fails, it is silent: nobody's transaction waits for it, and no
// news is not bad news.
import { SeverityLevel } from '@metamask/snaps-sdk';
import type { OnTransactionResponse } from '@metamask/snaps-sdk';
import { Box, Section } from '@metamask/snaps-sdk/jsx';
import type {
  GenericSnapElement,
  JSXElement,
  RowElement,
} from '@metamask/snaps-sdk/jsx';

import { decodeContent } from '../calldata/decoded-call';
import type { DecodedCall } from '../calldata/decoded-call';
import { withTimeLimit } from '../client/abort';
import type { AppContext } from '../context';
import { ChainIdStruct, toCaip2 } from '../eth/chain';
import { findInsightTransaction } from '../eth/insight-transaction';
import type { InsightTransaction } from '../eth/insight-transaction';
import { findFeeWarnings } from '../fees/guard-rails';
import { compareFees } from '../fees/level';
import type { FeeLevels } from '../fees/level';
import { parse } from '../schema/parse';
import type { LevelName } from '../state/public-state';
import { warnOfRival } from '../transaction/prepare';
import type { Rival } from '../transaction/prepare';
import { Field, drawNotices } from '../ui/components';
import {
  toShownCoins,
  toShownDecimal,
  toShownDuration,
  toShownPercent,
} from '../ui/format';
import type { TextKey, Translate } from '../ui/i18n';
import { info, printWarnings } from '../ui/warnings';
import type { Warning } from '../ui/warnings';
import { levelKeys, trendKeys } from '../ui/words';
import type { Trend } from '../ui/words';
import { findAllowanceWarnings } from '../warnings/context';
import { findLookAlikes } from '../warnings/look-alikes';

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
  warnings: readonly Warning[];
  fees: FeeInsight | undefined;
};

/** Fees from this many tenths of the high level on are told as a multiple of it. */
const MULTIPLE = 15n;

/** The wallet's own confirmation is open meanwhile. */
const TIME_LIMIT_MS = 5_000;

/** Tells what is known of a transaction; null if there is nothing to tell. */
export async function handleTransaction(
  { transaction: shown, chainId: chain }: { transaction: unknown; chainId: string },
  context: AppContext,
): Promise<OnTransactionResponse | null> {
  const transaction = findInsightTransaction(shown);
  if (!transaction) return null;
  try {
    const call = decodeContent(transaction);
    const [levels, allowances, known, rival, translate] = await Promise.all([
      findLevels(chain, context),
      findAllowances(call, chain, context),
      context.knownAddresses(),
      findRival(transaction, chain, context),
      context.loadTranslate(),
    ]);
    const { fees, to } = transaction;
    const warnings = [
      ...call.warnings,
      ...allowances,
      ...findLookAlikes(call.addresses, known.all),
      ...(rival ? [warnOfRival(rival)] : []),
      ...(fees && levels ? findFeeWarnings(fees.maxFeePerGas, levels) : []),
      ...(to === null ? [info('insight.creation')] : []),
    ];
    const feeInsight = levels && toFeeInsight(transaction, levels);
    if (!feeInsight && warnings.length === 0) return null;
    const content = TransactionInsightView({
      translate,
      chain,
      warnings,
      fees: feeInsight,
    });
    const isCritical = warnings.some(({ severity }) => severity === 'danger');
    return { content, ...(isCritical ? { severity: SeverityLevel.Critical } : {}) };
  } catch {
    return null;
  }
}

/** Draws what is known of a transaction. */
export function TransactionInsightView(view: TransactionInsight): JSXElement {
  const { translate, warnings, fees, chain } = view;
  return (
    <Box>
      {drawNotices(printWarnings(warnings, translate, chain), translate)}
      {fees ? drawFees(fees, chain, translate) : null}
    </Box>
  );
}

async function findLevels(
  chain: string,
  { chains, feeLevels }: AppContext,
): Promise<FeeLevels | undefined> {
  try {
    const chainId = parse(chain, ChainIdStruct, 'chainId');
    const fetch = async (): Promise<FeeLevels> =>
      feeLevels(await chains.connect(chainId));
    return await withTimeLimit(fetch, TIME_LIMIT_MS);
  } catch {
    return undefined;
  }
}

async function findAllowances(
  call: DecodedCall,
  chain: string,
  { chains }: AppContext,
): Promise<Warning[]> {
  try {
    const { node } = await chains.connect(parse(chain, ChainIdStruct, 'chainId'));
    const found = await findAllowanceWarnings([call], node);
    return found.map((each) => each.warning);
  } catch {
    return [];
  }
}

// The wallet chooses most nonces only when the transaction is confirmed.
async function findRival(
  { from, nonce }: InsightTransaction,
  chain: string,
  { ledger }: AppContext,
): Promise<Rival | undefined> {
  if (nonce === undefined) return undefined;
  const chainId = parse(chain, ChainIdStruct, 'chainId');
  return ledger.findRival({ chain: toCaip2(chainId), from }, nonce);
}

function toFeeInsight(
  { fees, gasLimit }: InsightTransaction,
  levels: FeeLevels,
): FeeInsight | undefined {
  if (!fees) return undefined;
  const { market, medium } = levels;
  return {
    ...compareFees(fees, levels),
    mediumCost: gasLimit === undefined ? undefined : gasLimit * medium.maxFeePerGas,
    mediumWait: market?.waits.medium.max,
    congestion: market?.congestion,
    baseFeeTrend: market?.baseFeeTrend,
  };
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
