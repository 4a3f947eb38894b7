// Manages the sockets to the configured nodes, one per chain, and the newest block that each
// reports.
import {
  createRpcEndpoint,
  TimeoutError,
  WebSocketTransport,
} from '../../packages/client/src';
import type { Endpoint, HttpOptions, OpenSocket } from '../../packages/client/src';
import { hideHost } from '../../packages/client/src/endpoint';
import { watchHeads } from '../../packages/client/src/rpc/heads';
import type { Heads } from '../../packages/client/src/rpc/heads';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import type { ChainRow } from '../state/chain-row';
import { WAIT_MS } from './servers';
import type { WalletNode } from './wallet-node';

type LiveServices = {
  openSocket: OpenSocket;
  /** Closes all sockets except those to `urls`, including sockets of an earlier worker. */
  closeOthers: (urls: ReadonlySet<string>) => Promise<void>;
  /** Called for every new block of a watched chain. The snap stays awake until the
   * returned promise settles. */
  onHead: (chainId: ChainId) => unknown;
  /** The number of the worker's epoch; promises of earlier epochs may never settle. */
  epoch: () => number;
};

export type LiveChains = {
  /** Returns undefined if no socket is configured. */
  connect: (chainId: ChainId, row: ChainRow) => WebSocketTransport | undefined;
  /** Returns undefined unless the chain is being watched and a block arrived in the last minute. */
  findHead: (chainId: ChainId) => bigint | undefined;
  /** Never fails. */
  watch: (chainId: ChainId) => Promise<void>;
  /** Stops watching, so the socket is silent and does not wake the snap. */
  unwatch: (chainId: ChainId) => Promise<void>;
  /** Lends the socket of a row that is not saved yet: an open socket, or a new one, which becomes
   * the chain's own if the row is saved. Returns undefined if the row has no socket. */
  withSocket: <Result>(
    chainId: ChainId,
    row: ChainRow,
    use: (transport: WebSocketTransport) => Promise<Result>,
  ) => Promise<Result | undefined>;
  /** Closes the sockets that are neither configured nor lent. */
  keepOnly: (rows: readonly ChainRow[]) => Promise<void>;
};

export type Connections = {
  http: HttpOptions;
  live: LiveChains;
  wallet: WalletNode;
};

type Socket = {
  transport: WebSocketTransport;
  borrowers: number;
  watching?: { since: number; begun: Promise<Heads | undefined> };
  heads?: Heads;
  /** When to retry a subscription that the server ignored. */
  silentUntil?: number;
};

/** Pause after a server ignored a subscription, in ms. */
const SILENT_MS = 600_000;

/** Time limit for a socket's answer, in ms. It leaves time to try HTTP. */
export const SOCKET_MS = 6_000;

export function createLiveChains(services: LiveServices): LiveChains {
  const { openSocket, closeOthers, onHead, epoch } = services;
  // Keyed by URL, because the wallet opens only one socket per URL. A socket opened for probing
  // becomes the chain's own once configured.
  const sockets = new Map<string, Socket>();
  const urls = new Map<ChainId, string>();
  const close = async (url: string): Promise<void> => {
    const socket = sockets.get(url);
    sockets.delete(url);
    await socket?.transport.close();
  };
  // If the handler that began to watch has ended, the promise in `watching` may never settle, and
  // later watchers of the same socket would wait forever. So the socket is closed; connecting opens
  // another one.
  const findSocket = (url: string | undefined): Socket | undefined => {
    const socket = url === undefined ? undefined : sockets.get(url);
    const { watching, heads } = socket ?? {};
    if (url === undefined || !watching || heads || watching.since === epoch()) {
      return socket;
    }
    void close(url);
    return undefined;
  };
  const getSocket = (chainId: ChainId, endpoint: Endpoint): Socket => {
    const known = findSocket(endpoint.url);
    if (known) return known;
    const hidden = hideHost(endpoint, `the node of ${toCaip2(chainId)}`);
    const transport = new WebSocketTransport(hidden, {
      open: openSocket,
      timeoutMs: SOCKET_MS,
      retry: { budgetMs: WAIT_MS },
    });
    const socket = { transport, borrowers: 0 };
    sockets.set(endpoint.url, socket);
    return socket;
  };
  const findOfChain = (chainId: ChainId): Socket | undefined =>
    findSocket(urls.get(chainId));
  return {
    connect: (chainId, row) => {
      const endpoint = findEndpoint(row);
      const before = urls.get(chainId);
      if (before !== undefined && before !== endpoint?.url) {
        urls.delete(chainId);
        void close(before);
      }
      if (!endpoint) return undefined;
      urls.set(chainId, endpoint.url);
      return getSocket(chainId, endpoint).transport;
    },
    findHead: (chainId) => {
      const head = findOfChain(chainId)?.heads?.latest();
      return head && BigInt(head.number);
    },
    watch: async (chainId) => {
      const socket = findOfChain(chainId);
      // A failed socket is not retried here, because a caller may need fees now.
      if (!socket || socket.transport.isUnavailable()) return;
      if (Date.now() < (socket.silentUntil ?? 0)) return;
      const { transport } = socket;
      socket.watching ??= {
        since: epoch(),
        // If the socket fails, HTTP and polls take over.
        begun: watchHeads(transport, () => onHead(chainId)).catch((error: unknown) => {
          const isSilent = error instanceof TimeoutError;
          if (isSilent) socket.silentUntil = Date.now() + SILENT_MS;
          return undefined;
        }),
      };
      const { watching } = socket;
      const heads = await watching.begun;
      // Watching may have stopped in the meantime.
      if (socket.watching !== watching) return;
      if (heads) socket.heads = heads;
      else delete socket.watching;
    },
    unwatch: async (chainId) => {
      const socket = findOfChain(chainId);
      const { watching } = socket ?? {};
      delete socket?.watching;
      delete socket?.heads;
      const heads = await watching?.begun;
      await heads?.stop();
    },
    withSocket: async (chainId, row, use) => {
      const endpoint = findEndpoint(row);
      if (!endpoint) return undefined;
      const socket = getSocket(chainId, endpoint);
      socket.borrowers += 1;
      try {
        return await use(socket.transport);
      } finally {
        socket.borrowers -= 1;
      }
    },
    keepOnly: async (rows) => {
      const lent = [...sockets].filter(([, { borrowers }]) => borrowers > 0);
      const kept = new Set([
        ...rows.flatMap((row) => findEndpoint(row)?.url ?? []),
        ...lent.map(([url]) => url),
      ]);
      const gone = [...sockets.keys()].filter((url) => !kept.has(url));
      await Promise.all(gone.map(close));
      await closeOthers(kept);
    },
  };
}

function findEndpoint({ wsUrl, apiKey }: ChainRow): Endpoint | undefined {
  return wsUrl === undefined ? undefined : createRpcEndpoint(wsUrl, apiKey);
}
