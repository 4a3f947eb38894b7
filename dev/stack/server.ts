// JSON-RPC 2.0 as text in and text out, for the small servers of the stack: the bundler
// and the paymaster service.
import cors from '@fastify/cors';
import fastify, { type FastifyInstance } from 'fastify';
import type { Hex } from 'viem';

import {
  codes,
  findId,
  isRequest,
  type Outcome,
  readJson,
  type RpcErrorObject,
  toAnswer,
} from '../service/json-rpc';

/** Answers one call; `params` are as they came. */
export type Handle = (method: string, params: unknown) => Promise<unknown>;

/** A call that is answered with an error. */
export class RpcFailure extends Error {
  readonly error: RpcErrorObject;

  constructor(error: RpcErrorObject) {
    super(error.message);
    this.error = error;
  }
}

/** Asks for the connection to be destroyed instead of an answer. */
export class ConnectionCut extends Error {}

/**
 * Refuse a call because of what was asked.
 *
 * @throws {RpcFailure} Always: -32602.
 */
export function refuse(message: string): never {
  throw new RpcFailure({ code: codes.invalidParams, message });
}

/** Refuse a method that there is not; -32601. */
export function toUnknownMethod(method: string): RpcFailure {
  const message = `The method ${method} is not served.`;
  return new RpcFailure({ code: codes.unknownMethod, message });
}

/**
 * Answer the text of a request, single or batch.
 *
 * @returns The text of the answer; undefined if there were only notifications.
 * @throws {ConnectionCut} If a call asks for it.
 */
async function answerText(text: string, handle: Handle): Promise<string | undefined> {
  const read = readJson(text);
  if (read === undefined) {
    return toText(toAnswer(null, toError(codes.parse, 'This is not JSON.')));
  }
  const { value } = read;
  if (!Array.isArray(value)) return toText(await answerOne(value, handle));
  if (value.length === 0) {
    const outcome = toError(codes.invalidRequest, 'The batch is empty.');
    return toText(toAnswer(null, outcome));
  }
  const requests: unknown[] = value;
  const answers = await Promise.all(
    requests.map(async (request) => answerOne(request, handle)),
  );
  const given = answers.filter((answer) => answer !== undefined);
  return given.length === 0 ? undefined : toText(given);
}

async function answerOne(
  request: unknown,
  handle: Handle,
): Promise<object | undefined> {
  const id = findId(request);
  if (!isRequest(request) || id === undefined) {
    const message = 'This is not a JSON-RPC 2.0 request.';
    return toAnswer(id ?? null, toError(codes.invalidRequest, message));
  }
  const outcome = await handle(request.method, request.params ?? []).then(
    (result): Outcome => ({ result }),
    toErrorOutcome,
  );
  return 'id' in request ? toAnswer(id, outcome) : undefined;
}

function toErrorOutcome(error: unknown): Outcome {
  if (error instanceof RpcFailure) return { error: error.error };
  if (error instanceof ConnectionCut) throw error;
  // A development server: what went wrong inside is of use to whoever runs it.
  return toError(
    codes.internal,
    error instanceof Error ? error.message : String(error),
  );
}

function toError(code: number, message: string): Outcome {
  return { error: { code, message } };
}

function toText(answer: object | undefined): string | undefined {
  return answer && JSON.stringify(answer);
}

// A JSON-RPC server of the stack: POST at one path, on loopback alone, open to snaps.

/** What is served. */
type JsonRpcSite = {
  /** What it is, for errors: `bundler`. */
  name: string;
  path: string;
  /** Port to listen on; 0 for any free one. */
  port: number;
  /** Chooses who answers a request, by the query of its address. */
  open: (query: Record<string, unknown>) => Handle;
};

/** A running server. */
export type JsonRpcServer = {
  url: string;
  /** Ends it with every connection, also those that wait for an answer. Idempotent. */
  stop: () => Promise<void>;
};

/**
 * Start a server.
 *
 * @throws {Error} If the port is taken.
 */
export async function startJsonRpcServer(site: JsonRpcSite): Promise<JsonRpcServer> {
  const server: FastifyInstance = fastify({ forceCloseConnections: true });
  // Snaps fetch with `Origin: null`.
  await server.register(cors, { origin: '*', methods: ['POST'], maxAge: 86_400 });
  server.removeAllContentTypeParsers();
  // Whatever its type: it is read as JSON.
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  );
  server.post(site.path, async (request, reply) => {
    const handle = site.open(request.query as Record<string, unknown>);
    const text = typeof request.body === 'string' ? request.body : '';
    try {
      const body = await answerText(text, handle);
      if (body === undefined) return await reply.code(204).send();
      return await reply.type('application/json; charset=utf-8').send(body);
    } catch (error) {
      if (!(error instanceof ConnectionCut)) throw error;
      reply.hijack();
      request.raw.socket.destroy();
      return reply;
    }
  });
  const url = await listen(server, site);
  return { url: `${url}${site.path}`, stop: async () => server.close() };
}

async function listen(
  server: FastifyInstance,
  { name, port }: JsonRpcSite,
): Promise<string> {
  try {
    return await server.listen({ host: '127.0.0.1', port });
  } catch (cause) {
    await server.close();
    throw new Error(`Port ${port}, wanted for the ${name}, is taken.`, { cause });
  }
}

// A single call of a JSON-RPC server, whatever it answers.

/** What a JSON-RPC server answers. */
export type RpcAnswer = {
  result?: unknown;
  error?: { code: number; message: string; data?: Hex };
};

/** Calls a method of a JSON-RPC server; returns `result` or `error` as it came. */
export async function callRpc(
  url: string,
  method: string,
  params: unknown[],
): Promise<RpcAnswer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  // Read here: what `json` makes is of another realm, and equal to nothing in a test.
  const { result, error } = JSON.parse(await response.text()) as RpcAnswer;
  return error ? { error } : { result };
}
