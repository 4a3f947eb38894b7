// What the service counts, for Prometheus, and the server that shows it: on a port of its own,
// since it is not for callers. Labels are names of keys, routes and methods from tables: nothing
// that a caller writes, and so few that Prometheus can keep them all.
import fastify, { type FastifyBaseLogger } from 'fastify';
import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
  type CounterConfiguration,
  type GaugeConfiguration,
} from 'prom-client';

import { version } from '../../package.json';

const SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];

export type Metrics = ReturnType<typeof createMetrics>;

/** Creates the metrics of one service. */
// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the table is the type
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const counter = <Label extends string>(
    options: Omit<CounterConfiguration<Label>, 'registers'>,
  ): Counter<Label> => new Counter({ ...options, registers });
  const gauge = (options: Omit<GaugeConfiguration<string>, 'registers'>): Gauge =>
    new Gauge({ ...options, registers });
  return {
    registry,
    /** Called before the metrics are shown, for those that have to be looked up. */
    onShow: [] as (() => Promise<void>)[],
    httpSeconds: new Histogram({
      name: 'gas_service_http_request_seconds',
      help: 'HTTP requests: time until the answer was sent.',
      labelNames: ['route', 'status'],
      buckets: SECONDS,
      registers,
    }),
    socketMessages: counter({
      name: 'gas_service_web_socket_messages_total',
      help: 'WebSocket messages that were answered, by the status that HTTP would have.',
      labelNames: ['status'],
    }),
    webSockets: gauge({
      name: 'gas_service_web_sockets',
      help: 'WebSockets that are open.',
    }),
    counted: counter({
      name: 'gas_service_counted_requests_total',
      help: 'Requests as limits count them: a batch of N is N + 1.',
      labelNames: ['key'],
    }),
    limited: counter({
      name: 'gas_service_limited_requests_total',
      help: 'Requests that a limit refused.',
      labelNames: ['key', 'limit'],
    }),
    nodeCalls: counter({
      name: 'gas_service_node_calls_total',
      help: 'Calls to the node.',
      labelNames: ['method', 'outcome'],
    }),
    nodeSeconds: new Histogram({
      name: 'gas_service_node_request_seconds',
      help: 'HTTP requests to each node.',
      labelNames: ['node'],
      buckets: SECONDS,
      registers,
    }),
    methodSeconds: new Histogram({
      name: 'gas_service_rpc_seconds',
      help: 'JSON-RPC calls that are served, by method: time until they were answered.',
      labelNames: ['method'],
      buckets: SECONDS,
      registers,
    }),
    nodeUp: gauge({
      name: 'gas_service_node_up',
      help: '1 while a node is asked, 0 while it is left out.',
      labelNames: ['chain', 'node'],
    }),
    headBlock: gauge({
      name: 'gas_service_head_block',
      help: 'Number of the newest block.',
      labelNames: ['chain'],
    }),
    headAge: gauge({
      name: 'gas_service_head_age_seconds',
      help: 'Age of the newest block by its timestamp.',
      labelNames: ['chain'],
    }),
    failovers: counter({
      name: 'gas_service_failovers_total',
      help: 'Calls that went to another node because one failed.',
      labelNames: ['chain'],
    }),
    hedges: counter({
      name: 'gas_service_hedges_total',
      help: 'Calls for which another node was asked because one was slow.',
      labelNames: ['chain'],
    }),
    cacheHits: counter({
      name: 'gas_service_cache_hits_total',
      help: 'Final answers that were found in memory or in Redis.',
      labelNames: ['chain', 'tier'],
    }),
    cacheMisses: counter({
      name: 'gas_service_cache_misses_total',
      help: 'Answers that may be final and were not found.',
      labelNames: ['chain'],
    }),
    build: gauge({
      name: 'gas_service_build_info',
      help: 'Always 1; the labels are the versions.',
      labelNames: ['version', 'node'],
    }),
    redisUp: gauge({
      name: 'gas_service_redis_up',
      help: '1 while Redis answers; always 0 without --redis.',
    }),
    countedLocally: counter({
      name: 'gas_service_counted_locally_total',
      help: 'Limit checks that this instance made alone because Redis failed.',
    }),
    keys: gauge({ name: 'gas_service_keys', help: 'API keys that are valid.' }),
    brokenKeyFiles: counter({
      name: 'gas_service_broken_key_files_total',
      help: 'Times that the key file could not be used and the old keys were kept.',
    }),
  };
}

/** Serves metrics at `/metrics`, with those of the process. */
export async function serveMetrics(
  { registry, onShow, build }: Metrics,
  { host, port, log }: { host: string; port: number; log: FastifyBaseLogger },
): Promise<{ url: string; stop: () => Promise<void> }> {
  collectDefaultMetrics({ register: registry });
  const server = fastify({ forceCloseConnections: true });
  build.set({ version, node: process.version }, 1);
  server.get('/metrics', async (_request, reply) => {
    await Promise.all(onShow.map(async (show) => show()));
    return reply.type(registry.contentType).send(await registry.metrics());
  });
  const url = await server.listen({ host, port });
  log.info(`Metrics at ${url}/metrics.`);
  return { url: `${url}/metrics`, stop: async () => server.close() };
}
