// Sockets that are no chain's yet: opened to find out what answers there, and the chain's
// own once it takes them, since the wallet opens no second one to an address.
import { WebSocketTransport } from '../client';
import type { Endpoint, OpenSocket } from '../client';

/** Sockets by their addresses. */
export type SpareSockets = {
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

/** Create a place for sockets that are no chain's yet. */
export function createSpareSockets(open: OpenSocket): SpareSockets {
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
