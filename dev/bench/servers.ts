// The servers of a bench: a node with a history and the service over it, each in a process of
// its own, so that their CPU time is not counted as a client's, and what counts requests
// before them.
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { createTestClient, http, type Hash } from 'viem';

import { funded } from '../stack/accounts';
import { orDied, readOutput, startAnvil, startChild } from '../stack/processes';
import { listenOnLoopback, withStopped } from '../stack/server';

/** A server in another process. */
export type Server = { url: string; stop: () => Promise<void> };

/** The key that the benched service asks for. */
export const BENCH_KEY = 'bench-key';

export async function startChain(): Promise<Server> {
  const { child, port } = startAnvil();
  return { url: `http://127.0.0.1:${await orDied(port, child)}`, stop: child.stop };
}

/** Works over a chain with so many transactions, and the service over it. */
export async function withService<Result>(
  transactions: number,
  work: (urls: { node: string; service: string }, hashes: Hash[]) => Promise<Result>,
): Promise<Result> {
  return withStopped(startChain(), async ({ url: node }) => {
    const hashes = await fillChain(node, transactions);
    return withStopped(startServices(node), async ({ url: service }) =>
      work({ node, service }, hashes),
    );
  });
}

/** What a process has used so far: CPU time, and how long its event loop was busy and idle. */
type Usage = { cpuMs: number; busyMs: number; idleMs: number };

/** A server in several processes behind one port. */
export type MeasuredServer = Server & {
  /** What they have used; the first is the one that hands out connections. */
  fetchUsages: () => Promise<Usage[]>;
};

/** Starts so many processes of the gas service behind one port, from its command line. */
export async function startServices(
  nodeUrl: string,
  count = 1,
  flags: readonly string[] = [],
): Promise<MeasuredServer> {
  // All callers have one address, and connect at once.
  const own = ['--rpc-url', nodeUrl, '--key', BENCH_KEY, '--max-idle', '1000'];
  return startProcesses('../service/main.ts', [...own, ...flags], count);
}

/** Starts processes of a server behind one port. */
export async function startProcesses(
  script: string,
  args: readonly string[],
  count = 1,
): Promise<MeasuredServer> {
  const toPath = (path: string): string =>
    fileURLToPath(new URL(path, import.meta.url));
  const child = startChild({
    name: script,
    script: new URL('../stack/guard.mjs', import.meta.url),
    args: [
      process.execPath,
      toPath('processes.mjs'),
      `${count}`,
      toPath(script),
      ...args,
    ],
  });
  const output = readOutput(child, /Shown at (http:\/\/127\.0\.0\.1:\d+)\D/u);
  const shownAt = await orDied(output, child);
  const fetchShown = async (): Promise<{ url: string; usages: Usage[] }> => {
    const response = await fetch(shownAt);
    return (await response.json()) as { url: string; usages: Usage[] };
  };
  const { url } = await fetchShown();
  return {
    url,
    stop: child.stop,
    fetchUsages: async () => (await fetchShown()).usages,
  };
}

const EMITTER = '0x00000000000000000000000000000000000e1117';

// LOG3 with 32 bytes of data: PUSH1 3, 2, 1, 32, 0; LOG3; STOP.
const EMITTER_CODE = '0x60036002600160206000a300';
const BATCH = 1_000;

/**
 * Sends transactions to an empty chain and mines them; answers with their hashes. Each emits a
 * log as a token's transfer does.
 */
export async function fillChain(nodeUrl: string, count: number): Promise<Hash[]> {
  const node = createTestClient({ mode: 'anvil', transport: http(nodeUrl) });
  // A line a request, which this process would have to read, and pay for.
  await node.setLoggingEnabled(false);
  await node.setBlockGasLimit({ gasLimit: 1_000_000_000n });
  await node.setCode({ address: EMITTER, bytecode: EMITTER_CODE });
  const hashes: Hash[] = [];
  while (hashes.length < count) {
    hashes.push(...(await sendBatch(nodeUrl, hashes.length)));
    await node.mine({ blocks: 1 });
  }
  return hashes.slice(0, count);
}

async function sendBatch(nodeUrl: string, firstNonce: number): Promise<Hash[]> {
  const calls = Array.from({ length: BATCH }, (_each, index) => ({
    jsonrpc: '2.0',
    id: index,
    method: 'eth_sendTransaction',
    params: [
      {
        from: funded.address,
        to: EMITTER,
        gas: '0xc350',
        maxFeePerGas: '0xba43b7400',
        maxPriorityFeePerGas: '0x3b9aca00',
        nonce: `0x${(firstNonce + index).toString(16)}`,
      },
    ],
  }));
  const response = await fetch(nodeUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(calls),
  });
  const answers = (await response.json()) as { result: Hash }[];
  return answers.map(({ result }) => result);
}

/** One HTTP request and its answer, by the proxy's clock. */
type Exchange = { start: number; end: number };

/** A server that counts what passes through it. */
export type CountingProxy = {
  url: string;
  /** How often a method, or any, was called so far. */
  count: (method?: string) => number;
  /** What was answered so far; may be emptied. */
  exchanges: Exchange[];
  /** HTTP status to answer requests to the gas API with, instead of asking the server. */
  gasStatus?: number | undefined;
  stop: () => Promise<void>;
};

/** How long each answer is held back, so that concurrent requests can be distinguished from those
 * after another answer: far longer than concurrent requests take to arrive. */
const HOLD_MS = 100;

/** Starts a proxy before a server's address. */
export async function startCountingProxy(serverUrl: string): Promise<CountingProxy> {
  const counts = new Map<string, number>();
  const exchanges: Exchange[] = [];
  const { url, stop } = await listenOnLoopback(async (request, response) => {
    const start = performance.now();
    const path = request.url ?? '/';
    const asked = await text(request);
    type Call = { method: string };
    const calls = asked === '' ? [] : [JSON.parse(asked) as Call | Call[]].flat();
    for (const { method } of calls) counts.set(method, (counts.get(method) ?? 0) + 1);
    const { status, body } =
      proxy.gasStatus !== undefined && path.includes('/networks/')
        ? { status: proxy.gasStatus, body: '{}' }
        : await forward(`${serverUrl}${path}`, request, asked);
    await new Promise((resolve) => setTimeout(resolve, HOLD_MS));
    exchanges.push({ start, end: performance.now() });
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
  });
  const count = (method?: string): number =>
    method === undefined
      ? [...counts.values()].reduce((sum, each) => sum + each, 0)
      : (counts.get(method) ?? 0);
  const proxy: CountingProxy = { url, stop, exchanges, count };
  return proxy;
}

async function forward(
  url: string,
  { method = 'POST', headers: { authorization } }: IncomingMessage,
  body: string,
): Promise<{ status: number; body: string }> {
  const answer = await fetch(url, {
    method,
    headers: {
      'Content-Type': 'application/json',
      ...(authorization === undefined ? {} : { Authorization: authorization }),
    },
    ...(body === '' ? {} : { body }),
  });
  return { status: answer.status, body: await answer.text() };
}

/**
 * Counts the round trips of exchanges: how many of them could only begin after another had
 * ended, at most.
 */
export function countTrips(exchanges: readonly Exchange[]): number {
  const byStart = exchanges.toSorted((one, other) => one.start - other.start);
  let trips = 0;
  const depths: { end: number; depth: number }[] = [];
  for (const { start, end } of byStart) {
    const before = depths.filter((each) => each.end <= start);
    const depth = 1 + Math.max(0, ...before.map((each) => each.depth));
    depths.push({ end, depth });
    trips = Math.max(trips, depth);
  }
  return trips;
}
