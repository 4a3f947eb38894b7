// The gas service: the specification's REST gas API and JSON-RPC API over any EVM nodes, for one
// chain or several. A single instance only needs the nodes; several instances share limits and
// answers through a store (store.ts).
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import fastify, {
  LogController,
  type FastifyInstance,
  type FastifyListenOptions,
} from 'fastify';

import { Access } from './access';
import { limitConnections } from './connections';
import { toFailure } from './json-rpc';
import { Keys } from './keys';
import { createSpend } from './limits';
import { createMetrics, createMetricsServer } from './metrics';
import { openNetwork } from './network';
import { completeLimits, type Limits, type ServiceOptions } from './options';
import { addRoutes, endConnection, sendFailure } from './routes';
import { createMemoryStore, createRedisStore } from './store';
import { serveWebSockets } from './web-socket';

export type Service = Awaited<ReturnType<typeof start>>;

const LOOPBACK = '127.0.0.1';

const IDLE_CHECK_MS = 20;

/** Starts a service. Throws if a port or a key cannot be used, or a chain cannot be identified. */
export async function startService(options: ServiceOptions): Promise<Service> {
  // Functions that stop the parts started so far.
  const started: (() => unknown)[] = [];
  try {
    return await start(options, started);
  } catch (error) {
    await stopAll(started);
    throw error;
  }
}

async function stopAll(started: (() => unknown)[]): Promise<void> {
  for (const stop of started.splice(0).reverse()) await stop();
}

async function start(options: ServiceOptions, started: (() => unknown)[]) {
  const limits = completeLimits(options.limits);
  const metrics = createMetrics();
  const server = createServer(options, limits);
  const { log } = server;
  const keys = new Keys(options, limits);
  started.push(() => keys.stop());
  const store =
    options.redisUrl === undefined
      ? createMemoryStore()
      : await createRedisStore(options.redisUrl, { log, metrics });
  started.push(store.stop);
  const networks = await Promise.all(
    options.networks.map(async (given) => {
      const network = await openNetwork(given, { limits, log, metrics, store });
      started.push(network.stop);
      return network;
    }),
  );
  const [only, ...others] = networks;
  // Requests to all chains are counted together. A single chain is also identified by its genesis
  // hash.
  const scope =
    options.redisUrl !== undefined && only && others.length === 0
      ? `${only.chainId}:${await only.fetchGenesis()}`
      : networks.map(({ chainId }) => chainId).join('-');
  const spend = createSpend({ ...limits, scope }, { counter: store.counter, metrics });
  const access = new Access(networks, keys, options.allowOrigins);
  let isEnding = false;
  const states = { isStopping: () => isEnding, isAlone: store.isAlone };
  const services = { spend, limits, metrics, log, access, networks, ...states };
  await addRoutes(server, services);
  const webSockets = serveWebSockets(server.server, services);
  keys.onReload = (count) => {
    metrics.keys.set(count);
    log.info({ count }, 'Reloaded the key file.');
    webSockets.renew();
  };
  keys.onBroken = (reason) => {
    metrics.brokenKeyFiles.inc();
    log.error({ reason }, 'Kept the old keys.');
  };
  metrics.keys.set(keys.count);

  const { host = LOOPBACK, port = 0, metricsHost = LOOPBACK, metricsPort } = options;
  let metricsUrl: string | undefined;
  if (metricsPort !== undefined) {
    const shown = createMetricsServer(metrics);
    started.push(async () => shown.close());
    metricsUrl = `${await listen(shown, { host: metricsHost, port: metricsPort })}/metrics`;
    log.info(`Metrics at ${metricsUrl}.`);
  }
  const names = networks.map(({ chainId }) => chainId).join(', ');
  const url = await listen(server, {
    host,
    port,
    listenTextResolver: (address) =>
      `Serving chain${networks.length > 1 ? 's' : ''} ${names} at ${address}.`,
  });

  const stop = async (): Promise<void> => {
    isEnding = true;
    log.info('Stopping.');
    if (limits.drainMs > 0) await sleep(limits.drainMs);
    const http = server.server;
    const cut = (): void => {
      webSockets.cut();
      http.closeAllConnections();
    };
    const timer = setTimeout(cut, limits.stopTimeoutMs);
    // Connections kept alive after their last answer would delay the stop.
    const idle = setInterval(() => http.closeIdleConnections(), IDLE_CHECK_MS);
    await Promise.all([webSockets.end(), server.close()]);
    clearTimeout(timer);
    clearInterval(idle);
    await stopAll(started);
    log.info('Stopped.');
  };
  let stopped: Promise<void> | undefined;
  return {
    /** Base address of both APIs, without a path. */
    url,
    /** Address of the metrics, if they have a port. */
    metricsUrl,
    /** Finishes pending answers within a time limit, then stops. Idempotent. */
    stop: async () => (stopped ??= stop()),
  };
}

async function listen(
  server: FastifyInstance,
  options: FastifyListenOptions & { host: string; port: number },
): Promise<string> {
  try {
    return await server.listen(options);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new Error(`Cannot listen at ${options.host}:${options.port} (${code}).`, {
      cause,
    });
  }
}

function createServer({ logLevel }: ServiceOptions, limits: Limits): FastifyInstance {
  const { bodyBytes, requestTimeoutMs } = limits;
  // Node checks for timeouts at intervals, so the timeout and one interval together make the limit.
  const connectionsCheckingInterval = Math.floor(requestTimeoutMs / 10);
  const requestTimeout = requestTimeoutMs - connectionsCheckingInterval;
  const server = fastify({
    bodyLimit: bodyBytes,
    requestTimeout,
    // Repeated here, because Node derives the headers' time limit from it.
    http: { requestTimeout, connectionsCheckingInterval },
    // routes.ts logs requests, without their addresses.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger) => logger,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    // Handles addresses that cannot be parsed.
    frameworkErrors: sendFailure,
    clientErrorHandler: ({ code }, socket) => {
      const statusCode = connectionErrors.get(code) ?? 400;
      if (!socket.writable) socket.destroy();
      else endConnection(socket, toFailure({ statusCode }), { id: randomUUID() });
    },
    return503OnClosing: false,
    logger: logLevel !== undefined && {
      level: logLevel,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: toLogged, req: () => ({}), res: () => ({}) },
    },
    // Maximum length of a key in a path.
    routerOptions: { maxParamLength: 200 },
  });
  server.server.on('checkExpectation', ({ socket }: IncomingMessage) => {
    endConnection(socket, toFailure({ statusCode: 417 }), { id: randomUUID() });
  });
  limitConnections(server.server, limits);
  return server;
}

const connectionErrors = new Map<unknown, number>([
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
  ['HPE_HEADER_OVERFLOW', 431],
]);

// Omits the message, which may quote a caller's input.
function toLogged({ name, code, stack = '' }: Error & { code?: unknown }) {
  const frames = stack.split('\n').filter((line) => /^ {4}at /u.test(line));
  return { type: name, message: '', stack: frames.join('\n'), code };
}
