// The development service: the REST gas API and the JSON-RPC API of the specification over
// any EVM node. It knows one chain and one key, and keeps nothing but caches: several
// instances need nothing in common.
import fastify, { type FastifyInstance } from 'fastify';

import { createAccess, createSpend } from './access';
import { createFaults, type Faults, type FaultSource } from './faults';
import { createGas } from './gas';
import { createHead, followHeads } from './head';
import { parseLimits, type Limits, type ServiceOptions } from './options';
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
