// The home page's tab of the gas market. Its first drawing is of what is kept in the clear;
// then the servers are asked.
import { UnavailableError } from '../../errors';
import { ChainIdStruct, toCaip2 } from '../../eth/chain';
import type { ChainId } from '../../eth/chain';
import { ageOf } from '../../fees/level';
import type { FeeLevels } from '../../fees/level';
import { findBaseFees, findSeenLevels, refreshBaseFees } from '../../fees/levels';
import { matches, parse } from '../../schema/parse';
import { ScopeStruct } from '../../state/account-record';
import type { ChainRow } from '../../state/chain-row';
import type { PublicState } from '../../state/public-state';
import { GasTab } from '../../ui/home/gas';
import type { GasMarket, GasView } from '../../ui/home/gas';
import { toFailure } from './failure';
import { startOf } from './place';
import type { HomePlace } from './place';
import { defineTab } from './tab';
import type { HomeServices } from './tab';

/** Most chains whose source is listed. */
const MAX_IN_USE = 20;

type GasData = Omit<GasView, 'translate' | 'notices'> & { failure?: unknown };

/** The gas market. */
export const gasTab = defineTab<GasData>({
  label: 'home.tab.gas',
  isLive: true,
  loadKnown: async (place, services) => {
    const chains = await listKnown(services);
    return loadView(choose(place, chains), { chains, services });
  },
  load: async (place, services) => {
    const chains = (await services.chains.list()).map((id) => toCaip2(id));
    const chain = choose(place, chains);
    if (chain === undefined) return loadView(chain, { chains, services });
    const id = parse(chain, ChainIdStruct, 'chain');
    const failure = await refresh(id, services);
    const data = await loadView(chain, { chains, services });
    const configured = toConfigured(await services.chains.row(id));
    const servers = { ...data.servers, configured };
    return { ...data, servers, ...(failure === undefined ? {} : { failure }) };
  },
  draw: ({ failure, ...data }, { translate }) => {
    const notices = failure === undefined ? [] : [toFailure(failure, translate)];
    return GasTab({ translate, ...data, notices });
  },
  actions: {
    chain: ({ values: { value } }, place) =>
      matches(value, ScopeStruct)
        ? { ...startOf('gas', place.touchedAt), chain: value }
        : place,
  },
});

// Those that were seen before, the newest first: the wallet is not asked which is its own.
async function listKnown({ publicStore }: HomeServices): Promise<string[]> {
  const { levels = {} } = await readPublic({ publicStore });
  return Object.entries(levels)
    .sort(([, one], [, other]) => other.at - one.at)
    .map(([chain]) => chain);
}

async function readPublic({
  publicStore,
}: Pick<HomeServices, 'publicStore'>): Promise<Partial<PublicState>> {
  return publicStore.read().catch(() => ({}));
}

function choose({ chain }: HomePlace, chains: readonly string[]): string | undefined {
  return chain !== undefined && chains.includes(chain) ? chain : chains[0];
}

/** Ask the chain's servers; gives what went wrong. */
async function refresh(id: ChainId, services: HomeServices): Promise<unknown> {
  try {
    const chain = await services.chains.connect(id);
    const { publicStore: store, now } = services;
    const [levels] = await Promise.allSettled([
      services.feeLevels(chain),
      // Without them the picture has no past; what is wrong is told of the server.
      refreshBaseFees(chain, { store, now }),
    ]);
    return levels.status === 'rejected' ? (levels.reason as unknown) : undefined;
  } catch (error) {
    return error ?? new UnavailableError('The network cannot be reached.');
  }
}

type Loading = { chains: readonly string[]; services: HomeServices };

async function loadView(
  chain: string | undefined,
  { chains, services }: Loading,
): Promise<GasData> {
  const { publicStore, now } = services;
  const { answers = {}, levels = {} } = await readPublic(services);
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
  const [seen, past] = await Promise.all([
    findSeenLevels(publicStore, id),
    findBaseFees(publicStore, id),
  ]);
  const market = seen && toMarket(seen.levels, past?.baseFees ?? [], now());
  return { chains, chain, market, servers: { ...servers, ...answers[toCaip2(id)] } };
}

function toMarket(
  levels: FeeLevels,
  baseFees: readonly bigint[],
  now: number,
): GasMarket {
  const { source, passedOver, estimatedBaseFee, market, low, medium, high } = levels;
  return {
    levels: { low, medium, high },
    baseFee: source === 'gas-price' ? undefined : estimatedBaseFee,
    baseFees: source === 'gas-price' ? [] : baseFees,
    source,
    passedOver,
    ageMs: ageOf(levels, now),
    waits: market?.waits,
    congestion: market?.congestion,
    baseFeeTrend: market?.baseFeeTrend,
    priorityFeeTrend: market?.priorityFeeTrend,
  };
}

function toConfigured(row: ChainRow): GasView['servers']['configured'] {
  return {
    gas: row.gasBaseUrl !== undefined,
    node: row.rpcUrl !== undefined,
    socket: row.wsUrl !== undefined,
    bundler: row.bundlerUrl !== undefined,
    paymaster: row.paymasterUrl !== undefined,
  };
}
