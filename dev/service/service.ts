// The development service: the REST gas API and the JSON-RPC API of the specification over
// any EVM node. It knows one chain and one key, and keeps nothing but caches: several
// instances need nothing in common.
import { type } from '@metamask/superstruct';
import fastify, { type FastifyInstance } from 'fastify';

import { parse } from '../../src/schema/parse';
import { integerBetween, named } from '../../src/schema/structs';
import { createAccess, createSpend, type Credentials } from './access';
import {
  createFaults,
  type FaultOptions,
  type Faults,
  type FaultSource,
} from './faults';
import { createGas } from './gas';
import { createHead, followHeads } from './head';
import { addRoutes, sendFailure } from './routes';
import { createRpc } from './rpc';
import { createUpstream } from './upstream';
import { serveWebSockets, type WebSocketSide } from './web-socket';

export type Service = {
  /** Address without a path; both APIs start here. */
  url: string;
  /** Works only in a service that was started with faults. */
  faults: Faults;
  /** Finish what is being answered, for a bounded time, and end; again does nothing. */
  stop: () => Promise<void>;
};

const LOOPBACK = '127.0.0.1';

/** How long a service with faults waits when it stops: what it stalls never ends. */
const STALLED_MS = 100;
const IDLE_CHECK_MS = 20;

/**
 * Start a service.
 *
 * @throws {InvalidParamsError} If an option makes no sense, naming it.
 * @throws {Error} If the port is taken.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const limits = parseLimits(options);
  const { nodeWsUrl, chainId, now = Date.now, nearHead = false } = options;
  const faults = options.faults ? createFaults(options.faults) : undefined;
  const upstream = createUpstream(options.nodeUrl, limits.nodeTimeoutMs);
  const head = createHead(upstream.ask, { maxAgeMs: limits.headMaxAgeMs, now });
  const gas = createGas(upstream.ask, head);
  const spend = createSpend(limits, now);
  const { batchLength, nodeTimeoutMs: timeoutMs } = limits;
  const rpc = createRpc({
    ...{ upstream, gas, head, spend, nearHead, chainId, batchLength },
  });
  const access = createAccess(options);

  const server = createServer(limits, faults);
  await addRoutes(server, { access, gas, head, rpc, spend, chainId, faults });
  const { toShown } = upstream;
  const subscriptions = { nodeWsUrl, timeoutMs, toShown };
  const webSockets = serveWebSockets(server.server, {
    ...{ rpc, access, limits, faults, subscriptions },
  });
  const { host = LOOPBACK, port = 0 } = options;
  const url = await server.listen({ host, port });
  const unfollow =
    nodeWsUrl === undefined
      ? () => undefined
      : followHeads(head, { url: nodeWsUrl, timeoutMs, toShown });

  const stop = async (): Promise<void> => {
    unfollow();
    await closeInTime(server, webSockets, faults ? STALLED_MS : limits.stopTimeoutMs);
    await upstream.stop();
  };
  let stopped: Promise<void> | undefined;
  return {
    url,
    faults: createFaultPort(url, faults),
    stop: async () => (stopped ??= stop()),
  };
}

function createServer(
  { bodyBytes, connections }: Limits,
  faults: FaultSource | undefined,
): FastifyInstance {
  const server = fastify({
    bodyLimit: bodyBytes,
    // An address that cannot even be read.
    frameworkErrors: sendFailure,
    // Paths with keys of any allowed length.
    routerOptions: { maxParamLength: 200 },
    ...(faults && { rewriteUrl: faults.rewrite }),
  });
  server.server.maxConnections = connections;
  return server;
}

async function closeInTime(
  server: FastifyInstance,
  webSockets: WebSocketSide,
  timeoutMs: number,
): Promise<void> {
  const http = server.server;
  const timer = setTimeout(() => {
    webSockets.cut();
    http.closeAllConnections();
  }, timeoutMs);
  // Connections that are kept alive after their last answer would hold the stop up.
  const idle = setInterval(() => http.closeIdleConnections(), IDLE_CHECK_MS);
  await Promise.all([webSockets.end(), server.close()]);
  clearTimeout(timer);
  clearInterval(idle);
}

function createFaultPort(url: string, faults: FaultSource | undefined): Faults {
  const need = (): FaultSource => {
    if (faults) return faults;
    throw new Error('The service was started without faults.');
  };
  return {
    next: (name, count) => need().next(name, count),
    clear: () => need().clear(),
    url: (name) => (need(), `${url}/fault/${name}`),
  };
}

// What can be chosen about a service, and what is taken if nothing is said.

/** Limits that protect the node and the service. */
export type Limits = {
  /** Longest body or WebSocket message, in bytes. */
  bodyBytes: number;
  /** Most calls in a batch. */
  batchLength: number;
  /** Most HTTP connections, WebSockets among them. */
  connections: number;
  webSockets: number;
  /** Requests per second on average; 0 for no limit. A batch of N counts as N + 1. */
  ratePerSecond: number;
  /** Requests that may come at once; the rate of one second if it is 0. */
  burst: number;
  /** Requests from midnight to midnight (UTC); 0 for no limit. */
  perDay: number;
  /** Milliseconds that the node has for an answer. */
  nodeTimeoutMs: number;
  /** Milliseconds for which the number of the newest block is believed. */
  headMaxAgeMs: number;
  /** Milliseconds that requests have to be finished when the service stops. */
  stopTimeoutMs: number;
};

/** How a service is set up. */
export type ServiceOptions = Credentials & {
  /** HTTP address of the node. */
  nodeUrl: string;
  /** WebSocket address of the node; without it there are no subscriptions. */
  nodeWsUrl?: string | undefined;
  /** Chain that the node serves. */
  chainId: number;
  /** Interface to listen on; loopback by default. */
  host?: string | undefined;
  /** 0, the default, takes a free one. */
  port?: number | undefined;
  /** Serve nothing that is about blocks before the latest 128. */
  nearHead?: boolean | undefined;
  /** Origins that may ask; all by default. With a list, one without an Origin may not. */
  allowOrigins?: readonly string[] | undefined;
  limits?: Partial<Limits> | undefined;
  /** Lets tests ask for faults, see faults.ts. */
  faults?: FaultOptions | undefined;
  /** Time in ms since the epoch; the system's clock by default. */
  now?: (() => number) | undefined;
};

/** What is taken where nothing is said. */
export const defaultLimits: Limits = {
  bodyBytes: 1_000_000,
  // As many as our client sends at once.
  batchLength: 1_000,
  connections: 1_000,
  webSockets: 500,
  ratePerSecond: 0,
  burst: 0,
  perDay: 0,
  nodeTimeoutMs: 10_000,
  headMaxAgeMs: 500,
  stopTimeoutMs: 5_000,
};

const MAX_LIMIT = 2 ** 31 - 1;
const amount = integerBetween(0, MAX_LIMIT);
const positive = integerBetween(1, MAX_LIMIT);

const LimitsStruct = type({
  bodyBytes: positive,
  batchLength: positive,
  connections: positive,
  webSockets: amount,
  ratePerSecond: amount,
  burst: amount,
  perDay: amount,
  nodeTimeoutMs: positive,
  headMaxAgeMs: amount,
  stopTimeoutMs: amount,
});

const KeyStruct = named<string>(
  'of 1 to 200 characters that can stand in an address: letters, digits, - . _ ~',
  (value) => typeof value === 'string' && /^[\w.~-]{1,200}$/u.test(value),
);

const addressOf = (...protocols: readonly string[]): ReturnType<typeof named<string>> =>
  named<string>(
    `an address that begins with ${protocols.join('// or ')}//`,
    (value) =>
      typeof value === 'string' &&
      URL.canParse(value) &&
      protocols.includes(new URL(value).protocol),
  );

const HttpUrlStruct = addressOf('http:', 'https:');
const WsUrlStruct = addressOf('ws:', 'wss:');
const ChainIdStruct = integerBetween(1, Number.MAX_SAFE_INTEGER);

/**
 * Check options, and fill in the limits.
 *
 * @throws {InvalidParamsError} Naming the option, never its value.
 */
function parseLimits(options: ServiceOptions): Limits {
  parse(options.apiKey, KeyStruct, 'The API key');
  parse(options.nodeUrl, HttpUrlStruct, "The node's address");
  if (options.nodeWsUrl !== undefined) {
    parse(options.nodeWsUrl, WsUrlStruct, "The node's WebSocket address");
  }
  parse(options.chainId, ChainIdStruct, 'The chain id');
  return parse({ ...defaultLimits, ...options.limits }, LimitsStruct, 'limits');
}
