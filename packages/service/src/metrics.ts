// The service's metrics for Prometheus, and the server for them, on a port of its own because they
// are not for callers. Label values come from tables (names of keys, routes and methods) and never
// from callers, so their number is bounded.
import fastify, { type FastifyInstance } from 'fastify';
import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
} from 'prom-client';

import { version } from '../../../package.json';

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
    /** Called before the metrics are shown, to update gauges on demand. */
    onShow: [] as (() => Promise<void>)[],
    httpSeconds: seconds(
      'http_request',
      'HTTP requests: time until the answer was sent.',
      ['route', 'status'],
    ),
    socketMessages: counter(
      'web_socket_messages',
      'Answered WebSocket messages, by the equivalent HTTP status.',
      ['status'],
    ),
    webSockets: gauge('web_sockets', 'Open WebSockets.'),
    counted: counter(
      'counted_requests',
      'Requests as counted by limits: a batch of N counts as N + 1.',
      ['key'],
    ),
    limited: counter('limited_requests', 'Requests that a limit refused.', [
      'key',
      'limit',
    ]),
    nodeCalls: counter('node_calls', 'Calls to the node.', ['method', 'outcome']),
    nodeSeconds: seconds('node_request', 'HTTP requests to each node.', ['node']),
    methodSeconds: seconds(
      'rpc',
      'Served JSON-RPC calls, by method: time until they were answered.',
      ['method'],
    ),
    nodeUp: gauge('node_up', '1 while a node is in use, 0 while it is left out.', [
      'chain',
      'node',
    ]),
    headBlock: gauge('head_block', 'Number of the newest block.', ['chain']),
    headAge: gauge('head_age_seconds', 'Age of the newest block by its timestamp.', [
      'chain',
    ]),
    failovers: counter('failovers', 'Calls sent to another node because one failed.', [
      'chain',
    ]),
    hedges: counter('hedges', 'Calls also sent to another node because one was slow.', [
      'chain',
    ]),
    cacheHits: counter('cache_hits', 'Final answers found in memory or in Redis.', [
      'chain',
      'tier',
    ]),
    cacheMisses: counter(
      'cache_misses',
      'Possibly final answers that were not found.',
      ['chain'],
    ),
    build: gauge('build_info', 'Always 1; the labels are the versions.', [
      'version',
      'node',
    ]),
    redisUp: gauge('redis_up', '1 while Redis answers; always 0 without --redis.'),
    countedLocally: counter(
      'counted_locally',
      'Limit checks that this instance made alone because Redis failed.',
    ),
    keys: gauge('keys', 'Number of valid API keys.'),
    brokenKeyFiles: counter(
      'broken_key_files',
      'Times that the key file was unusable and the old keys were kept.',
    ),
  };
}

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
