// The gas service: the REST gas API and the JSON-RPC API of the specification over any EVM node.
// It serves one chain. Alone it needs nothing but the node; several instances share their limits
// and what they ask the node through a store (store.ts).
import { setTimeout as sleep } from 'node:timers/promises';

import fastify, { LogController, type FastifyInstance } from 'fastify';

import { HeadStruct } from '../../packages/client/src/rpc/block';
import { HexQuantityStruct } from '../../src/eth/hex';
import { createAccess } from './access';
import { limitConnections } from './connections';
import { createFaults, type Faults, type FaultSource } from './faults';
import { createGas } from './gas';
import { createHead, followHeads, requireResult } from './head';
import { loadKeys } from './keys';
import { createSpend } from './limits';
import { createMetrics, serveMetrics } from './metrics';
import { parseLimits, type Limits, type ServiceOptions } from './options';
import { addRoutes, sendFailure } from './routes';
import { createRpc } from './rpc';
import { createMemoryStore, createRedisStore } from './store';
import { createUpstream, type Ask } from './upstream';
import { serveWebSockets, type WebSocketSide } from './web-socket';

export type Service = {
  /** Address without a path; both APIs start here. */
  url: string;
  /** Address of the metrics, if they have a port. */
  metricsUrl?: string | undefined;
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
 * @throws {Error} If a port is taken, the key file cannot be used, or the node does not answer
 * what was left out or what names its chain in Redis.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  // What was started so far, to be stopped in reverse order.
  const started: (() => unknown)[] = [];
  const stopAll = async (): Promise<void> => {
    for (const stop of started.splice(0).reverse()) await stop();
  };
  try {
    return await start(options, started, stopAll);
  } catch (error) {
    await stopAll();
    throw error;
  }
}

async function start(
  options: ServiceOptions,
  started: (() => unknown)[],
  stopAll: () => Promise<void>,
): Promise<Service> {
  const limits = parseLimits(options);
  const { nodeUrl, nodeWsUrl, nearHead = false } = options;
  const faults = options.faults ? createFaults(options.faults) : undefined;
  const metrics = createMetrics();
  const server = createServer(limits, { faults, logLevel: options.logLevel });
  const { log } = server;
  const keys = await loadKeys(options, limits);
  started.push(keys.stop);
  const { nodeTimeoutMs: timeoutMs } = limits;
  const upstream = createUpstream(nodeUrl, { timeoutMs, metrics });
  started.push(upstream.stop);
  const { ask, toShown } = upstream;
  const chainId = options.chainId ?? (await fetchChainId(ask));
  const store =
    options.redisUrl === undefined
      ? createMemoryStore()
      : await createRedisStore({
          url: options.redisUrl,
          prefix: `gas-service:${chainId}:${await fetchGenesis(ask)}`,
          ...{ log, metrics },
        });
  started.push(store.stop);

  const { share, counter } = store;
  const head = createHead(ask, { maxAgeMs: limits.headMaxAgeMs, share });
  const gas = createGas(ask, { head, share });
  const spend = createSpend(limits, { counter, metrics });
  const { batchLength } = limits;
  const rpc = createRpc({
    ...{ upstream, gas, head, spend, nearHead, chainId, batchLength },
  });
  const access = createAccess({ allowOrigins: options.allowOrigins, chainId, keys });
  let isStopping = false;
  await addRoutes(server, {
    ...{ access, gas, head, rpc, spend, metrics, chainId, faults },
    isStopping: () => isStopping,
  });
  const webSockets = serveWebSockets(server.server, {
    ...{ rpc, access, limits, metrics, faults },
    subscriptions: { nodeWsUrl, timeoutMs, toShown },
  });
  keys.watch({
    onReload: (count) => {
      metrics.keys.set(count);
      log.info({ count }, 'Read the key file again.');
      webSockets.renew();
    },
    onBroken: (reason) => {
      metrics.brokenKeyFiles.inc();
      log.error({ reason }, 'Kept the old keys.');
    },
  });
  metrics.keys.set(keys.count());

  const { host = LOOPBACK, port = 0, metricsHost = LOOPBACK, metricsPort } = options;
  const shown =
    metricsPort === undefined
      ? undefined
      : await serveMetrics(metrics, { host: metricsHost, port: metricsPort, log });
  if (shown) started.push(shown.stop);
  const url = await server.listen({
    ...{ host, port },
    listenTextResolver: (address) => `Serving chain ${chainId} at ${address}.`,
  });
  if (nodeWsUrl !== undefined) {
    started.push(followHeads(head, { url: nodeWsUrl, timeoutMs, toShown }));
  }

  const stop = async (): Promise<void> => {
    isStopping = true;
    log.info('Stopping.');
    if (limits.drainMs > 0) await sleep(limits.drainMs);
    await closeInTime(server, webSockets, faults ? STALLED_MS : limits.stopTimeoutMs);
    await stopAll();
    log.info('Stopped.');
  };
  let stopped: Promise<void> | undefined;
  return {
    url,
    metricsUrl: shown?.url,
    faults: createFaultPort(url, faults),
    stop: async () => (stopped ??= stop()),
  };
}

async function fetchChainId(ask: Ask): Promise<number> {
  return Number(requireResult(await ask('eth_chainId', []), HexQuantityStruct));
}

// Chains that share an id, as development chains do, share nothing else.
async function fetchGenesis(ask: Ask): Promise<string> {
  const outcome = await ask('eth_getBlockByNumber', ['0x0', false]);
  return requireResult(outcome, HeadStruct).hash;
}

function createServer(
  limits: Limits,
  {
    faults,
    logLevel,
  }: { faults: FaultSource | undefined; logLevel: string | undefined },
): FastifyInstance {
  const { bodyBytes, requestTimeoutMs } = limits;
  // Node looks for connections whose time is up at intervals: both fit into the limit.
  const connectionsCheckingInterval = Math.floor(requestTimeoutMs / 10);
  const requestTimeout = requestTimeoutMs - connectionsCheckingInterval;
  const server = fastify({
    bodyLimit: bodyBytes,
    requestTimeout,
    // Here again: Node derives from it the time for the head, which must not be longer.
    http: { requestTimeout, connectionsCheckingInterval },
    // routes.ts logs requests, without their addresses.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger) => logger,
    // An address that cannot even be read.
    frameworkErrors: sendFailure,
    logger: logLevel !== undefined && {
      level: logLevel,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: toLogged, req: () => ({}), res: () => ({}) },
    },
    // Paths with keys of any allowed length.
    routerOptions: { maxParamLength: 200 },
    ...(faults && { rewriteUrl: faults.rewrite }),
  });
  limitConnections(server.server, limits);
  return server;
}

// Without its message, which can quote what a caller sent.
function toLogged({ name, code, stack = '' }: Error & { code?: unknown }): {
  type: string;
  message: string;
  stack: string;
  code: unknown;
} {
  const frames = stack.split('\n').filter((line) => /^ {4}at /u.test(line));
  return { type: name, message: '', stack: frames.join('\n'), code };
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
