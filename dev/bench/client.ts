// The client beside viem: the same receipts from the same development service over a real
// chain, with batches on both sides, each with its own defaults.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';

import { createPublicClient, http, type Hash } from 'viem';

import {
  createHttpTransport,
  createRpcClient,
  createRpcEndpoint,
  nodeSchema,
} from '../../packages/client/src';
import { compare, measureCpu, measureHeap, type Bench, type Row } from './measure';
import { BENCH_KEY, withService } from './servers';

/** Looks up the receipts of transactions. */
type LookUp = (hashes: readonly Hash[]) => Promise<unknown[]>;

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

/** Compares look-ups of receipts. */
export async function* benchClient(): Bench {
  const rows = await withService(MOST, async ({ service }, hashes) =>
    measure(createSides(service), hashes),
  );
  yield { name: 'receipt look-ups', ours: 'tollkeeper', theirs: 'viem', rows };
}

function createSides(serviceUrl: string): Sides {
  const endpoint = createRpcEndpoint(serviceUrl, BENCH_KEY);
  const transport = createHttpTransport(endpoint, { fetch, timeoutMs: TIMEOUT_MS });
  const ours = createRpcClient(nodeSchema, transport);
  const theirs = createPublicClient({
    transport: http(endpoint.url, { batch: true, timeout: TIMEOUT_MS }),
  });
  const lookUp =
    (one: (hash: Hash) => Promise<unknown>): LookUp =>
    async (hashes) =>
      Promise.all(hashes.map(one));
  return {
    ours: lookUp(async (hash) => ours.request('eth_getTransactionReceipt', [hash])),
    theirs: lookUp(async (hash) => theirs.getTransactionReceipt({ hash })),
  };
}

async function measure(sides: Sides, hashes: readonly Hash[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { size } of LOADS) {
    const asked = hashes.slice(0, size);
    rows.push({
      what: `${size.toLocaleString('en')} at once: HTTP requests`,
      ours: await countRequests(async () => sides.ours(asked)),
      theirs: await countRequests(async () => sides.theirs(asked)),
      unit: 'requests',
      bound: { atMost: 1 },
    });
  }
  for (const { size, repeats, rounds } of LOADS) {
    const asked = hashes.slice(0, size);
    const contest = (side: LookUp) => async (): Promise<number> =>
      (await measureCpu(async () => side(asked), repeats)) / size;
    const contestants = { ours: contest(sides.ours), theirs: contest(sides.theirs) };
    rows.push({
      what: `${size.toLocaleString('en')} at once: CPU a look-up`,
      ...(await compare(contestants, { rounds })),
      unit: 'µs',
      bound: { atMost: 1 },
    });
  }
  const held = hashes.slice(0, HELD);
  const hold = (side: LookUp) => async (): Promise<number> =>
    (await measureHeap(async () => side(held))) / 1_000;
  const holders = { ours: hold(sides.ours), theirs: hold(sides.theirs) };
  const what = `${HELD.toLocaleString('en')} receipts kept: heap`;
  return [...rows, { what, ...(await compare(holders, { rounds: 3 })), unit: 'kB' }];
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
