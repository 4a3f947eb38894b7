// The gas market of a chain: a picture, figures, and how the servers that tell them are.
import {
  Box,
  Dropdown,
  Field as FormField,
  Heading,
  Image,
  Option,
  Section,
  Skeleton,
  Text,
} from '@metamask/snaps-sdk/jsx';
import type { BoxElement, SectionElement } from '@metamask/snaps-sdk/jsx';

import { Field } from '../components/Field';
import { drawNotices } from '../components/Notices';
import { toShownChain, toShownDuration, toShownFee, toShownPercent } from '../format';
import type { TextKey, Translate } from '../i18n';
import { trendKeys, writeSource } from '../market-words';
import type { ShownSource, Trend } from '../market-words';
import type { Notice } from '../notice';
import { drawGasChart } from './gas-chart';
import { GasLevels } from './gas-levels';
import type { GasLevelsView } from './gas-levels';
import { Servers } from './servers';
import type { ServersView } from './servers';

/** Figures older than this are said to be old, in ms. */
const OLD_MS = 30_000;

/** What is known of a chain's fees. */
export type GasMarket = Pick<GasLevelsView, 'levels' | 'baseFee' | 'waits'> &
  ShownSource & {
    ageMs: number;
    /** From the oldest block on, in wei; empty if they are not known. */
    baseFees: readonly bigint[];
    /** From 0 to 1. */
    congestion?: number | undefined;
    baseFeeTrend?: Trend | undefined;
    priorityFeeTrend?: Trend | undefined;
  };

/** The tab. */
export type GasView = {
  translate: Translate;
  /** CAIP-2 ids of the chains to choose from. */
  chains: readonly string[];
  /** The chain that is shown; undefined if there is none. */
  chain?: string | undefined;
  /** Undefined if nothing is known yet. */
  market?: GasMarket | undefined;
  notices: readonly Notice[];
  servers: Omit<ServersView, 'translate'>;
};

/** Draw the tab. */
export function GasTab(view: GasView): BoxElement {
  const { translate, chain, market, notices, servers } = view;
  if (chain === undefined) {
    return (
      <Box>
        <Heading>{translate('gas.title')}</Heading>
        {drawNotices(notices, translate)}
        <Text>{translate('gas.noChain')}</Text>
      </Box>
    );
  }
  return (
    <Box>
      <Heading>{translate('gas.title')}</Heading>
      {drawChains(view)}
      {drawNotices(notices, translate)}
      {market ? drawMarket(market, chain, translate) : drawNothing(translate)}
      <Servers translate={translate} {...servers} />
    </Box>
  );
}

function drawChains({ translate, chains, chain = '' }: GasView): BoxElement {
  if (chains.length < 2) {
    return (
      <Box>
        <Field
          label={translate('field.chain')}
          value={toShownChain(chain, translate)}
        />
      </Box>
    );
  }
  return (
    <Box>
      <FormField label={translate('field.chain')}>
        <Dropdown name="home.gas.chain" value={chain}>
          {chains.map((each) => (
            <Option value={each}>{toShownChain(each, translate)}</Option>
          ))}
        </Dropdown>
      </FormField>
    </Box>
  );
}

function drawNothing(translate: Translate): BoxElement {
  return (
    <Box>
      <Skeleton height={160} width="100%" />
      <Text color="muted">{translate('gas.unknown')}</Text>
    </Box>
  );
}

function drawMarket(
  market: GasMarket,
  chain: string,
  translate: Translate,
): BoxElement {
  const { levels, baseFees, congestion } = market;
  const maxima = {
    low: levels.low.maxFeePerGas,
    medium: levels.medium.maxFeePerGas,
    high: levels.high.maxFeePerGas,
  };
  const picture = drawGasChart({ translate, baseFees, levels: maxima, congestion });
  return (
    <Box>
      <Image src={picture} alt={translate('gas.chart')} />
      {drawFigures(market, translate)}
      <GasLevels translate={translate} chain={chain} {...market} />
    </Box>
  );
}

function drawFigures(market: GasMarket, translate: Translate): SectionElement {
  const { baseFee, congestion, baseFeeTrend, priorityFeeTrend } = market;
  const rows: [TextKey, string | undefined][] = [
    ['gas.baseFee', baseFee === undefined ? undefined : toShownFee(baseFee, translate)],
    ['gas.baseFeeTrend', baseFeeTrend && translate(trendKeys[baseFeeTrend])],
    [
      'gas.priorityFeeTrend',
      priorityFeeTrend && translate(trendKeys[priorityFeeTrend]),
    ],
    [
      'gas.congestion',
      congestion === undefined ? undefined : toShownPercent(congestion, translate),
    ],
    ['gas.source', writeSource(market, translate)],
    ['gas.age', toAge(market.ageMs, translate)],
  ];
  return (
    <Section>
      {rows.map(([key, value]) =>
        value === undefined ? null : <Field label={translate(key)} value={value} />,
      )}
    </Section>
  );
}

function toAge(ageMs: number, translate: Translate): string {
  if (ageMs < OLD_MS) return translate('gas.fresh');
  return translate('gas.asOf', { age: toShownDuration(ageMs, translate) });
}
