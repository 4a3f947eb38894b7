// What the service counts, for Prometheus, and the server that shows it: on a port of its own,
// since it is not for callers. Labels are names of keys, routes and methods from tables: nothing
// that a caller writes, and so few that Prometheus can keep them all.
import fastify, { type FastifyInstance } from 'fastify';
import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
} from 'prom-client';

import { version } from '../../package.json';

const SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];

export type Metrics = ReturnType<typeof createMetrics>;

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the table is the type
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const counter = <Label extends string>(
    name: string,
    help: string,
    labelNames: Label[] = [],
  ): Counter<Label> =>
    new Counter({ name: `gas_service_${name}_total`, help, labelNames, registers });
  const gauge = (name: string, help: string, labelNames: string[] = []): Gauge =>
    new Gauge({ name: `gas_service_${name}`, help, labelNames, registers });
  const seconds = (name: string, help: string, labelNames: string[]): Histogram =>
    new Histogram({
      name: `gas_service_${name}_seconds`,
      help,
      labelNames,
      buckets: SECONDS,
      registers,
    });
  return {
    registry,
    /** Called before the metrics are shown, for those that have to be looked up. */
    onShow: [] as (() => Promise<void>)[],
    httpSeconds: seconds('http_request', 'Time until answered.', ['route', 'status']),
    socketMessages: counter('web_socket_messages', 'Answered messages.', ['status']),
    webSockets: gauge('web_sockets', 'Open WebSockets.'),
    counted: counter('counted_requests', 'Requests; a batch of N is N + 1.', ['key']),
    limited: counter('limited_requests', 'Refused by a limit.', ['key', 'limit']),
    nodeCalls: counter('node_calls', 'Calls to nodes.', ['method', 'outcome']),
    nodeSeconds: seconds('node_request', 'HTTP requests to each node.', ['node']),
    methodSeconds: seconds('rpc', 'JSON-RPC calls, until answered.', ['method']),
    nodeUp: gauge('node_up', '1 while asked, 0 while left out.', ['chain', 'node']),
    headBlock: gauge('head_block', 'Number of the newest block.', ['chain']),
    headAge: gauge('head_age_seconds', 'Age of the newest block.', ['chain']),
    failovers: counter('failovers', 'Failed calls that went to another.', ['chain']),
    hedges: counter('hedges', 'Slow calls for which another was asked.', ['chain']),
    cacheHits: counter('cache_hits', 'Final answers that were found.', [
      'chain',
      'tier',
    ]),
    cacheMisses: counter('cache_misses', 'Answers that were not found.', ['chain']),
    build: gauge('build_info', 'Always 1: the versions.', ['version', 'node']),
    redisUp: gauge('redis_up', '1 while Redis answers.'),
    countedLocally: counter('counted_locally', 'Limit checks made without Redis.'),
    keys: gauge('keys', 'Valid API keys.'),
    brokenKeyFiles: counter('broken_key_files', 'Key files that could not be used.'),
  };
}

/** Creates the server of `/metrics`, with the metrics of the process. */
export function createMetricsServer(metrics: Metrics): FastifyInstance {
  const { registry, onShow, build } = metrics;
  collectDefaultMetrics({ register: registry });
  build.set({ version, node: process.version }, 1);
  const server = fastify({ forceCloseConnections: true });
  server.get('/metrics', async (_request, reply) => {
    await Promise.all(onShow.map(async (show) => show()));
    return reply.type(registry.contentType).send(await registry.metrics());
  });
  return server;
}
