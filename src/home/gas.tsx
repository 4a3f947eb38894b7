// The tab of the gas market: a chart, figures, and the state of the servers behind them. It is
// first drawn from the public document; then the servers are asked.
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
import { levelNames } from '../state/level-names';
import type { LevelName } from '../state/level-names';
import type { PublicState, ServerAnswer } from '../state/public-state';
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
import { drawRows, startOf, toFailure } from './tab';
import type { HomePlace, Tab } from './tab';

/** A chain's fees, in wei. */
export type GasMarket = ShownSource & {
  levels: Record<LevelName, { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }>;
  /** Undefined on a chain that has a gas price instead. */
  baseFee: bigint | undefined;
  /** From the oldest block on; empty if they are not known. */
  baseFees: readonly bigint[];
  /** Time until inclusion in ms, where the source has it. */
  waits: Record<LevelName, { min: number; max: number }> | undefined;
  ageMs: number;
  /** Gas of a transfer to an account that exists, and to one that it creates. */
  transferGas: Record<'exists' | 'created', bigint>;
  /** From 0 to 1. */
  congestion?: number | undefined;
  baseFeeTrend?: Trend | undefined;
  priorityFeeTrend?: Trend | undefined;
};

/** The servers that fees come from. */
type GasServers = {
  /** Which are configured; undefined if that is not known, such as while the wallet is locked. */
  configured?: Record<'gas' | 'node' | 'socket' | 'bundler' | 'paymaster', boolean>;
  /** The last answer of each. */
  gas?: ServerAnswer | undefined;
  node?: ServerAnswer | undefined;
  /** Sources of the fees of all chains, with the fees' age. */
  inUse: readonly (ShownSource & { chain: string; ageMs: number })[];
  /** In ms since 1970. */
  now: number;
};

type GasData = {
  /** CAIP-2 ids of the chains to choose from. */
  chains: readonly string[];
  /** The chain that is shown; undefined if there is none. */
  chain?: string | undefined;
  /** Undefined if nothing is known yet. */
  market?: GasMarket | undefined;
  servers: GasServers;
};

export type GasView = GasData & { translate: Translate; notices: readonly Notice[] };

/** Most chains whose source is listed. */
const MAX_IN_USE = 20;

/** Figures older than this are shown with their age. */
const OLD_MS = 30_000;

const answerKeys: Record<ServerAnswer['kind'], TextKey> = {
  ok: 'server.ok',
  limited: 'server.limited',
  quota: 'server.quota',
  denied: 'server.denied',
  unreachable: 'server.unreachable',
  failed: 'server.failed',
};

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

// Chains that were seen before, the newest first. The wallet is not asked for its network.
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

/** The result of a refresh, beside the stored fees. */
export type MarketRefresh = { fork?: GasFork; failure?: unknown };

/** Fetches a chain's fees and stores them. Never fails. */
export async function refreshMarket(
  id: ChainId,
  context: AppContext,
): Promise<MarketRefresh> {
  try {
    const chain = await context.connect(id);
    const { publicStore: store, now } = context;
    const forkFound = context.findFork(chain);
    const [levels] = await Promise.allSettled([
      context.feeLevels(chain),
      // Without them the chart has no past; the server's state shows the reason.
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

/** Finds a chain's market in the public document. */
export async function findMarket(
  id: ChainId,
  { publicStore, now }: AppContext,
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
  const chart = drawGasChart({ translate, baseFees, levels: maxima, congestion });
  return (
    <Box>
      <Image src={chart} alt={translate('gas.chart')} />
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
  const ofTrend = (trend: Trend | undefined): string | undefined =>
    trend && translate(trendKeys[trend]);
  const full =
    congestion === undefined ? undefined : toShownPercent(congestion, translate);
  const age =
    ageMs < OLD_MS
      ? translate('gas.fresh')
      : translate('gas.asOf', { age: toShownDuration(ageMs, translate) });
  return (
    <Section>
      {drawRows(
        [
          [
            'gas.baseFee',
            baseFee === undefined ? undefined : toRoundedFee(baseFee, translate),
          ],
          ['gas.baseFeeTrend', ofTrend(baseFeeTrend)],
          ['gas.priorityFeeTrend', ofTrend(priorityFeeTrend)],
          ['gas.congestion', full],
          ['gas.source', writeSource(market, translate)],
          ['gas.age', age],
        ],
        translate,
      )}
    </Section>
  );
}

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
  const feeOf = (wei: bigint): string => toRoundedFee(wei, translate);
  const isPrice = baseFee === undefined;
  const isDear = transferGas.created > transferGas.exists;
  return (
    <Section>
      <Text>
        <Bold>{translate(levelKeys[name])}</Bold>
      </Text>
      {drawRows(
        [
          [isPrice ? 'field.gasPrice' : 'field.maxFee', feeOf(maxFeePerGas)],
          ['field.priorityFee', isPrice ? undefined : feeOf(maxPriorityFeePerGas)],
          ['gas.wait', wait && toWait(wait, translate)],
          ['gas.transfer', costOf(transferGas.exists)],
          ['gas.newAccount', isDear ? costOf(transferGas.created) : undefined],
        ],
        translate,
      )}
    </Section>
  );
}

function toWait(
  { min, max }: { min: number; max: number },
  translate: Translate,
): string {
  const longest = toShownDuration(max, translate);
  if (min === max) return longest;
  const shortest = toShownDuration(min, translate);
  return translate('gas.waitRange', { min: shortest, max: longest });
}

function drawServers(servers: GasServers, translate: Translate): BoxElement {
  const { configured, gas, node, inUse, now } = servers;
  const isKnown = configured !== undefined || gas !== undefined || node !== undefined;
  return (
    <Box>
      {isKnown ? <Heading size="sm">{translate('server.title')}</Heading> : null}
      {configured ? drawConfigured(configured, translate) : null}
      {drawRows(
        [
          ['server.gasAnswer', gas && toAnswer(gas, now, translate)],
          ['server.nodeAnswer', node && toAnswer(node, now, translate)],
        ],
        translate,
      )}
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
      {drawRows(
        [
          ['server.gas', word(gas)],
          ['server.node', node || socket ? word(true) : translate('server.wallets')],
          ['server.socket', word(socket)],
          ['server.bundler', word(bundler)],
          ['server.paymaster', word(paymaster)],
        ],
        translate,
      )}
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
