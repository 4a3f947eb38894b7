// One chain's gas API and JSON-RPC API behind one object, for pages and programs.
import { define, object, optional } from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';

import { InvalidParamsError, UnavailableError } from '../../../src/core/errors';
import { ChainIdStruct } from '../../../src/eth/chain';
import type { ChainId } from '../../../src/eth/chain';
import type { Hex } from '../../../src/eth/hex';
import { findUrl } from '../../../src/eth/host';
import { parse } from '../../../src/schema/parse';
import { callable, oneOf } from '../../../src/schema/structs';
import { createGasEndpoint, createRpcEndpoint } from './endpoint';
import { createGasApi } from './gas-api';
import type { GasApi, GasCallOptions, SuggestedGasFees } from './gas-api';
import { limitFields } from './http';
import type { HttpOptions } from './http';
import { policyFields } from './retry';
import type { RetryServices } from './retry';
import type { Head } from './rpc/block';
import { createSocketOpener } from './rpc/connection';
import type { WebSocketClass } from './rpc/connection';
import { findInclusion, followHeads } from './rpc/heads';
import type { Inclusion } from './rpc/heads';
import { createHttpTransport } from './rpc/http-transport';
import { createNodeClient } from './rpc/node-client';
import type { NodeClient } from './rpc/node-client';
import type { CallOptions } from './rpc/rpc-client';
import { createFallbackTransport } from './rpc/transport';
import type { Transport } from './rpc/transport';
import { WebSocketTransport } from './rpc/web-socket-transport';

/** A chain's servers and how to call them. Omitted servers are not used. */
export type ClientOptions = Partial<HttpOptions> & {
  /** EIP-155 chain id: hex, decimal, number, bigint or CAIP-2. */
  chainId: ChainId | number | string;
  /** Gas API, called at `{gasBaseUrl}/networks/{chainId}/…`. */
  gasBaseUrl?: string | undefined;
  /** Where the gas API expects the key: in the Authorization header (default) or in the path. */
  gasAuth?: 'basic' | 'path' | undefined;
  /** Key of the gas API and the JSON-RPC servers. */
  apiKey?: string | undefined;
  /** Secret of the key, sent only in the Authorization header of the gas API. */
  apiKeySecret?: string | undefined;
  /** JSON-RPC server. With a key it is called at `{rpcUrl}/v3/{apiKey}`. */
  rpcUrl?: string | undefined;
  /** WebSocket server, called with the key like `rpcUrl`. While the socket is down, `rpcUrl` is
   * used instead. */
  wsUrl?: string | undefined;
  /** WebSocket class. Defaults to the platform's, which Node has since version 22. */
  WebSocket?: WebSocketClass | undefined;
};

/** The APIs of a chain. Methods throw {@link NetworkError}, {@link TimeoutError},
 * {@link HttpStatusError}, {@link RateLimitError}, {@link BodyTooLargeError},
 * {@link InvalidResponseError}, {@link RpcError}, and `UnavailableError` if no server is set. */
export type Client = {
  /** EIP-155 chain id. */
  readonly chainId: ChainId;
  /** Fetches suggested fees from the gas API, in wei. */
  suggestedGasFees: (options?: GasCallOptions) => Promise<SuggestedGasFees>;
  /** Fetches the median of past base fees from the gas API, in wei. */
  baseFeePercentile: (options?: GasCallOptions) => Promise<bigint>;
  /** Calls a JSON-RPC method; validates params and result. Over HTTP, calls that may be repeated
   * share a batch if they are made in the same tick. */
  request: NodeClient['request'];
  /** Finds out whether a transaction is pending, included or unknown to the node. `sentAt` is the
   * number of the newest block at the time of sending. */
  findInclusion: (
    tracked: { hash: Hex; sentAt: bigint },
    options?: CallOptions,
  ) => Promise<Inclusion>;
  /** Calls `onHead` for new blocks, even after reconnections, until the returned function is
   * called. While the subscription is silent, polls for the newest block every four seconds.
   * @throws {UnavailableError} Without a `wsUrl`. */
  watchHeads: (onHead: (head: Head) => unknown) => Promise<() => Promise<void>>;
  /** Closes the WebSocket for good. Later calls use HTTP, if there is an `rpcUrl`. */
  close: () => Promise<void>;
};

const SecretStruct = define<string>(
  'a string of 1 to 256 characters',
  (value) => typeof value === 'string' && value.length >= 1 && value.length <= 256,
);

const OptionsStruct = object({
  chainId: ChainIdStruct,
  gasBaseUrl: optional(urlStruct('https:', 'http:')),
  gasAuth: optional(oneOf(['basic', 'path'])),
  apiKey: optional(SecretStruct),
  apiKeySecret: optional(SecretStruct),
  rpcUrl: optional(urlStruct('https:', 'http:')),
  wsUrl: optional(urlStruct('wss:', 'ws:')),
  WebSocket: optional(callable<WebSocketClass>()),
  fetch: optional(callable<typeof globalThis.fetch>()),
  ...limitFields,
  retry: optional(object(policyFields)),
  services: optional(
    object({
      now: optional(callable<RetryServices['now']>()),
      sleep: optional(callable<RetryServices['sleep']>()),
      random: optional(callable<RetryServices['random']>()),
    }),
  ),
});

// The bound rejects timestamps in ms, which are larger than any block number.
const SentAtStruct = define<bigint>(
  'the number of the newest block when it was sent, a bigint',
  (value) => typeof value === 'bigint' && value >= 0n && value < 10n ** 12n,
);

type CheckedOptions = Infer<typeof OptionsStruct>;

/**
 * Creates a client for a chain.
 *
 * @throws {InvalidParamsError} If an option is invalid.
 * @example
 * ```ts
 * import { createClient } from 'tollkeeper-snap/client';
 *
 * const client = createClient({ chainId: 1, gasBaseUrl: 'https://gas.example' });
 * const { medium } = await client.suggestedGasFees();
 * ```
 */
export function createClient(options: ClientOptions): Client {
  const checked = parse(options, OptionsStruct, 'options');
  const { chainId, gasBaseUrl } = checked;
  const http: HttpOptions = { ...checked, fetch: checked.fetch ?? globalThis.fetch };
  const socket = connectSocket(checked);
  const node = createNodeClient(connectNode(checked, http, socket), chainId);
  const watches = new Set<() => Promise<void>>();
  const api =
    gasBaseUrl === undefined
      ? undefined
      : createGasApi(createGasEndpoint({ ...checked, gasBaseUrl }), http);
  const gas = (): GasApi => {
    if (api) return api;
    throw notConfigured('gas API', 'gasBaseUrl');
  };
  return {
    chainId,
    request: node.request,
    suggestedGasFees: async (call) => gas().suggestedGasFees(chainId, call),
    baseFeePercentile: async (call) => gas().baseFeePercentile(chainId, call),
    findInclusion: async (tracked, call) => {
      parse(tracked.sentAt, SentAtStruct, 'sentAt');
      return findInclusion(node, { ...tracked, chainId }, call);
    },
    watchHeads: async (onHead) => {
      parse(onHead, callable(), 'onHead');
      if (!socket) throw notConfigured('WebSocket', 'wsUrl');
      const stop = await followHeads(socket, node, onHead);
      watches.add(stop);
      return async () => {
        watches.delete(stop);
        await stop();
      };
    },
    close: async () => {
      await Promise.all([...watches].map(async (stop) => stop()));
      await socket?.close();
    },
  };
}

function connectSocket(options: CheckedOptions): WebSocketTransport | undefined {
  const { wsUrl, apiKey, WebSocket = globalThis.WebSocket } = options;
  if (wsUrl === undefined) return undefined;
  // Some platforms have no WebSocket, contrary to the type.
  if (!(WebSocket as unknown)) {
    throw new InvalidParamsError(
      'options.WebSocket is missing: this platform has no WebSocket, so ' +
        'options.wsUrl needs a class, such as the one from the package "ws".',
    );
  }
  const open = createSocketOpener(WebSocket);
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

function urlStruct(secure: string, plain: string): ReturnType<typeof define<string>> {
  const name = `a URL that starts with ${secure}// or ${plain}// and has no credentials`;
  return define<string>(name, (value) => {
    const { protocol = '', username, password } = findUrl(value) ?? {};
    return [secure, plain].includes(protocol) && !username && !password;
  });
}
