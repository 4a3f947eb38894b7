// A chain to work on: its node, and its gas API, bundler and paymaster where they are
// configured.
import type { Json } from '@metamask/utils';

import {
  createFallbackTransport,
  createHttpTransport,
  createNodeClient,
  createRpcEndpoint,
} from '../client';
import type {
  AbsentMethods,
  GasApi,
  HttpOptions,
  NodeClient,
  Paymaster,
  RpcCall,
  Transport,
  WebSocketTransport,
} from '../client';
import { InvalidParamsError, UnavailableError } from '../errors';
import { ChainIdStruct, toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { parse } from '../parse';
import { isSameJson } from '../same-json';
import type { ChainRow } from '../state/chain-row';
import type { PrivateStore } from '../state/private-state';
import type { LiveChains } from './live-chains';
import { connectOthers, connectPaymaster, toHttpOptions } from './other-servers';
import type { Bundler, OtherServers } from './other-servers';
import { createWalletTransport } from './wallet-transport';

/** A chain's servers. */
export type Chain = {
  id: ChainId;
  node: NodeClient;
  gas?: GasApi;
  bundler?: Bundler;
  paymaster?: Paymaster;
  /** Number of the newest block, while a socket tells of blocks. */
  head?: () => bigint | undefined;
};

/** What connecting needs. */
export type ChainServices = {
  store: PrivateStore;
  http: HttpOptions;
  live: LiveChains;
  requestWallet: (call: RpcCall) => Promise<unknown>;
  /** Whether sites may name servers of this machine that are not encrypted. */
  isDevelopment: boolean;
};

/** Gives access to chains. */
export type Chains = {
  /** Fetch the snap's own network in the wallet. */
  own: () => Promise<ChainId>;
  /**
   * List the chains that have a node: the snap's own network first, if the wallet tells
   * it, then the configured ones.
   */
  list: () => Promise<ChainId[]>;
  /** Get what is configured for a chain; empty if nothing is. */
  row: (chainId: ChainId) => Promise<ChainRow>;
  /**
   * Get a chain's servers: the configured ones, else the wallet's own node.
   *
   * @throws {UnavailableError} If neither serves the chain.
   */
  connect: (chainId: ChainId) => Promise<Chain>;
  /**
   * Get a paymaster that a site named.
   *
   * @throws {InvalidParamsError} If it is not called by HTTPS; in development builds, unless
   * it is on this machine.
   */
  paymasterAt: (url: string, context: Record<string, Json>) => Paymaster;
  /** Close the sockets that are configured no more. */
  closeUnused: () => Promise<void>;
};

/** What is made of a row, once: calls of all who ask a server go together. */
type Connection = {
  row: ChainRow;
  node: Transport | undefined;
  others: OtherServers;
};

/** Create access to the configured chains and to the wallet's own network. */
export function createChains(services: ChainServices): Chains {
  const { store, http, live, isDevelopment } = services;
  const connectRow = createConnections(http);
  const walletTransport = createWalletTransport(services.requestWallet);
  const wallet = createNodeClient(walletTransport);
  const own = async (): Promise<ChainId> =>
    BigInt(await wallet.request('eth_chainId', []));
  const row = async (chainId: ChainId): Promise<ChainRow> =>
    (await store.read()).chains[toCaip2(chainId)] ?? {};
  return {
    own,
    row,
    list: async () => {
      const configured = listConfigured((await store.read()).chains);
      const first = await own().then(
        (chainId) => [chainId],
        () => [],
      );
      return [...new Set([...first, ...configured])];
    },
    connect: async (chainId) => {
      const configured = await row(chainId);
      const socket = live.connect(chainId, configured);
      const { node, others } = connectRow(chainId, configured);
      const transport =
        combine(socket, node) ??
        ((await own()) === chainId ? walletTransport : undefined);
      if (!transport) throw noNode(chainId);
      return {
        id: chainId,
        ...others,
        node: createNodeClient(transport, chainId),
        ...(socket ? { head: () => live.findHead(chainId) } : {}),
      };
    },
    paymasterAt: (url, context) => {
      if (!isDevelopment && new URL(url).protocol !== 'https:') {
        throw new InvalidParamsError(
          'capabilities.paymasterService.url must begin with https://; http:// is for ' +
            'development builds of the snap.',
        );
      }
      return connectPaymaster(url, context, http);
    },
    closeUnused: async () => live.keepOnly(Object.values((await store.read()).chains)),
  };
}

// One a chain: another configuration takes the place of the one before.
function createConnections(
  http: HttpOptions,
): (chainId: ChainId, row: ChainRow) => Connection {
  const absent: AbsentMethods = new Set();
  const connections = new Map<ChainId, Connection>();
  return (chainId, row) => {
    const known = connections.get(chainId);
    if (known && isSameJson(known.row, row)) return known;
    const node = connectNode(row, http);
    const connection = { row, node, others: connectOthers(row, { http, absent }) };
    // Any chain can be asked for; those that are configured are few.
    if (Object.keys(row).length === 0) connections.delete(chainId);
    else connections.set(chainId, connection);
    return connection;
  };
}

function listConfigured(rows: Readonly<Record<string, ChainRow>>): ChainId[] {
  return Object.entries(rows)
    .filter(([, { rpcUrl, wsUrl }]) => rpcUrl !== undefined || wsUrl !== undefined)
    .map(([scope]) => parse(scope, ChainIdStruct, 'scope'));
}

function connectNode(row: ChainRow, http: HttpOptions): Transport | undefined {
  const { rpcUrl, apiKey } = row;
  if (rpcUrl === undefined) return undefined;
  const options = toHttpOptions(row, 'rpcUrl', http);
  return createHttpTransport(createRpcEndpoint(rpcUrl, apiKey), options);
}

function combine(
  socket: WebSocketTransport | undefined,
  other: Transport | undefined,
): Transport | undefined {
  return socket && other ? createFallbackTransport(socket, other) : (socket ?? other);
}

function noNode(chainId: ChainId): UnavailableError {
  return new UnavailableError(
    `No node is configured for ${toCaip2(chainId)}, and it is not the snap's own ` +
      'network in the wallet. Configure one with tollkeeper_setChain.',
  );
}
