// A chain's connections: its node, and its gas API, bundler and paymaster if configured.
import type { Json } from '@metamask/utils';

import {
  createBundlerClient,
  createBundlerEndpoint,
  createFallbackTransport,
  createGasApi,
  createGasEndpoint,
  createHttpTransport,
  createNodeClient,
  createPaymasterClient,
  createPaymasterEndpoint,
  createRpcEndpoint,
} from '../../packages/client/src';
import type {
  BundlerClient,
  Endpoint,
  GasApi,
  HttpOptions,
  NodeClient,
  Paymaster,
  Transport,
} from '../../packages/client/src';
import { withTimeLimit } from '../../packages/client/src/abort';
import { hideHost, toLabel } from '../../packages/client/src/endpoint';
import { InvalidParamsError, UnavailableError } from '../core/errors';
import { toCaip2, toChainId } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { isSameJson } from '../schema/parse';
import type { ArrayServer, ChainRow } from '../state/chain-row';
import type { PrivateStore } from '../state/private-state';
import type { Connections } from './live-chains';
import { createServerWait, limitGasApi, limitTransport, WAIT_MS } from './servers';
import type { AbsenceMemory, ServerWait } from './servers';
import { WALLET_LABEL } from './wallet-node';

/** Time limit in ms for a gas API, a paymaster, and the default network in a list of chains.
 * Requests continue without them in the remaining time. */
export const OPTIONAL_MS = 4_000;

const ONCE = { timeoutMs: OPTIONAL_MS, retry: { maxAttempts: 1 } };

export type Bundler = {
  client: BundlerClient;
  /** The URL with its key, for MetaMask, which sends operations to the bundler itself. */
  secretUrl: string;
  /** Scheme and host, for dapps. */
  publicUrl: string;
};

export type Chain = {
  id: ChainId;
  node: NodeClient & {
    /** Connects to MetaMask's node of the chain, if a different node is configured. */
    second?: () => Promise<NodeClient>;
  };
  gas?: GasApi;
  bundler?: Bundler;
  paymaster?: Paymaster;
  /** Waits for one of the servers. All waits together last nine seconds at most, counted anew after
   * a pause of one second. */
  wait: ServerWait;
  /** The newest block's number, while a socket reports blocks. */
  head?: () => bigint | undefined;
};

type ChainServices = Connections & {
  store: PrivateStore;
  absences: AbsenceMemory;
  /** Whether sites may name unencrypted servers on this machine. */
  isDevelopment: boolean;
};

export type Chains = {
  /** Fetches the default network, for requests that name no chain. */
  own: () => Promise<ChainId>;
  /** Lists the chains that have a node: the default network, if the wallet reports it, then the
   * configured ones. */
  list: () => Promise<ChainId[]>;
  /** Returns an empty row if the chain is not configured. */
  row: (chainId: ChainId) => Promise<ChainRow>;
  /** Gets a chain's servers: the configured ones, and MetaMask's node if no other is configured.
   * They may delay a caller as long as {@link Chain.wait} allows; a caller that needs more time
   * connects again. Throws `UnavailableError` if there is no node for the chain. */
  connect: (chainId: ChainId) => Promise<Chain>;
  /** Gets a paymaster named by a site; throws `InvalidParamsError` unless it uses HTTPS or, in
   * development builds, is on this machine. */
  paymasterAt: (
    url: string,
    context: Record<string, Json>,
    wait: ServerWait,
  ) => Paymaster;
  /** Closes sockets that are no longer configured, and forgets which methods servers lack. */
  applyChanges: () => Promise<void>;
};

/** A row's servers, created once, so that all callers share batches. */
type Connection = {
  row: ChainRow;
  node: Transport | undefined;
  toOthers: (wait: ServerWait) => Partial<Chain>;
};

export function createChains(services: ChainServices): Chains {
  const { store, absences, live, wallet, isDevelopment } = services;
  const http = { ...services.http, retry: { budgetMs: WAIT_MS } };
  const connections = new Map<ChainId, Connection>();
  const connectConfigured = (chainId: ChainId, configured: ChainRow): Connection => {
    const known = connections.get(chainId);
    if (known && isSameJson(known.row, configured)) return known;
    const connection = connectRow(chainId, configured, { http, absences });
    // Any chain can be requested; only the few configured ones are kept.
    if (Object.keys(configured).length === 0) connections.delete(chainId);
    else connections.set(chainId, connection);
    return connection;
  };
  const place = { label: WALLET_LABEL };
  const own: Chains['own'] = async () => createServerWait()(place, wallet.own);
  const row = async (chainId: ChainId): Promise<ChainRow> =>
    (await store.read()).chains[toCaip2(chainId)] ?? {};
  return {
    own,
    row,
    list: async () => {
      const configured = Object.entries((await store.read()).chains)
        .filter(([, { rpcUrl, wsUrl }]) => rpcUrl !== undefined || wsUrl !== undefined)
        .map(([scope]) => toChainId(scope));
      const first = await withTimeLimit(own, OPTIONAL_MS).then(
        (chainId) => [chainId],
        () => [],
      );
      return [...new Set([...first, ...configured])];
    },
    connect: async (chainId) => {
      await absences.load();
      const configured = await row(chainId);
      const wait = createServerWait();
      const socket = live.connect(chainId, configured);
      const { node, toOthers } = connectConfigured(chainId, configured);
      const transport =
        socket && node
          ? createFallbackTransport(socket, node, http)
          : (socket ??
            node ??
            (await wait(place, async () => wallet.connect(chainId))));
      const absent = absences.at(chainId, (socket ?? node) ? 'node' : 'wallet');
      let second: Promise<NodeClient> | undefined;
      const connectSecond = async (): Promise<NodeClient> => {
        second ??= wallet
          .connect(chainId)
          .then((other) =>
            createNodeClient(other, chainId, absences.at(chainId, 'wallet')),
          );
        return second;
      };
      return {
        id: chainId,
        wait,
        ...toOthers(wait),
        node: Object.assign(
          createNodeClient(limitTransport(transport, wait), chainId, absent),
          (socket ?? node) && { second: connectSecond },
        ),
        ...(socket && { head: () => live.findHead(chainId) }),
      };
    },
    paymasterAt: (url, context, wait) => {
      if (!isDevelopment && new URL(url).protocol !== 'https:') {
        throw new InvalidParamsError(
          'capabilities.paymasterService.url must begin with https://; http:// is for ' +
            'development builds of the snap.',
        );
      }
      const transport = toPaymasterTransport(createPaymasterEndpoint(url), http);
      return toPaymaster(transport, context, wait);
    },
    applyChanges: async () => {
      await absences.forget();
      await live.keepOnly(Object.values((await store.read()).chains));
    },
  };
}

/** Throws `UnavailableError` if no bundler is configured. */
export function getBundler({ id, bundler }: Chain): Bundler {
  if (bundler) return bundler;
  throw new UnavailableError(
    `No bundler is configured for ${toCaip2(id)}. Configure one with tollkeeper_setChain.`,
  );
}

/** Shares a running fetch among callers for the same chain. A fetch of an earlier worker epoch,
 * which may never end, is not shared. */
export function shareByChain<Place extends { id: ChainId }, Result>(
  fetch: (chain: Place) => Promise<Result>,
  epoch: () => number,
): (chain: Place) => Promise<Result> {
  const running = new Map<ChainId, { since: number; result: Promise<Result> }>();
  return async (chain) => {
    const before = running.get(chain.id);
    if (before?.since === epoch()) return before.result;
    const fetching = { since: epoch(), result: fetch(chain) };
    running.set(chain.id, fetching);
    try {
      return await fetching.result;
    } finally {
      if (running.get(chain.id) === fetching) running.delete(chain.id);
    }
  };
}

/** Sites see only the scheme and host of a URL, because any part of a path can be a key. */
export function toPublicUrl(url: string): string {
  return toLabel(new URL(url).origin);
}

function connectRow(
  chainId: ChainId,
  row: ChainRow,
  { http, absences }: { http: HttpOptions; absences: AbsenceMemory },
): Connection {
  const { rpcUrl, gasBaseUrl, bundlerUrl, paymasterUrl, paymasterContext = {} } = row;
  // Errors tell sites which role failed, not which servers their user has.
  const hide = (endpoint: Endpoint, role: string): Endpoint =>
    hideHost(endpoint, `the ${role} of ${toCaip2(chainId)}`);
  const open = (endpoint: Endpoint, role: string, server: ArrayServer): Transport => {
    const single = row.singleCallsOnly?.includes(server) && { batchLimit: 1 };
    return createHttpTransport(hide(endpoint, role), { ...http, ...single });
  };
  const parts: Connection['toOthers'][] = [];
  if (gasBaseUrl !== undefined) {
    const endpoint = hide(createGasEndpoint({ ...row, gasBaseUrl }), 'gas API');
    const gas = createGasApi(endpoint, { ...http, ...ONCE });
    parts.push((wait) => ({ gas: limitGasApi(gas, endpoint.label, wait) }));
  }
  if (bundlerUrl !== undefined) {
    const endpoint = createBundlerEndpoint(bundlerUrl, row.bundlerApiKey);
    const transport = open(endpoint, 'bundler', 'bundlerUrl');
    const addresses = { secretUrl: endpoint.url, publicUrl: toPublicUrl(bundlerUrl) };
    parts.push((wait) => {
      const absent = absences.at(chainId, 'bundler');
      const client = createBundlerClient(limitTransport(transport, wait), absent);
      return { bundler: { client, ...addresses } };
    });
  }
  if (paymasterUrl !== undefined) {
    const endpoint = hide(createPaymasterEndpoint(paymasterUrl), 'paymaster');
    const transport = toPaymasterTransport(endpoint, http);
    parts.push((wait) => ({
      paymaster: toPaymaster(transport, paymasterContext, wait),
    }));
  }
  return {
    row,
    node:
      rpcUrl === undefined
        ? undefined
        : open(createRpcEndpoint(rpcUrl, row.apiKey), 'node', 'rpcUrl'),
    toOthers: (wait) =>
      Object.assign({}, ...parts.map((connect) => connect(wait))) as Partial<Chain>,
  };
}

function toPaymasterTransport(endpoint: Endpoint, http: HttpOptions): Transport {
  return createHttpTransport(endpoint, { ...http, ...ONCE });
}

function toPaymaster(
  transport: Transport,
  context: Record<string, Json>,
  wait: ServerWait,
): Paymaster {
  return { client: createPaymasterClient(limitTransport(transport, wait)), context };
}
