// The tab of the gas market: a picture, figures, and how the servers that tell them are. It is
// first drawn from what is kept in the clear; then the servers are asked.
import {
  Bold,
  Box,
  CollapsibleSection,
  Heading,
  Image,
  Section,
  Skeleton,
  Text,
} from '@metamask/snaps-sdk/jsx';
import type { BoxElement, SectionElement } from '@metamask/snaps-sdk/jsx';

import type { AppContext } from '../context';
import { UnavailableError } from '../errors';
import { ChainIdStruct, toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { computeTransferGas } from '../eth/intrinsic-gas';
import type { GasFork } from '../eth/intrinsic-gas';
import { ageOf } from '../fees/level';
import type { FeeLevels } from '../fees/level';
import { findBaseFees, findSeenLevels, refreshBaseFees } from '../fees/levels';
import { matches, parse } from '../schema/parse';
import { ScopeStruct } from '../state/account-record';
import { levelNames } from '../state/public-state';
import type { LevelName, PublicState, ServerAnswer } from '../state/public-state';
import { drawNotices, Field } from '../ui/components';
import type { Notice } from '../ui/components';
import {
  toShownChain,
  toRoundedCoins,
  toShownDuration,
  toRoundedFee,
  toShownPercent,
} from '../ui/format';
import type { TextKey, Translate } from '../ui/i18n';
import { levelKeys, trendKeys, writeSource } from '../ui/words';
import type { ShownSource, Trend } from '../ui/words';
import { ChainChoice } from './form';
import { drawGasChart } from './gas-chart';
import { startOf, toFailure } from './tab';
import type { HomePlace, Tab } from './tab';

/** What is known of a chain's fees, in wei. */
export type GasMarket = ShownSource & {
  levels: Record<LevelName, { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }>;
  /** Undefined on a chain that has a gas price instead. */
  baseFee: bigint | undefined;
  /** From the oldest block on; empty if they are not known. */
  baseFees: readonly bigint[];
  /** Time until inclusion in ms, where the source tells. */
  waits: Record<LevelName, { min: number; max: number }> | undefined;
  ageMs: number;
  /** Gas of a transfer to an account that exists, and to one that it creates. */
  transferGas: Record<'exists' | 'created', bigint>;
  /** From 0 to 1. */
  congestion?: number | undefined;
  baseFeeTrend?: Trend | undefined;
  priorityFeeTrend?: Trend | undefined;
};

/** The servers that tell fees. */
export type GasServers = {
  /** Which are configured; undefined where it cannot be told, such as while the wallet is
   * locked. */
  configured?: Record<'gas' | 'node' | 'socket' | 'bundler' | 'paymaster', boolean>;
  /** How each answered last. */
  gas?: ServerAnswer | undefined;
  node?: ServerAnswer | undefined;
  /** Where the fees of all chains came from, and how old they are. */
  inUse: readonly (ShownSource & { chain: string; ageMs: number })[];
  /** In ms since 1970. */
  now: number;
};

/** What loading a chain's market needs. */
export type MarketContext = Pick<
  AppContext,
  'now' | 'publicStore' | 'connect' | 'feeLevels' | 'findFork'
>;

type GasData = {
  /** CAIP-2 ids of the chains to choose from. */
  chains: readonly string[];
  /** The chain that is shown; undefined if there is none. */
  chain?: string | undefined;
  /** Undefined if nothing is known yet. */
  market?: GasMarket | undefined;
  servers: GasServers;
};

/** The tab. */
export type GasView = GasData & { translate: Translate; notices: readonly Notice[] };

/** Most chains whose source is listed. */
const MAX_IN_USE = 20;

/** Figures older than this are said to be old, in ms. */
const OLD_MS = 30_000;

const answerKeys: Record<ServerAnswer['kind'], TextKey> = {
  ok: 'server.ok',
  limited: 'server.limited',
  quota: 'server.quota',
  denied: 'server.denied',
  unreachable: 'server.unreachable',
  failed: 'server.failed',
};

/** The gas market. */
export const gasTab: Tab = {
  label: 'home.tab.gas',
  isLive: true,
  loadKnown: async (place, context) => {
    const chains = await listKnown(context);
    const data = await loadData({ chain: choose(place, chains) }, chains, context);
    return ({ translate }) => GasTab({ translate, ...data, notices: [] });
  },
  load: async (place, context) => {
    const chains = (await context.chains.list()).map((id) => toCaip2(id));
    const chain = choose(place, chains);
    if (chain === undefined) {
      const data = await loadData({ chain }, chains, context);
      return ({ translate }) => GasTab({ translate, ...data, notices: [] });
    }
    const id = parse(chain, ChainIdStruct, 'chain');
    const { failure, fork } = await refreshMarket(id, context);
    const data = await loadData({ chain, fork }, chains, context);
    const row = await context.chains.row(id);
    const configured = {
      gas: row.gasBaseUrl !== undefined,
      node: row.rpcUrl !== undefined,
      socket: row.wsUrl !== undefined,
      bundler: row.bundlerUrl !== undefined,
      paymaster: row.paymasterUrl !== undefined,
    };
    const servers = { ...data.servers, configured };
    return ({ translate }) => {
      const notices = failure === undefined ? [] : [toFailure(failure, translate)];
      return GasTab({ translate, ...data, servers, notices });
    };
  },
  actions: {
    chain: ({ values: { value } }, place) =>
      matches(value, ScopeStruct)
        ? { ...startOf('gas', place.touchedAt), chain: value }
        : place,
  },
};

// Those that were seen before, the newest first: the wallet is not asked which is its own.
async function listKnown(context: AppContext): Promise<string[]> {
  const { levels = {} } = await readPublic(context);
  return Object.entries(levels)
    .sort(([, one], [, other]) => other.at - one.at)
    .map(([chain]) => chain);
}

async function readPublic({
  publicStore,
}: MarketContext): Promise<Partial<PublicState>> {
  return publicStore.read().catch(() => ({}));
}

function choose({ chain }: HomePlace, chains: readonly string[]): string | undefined {
  return chain !== undefined && chains.includes(chain) ? chain : chains[0];
}

/** What was found out of a chain's market beside what is kept: its rules of gas, and what went
 * wrong. */
export type MarketRefresh = { fork?: GasFork; failure?: unknown };

/** Asks the chain's servers, and keeps what they tell of fees. Never fails. */
export async function refreshMarket(
  id: ChainId,
  context: MarketContext,
): Promise<MarketRefresh> {
  try {
    const chain = await context.connect(id);
    const { publicStore: store, now } = context;
    const forkFound = context.findFork(chain);
    const [levels] = await Promise.allSettled([
      context.feeLevels(chain),
      // Without them the picture has no past; what is wrong is told of the server.
      refreshBaseFees(chain, { store, now }),
    ]);
    const fork = await forkFound;
    return levels.status === 'rejected' ? { fork, failure: levels.reason } : { fork };
  } catch (error) {
    const failure = error ?? new UnavailableError('The network cannot be reached.');
    return { failure };
  }
}

async function loadData(
  { chain, fork }: { chain: string | undefined; fork?: GasFork | undefined },
  chains: readonly string[],
  context: AppContext,
): Promise<GasData> {
  const { now } = context;
  const { answers = {}, levels = {} } = await readPublic(context);
  const inUse = Object.entries(levels)
    .filter(([each]) => chains.includes(each))
    .slice(0, MAX_IN_USE)
    .map(([each, { source, passedOver, at }]) => ({
      chain: each,
      source,
      passedOver,
      ageMs: ageOf({ at }, now()),
    }));
  const servers = { inUse, now: now() };
  if (chain === undefined) return { chains, servers };
  const id = parse(chain, ChainIdStruct, 'chain');
  const market = await findMarket(id, context, fork);
  return { chains, chain, market, servers: { ...servers, ...answers[toCaip2(id)] } };
}

/** Finds a chain's market as it was last seen. */
export async function findMarket(
  id: ChainId,
  { publicStore, now }: MarketContext,
  fork: GasFork = 'prague',
): Promise<GasMarket | undefined> {
  const [seen, past] = await Promise.all([
    findSeenLevels(publicStore, id),
    findBaseFees(publicStore, id),
  ]);
  return seen && toMarket(seen.levels, past?.baseFees ?? [], { now: now(), fork });
}

function toMarket(
  levels: FeeLevels,
  baseFees: readonly bigint[],
  { now, fork }: { now: number; fork: GasFork },
): GasMarket {
  const { source, passedOver, estimatedBaseFee, market, low, medium, high } = levels;
  return {
    levels: { low, medium, high },
    baseFee: source === 'gas-price' ? undefined : estimatedBaseFee,
    baseFees: source === 'gas-price' ? [] : baseFees,
    source,
    passedOver,
    ageMs: ageOf(levels, now),
    transferGas: {
      exists: computeTransferGas(fork, 'exists'),
      created: computeTransferGas(fork, 'created'),
    },
    waits: market?.waits,
    congestion: market?.congestion,
    baseFeeTrend: market?.baseFeeTrend,
    priorityFeeTrend: market?.priorityFeeTrend,
  };
}

/** Draws the tab. */
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
          <ChainChoice
            translate={translate}
            name="home.gas.chain"
            chains={chains}
            value={chain}
          />
        )}
      </Box>
      {drawNotices(notices, translate)}
      {market ? (
        drawMarket(market, chain, translate)
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
      <Box>
        {levelNames.map((name) => (
          <Level name={name} market={market} chain={chain} translate={translate} />
        ))}
      </Box>
    </Box>
  );
}

function drawFigures(market: GasMarket, translate: Translate): SectionElement {
  const { baseFee, congestion, baseFeeTrend, priorityFeeTrend, ageMs } = market;
  const rows: [TextKey, string | undefined][] = [
    [
      'gas.baseFee',
      baseFee === undefined ? undefined : toRoundedFee(baseFee, translate),
    ],
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
    [
      'gas.age',
      ageMs < OLD_MS
        ? translate('gas.fresh')
        : translate('gas.asOf', { age: toShownDuration(ageMs, translate) }),
    ],
  ];
  return (
    <Section>
      {rows.map(([key, value]) =>
        value === undefined ? null : <Field label={translate(key)} value={value} />,
      )}
    </Section>
  );
}

// What a transaction offers at most, what it leaves to whoever includes it, how long it waits,
// and what a plain transfer costs.
function Level({
  name,
  market: { levels, baseFee, waits, transferGas },
  chain,
  translate,
}: {
  name: LevelName;
  market: GasMarket;
  chain: string;
  translate: Translate;
}): SectionElement {
  const { maxFeePerGas, maxPriorityFeePerGas } = levels[name];
  const wait = waits?.[name];
  const costOf = (gas: bigint): string =>
    toRoundedCoins(maxFeePerGas * gas, translate, chain);
  const isPrice = baseFee === undefined;
  return (
    <Section>
      <Text>
        <Bold>{translate(levelKeys[name])}</Bold>
      </Text>
      <Field
        label={translate(isPrice ? 'field.gasPrice' : 'field.maxFee')}
        value={toRoundedFee(maxFeePerGas, translate)}
      />
      {isPrice ? null : (
        <Field
          label={translate('field.priorityFee')}
          value={toRoundedFee(maxPriorityFeePerGas, translate)}
        />
      )}
      {wait ? (
        <Field label={translate('gas.wait')} value={toWait(wait, translate)} />
      ) : null}
      <Field label={translate('gas.transfer')} value={costOf(transferGas.exists)} />
      {transferGas.created > transferGas.exists ? (
        <Field
          label={translate('gas.newAccount')}
          value={costOf(transferGas.created)}
        />
      ) : null}
    </Section>
  );
}

function toWait(
  { min, max }: { min: number; max: number },
  translate: Translate,
): string {
  const longest = toShownDuration(max, translate);
  if (min === max) return longest;
  return translate('gas.waitRange', {
    min: toShownDuration(min, translate),
    max: longest,
  });
}

function drawServers(servers: GasServers, translate: Translate): BoxElement {
  const { configured, gas, node, inUse, now } = servers;
  const isKnown = configured !== undefined || gas !== undefined || node !== undefined;
  return (
    <Box>
      {isKnown ? <Heading size="sm">{translate('server.title')}</Heading> : null}
      {configured ? drawConfigured(configured, translate) : null}
      {gas ? (
        <Field
          label={translate('server.gasAnswer')}
          value={toAnswer(gas, now, translate)}
        />
      ) : null}
      {node ? (
        <Field
          label={translate('server.nodeAnswer')}
          value={toAnswer(node, now, translate)}
        />
      ) : null}
      {inUse.length > 0 ? drawInUse(inUse, translate) : null}
    </Box>
  );
}

function drawConfigured(
  { gas, node, socket, bundler, paymaster }: NonNullable<GasServers['configured']>,
  translate: Translate,
): BoxElement {
  const word = (isThere: boolean): string =>
    translate(isThere ? 'server.configured' : 'server.notConfigured');
  return (
    <Box>
      <Field label={translate('server.gas')} value={word(gas)} />
      <Field
        label={translate('server.node')}
        value={translate(node || socket ? 'server.configured' : 'server.wallets')}
      />
      <Field label={translate('server.socket')} value={word(socket)} />
      <Field label={translate('server.bundler')} value={word(bundler)} />
      <Field label={translate('server.paymaster')} value={word(paymaster)} />
    </Box>
  );
}

function toAnswer(
  { kind, at, retryAt = 0 }: ServerAnswer,
  now: number,
  translate: Translate,
): string {
  const age = toShownDuration(Math.max(0, now - at), translate);
  const words = translate(answerKeys[kind], { age });
  if (retryAt <= now) return words;
  const wait = toShownDuration(retryAt - now, translate);
  return translate('server.retry', { text: words, wait });
}

function drawInUse(inUse: GasServers['inUse'], translate: Translate): BoxElement {
  return (
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
  );
}
