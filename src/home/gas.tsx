// The gas market tab: a chart, prices, and the state of the servers behind them. It is first drawn
// from the public document, and then again with fresh data.
import {
  Box,
  CollapsibleSection,
  Heading,
  Image,
  Section,
  Skeleton,
  Text,
} from '@metamask/snaps-sdk/jsx';
import type {
  BoxElement,
  GenericSnapElement,
  SectionElement,
} from '@metamask/snaps-sdk/jsx';

import type { AppContext } from '../context';
import { findKnownChain, toCaip2, toChainId } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { computeTransferGas } from '../eth/intrinsic-gas';
import type { GasFork } from '../eth/intrinsic-gas';
import { toDecimal, weiToGwei } from '../eth/units';
import { ageOf } from '../fees/level';
import type { FeeLevels } from '../fees/level';
import { findBaseFees, findStoredLevels, refreshBaseFees } from '../fees/levels';
import type { PublicState, ServerAnswer } from '../state/public-state';
import { drawNotices, drawRows, Field, ifKnown } from '../ui/components';
import type { Notice } from '../ui/components';
import {
  toShownChain,
  COIN_DECIMALS,
  toRoundedFee,
  toShownDuration,
  toShownPercent,
  toShownRounded,
} from '../ui/format';
import { levelNames, writeSource } from '../ui/i18n';
import type { LevelName, TextKey, Translate } from '../ui/i18n';
import { ChainChoice } from './form';
import { drawGasChart } from './gas-chart';
import { chooseChain, toFailure } from './tab';
import type { HomePlace, Tab } from './tab';

export type GasMarket = ReturnType<typeof toMarket>;

export type GasView = Awaited<ReturnType<typeof loadData>> & {
  translate: Translate;
  notices: readonly Notice[];
};

const MAX_IN_USE = 20;

/** Age from which values are shown with their age. */
const OLD_MS = 30_000;

export const gasTab: Tab = {
  label: 'home.tab.gas',
  isLive: true,
  loadKnown: async (place, context) => {
    const chains = await listKnown(context);
    const data = await loadData({ chains, chain: choose(place, chains) }, context);
    return ({ translate }) => GasTab({ translate, ...data, notices: [] });
  },
  load: async (place, context) => {
    const chains = (await context.chains.list()).map(toCaip2);
    const chain = choose(place, chains);
    const { failure, ...fresh } =
      chain === undefined ? {} : await refresh(chain, context);
    const data = await loadData({ chains, chain, ...fresh }, context);
    return ({ translate }) => {
      const notices = failure === undefined ? [] : [toFailure(failure, translate)];
      return GasTab({ translate, ...data, notices });
    };
  },
  actions: { chain: chooseChain },
};

// Lists the chains with stored fees, newest first, without asking the wallet for its network.
async function listKnown(context: AppContext): Promise<string[]> {
  const { levels = {} } = await readPublic(context);
  return Object.entries(levels)
    .sort(([, one], [, other]) => other.at - one.at)
    .map(([chain]) => chain);
}

async function readPublic({ publicStore }: AppContext): Promise<Partial<PublicState>> {
  return publicStore.read().catch(() => ({}));
}

function choose({ chain }: HomePlace, chains: readonly string[]): string | undefined {
  return chain !== undefined && chains.includes(chain) ? chain : chains[0];
}

/** A chain's data that is not in the public document. `configured` is unknown while the wallet is
 * locked, for example. */
type Fresh = {
  configured?: Record<'gas' | 'node' | 'socket' | 'bundler' | 'paymaster', boolean>;
  fork?: GasFork;
  failure?: unknown;
};

async function refresh(scope: string, context: AppContext): Promise<Fresh> {
  const id = toChainId(scope);
  const row = await context.chains.row(id);
  const configured = {
    gas: row.gasBaseUrl !== undefined,
    node: row.rpcUrl !== undefined,
    socket: row.wsUrl !== undefined,
    bundler: row.bundlerUrl !== undefined,
    paymaster: row.paymasterUrl !== undefined,
  };
  try {
    const chain = await context.connect(id);
    const { publicStore: store, now } = context;
    const forkFound = context.findFork(chain);
    const [levels] = await Promise.allSettled([
      context.feeLevels(chain),
      // If this fails, the chart shows stored base fees or none, and the server's state shows the
      // reason.
      refreshBaseFees(chain, { store, now }),
    ]);
    const failure: unknown = levels.status === 'rejected' ? levels.reason : undefined;
    return { configured, fork: await forkFound, failure };
  } catch (failure) {
    return { configured, failure };
  }
}

async function loadData(
  place: { chains: readonly string[]; chain: string | undefined } & Fresh,
  context: AppContext,
) {
  const { chains, chain, fork = 'prague', configured } = place;
  const now = context.now();
  const { answers = {}, levels = {} } = await readPublic(context);
  const id = chain === undefined ? undefined : toChainId(chain);
  const inUse = Object.entries(levels)
    .filter(([each]) => chains.includes(each))
    .slice(0, MAX_IN_USE)
    .map(([each, { source, passedOver, at }]) => {
      return { chain: each, source, passedOver, ageMs: ageOf({ at }, now) };
    });
  return {
    chains,
    chain,
    market: id && (await findMarket(id, fork, context)),
    servers: { configured, inUse, now, ...(id && answers[toCaip2(id)]) },
  };
}

async function findMarket(
  id: ChainId,
  fork: GasFork,
  { publicStore, now }: AppContext,
) {
  const [seen, past] = await Promise.all([
    findStoredLevels(publicStore, id),
    findBaseFees(publicStore, id),
  ]);
  return seen && toMarket(seen.levels, past?.baseFees ?? [], { now: now(), fork });
}

function toMarket(
  { source, passedOver, at, estimatedBaseFee, market, ...levels }: FeeLevels,
  baseFees: readonly bigint[],
  { now, fork }: { now: number; fork: GasFork },
) {
  const hasBaseFee = source !== 'gas-price';
  return {
    ...market,
    levels,
    source,
    passedOver,
    ageMs: ageOf({ at }, now),
    baseFee: hasBaseFee ? estimatedBaseFee : undefined,
    /** Oldest block first; empty if unknown. */
    baseFees: hasBaseFee ? baseFees : [],
    transferGas: {
      exists: computeTransferGas(fork, 'exists'),
      created: computeTransferGas(fork, 'created'),
    },
  };
}

export function GasTab(view: GasView): BoxElement {
  const { translate, chains, chain, market, notices, servers } = view;
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
      <Box>
        {chains.length < 2 ? (
          <Field label={translate('field.chain')} value={toShownChain(chain)} />
        ) : (
          <ChainChoice name="home.gas.chain" {...view} value={chain} />
        )}
      </Box>
      {drawNotices(notices, translate)}
      {market ? (
        <Box>
          <Image
            src={drawGasChart({ translate, ...market })}
            alt={translate('gas.chart')}
          />
          {drawFigures(market, translate)}
          {drawLevels(market, { chain, translate })}
        </Box>
      ) : (
        <Box>
          <Skeleton height={160} width="100%" />
          <Text color="muted">{translate('gas.unknown')}</Text>
        </Box>
      )}
      {drawServers(servers, translate)}
    </Box>
  );
}

function drawFigures(market: GasMarket, translate: Translate): SectionElement {
  const { baseFee, congestion, baseFeeTrend, priorityFeeTrend, ageMs } = market;
  const age =
    ageMs < OLD_MS
      ? translate('gas.fresh')
      : translate('gas.asOf', { age: toShownDuration(ageMs, translate) });
  return (
    <Section>
      {drawRows(translate, [
        ['gas.baseFee', ifKnown(baseFee, (fee) => toRoundedFee(fee, translate))],
        ['gas.baseFeeTrend', baseFeeTrend && translate(`trend.${baseFeeTrend}`)],
        [
          'gas.priorityFeeTrend',
          priorityFeeTrend && translate(`trend.${priorityFeeTrend}`),
        ],
        [
          'gas.congestion',
          ifKnown(congestion, (part) => toShownPercent(part, translate)),
        ],
        ['gas.source', writeSource(market, translate)],
        ['gas.age', age],
      ])}
    </Section>
  );
}

// Draws a table with a column for each level. Labels are above their rows.
function drawLevels(
  { levels, baseFee, waits, transferGas }: GasMarket,
  { chain, translate }: { chain: string; translate: Translate },
): SectionElement {
  const { exists, created } = transferGas;
  const isPrice = baseFee === undefined;
  const gwei = translate('unit.gweiAlone');
  const coin = findKnownChain(chain)?.unit ?? translate('unit.native');
  const feeOf = (wei: bigint): string => toShownRounded(weiToGwei(wei), translate);
  const costOf =
    (gas: bigint) =>
    (name: LevelName): string =>
      toShownRounded(
        toDecimal(levels[name].maxFeePerGas * gas, COIN_DECIMALS),
        translate,
      );
  const row = (
    label: TextKey,
    unit: string,
    write: (name: LevelName) => string,
  ): GenericSnapElement => (
    <Box>
      <Text size="sm" color="alternative">
        {unit === '' ? translate(label) : `${translate(label)} (${unit})`}
      </Text>
      {drawColumns((name) => (
        <Text>{write(name)}</Text>
      ))}
    </Box>
  );
  return (
    <Section>
      {drawColumns((name) => (
        <Text fontWeight="bold">{translate(`level.${name}`)}</Text>
      ))}
      {row(isPrice ? 'field.gasPrice' : 'field.maxFee', gwei, (name) =>
        feeOf(levels[name].maxFeePerGas),
      )}
      {isPrice
        ? null
        : row('field.priorityFee', gwei, (name) =>
            feeOf(levels[name].maxPriorityFeePerGas),
          )}
      {waits
        ? row('gas.wait', '', (name) => toShownDuration(waits[name].max, translate))
        : null}
      {row('gas.transfer', coin, costOf(exists))}
      {created > exists ? row('gas.newAccount', coin, costOf(created)) : null}
    </Section>
  );
}

function drawColumns(
  draw: (name: LevelName) => GenericSnapElement,
): GenericSnapElement {
  return (
    <Box direction="horizontal" alignment="space-between">
      {levelNames.map(draw)}
    </Box>
  );
}

function drawServers(servers: GasView['servers'], translate: Translate): BoxElement {
  const { configured, gas, node, inUse, now } = servers;
  const word = (isThere: boolean): string =>
    translate(isThere ? 'server.configured' : 'server.notConfigured');
  const answerOf = (answer: ServerAnswer): string => toAnswer(answer, now, translate);
  return (
    <Box>
      {(configured ?? gas ?? node) ? (
        <Heading size="sm">{translate('server.title')}</Heading>
      ) : null}
      {configured ? (
        <Box>
          {drawRows(translate, [
            ['server.gas', word(configured.gas)],
            [
              'server.node',
              configured.node || configured.socket
                ? word(true)
                : translate('server.wallets'),
            ],
            ['server.socket', word(configured.socket)],
            ['server.bundler', word(configured.bundler)],
            ['server.paymaster', word(configured.paymaster)],
          ])}
        </Box>
      ) : null}
      {drawRows(translate, [
        ['server.gasAnswer', ifKnown(gas, answerOf)],
        ['server.nodeAnswer', ifKnown(node, answerOf)],
      ])}
      {inUse.length > 0 ? (
        <Box>
          <CollapsibleSection label={translate('server.inUse')}>
            {inUse.map((fees) => (
              <Field
                label={toShownChain(fees.chain)}
                value={translate('server.sourceAge', {
                  source: writeSource(fees, translate),
                  age: toShownDuration(fees.ageMs, translate),
                })}
              />
            ))}
          </CollapsibleSection>
        </Box>
      ) : null}
    </Box>
  );
}

function toAnswer(
  { kind, at, retryAt = 0 }: ServerAnswer,
  now: number,
  translate: Translate,
): string {
  const age = toShownDuration(Math.max(0, now - at), translate);
  const words = translate(`server.${kind}`, { age });
  if (retryAt <= now) return words;
  const wait = toShownDuration(retryAt - now, translate);
  return translate('server.retry', { text: words, wait });
}
