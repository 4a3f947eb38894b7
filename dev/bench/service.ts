// Benchmarks the gas service: requests per second and their cost. Compares the gas API with a bare
// node:http server that sends the same bytes, JSON-RPC with viem behind Fastify, and several
// processes that share a port and a Redis with one process.
import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { Redis } from 'ioredis';
import { createTestClient, http, type Hash } from 'viem';

import { funded } from '../stack/accounts';
import { findRedisServer, NO_REDIS, startRedis } from '../stack/redis';
import { callRpc, withStopped } from '../stack/server';
import {
  mapValues,
  median,
  takeTurns,
  type Bench,
  type Row,
  type Table,
} from './measure';
import {
  BENCH_KEY,
  fillChain,
  startChain,
  startCountingProxy,
  startProcesses,
  startServices,
  type MeasuredServer,
  type Server,
} from './servers';

const CHAIN_ID = 31_337;
const GAS_PATH = `/networks/${CHAIN_ID}/suggestedGasFees`;
const RPC_PATH = `/v3/${BENCH_KEY}`;
const AUTHORIZATION = `Basic ${btoa(`${BENCH_KEY}:`)}`;
const CONNECTIONS = 32;
const SECONDS = 2;
const ROUNDS = 5;

/** Blocks after the transactions, to make them final: anvil's finality is 64 blocks. */
const LATER_BLOCKS = 70;

/** Blocks to mine while upstream calls are counted, and callers per block. */
const BLOCKS = 5;
const CALLERS = 200;

// Longer than the service may take to notice a block.
const BETWEEN_BLOCKS_MS = 2_000;

/** Numbers of processes, and their required throughput relative to one process if there are enough
 * cores: three per process, since the load, Redis and the node need some too. */
const SEVERAL = { two: { count: 2, growth: 1.7 }, four: { count: 4, growth: 3 } };
const CORES_EACH = 3;

/** Interval between a connection's requests under a steady load, in ms. It leaves cores idle, so
 * that a request's cost does not depend on the others. */
const EVERY_MS = 20;

/** Maximum cost of a request for several processes, relative to one. */
const MAX_COST = 1.3;

/** One process can load two servers, if there are enough cores. */
const GENERATORS = availableParallelism() >= 4 * CORES_EACH ? 2 : 1;

// Counts every request, without ever limiting it.
const RATE = ['--rate', '1000000'];

export async function* benchService(): Bench {
  const chain = await startChain();
  try {
    const [hash] = await fillChain(chain.url, 2_000);
    const node = createTestClient({ mode: 'anvil', transport: http(chain.url) });
    await node.mine({ blocks: LATER_BLOCKS });
    yield {
      name: 'suggestedGasFees',
      ours: 'service',
      theirs: 'yardstick',
      rows: [
        await measureThroughput(chain),
        {
          ...toRow(
            `eth_feeHistory a block, ${CALLERS} callers (yardstick: one)`,
            { ours: await countCalls(chain), theirs: { histories: 1 } },
            'histories',
          ),
          bound: { each: 1 },
        },
      ],
    };
    const rows = await measureRpc(chain, hash);
    yield { name: 'JSON-RPC', ours: 'service', theirs: 'viem', rows };
    if (findRedisServer() === undefined) {
      process.stdout.write(`\nseveral processes: skipped, ${NO_REDIS}\n`);
      return;
    }
    yield* await withStopped(startRedis(), async ({ url }) =>
      measureProcesses(chain, url),
    );
  } finally {
    await chain.stop();
  }
}

async function measureThroughput(chain: Server): Promise<Row> {
  return withStopped(startServices(chain.url), async (ours) => {
    const bytes = await (await ask(ours)).text();
    const bare = startProcesses('bare-server.mjs', [bytes]);
    return withStopped(bare, async (theirs) => {
      const figures = await measureInTurns({ ours, theirs }, { path: GAS_PATH });
      const what = `${CONNECTIONS} connections (yardstick: node:http)`;
      return { ...toRow(what, figures, 'perSecond'), bound: { atLeast: 0.45 } };
    });
  });
}

/** Requests to the service and to viem: some for the node, and some about final blocks. */
async function measureRpc(chain: Server, hash: Hash | undefined): Promise<Row[]> {
  const cases: [method: string, params: unknown[]][] = [
    ['eth_getBalance', [funded.address, 'latest']],
    ['eth_getTransactionReceipt', [hash]],
  ];
  return withStopped(startServices(chain.url), async (ours) =>
    withStopped(startProcesses('viem-server.mjs', [chain.url]), async (theirs) => {
      const rows: Row[] = [];
      for (const [method, params] of cases) {
        const answers = await Promise.all(
          [ours, theirs].map(async ({ url }) =>
            JSON.stringify(await callRpc(url + RPC_PATH, method, params)),
          ),
        );
        if (answers[0] !== answers[1]) {
          throw new Error(`${method}: the two sides differ.`);
        }
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
        const request = { path: RPC_PATH, body };
        const figures = await measureInTurns({ ours, theirs }, request);
        const cpu = toRow(`${method}: CPU a request`, figures, 'cpu');
        rows.push(
          toRow(`${method}: ${CONNECTIONS} connections`, figures, 'perSecond'),
          toRow(`${method}: 99 % answered within`, figures, 'p99'),
          { ...cpu, bound: { atMost: 1 } },
        );
      }
      return rows;
    }),
  );
}

/** Results of loading one server; CPU times and commands are per request. */
const units = {
  perSecond: 'requests/s',
  p99: 'ms',
  cpu: 'µs',
  /** CPU time of the process that distributes connections. */
  primaryCpu: 'µs',
  /** Busy share of the busiest process's event loop. */
  busy: '%',
  redisCpu: 'µs',
  /** Including commands of scripts. */
  commands: 'commands',
};

type Figures = Record<keyof typeof units, number>;

const allUnits = { ...units, histories: 'calls', calls: 'calls' };

function toRow<Name extends keyof typeof allUnits>(
  what: string,
  { ours, theirs }: Record<'ours' | 'theirs', Record<Name, number>>,
  name: Name,
): Row {
  return { what, ours: ours[name], theirs: theirs[name], unit: allUnits[name] };
}

/** Loads servers in turns, each process equally, and finds each value's median. */
async function measureInTurns<Name extends string>(
  servers: Record<Name, MeasuredServer>,
  { redis, ...request }: LoadRequest & { redis?: Redis },
): Promise<Record<Name, Figures>> {
  const contestants = mapValues(
    servers,
    (server) => async () => measureLoad(server, request, redis),
  );
  return mapValues(await takeTurns(contestants, ROUNDS), (all) =>
    mapValues(units, (_unit, name) => median(all.map((figures) => figures[name]))),
  );
}

async function measureLoad(
  server: MeasuredServer,
  request: LoadRequest,
  redis: Redis | undefined,
): Promise<Figures> {
  const redisBefore = await fetchRedisUsage(redis);
  const before = await server.fetchUsages();
  const connections = CONNECTIONS * (before.length - 1);
  const { perSecond, p99, count } = await load(server, { ...request, connections });
  const after = await server.fetchUsages();
  const redisAfter = await fetchRedisUsage(redis);
  const [primary, ...others] = after.map((usage, index) =>
    mapValues(usage, (ms, name) => ms - (before[index]?.[name] ?? 0)),
  );
  const perRequest = (ms: number): number => (ms * 1_000) / count;
  return {
    perSecond,
    p99,
    cpu: perRequest(others.reduce((sum, { cpuMs }) => sum + cpuMs, 0)),
    primaryCpu: perRequest(primary?.cpuMs ?? 0),
    busy:
      Math.max(...others.map(({ busyMs, idleMs }) => busyMs / (busyMs + idleMs))) * 100,
    redisCpu: perRequest(redisAfter.cpuMs - redisBefore.cpuMs),
    commands: (redisAfter.commands - redisBefore.commands) / count,
  };
}

async function fetchRedisUsage(
  redis: Redis | undefined,
): Promise<{ cpuMs: number; commands: number }> {
  const info = (await redis?.info('everything')) ?? '';
  const read = (name: string): number =>
    Number(new RegExp(`^${name}:([\\d.]+)`, 'mu').exec(info)?.[1] ?? 0);
  return {
    cpuMs: (read('used_cpu_user') + read('used_cpu_sys')) * 1_000,
    commands: read('total_commands_processed'),
  };
}

/** Measures Redis's cost for one process, and compares several processes with one. */
async function measureProcesses(chain: Server, redisUrl: string): Promise<Table[]> {
  const redis = new Redis(redisUrl);
  const shared = ['--redis', redisUrl];
  const counted = [...shared, ...RATE];
  const starts = {
    alone: [1, RATE],
    uncounted: [1, shared],
    one: [1, counted],
    two: [2, counted],
    four: [4, counted],
  } as const;
  const services = {} as Record<keyof typeof starts, MeasuredServer>;
  try {
    for (const [name, [count, flags]] of Object.entries(starts)) {
      const service = await startServices(chain.url, count, flags);
      services[name as keyof typeof starts] = service;
    }
    const { alone, uncounted, ...others } = services;
    const request = { path: GAS_PATH, redis };
    const first = await measureInTurns({ alone, uncounted, one: others.one }, request);
    const costs = { ours: first.one, theirs: first.alone };
    const uncountedCosts = { ours: first.uncounted, theirs: first.alone };
    const full = await measureInTurns(others, request);
    const steady = await measureInTurns(others, { ...request, everyMs: EVERY_MS });
    const loads = {
      one: [full.one, steady.one, await countCalls(chain, 1, counted)],
      two: [full.two, steady.two, await countCalls(chain, 2, counted)],
      four: [full.four, steady.four, await countCalls(chain, 4, counted)],
    } as const;
    return [
      {
        name: 'one process',
        ours: 'with Redis',
        theirs: 'without',
        rows: [
          toRow(`${CONNECTIONS} connections`, costs, 'perSecond'),
          toRow('99 % answered within', costs, 'p99'),
          toRow('CPU a request', costs, 'cpu'),
          toRow('Redis: CPU a request', costs, 'redisCpu'),
          toRow('Redis: commands a request', costs, 'commands'),
          toRow('Redis: commands a request, no limits', uncountedCosts, 'commands'),
        ],
      },
      compareWithOne(SEVERAL.two, loads.two, loads.one),
      compareWithOne(SEVERAL.four, loads.four, loads.one),
    ];
  } finally {
    for (const { stop } of Object.values(services)) await stop();
    redis.disconnect();
  }
}

type Loads = readonly [full: Figures, steady: Figures, calls: Calls];

/** Compares several processes with one: under full load, and under a steady one. */
function compareWithOne(
  { count, growth }: { count: number; growth: number },
  ours: Loads,
  theirs: Loads,
): Table {
  const full = { ours: ours[0], theirs: theirs[0] };
  const steady = { ours: ours[1], theirs: theirs[1] };
  const calls = { ours: ours[2], theirs: theirs[2] };
  const isMeasurable = availableParallelism() >= count * CORES_EACH;
  const bound = isMeasurable ? { atLeast: growth } : undefined;
  const cost = { bound: { atMost: MAX_COST } };
  return {
    name: `${count} processes, one Redis`,
    ours: `${count}`,
    theirs: 'one',
    rows: [
      { ...toRow('full load', full, 'perSecond'), bound },
      toRow('full load: busiest event loop', full, 'busy'),
      toRow('steady load', steady, 'perSecond'),
      toRow('steady load: 99 % answered within', steady, 'p99'),
      { ...toRow('steady load: CPU a request', steady, 'cpu'), ...cost },
      toRow('steady load: CPU of handing out connections', steady, 'primaryCpu'),
      { ...toRow('steady load: CPU of Redis', steady, 'redisCpu'), ...cost },
      { ...toRow('steady load: commands of Redis', steady, 'commands'), ...cost },
      { ...toRow('eth_feeHistory a block', calls, 'histories'), bound: { each: 1 } },
      toRow('calls to the node a block', calls, 'calls'),
    ],
  };
}

type Calls = { histories: number; calls: number };

/** Counts the processes' requests to their node per block, while callers ask them. */
async function countCalls(
  chain: Server,
  count = 1,
  flags: readonly string[] = [],
): Promise<Calls> {
  const node = createTestClient({ mode: 'anvil', transport: http(chain.url) });
  return withStopped(startCountingProxy(chain.url), async (proxy) =>
    withStopped(startServices(proxy.url, count, flags), async (service) => {
      const askAll = async (): Promise<unknown> =>
        Promise.all(Array.from({ length: CALLERS }, async () => ask(service)));
      await askAll();
      proxy.exchanges.length = 0;
      for (let block = 0; block < BLOCKS; block += 1) {
        await node.mine({ blocks: 1 });
        await new Promise((resolve) => setTimeout(resolve, BETWEEN_BLOCKS_MS));
        await askAll();
        await askAll();
      }
      const methods = proxy.exchanges.flatMap((exchange) => exchange.methods);
      const histories = methods.filter((method) => method === 'eth_feeHistory');
      return {
        histories: histories.length / BLOCKS,
        calls: methods.length / BLOCKS,
      };
    }),
  );
}

async function ask({ url }: Server): Promise<Response> {
  const response = await fetch(url + GAS_PATH, {
    headers: { Authorization: AUTHORIZATION },
  });
  if (response.ok) return response;
  throw new Error(`The service answered with HTTP status ${response.status}.`);
}

/** The request: a GET, or a POST of the body. */
type LoadRequest = {
  path: string;
  body?: string;
  /** Interval of each connection in ms; by default, it sends the next request after each answer. */
  everyMs?: number;
};

type Load = { perSecond: number; p99: number; count: number };

async function load(
  { url }: Server,
  { path, body = '', connections, everyMs = 0 }: LoadRequest & { connections: number },
): Promise<Load> {
  const script = fileURLToPath(new URL('load.mjs', import.meta.url));
  const options = JSON.stringify({
    address: url + path,
    authorization: AUTHORIZATION,
    body,
    everyMs,
    connections: connections / GENERATORS,
    seconds: SECONDS,
  });
  const loads = await Promise.all(
    Array.from({ length: GENERATORS }, async () => {
      const { stdout } = await promisify(execFile)(process.execPath, [script, options]);
      return JSON.parse(stdout) as Load;
    }),
  );
  return {
    perSecond: loads.reduce((sum, { perSecond }) => sum + perSecond, 0),
    p99: Math.max(...loads.map(({ p99 }) => p99)),
    count: loads.reduce((sum, { count }) => sum + count, 0),
  };
}
