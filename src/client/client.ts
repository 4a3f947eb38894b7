// One chain's gas API and JSON-RPC API behind one object: what a page or a program uses.
import { UnavailableError } from '../errors';
import type { ChainId } from '../eth/chain';
import { assertListener, getWebSocketClass, parseOptions } from './client-options';
import type { CheckedOptions, ClientOptions } from './client-options';
import { createGasEndpoint, createRpcEndpoint } from './endpoint';
import { createGasApi } from './gas/gas-api';
import type { GasApi, GasCallOptions } from './gas/gas-api';
import type { SuggestedGasFees } from './gas/schema';
import type { HttpOptions } from './http';
import type { Head } from './rpc/block';
import { createFallbackTransport } from './rpc/fallback-transport';
import { watchHeads } from './rpc/heads';
import { createHttpTransport } from './rpc/http-transport';
import { findInclusion } from './rpc/near-head';
import type { Inclusion, Tracked } from './rpc/near-head';
import { createNodeClient } from './rpc/rpc-client';
import type { CallOptions, NodeClient } from './rpc/rpc-client';
import { createSocketOpener } from './rpc/socket';
import type { Transport } from './rpc/transport';
import { WebSocketTransport } from './rpc/web-socket-transport';

/** A chain's APIs. Every method throws the errors of `client/errors`. */
export type Client = {
  readonly chainId: ChainId;
  /** Fetch the suggested fees, in wei (spec 2.1). */
  suggestedGasFees: (options?: GasCallOptions) => Promise<SuggestedGasFees>;
  /** Fetch the base fee that half of the historical ones do not exceed, in wei. */
  baseFeePercentile: (options?: GasCallOptions) => Promise<bigint>;
  /** Call a JSON-RPC method; calls of one tick go in one batch. */
  request: NodeClient['request'];
  /** Find what became of a transaction. */
  findInclusion: (
    tracked: Omit<Tracked, 'chainId'>,
    options?: CallOptions,
  ) => Promise<Inclusion>;
  /**
   * Get every new block until the returned function is called, over reconnections too.
   *
   * @throws {UnavailableError} Without a `wsUrl`.
   */
  watchHeads: (onHead: (head: Head) => unknown) => Promise<() => Promise<void>>;
  /** Close the socket, if there is one, for good; calls go by HTTP, if there is that. */
  close: () => Promise<void>;
};

/**
 * Create a client of a chain.
 *
 * @throws {InvalidParamsError} If an option is not what it must be.
 * @example
 * const client = createClient({ chainId: 1, gasBaseUrl, rpcUrl, apiKey });
 * const { medium } = await client.suggestedGasFees();
 */
export function createClient(options: ClientOptions): Client {
  const checked = parseOptions(options);
  const { chainId } = checked;
  const http: HttpOptions = { ...checked, fetch: checked.fetch ?? globalThis.fetch };
  const socket = connectSocket(checked);
  const node = createNodeClient(connectNode(checked, http, socket), chainId);
  const gas = connectGas(checked, http);
  return {
    chainId,
    request: node.request,
    suggestedGasFees: async (call) => gas().suggestedGasFees(chainId, call),
    baseFeePercentile: async (call) => gas().baseFeePercentile(chainId, call),
    findInclusion: async (tracked, call) =>
      findInclusion(node, { ...tracked, chainId }, call),
    watchHeads: async (onHead) => {
      assertListener(onHead);
      if (!socket) throw notConfigured('WebSocket', 'wsUrl');
      return (await watchHeads(socket, onHead)).stop;
    },
    close: async () => socket?.close(),
  };
}

function connectGas(options: CheckedOptions, http: HttpOptions): () => GasApi {
  const { gasBaseUrl } = options;
  if (gasBaseUrl === undefined) {
    return () => {
      throw notConfigured('gas API', 'gasBaseUrl');
    };
  }
  const api = createGasApi(createGasEndpoint({ ...options, gasBaseUrl }), http);
  return () => api;
}

function connectSocket(options: CheckedOptions): WebSocketTransport | undefined {
  const { wsUrl, apiKey } = options;
  if (wsUrl === undefined) return undefined;
  const open = createSocketOpener(getWebSocketClass(options));
  return new WebSocketTransport(createRpcEndpoint(wsUrl, apiKey), { ...options, open });
}

function connectNode(
  { rpcUrl, apiKey }: CheckedOptions,
  http: HttpOptions,
  socket: WebSocketTransport | undefined,
): Transport {
  if (rpcUrl !== undefined) {
    const transport = createHttpTransport(createRpcEndpoint(rpcUrl, apiKey), http);
    return socket ? createFallbackTransport(socket, transport, http) : transport;
  }
  if (socket) return socket;
  return {
    label: 'no node',
    request: async () => Promise.reject(notConfigured('node', 'rpcUrl or wsUrl')),
  };
}

function notConfigured(what: string, option: string): UnavailableError {
  return new UnavailableError(`No ${what} is configured: the client needs ${option}.`);
}
