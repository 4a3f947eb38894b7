// Where the market is heard from: the gas API and a node over HTTPS, by asking; a node over a
// WebSocket, block by block; the snap, where the page knows no server. All go on after failures.
import { createClient } from '../../../src/client';
import type { Client, Head } from '../../../src/client';
import { SuggestedGasFeesStruct } from '../../../src/client/gas/schema';
import { parse } from '../../../src/parse';
import type { Provider } from '../../../src/provider';
import type { PageConfig } from '../config';
import { MAX_POINTS, mergePoints, readHistory } from './market';
import type { Market, Point } from './market';

/** Hears what a source tells. */
export type Listener = {
  onMarket: (market: Market) => void;
  onFailure: (error: unknown) => void;
};

/** Listens to a source until the returned function is called. */
export type Source = (listener: Listener) => () => void;

/** Time between two questions over HTTPS, in ms. */
const INTERVAL_MS = 4_000;

/** A source is tried again after so long, in ms. */
const RETRY_MS = 3_000;

/** Params of `eth_feeHistory`. */
const HISTORY: [`0x${string}`, 'latest', number[]] = [
  `0x${MAX_POINTS.toString(16)}`,
  'latest',
  [],
];

/** Which sources a page has, by the names that they are shown with. */
export function findSources(
  config: PageConfig,
  provider: Provider,
): Record<string, Source> {
  const { service, chainId } = config;
  const sources: Record<string, Source> = {};
  if (service && chainId !== undefined) {
    sources.HTTPS = createHttpSource(config);
    if (service.wsUrl !== undefined) sources.WebSocket = createSocketSource(config);
  }
  sources['The snap'] = createSnapSource(provider);
  return sources;
}

function createHttpSource(config: PageConfig): Source {
  return (listener) => {
    const client = connect(config, false);
    return repeat(async () => readServers(client, 'gas API, HTTPS'), listener);
  };
}

// The levels are asked for with each block; the socket says when.
function createSocketSource(config: PageConfig): Source {
  return ({ onMarket, onFailure }) => {
    const client = connect(config, true);
    let stopped = false;
    let isWatching = false;
    let points: readonly Point[] = [];
    const tell = async (all: readonly Point[]): Promise<void> => {
      points = all;
      const fees = await client.suggestedGasFees();
      if (stopped) return;
      onMarket({ fees, points, at: Date.now(), from: 'gas API, block by block' });
    };
    const onHead = ({ number, baseFeePerGas = '0x0' }: Head): void => {
      const point = { block: Number(number), fee: BigInt(baseFeePerGas) };
      void tell(mergePoints(points, [point])).catch(
        (error: unknown) => !stopped && onFailure(error),
      );
    };
    const open = async (): Promise<void> => {
      try {
        // Before what was, so that no block is missed between the two; once, however often what
        // comes after it fails.
        if (!isWatching) await client.watchHeads(onHead);
        isWatching = true;
        const past = readHistory(await client.request('eth_feeHistory', HISTORY));
        const newest = past.at(-1)?.block ?? 0;
        await tell(
          mergePoints(
            past,
            points.filter(({ block }) => block > newest),
          ),
        );
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
  };
}

function createSnapSource(provider: Provider): Source {
  return (listener) => repeat(async () => readSnap(provider), listener);
}

function repeat(
  read: () => Promise<Market>,
  { onMarket, onFailure }: Listener,
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

async function readServers(client: Client, from: string): Promise<Market> {
  const [fees, history] = await Promise.all([
    client.suggestedGasFees(),
    client.request('eth_feeHistory', HISTORY),
  ]);
  return { fees, points: readHistory(history), at: Date.now(), from };
}

// Not asked before the snap is there: that would ask the user to install it.
async function readSnap(provider: Provider): Promise<Market> {
  const { state } = await provider.status();
  if (state !== 'ready') throw new Error('The snap can tell once it is installed.');
  const chain = String(await provider.request({ method: 'eth_chainId' }));
  const [wire, levels, history] = await Promise.all([
    provider.request({ method: 'gas_suggestedGasFees', params: [chain] }),
    provider.request({ method: 'tollkeeper_getFeeLevels', params: [] }),
    provider
      .request({ method: 'eth_feeHistory', params: HISTORY })
      .catch(() => undefined),
  ]);
  const { source, ageMs } = levels as { source: string; ageMs: number };
  const fees = parse(wire, SuggestedGasFeesStruct, 'The suggested fees');
  const points = history
    ? readHistory(history as Parameters<typeof readHistory>[0])
    : [{ block: 0, fee: fees.estimatedBaseFee }];
  return { fees, points, at: Date.now() - ageMs, from: `the snap, from ${source}` };
}

function connect({ service, chainId }: PageConfig, isLive: boolean): Client {
  const { url, wsUrl, apiKey, apiKeySecret } = service ?? { url: '' };
  return createClient({
    chainId: chainId ?? 0,
    gasBaseUrl: url,
    apiKey,
    apiKeySecret,
    ...(isLive ? { wsUrl } : { rpcUrl: url }),
    // The next question comes soon, and a failure is to be seen.
    retry: { maxAttempts: 1 },
  });
}
