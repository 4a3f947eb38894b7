// Compares the client with viem: both fetch the same receipts from the same gas service, with
// batching on.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';

import { createPublicClient, http, type Hash } from 'viem';

import {
  createHttpTransport,
  createRpcClient,
  createRpcEndpoint,
  nodeSchema,
} from '../../packages/client/src';
import { withStopped } from '../stack/server';
import {
  compareSides,
  mapValues,
  measureCpu,
  measureHeap,
  median,
  type Bench,
  type Row,
} from './measure';
import { BENCH_KEY, fillChain, startChain, startService } from './servers';

type Sides = Record<'ours' | 'theirs', (hash: Hash) => Promise<unknown>>;

const LOADS = [
  { size: 1, repeats: 200, rounds: 11 },
  { size: 100, repeats: 10, rounds: 9 },
  { size: 10_000, repeats: 1, rounds: 3 },
];

const MAX_SIZE = Math.max(...LOADS.map(({ size }) => size));

const HELD = 1_000;

// Ten thousand concurrent lookups take longer than the default timeout of either side.
const TIMEOUT_MS = 60_000;

export async function* benchClient(): Bench {
  const rows = await withStopped(startChain(), async ({ url: node }) => {
    const hashes = await fillChain(node, MAX_SIZE);
    return withStopped(startService(node), async ({ url: service }) => {
      const endpoint = createRpcEndpoint(service, BENCH_KEY);
      const transport = createHttpTransport(endpoint, { fetch, timeoutMs: TIMEOUT_MS });
      const ours = createRpcClient(nodeSchema, transport);
      const theirs = createPublicClient({
        transport: http(endpoint.url, { batch: true, timeout: TIMEOUT_MS }),
      });
      const sides: Sides = {
        ours: async (hash) => ours.request('eth_getTransactionReceipt', [hash]),
        theirs: async (hash) => theirs.getTransactionReceipt({ hash }),
      };
      return measure(sides, hashes);
    });
  });
  yield { name: 'receipt look-ups', ours: 'tollkeeper', theirs: 'viem', rows };
}

async function measure(single: Sides, hashes: readonly Hash[]): Promise<Row[]> {
  const sides = mapValues(
    single,
    (lookUp) => async (count: number) =>
      Promise.all(hashes.slice(0, count).map(lookUp)),
  );
  const rows: Row[] = [];
  const bound = { atMost: 1 };
  for (const { size, repeats, rounds } of LOADS) {
    const what = `${size.toLocaleString('en')} at once`;
    const cpu = mapValues(
      sides,
      (side) => async () => (await measureCpu(async () => side(size), repeats)) / size,
    );
    rows.push(
      {
        what: `${what}: HTTP requests`,
        ours: await countRequests(async () => sides.ours(size)),
        theirs: await countRequests(async () => sides.theirs(size)),
        unit: 'requests',
        bound,
      },
      await compareSides({ what: `${what}: CPU per look-up`, unit: 'µs', bound }, cpu, {
        rounds,
        summarize: median,
      }),
    );
  }
  const heaps = mapValues(
    sides,
    (side) => async () => (await measureHeap(async () => side(HELD))) / 1_000,
  );
  const row = { what: `${HELD.toLocaleString('en')} receipts kept: heap`, unit: 'kB' };
  return [...rows, await compareSides(row, heaps, { rounds: 3, summarize: median })];
}

async function countRequests(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const onRequest = (): void => {
    count += 1;
  };
  subscribe('undici:request:create', onRequest);
  try {
    await work();
    return count;
  } finally {
    unsubscribe('undici:request:create', onRequest);
  }
}
