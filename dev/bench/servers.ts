// The servers of a bench, each in a process of its own, so that their CPU time is not
// counted as a client's.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { createTestClient, type Hash, http } from 'viem';

import { funded } from '../stack/accounts';
import { type Child, startAnvil, startChild } from '../stack/processes';

/** A server in another process. */
export type Server = { url: string; stop: () => Promise<void> };

/** The key that the benched service asks for. */
export const BENCH_KEY = 'bench-key';

/** Start an empty chain. */
export async function startChain(): Promise<Server> {
  const { child, port } = startAnvil();
  return { url: `http://127.0.0.1:${await orDied(port, child)}`, stop: child.stop };
}

/** Start the development service over a node, from its command line. */
export async function startService(nodeUrl: string): Promise<Server> {
  const script = fileURLToPath(new URL('../service/main.ts', import.meta.url));
  const flags = ['--node', nodeUrl, '--key', BENCH_KEY];
  return start('The service', ['--import', 'tsx', script, ...flags]);
}

/** Start a server made of nothing but node:http that answers everything with a text. */
export async function startBareServer(answer: string): Promise<Server> {
  const script = fileURLToPath(new URL('bare-server.mjs', import.meta.url));
  return start('The bare server', [script, answer]);
}

async function start(name: string, args: string[]): Promise<Server> {
  const child = startChild({
    name,
    script: new URL('../stack/guard.mjs', import.meta.url),
    args: [process.execPath, ...args],
  });
  return { url: await orDied(findUrl(child), child), stop: child.stop };
}

function findUrl({ process: { stdout }, tail }: Child): Promise<string> {
  return new Promise((resolve) => {
    const read = (): void => {
      const [url] = /http:\/\/127\.0\.0\.1:\d+(?=\D)/u.exec(tail()) ?? [];
      if (url === undefined) return;
      stdout?.off('data', read);
      resolve(url);
    };
    stdout?.on('data', read);
  });
}

async function orDied<Value>(work: Promise<Value>, { died }: Child): Promise<Value> {
  const failed = died.then((error) => {
    throw error;
  });
  return Promise.race([work, failed]);
}

// A chain with ten thousand transactions, each of which emitted a log as a token's
// transfer does.

const EMITTER = '0x00000000000000000000000000000000000e1117';

// LOG3 with 32 bytes of data: PUSH1 3, 2, 1, 32, 0; LOG3; STOP.
const EMITTER_CODE = '0x60036002600160206000a300';

const BATCH = 1_000;

/** Send transactions to an empty chain and mine them; answers with their hashes. */
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

// Stands before a server and counts what passes: JSON-RPC calls by method, and every HTTP
// exchange with its begin and end.

/** One HTTP request and its answer, by the proxy's clock. */
export type Exchange = { start: number; end: number };

/** A running proxy. */
export type CountingProxy = {
  url: string;
  /** How often a method was called so far. */
  count: (method: string) => number;
  /** What was answered so far; may be emptied. */
  exchanges: Exchange[];
  stop: () => Promise<void>;
};

/** What a proxy does beside counting. */
export type ProxyOptions = {
  /** How long each answer is held back, so that what is asked at once can be told from
   * what is asked after another answer; in ms. */
  holdMs?: number;
  /** Find the HTTP status to answer a path with instead of asking the server. */
  refuse?: (path: string) => number | undefined;
};

type Call = { method: string };

type Answer = { status: number; body: string };

/** Start a proxy before a server's address. */
export async function startCountingProxy(
  serverUrl: string,
  { holdMs = 0, refuse = () => undefined }: ProxyOptions = {},
): Promise<CountingProxy> {
  const counts = new Map<string, number>();
  const exchanges: Exchange[] = [];
  const answer = async (request: IncomingMessage, path: string): Promise<Answer> => {
    const body = await text(request);
    for (const { method } of readCalls(body)) {
      counts.set(method, (counts.get(method) ?? 0) + 1);
    }
    const status = refuse(path);
    return status === undefined
      ? forward(`${serverUrl}${path}`, request, body)
      : { status, body: '{}' };
  };
  const handle = async (
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const start = performance.now();
    const { status, body } = await answer(request, request.url ?? '/');
    if (holdMs > 0) await new Promise((resolve) => setTimeout(resolve, holdMs));
    exchanges.push({ start, end: performance.now() });
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
  };
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: (method) => counts.get(method) ?? 0,
    exchanges,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Count the round trips of exchanges: how many of them could only begin after another had
 * ended, at most.
 */
export function countTrips(exchanges: readonly Exchange[]): number {
  const inOrder = exchanges.toSorted((one, other) => one.start - other.start);
  const depths: number[] = [];
  for (const { start } of inOrder) {
    const before = depths.filter(
      (_depth, index) => (inOrder[index]?.end ?? 0) <= start,
    );
    depths.push(1 + Math.max(0, ...before));
  }
  return Math.max(0, ...depths);
}

function readCalls(body: string): Call[] {
  return body === '' ? [] : [JSON.parse(body) as Call | Call[]].flat();
}

async function forward(
  url: string,
  { method = 'POST', headers }: IncomingMessage,
  body: string,
): Promise<Answer> {
  const { authorization } = headers;
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
