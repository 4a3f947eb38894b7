// Sockets to the configured nodes, one a chain while the worker lives, and the newest
// block that each tells of.
import { createRpcEndpoint, watchHeads, WebSocketTransport } from '../client';
import type { Endpoint, Heads, OpenSocket } from '../client';
import type { ChainId } from '../eth/chain';
import type { ChainRow } from '../state/chain-row';

/** What live chains need. */
export type LiveServices = {
  openSocket: OpenSocket;
  /** Close the sockets to all other addresses, those of an earlier worker among them. */
  closeOthers: (urls: ReadonlySet<string>) => Promise<void>;
  /** Told of every new block of a chain that is watched; the snap stays awake meanwhile. */
  onHead: (chainId: ChainId) => unknown;
  /** The number of the worker's epoch: what was pending in an earlier one never settles. */
  epoch: () => number;
};

/** The chains that are connected by a socket. */
export type LiveChains = {
  /** Get the transport to a chain's configured socket; undefined if there is none. */
  connect: (chainId: ChainId, row: ChainRow) => WebSocketTransport | undefined;
  /** Find the newest block's number; undefined unless the chain is watched now. */
  findHead: (chainId: ChainId) => bigint | undefined;
  /** Begin to watch a connected chain's blocks; without success nothing is watched. */
  watch: (chainId: ChainId) => Promise<void>;
  /** Watch no more, so that the socket falls silent and the snap is not woken. */
  unwatch: (chainId: ChainId) => Promise<void>;
  /**
   * Lend the socket of a row that may come to be configured: the one that is open already,
   * or another, which is the chain's if the row does.
   *
   * @returns What `use` returns; undefined if the row has no socket.
   */
  withSocket: <Result>(
    row: ChainRow,
    use: (transport: WebSocketTransport) => Promise<Result>,
  ) => Promise<Result | undefined>;
  /** Close the sockets that are not configured and are not lent. */
  keepOnly: (rows: readonly ChainRow[]) => Promise<void>;
};

type LiveChain = {
  url: string;
  transport: WebSocketTransport;
  /** While the chain is to be watched. */
  watching?: { since: number; begun: Promise<Heads | undefined> };
  /** Once it is watched. */
  heads?: Heads;
};

/** Create access to the sockets of chains. */
export function createLiveChains(services: LiveServices): LiveChains {
  const { openSocket, epoch } = services;
  const chains = new Map<ChainId, LiveChain>();
  const spares = createSpareSockets(openSocket);
  const drop = async (chainId: ChainId): Promise<void> => {
    const chain = chains.get(chainId);
    chains.delete(chainId);
    await chain?.transport.close();
  };
  // If the handler that began to watch ended first, its promise never settles, and neither
  // would that of anybody who watches the same socket later. Connecting opens another one.
  const find = (chainId: ChainId): LiveChain | undefined => {
    const chain = chains.get(chainId);
    const isStuck =
      chain?.watching !== undefined && !chain.heads && chain.watching.since !== epoch();
    if (!isStuck) return chain;
    void drop(chainId);
    return undefined;
  };
  return {
    connect: (chainId, row) => {
      const endpoint = findEndpoint(row);
      const known = find(chainId);
      if (known && known.url === endpoint?.url) return known.transport;
      void drop(chainId);
      if (!endpoint) return undefined;
      const transport = spares.take(endpoint);
      chains.set(chainId, { url: endpoint.url, transport });
      return transport;
    },
    findHead: (chainId) => findNumber(find(chainId)),
    watch: async (chainId) => startWatching(chainId, find(chainId), services),
    unwatch: async (chainId) => stopWatching(find(chainId)),
    withSocket: async (row, use) => {
      const endpoint = findEndpoint(row);
      if (!endpoint) return undefined;
      // The wallet opens no second socket to an address.
      const known = [...chains.values()].find(({ url }) => url === endpoint.url);
      return known ? use(known.transport) : spares.lend(endpoint, use);
    },
    keepOnly: async (rows) => {
      const urls = new Set([...listUrls(rows), ...spares.listLent()]);
      const gone = [...chains].filter(([, { url }]) => !urls.has(url));
      await Promise.all(gone.map(async ([chainId]) => drop(chainId)));
      await spares.keepOnly(urls);
      await services.closeOthers(urls);
    },
  };
}

function findNumber(chain: LiveChain | undefined): bigint | undefined {
  const head = chain?.heads?.latest();
  return head && BigInt(head.number);
}

function listUrls(rows: readonly ChainRow[]): string[] {
  return rows.flatMap((row) => findEndpoint(row)?.url ?? []);
}

function findEndpoint({ wsUrl, apiKey }: ChainRow): Endpoint | undefined {
  return wsUrl === undefined ? undefined : createRpcEndpoint(wsUrl, apiKey);
}

async function startWatching(
  chainId: ChainId,
  chain: LiveChain | undefined,
  { onHead, epoch }: LiveServices,
): Promise<void> {
  // Fees are wanted now: nobody waits until a socket that failed is tried again.
  if (!chain || chain.transport.isResting()) return;
  chain.watching ??= {
    since: epoch(),
    // Whatever is wrong with the socket, HTTP serves as well.
    begun: watchHeads(chain.transport, () => onHead(chainId)).catch(() => undefined),
  };
  const { watching } = chain;
  const heads = await watching.begun;
  // It may have been told to watch no more meanwhile.
  if (chain.watching !== watching) return;
  if (heads) chain.heads = heads;
  else delete chain.watching;
}

async function stopWatching(chain: LiveChain | undefined): Promise<void> {
  if (!chain) return;
  const { watching } = chain;
  delete chain.watching;
  delete chain.heads;
  const heads = await watching?.begun;
  await heads?.stop();
}

/**
 * Sockets, by their addresses, that are no chain's yet: opened to find out what answers there,
 * and the chain's own once it takes them, since the wallet opens no second one to an address.
 */
type SpareSockets = {
  /** Lend a socket; one to the same address that is there already, if there is. */
  lend: <Result>(
    endpoint: Endpoint,
    use: (transport: WebSocketTransport) => Promise<Result>,
  ) => Promise<Result>;
  /** Get a socket to keep: the one that was lent before, or another. */
  take: (endpoint: Endpoint) => WebSocketTransport;
  /** List the addresses of those that are lent now. */
  listLent: () => string[];
  /** Close those to all other addresses. */
  keepOnly: (urls: ReadonlySet<string>) => Promise<void>;
};

type Spare = {
  transport: WebSocketTransport;
  /** How many it is lent to. */
  borrowers: number;
};

function createSpareSockets(open: OpenSocket): SpareSockets {
  const spares = new Map<string, Spare>();
  const create = (endpoint: Endpoint): WebSocketTransport =>
    new WebSocketTransport(endpoint, { open });
  return {
    lend: async (endpoint, use) => {
      const { url } = endpoint;
      const spare = spares.get(url) ?? { transport: create(endpoint), borrowers: 0 };
      spares.set(url, spare);
      spare.borrowers += 1;
      try {
        return await use(spare.transport);
      } finally {
        spare.borrowers -= 1;
      }
    },
    take: (endpoint) => {
      const spare = spares.get(endpoint.url);
      spares.delete(endpoint.url);
      return spare?.transport ?? create(endpoint);
    },
    listLent: () =>
      [...spares].filter(([, { borrowers }]) => borrowers > 0).map(([url]) => url),
    keepOnly: async (urls) => {
      const others = [...spares].filter(([url]) => !urls.has(url));
      others.forEach(([url]) => spares.delete(url));
      await Promise.all(others.map(async ([, { transport }]) => transport.close()));
    },
  };
}
