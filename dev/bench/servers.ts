// The servers of a benchmark. The node and the service run in their own processes, so that their
// CPU time is not counted as the client's.
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { createTestClient, http, parseGwei, walletActions, type Hash } from 'viem';

import { funded } from '../stack/accounts';
import { orDied, readOutput, startAnvil, startChild } from '../stack/processes';
import { listenOnLoopback } from '../stack/server';

export type Server = { url: string; stop: () => Promise<void> };

export const BENCH_KEY = 'bench-key';

export async function startChain(): Promise<Server> {
  const { child, port } = startAnvil();
  return { url: `http://127.0.0.1:${await orDied(port, child)}`, stop: child.stop };
}

export type MeasuredServer = Server & {
  /** Fetches the CPU time that the server has used, in milliseconds. */
  fetchCpuMs: () => Promise<number>;
};

/** Starts the gas service from the file that its Docker image runs. */
export async function startService(nodeUrl: string): Promise<MeasuredServer> {
  // All callers share one IP address and connect at the same time.
  const flags = ['--rpc-url', nodeUrl, '--key', BENCH_KEY, '--max-idle', '1000'];
  return startMeasured('../../dist/service.cjs', flags);
}

export async function startMeasured(
  script: string,
  args: readonly string[],
): Promise<MeasuredServer> {
  const toPath = (path: string): string =>
    fileURLToPath(new URL(path, import.meta.url));
  const child = startChild({
    name: script,
    script: new URL('../stack/guard.mjs', import.meta.url),
    args: [process.execPath, toPath('measured.mjs'), toPath(script), ...args],
  });
  const output = readOutput(child, /Measured at (http:\/\/127\.0\.0\.1:\d+)\D/u);
  const measuredAt = await orDied(output, child);
  type Measured = { url: string; cpuMs: number };
  const measure = async (): Promise<Measured> =>
    (await (await fetch(measuredAt)).json()) as Measured;
  const { url } = await measure();
  return { url, stop: child.stop, fetchCpuMs: async () => (await measure()).cpuMs };
}

const EMITTER = '0x00000000000000000000000000000000000e1117';

// LOG3 with 32 bytes of data: PUSH1 3, 2, 1, 32, 0; LOG3; STOP.
const EMITTER_CODE = '0x60036002600160206000a300';
const BATCH = 1_000;

/** Mines transactions that each emit a log like a token transfer's. */
export async function fillChain(nodeUrl: string, count: number): Promise<Hash[]> {
  const transport = http(nodeUrl, { batch: { batchSize: BATCH }, timeout: 60_000 });
  const node = createTestClient({ mode: 'anvil', transport }).extend(walletActions);
  // Logging a line per request would cost this process time.
  await node.setLoggingEnabled(false);
  await node.setBlockGasLimit({ gasLimit: 1_000_000_000n });
  await node.setCode({ address: EMITTER, bytecode: EMITTER_CODE });
  const hashes: Hash[] = [];
  while (hashes.length < count) {
    const sending = Array.from({ length: BATCH }, async (_each, index) =>
      node.sendTransaction({
        account: funded.address,
        to: EMITTER,
        gas: 50_000n,
        maxFeePerGas: parseGwei('50'),
        maxPriorityFeePerGas: parseGwei('1'),
        nonce: hashes.length + index,
        chain: null,
      }),
    );
    hashes.push(...(await Promise.all(sending)));
    await node.mine({ blocks: 1 });
  }
  return hashes.slice(0, count);
}

type Exchange = { start: number; end: number; methods: string[] };

export type CountingProxy = Server & {
  /** The exchanges so far. Callers may clear the list. */
  exchanges: Exchange[];
};

/** Delay of each answer in ms, far longer than concurrent requests take to arrive. */
const HOLD_MS = 100;

/** Starts a server that forwards and counts requests. */
export async function startCountingProxy(serverUrl: string): Promise<CountingProxy> {
  const { origin, pathname } = new URL(serverUrl);
  const exchanges: Exchange[] = [];
  const { url, stop } = await listenOnLoopback(async (request, response) => {
    const start = performance.now();
    const { method = 'POST', url: path = '/', headers } = request;
    const body = await text(request);
    type Call = { method: string };
    const calls = body === '' ? [] : [JSON.parse(body) as Call | Call[]].flat();
    const answer = await fetch(`${origin}${path}`, {
      method,
      headers: {
        'Content-Type': 'application/json',
        Authorization: headers.authorization ?? '',
      },
      body: body || null,
    });
    const answered = await answer.text();
    await new Promise((resolve) => setTimeout(resolve, HOLD_MS));
    const methods = calls.map((call) => call.method);
    exchanges.push({ start, end: performance.now(), methods });
    response
      .writeHead(answer.status, { 'Content-Type': 'application/json' })
      .end(answered);
  });
  const proxyUrl = pathname === '/' ? url : `${url}${pathname}`;
  return { url: proxyUrl, stop, exchanges };
}

/** Counts round trips: the exchanges that must have waited for an earlier one to end. */
export function countTrips(exchanges: readonly Exchange[]): number {
  let trips = 0;
  let last = 0;
  for (const { start, end } of exchanges.toSorted(
    (one, other) => one.end - other.end,
  )) {
    if (start < last) continue;
    trips += 1;
    last = end;
  }
  return trips;
}
