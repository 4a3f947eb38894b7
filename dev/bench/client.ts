// The client beside viem: the same receipts from the same development service over a real
// chain, with batches on both sides, each with its own defaults.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';

import { createPublicClient, type Hash, http } from 'viem';

import {
  createHttpTransport,
  createRpcClient,
  createRpcEndpoint,
  nodeSchema,
} from '../../src/client';
import { compare, measureCpu, measureHeap, printTable, type Row } from './measure';
import { BENCH_KEY, fillChain, startChain, startService } from './servers';

/** Looks up the receipt of a transaction. */
type LookUp = (hash: Hash) => Promise<unknown>;

type Sides = { ours: LookUp; theirs: LookUp };

/** How many look-ups are made at once, how often in a round, and how many rounds. */
const LOADS = [
  { size: 1, repeats: 200, rounds: 11 },
  { size: 100, repeats: 10, rounds: 9 },
  { size: 10_000, repeats: 1, rounds: 3 },
];

const MOST = Math.max(...LOADS.map(({ size }) => size));

/** How many receipts are kept to see what they take on the heap. */
const HELD = 1_000;

// Ten thousand at once take the service longer than either side's default.
const TIMEOUT_MS = 60_000;

/** Run the bench. */
export async function benchClient(): Promise<number> {
  const chain = await startChain();
  try {
    const hashes = await fillChain(chain.url, MOST);
    const service = await startService(chain.url);
    try {
      const rows = await measure(createSides(service.url), hashes);
      const title = { name: 'receipt look-ups', ours: 'tollkeeper', theirs: 'viem' };
      return printTable(title, rows);
    } finally {
      await service.stop();
    }
  } finally {
    await chain.stop();
  }
}

function createSides(serviceUrl: string): Sides {
  const endpoint = createRpcEndpoint(serviceUrl, BENCH_KEY);
  const transport = createHttpTransport(endpoint, { fetch, timeoutMs: TIMEOUT_MS });
  const ours = createRpcClient(nodeSchema, transport);
  const theirs = createPublicClient({
    transport: http(endpoint.url, { batch: true, timeout: TIMEOUT_MS }),
  });
  return {
    ours: async (hash) => ours.request('eth_getTransactionReceipt', [hash]),
    theirs: async (hash) => theirs.getTransactionReceipt({ hash }),
  };
}

async function measure(sides: Sides, hashes: readonly Hash[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { size } of LOADS) {
    const asked = hashes.slice(0, size);
    rows.push({
      what: `${size.toLocaleString('en')} at once: HTTP requests`,
      ours: await countRequests(async () => lookUp(sides.ours, asked)),
      theirs: await countRequests(async () => lookUp(sides.theirs, asked)),
      unit: 'requests',
      bound: { atMost: 1 },
    });
  }
  for (const { size, repeats, rounds } of LOADS) {
    const asked = hashes.slice(0, size);
    const contest = (side: LookUp) => async (): Promise<number> => {
      const all = await measureCpu(async () => {
        for (let done = 0; done < repeats; done += 1) await lookUp(side, asked);
      });
      return all / repeats / size;
    };
    rows.push({
      what: `${size.toLocaleString('en')} at once: CPU a look-up`,
      ...(await compare(toContestants(sides, contest), rounds)),
      unit: 'µs',
      bound: { atMost: 1 },
    });
  }
  const held = hashes.slice(0, HELD);
  const hold = (side: LookUp) => async (): Promise<number> =>
    (await measureHeap(async () => lookUp(side, held))) / 1_000;
  const heaps = await compare(toContestants(sides, hold), 3);
  const what = `${HELD.toLocaleString('en')} receipts kept: heap`;
  return [...rows, { what, ...heaps, unit: 'kB' }];
}

function toContestants(
  { ours, theirs }: Sides,
  contest: (side: LookUp) => () => Promise<number>,
): { ours: () => Promise<number>; theirs: () => Promise<number> } {
  return { ours: contest(ours), theirs: contest(theirs) };
}

async function lookUp(side: LookUp, hashes: readonly Hash[]): Promise<unknown[]> {
  return Promise.all(hashes.map(side));
}

// What leaves this process, whoever sends it and however often it is tried again.
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
