// Stands before a server and counts what passes: JSON-RPC calls by method, and every HTTP
// exchange with its begin and end.
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

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
