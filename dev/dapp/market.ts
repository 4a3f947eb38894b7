// A network's gas market, and where it is heard of: the gas API and a node over HTTPS, by
// polling; a node over a WebSocket, block by block; the snap, where the page knows no server.
// Every source goes on after failures.
import {
  createClient,
  type Client,
  type Head,
  type SuggestedGasFees,
} from '../../src/client';
import { SuggestedGasFeesStruct } from '../../src/client/gas-api';
import type { Provider } from '../../src/provider';
import { parse } from '../../src/schema/parse';
import type { PageConfig } from './session';

/** A block's base fee, in wei. */
export type Point = { block: number; fee: bigint };

/** The market as a source reports it. Fees in wei, times in ms. */
export type Market = {
  fees: SuggestedGasFees;
  /** Base fees, oldest first; the last one is the newest block's. */
  points: readonly Point[];
  /** When it was reported. */
  at: number;
  /** Whom the levels are from, as it is shown. */
  from: string;
};

/** Listens to a source until the returned function is called. */
export type Source = (listener: {
  onMarket: (market: Market) => void;
  onFailure: (error: unknown) => void;
}) => () => void;

/** Most blocks that are drawn. */
const MAX_POINTS = 60;

/** Time between two polls over HTTPS, in ms. */
const INTERVAL_MS = 4_000;

/** Time before a WebSocket is tried again, in ms. */
const RETRY_MS = 3_000;

/** Params of `eth_feeHistory`. */
const HISTORY: [`0x${string}`, 'latest', number[]] = [
  `0x${MAX_POINTS.toString(16)}`,
  'latest',
  [],
];

/** The sources that a page has, by the names that they are shown with. */
export function findSources(
  config: PageConfig,
  provider: Provider,
): Record<string, Source> {
  const sources: Record<string, Source> = {};
  if (config.service && config.chainId !== undefined) {
    sources.HTTPS = (listener) => {
      const client = connect(config, { isLive: false });
      return poll(async () => fetchFromServers(client), listener);
    };
    if (config.service.wsUrl !== undefined) {
      sources.WebSocket = (listener) =>
        follow(connect(config, { isLive: true }), listener);
    }
  }
  sources['The snap'] = (listener) =>
    poll(async () => fetchFromSnap(provider), listener);
  return sources;
}

function connect(
  { service, chainId }: PageConfig,
  { isLive }: { isLive: boolean },
): Client {
  const { url, wsUrl, apiKey, apiKeySecret } = service ?? { url: '' };
  return createClient({
    chainId: chainId ?? 0,
    gasBaseUrl: url,
    apiKey,
    apiKeySecret,
    ...(isLive ? { wsUrl } : { rpcUrl: url }),
    // The next poll comes soon, and failures are to be seen.
    retry: { maxAttempts: 1 },
  });
}

// The socket says when there is a new block; the levels are then fetched over HTTPS.
function follow(
  client: Client,
  { onMarket, onFailure }: Parameters<Source>[0],
): () => void {
  let stopped = false;
  let isWatching = false;
  let points: readonly Point[] = [];
  const report = async (all: readonly Point[]): Promise<void> => {
    points = all;
    const fees = await client.suggestedGasFees();
    if (stopped) return;
    onMarket({ fees, points, at: Date.now(), from: 'gas API, block by block' });
  };
  const onHead = ({ number, baseFeePerGas = '0x0' }: Head): void => {
    const point = { block: Number(number), fee: BigInt(baseFeePerGas) };
    report(mergePoints(points, [point])).catch(
      (error: unknown) => !stopped && onFailure(error),
    );
  };
  const open = async (): Promise<void> => {
    try {
      // Watched before the history is read, so that no block is missed in between; once,
      // however often the rest is tried again.
      if (!isWatching) await client.watchHeads(onHead);
      isWatching = true;
      const past = readHistory(await client.request('eth_feeHistory', HISTORY));
      const newest = past.at(-1)?.block ?? 0;
      const later = points.filter(({ block }) => block > newest);
      await report(mergePoints(past, later));
    } catch (error) {
      if (stopped) return;
      onFailure(error);
      setTimeout(() => void (stopped || open()), RETRY_MS);
    }
  };
  void open();
  return () => {
    stopped = true;
    void client.close();
  };
}

function poll(
  read: () => Promise<Market>,
  { onMarket, onFailure }: Parameters<Source>[0],
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  const run = async (): Promise<void> => {
    try {
      // Nobody looks at a page that is hidden.
      const market = document.hidden ? undefined : await read();
      if (market && !stopped) onMarket(market);
    } catch (error) {
      if (!stopped) onFailure(error);
    }
    if (!stopped) timer = setTimeout(() => void run(), INTERVAL_MS);
  };
  void run();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

async function fetchFromServers(client: Client): Promise<Market> {
  const [fees, history] = await Promise.all([
    client.suggestedGasFees(),
    client.request('eth_feeHistory', HISTORY),
  ]);
  const points = readHistory(history);
  return { fees, points, at: Date.now(), from: 'gas API, HTTPS' };
}

// Asked only once the snap is there: otherwise the user would be asked to install it.
async function fetchFromSnap(provider: Provider): Promise<Market> {
  const { state } = await provider.status();
  if (state !== 'ready') throw new Error('The snap can tell once it is installed.');
  const chain = String(await provider.request({ method: 'eth_chainId' }));
  const [wire, levels, history] = await Promise.all([
    provider.request({ method: 'gas_suggestedGasFees', params: [chain] }),
    provider.request<{ source: string; ageMs: number }>({
      method: 'tollkeeper_getFeeLevels',
      params: [],
    }),
    provider
      .request<FeeHistory>({ method: 'eth_feeHistory', params: HISTORY })
      .catch(() => undefined),
  ]);
  const fees = parse(wire, SuggestedGasFeesStruct, 'The suggested fees');
  const points = history
    ? readHistory(history)
    : [{ block: 0, fee: fees.estimatedBaseFee }];
  const { source, ageMs } = levels;
  return { fees, points, at: Date.now() - ageMs, from: `the snap, from ${source}` };
}

type FeeHistory = { oldestBlock: string; baseFeePerGas: readonly string[] };

// The answer has the next block's base fee as well: it is left out.
function readHistory({ oldestBlock, baseFeePerGas }: FeeHistory): readonly Point[] {
  const oldest = Number(oldestBlock);
  return baseFeePerGas
    .slice(0, -1)
    .map((fee, index) => ({ block: oldest + index, fee: BigInt(fee) }))
    .slice(-MAX_POINTS);
}

// Each block once, in order; the oldest are given up.
function mergePoints(
  known: readonly Point[],
  added: readonly Point[],
): readonly Point[] {
  const newest = added.at(-1)?.block ?? 0;
  // After a reorganization a number that was reached before is another block.
  const kept = known.filter(({ block }) => block < (added[0]?.block ?? Infinity));
  return [...kept, ...added]
    .filter(({ block }) => block > newest - MAX_POINTS)
    .slice(-MAX_POINTS);
}
