// Small development servers on loopback, with and without JSON-RPC 2.0.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import type { Hex } from 'viem';

import {
  answerMessage,
  codes,
  readJson,
  toAnswer,
  toError,
  type RpcErrorObject,
} from '../../packages/service/src/json-rpc';
import { InvalidParamsError, TollkeeperError } from '../../src/core/errors';

type Listening = {
  server: Server;
  /** The server's URL, without a path. */
  url: string;
  /** Stops the server and closes every connection, including those with pending requests.
   * Idempotent. */
  stop: () => Promise<void>;
};

/** Starts a server on loopback. Throws an error that mentions `name` if the port is taken. If the
 * promise of `answer` rejects, the request's connection is closed. */
export async function listenOnLoopback(
  answer: (request: IncomingMessage, response: ServerResponse) => unknown,
  { port = 0, name = 'server' }: { port?: number; name?: string } = {},
): Promise<Listening> {
  const server = createServer((request, response) => {
    Promise.resolve(answer(request, response)).catch(() => response.destroy());
  });
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch (cause) {
    throw new Error(`Port ${port}, needed for the ${name}, is in use.`, { cause });
  }
  return {
    server,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export async function withStopped<Part extends { stop: () => Promise<void> }, Result>(
  starting: Promise<Part>,
  work: (part: Part) => Promise<Result>,
): Promise<Result> {
  const part = await starting;
  try {
    return await work(part);
  } finally {
    await part.stop();
  }
}

export type Handle = (method: string, params: unknown) => Promise<unknown>;

export type JsonRpcServer = Pick<Listening, 'url' | 'stop'>;

const MAX_BODY = 1_000_000;

// Snaps send `Origin: null`, so every origin is allowed.
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST',
  'access-control-max-age': '86400',
};

/** Starts a JSON-RPC server for any origin. Port 0 means any free port. `open` gets the query
 * parameters of a request. Throws if the port is taken. */
export async function startJsonRpcServer(site: {
  name: string;
  path: string;
  port: number;
  open: (query: Record<string, string>) => Handle;
}): Promise<JsonRpcServer> {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://server');
    const allowed = request.headers['access-control-request-headers'];
    const headers = allowed && { 'access-control-allow-headers': allowed };
    const end = (status: number): unknown =>
      response.writeHead(status, { ...CORS, ...headers }).end();
    if (request.method === 'OPTIONS') return end(204);
    if (request.method !== 'POST' || pathname !== site.path) return end(404);
    if (Number(request.headers['content-length']) > MAX_BODY) return end(413);
    const handle = site.open(Object.fromEntries(searchParams));
    const body = await answerText(await text(request), handle);
    if (body === undefined) return end(204);
    const type = { 'content-type': 'application/json; charset=utf-8' };
    return response.writeHead(200, { ...CORS, ...type }).end(body);
  };
  const { url, stop } = await listenOnLoopback(answer, site);
  return { url: `${url}${site.path}`, stop };
}

export class RpcFailure extends Error {
  constructor(readonly error: RpcErrorObject) {
    super(error.message);
  }
}

/** Refuses a call because of its params (-32602). */
export function refuse(message: string): never {
  throw new InvalidParamsError(message);
}

export function toUnknownMethod(method: string): RpcFailure {
  const message = `The method ${method} is not served.`;
  return new RpcFailure({ code: codes.unknownMethod, message });
}

async function answerText(body: string, handle: Handle): Promise<string | undefined> {
  const read = readJson(body);
  if (read === undefined) {
    return JSON.stringify(toAnswer(null, toError(codes.parse, 'This is not JSON.')));
  }
  return answerMessage(read.value, async (method, params) =>
    handle(method, params).then(
      (result) => ({ result }),
      (error: unknown) => {
        if (error instanceof RpcFailure) return { error: error.error };
        if (error instanceof TollkeeperError) return toError(error.code, error.message);
        // Reports internal errors in full, to help developers.
        const message = error instanceof Error ? error.message : String(error);
        return toError(codes.internal, message);
      },
    ),
  );
}

export type RpcAnswer = {
  result?: unknown;
  error?: { code: number; message: string; data?: Hex };
};

export async function callRpc(
  url: string,
  method: string,
  params: unknown,
): Promise<RpcAnswer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  // In Jest, `response.json()` creates values of another realm, which never equal a test's values.
  const { result, error } = JSON.parse(await response.text()) as RpcAnswer;
  return error ? { error } : { result };
}
