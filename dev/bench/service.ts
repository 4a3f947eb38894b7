// The gas service: how many suggestedGasFees it answers a second beside a bare node:http server
// with the same bytes, and how often it asks its node for them; alone, and as several instances
// with a shared Redis beside as many that share nothing.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { createTestClient, http } from 'viem';

import { findRedisServer, NO_REDIS, startRedis } from '../stack/redis';
import { withStopped } from '../stack/server';
import { compare, median, type Bench, type Row } from './measure';
import {
  BENCH_KEY,
  fillChain,
  startBareServer,
  startChain,
  startCountingProxy,
  startService,
  type Server,
} from './servers';

const CHAIN_ID = 31_337;
const AUTHORIZATION = `Basic ${btoa(`${BENCH_KEY}:`)}`;
const CONNECTIONS = 32;
const SECONDS = 2;
const ROUNDS = 5;

/** Blocks to mine while upstream calls are counted, and callers that ask in each. */
const BLOCKS = 5;
const CALLERS = 200;

// Longer than the service may take to notice a block.
const BETWEEN_BLOCKS_MS = 2_000;

const INSTANCES = [1, 2, 4];
const INSTANCE_ROUNDS = 3;

// With it every request is counted, and is never too many.
const RATE = ['--rate', '1000000'];

/** Compares the service with its yardsticks. */
export async function* benchService(): Bench {
  const chain = await startChain();
  try {
    await fillChain(chain.url, 2_000);
    const rows = [await measureThroughput(chain), await countUpstream(chain)];
    yield { name: 'suggestedGasFees', ours: 'service', theirs: 'yardstick', rows };
    if (findRedisServer() === undefined) {
      process.stdout.write(`\nseveral instances: skipped, ${NO_REDIS}\n`);
      return;
    }
    const names = { name: 'instances', ours: 'with Redis', theirs: 'without' };
    for (const count of INSTANCES) {
      yield { ...names, rows: await measureInstances(chain, count) };
    }
  } finally {
    await chain.stop();
  }
}

async function measureThroughput(chain: Server): Promise<Row> {
  return withStopped(startService(chain.url), async (service) => {
    const bytes = await (await ask(service)).text();
    return withStopped(startBareServer(bytes), async (bare) => ({
      what: `${CONNECTIONS} connections (yardstick: node:http)`,
      ...(await compare(
        {
          ours: async () => (await load([service])).perSecond,
          theirs: async () => (await load([bare])).perSecond,
        },
        { rounds: ROUNDS },
      )),
      unit: 'requests/s',
      bound: { atLeast: 0.5 },
    }));
  });
}

async function countUpstream(chain: Server): Promise<Row> {
  const { histories } = await countCalls(chain, { count: 1 });
  return {
    what: `eth_feeHistory a block, ${CALLERS} callers (yardstick: one)`,
    ours: histories,
    theirs: 1,
    unit: 'calls',
    bound: { exactly: 1 },
  };
}

async function measureInstances(chain: Server, count: number): Promise<Row[]> {
  return withStopped(startRedis(), async ({ url }) => {
    const kinds = {
      ours: { count, flags: [...RATE, '--redis', url] },
      theirs: { count, flags: RATE },
    };
    const waits = { ours: [] as number[], theirs: [] as number[] };
    const loadAll = async (
      name: keyof typeof waits,
      servers: readonly Server[],
    ): Promise<number> => {
      const { perSecond, p99 } = await load(servers);
      waits[name].push(p99);
      return perSecond;
    };
    const perSecond = await withServices(chain, kinds.ours, async (ours) =>
      withServices(chain, kinds.theirs, async (theirs) =>
        compare(
          {
            ours: async () => loadAll('ours', ours),
            theirs: async () => loadAll('theirs', theirs),
          },
          { rounds: INSTANCE_ROUNDS },
        ),
      ),
    );
    const [ours, theirs] = [
      await countCalls(chain, kinds.ours),
      await countCalls(chain, kinds.theirs),
    ];
    return [
      {
        what: `${count}: ${CONNECTIONS} connections`,
        ...perSecond,
        unit: 'requests/s',
      },
      {
        what: `${count}: 99 % answered within`,
        ...{ ours: median(waits.ours), theirs: median(waits.theirs), unit: 'ms' },
      },
      {
        what: `${count}: eth_feeHistory a block`,
        ...{ ours: ours.histories, theirs: theirs.histories, unit: 'calls' },
        bound: { exactly: 1 / count },
      },
      {
        what: `${count}: calls to the node a block`,
        ...{ ours: ours.calls, theirs: theirs.calls, unit: 'calls' },
      },
    ];
  });
}

type Instances = { count: number; flags?: readonly string[] };

/** Counts what instances ask their node for while callers ask them, a block. */
async function countCalls(
  chain: Server,
  instances: Instances,
): Promise<{ histories: number; calls: number }> {
  const node = createTestClient({ mode: 'anvil', transport: http(chain.url) });
  return withStopped(startCountingProxy(chain.url), async (proxy) =>
    withServices(proxy, instances, async (services) => {
      const askAll = async (): Promise<unknown> =>
        Promise.all(
          Array.from({ length: CALLERS }, async (_each, index) => {
            const service = services[index % services.length];
            return service && ask(service);
          }),
        );
      await askAll();
      const before = { histories: proxy.count('eth_feeHistory'), calls: proxy.count() };
      for (let block = 0; block < BLOCKS; block += 1) {
        await node.mine({ blocks: 1 });
        await new Promise((resolve) => setTimeout(resolve, BETWEEN_BLOCKS_MS));
        await askAll();
        await askAll();
      }
      return {
        histories: (proxy.count('eth_feeHistory') - before.histories) / BLOCKS,
        calls: (proxy.count() - before.calls) / BLOCKS,
      };
    }),
  );
}

async function withServices<Result>(
  node: { url: string },
  { count, flags = [] }: Instances,
  work: (services: readonly Server[]) => Promise<Result>,
): Promise<Result> {
  const services = await Promise.all(
    Array.from({ length: count }, async () => startService(node.url, flags)),
  );
  try {
    return await work(services);
  } finally {
    await Promise.all(services.map(async ({ stop }) => stop()));
  }
}

async function ask(server: Server): Promise<Response> {
  const response = await fetch(toAddress(server), {
    headers: { Authorization: AUTHORIZATION },
  });
  if (response.ok) return response;
  throw new Error(`The service answered with HTTP status ${response.status}.`);
}

async function load(
  servers: readonly Server[],
): Promise<{ perSecond: number; p99: number }> {
  const script = fileURLToPath(new URL('load.mjs', import.meta.url));
  const options = [AUTHORIZATION, `${CONNECTIONS}`, `${SECONDS}`];
  const args = [script, servers.map(toAddress).join(','), ...options];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as { perSecond: number; p99: number };
}

function toAddress({ url }: Server): string {
  return `${url}/networks/${CHAIN_ID}/suggestedGasFees`;
}
