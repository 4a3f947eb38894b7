// An in-memory network: a fetch that reaches only the given servers and records the requests.
import type { Json } from '@metamask/utils';

import { unlessAborted } from '../../packages/client/src/abort';
import type { FakeNode, RpcFault } from './fake-node';

export type SentRequest = {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
};

export type Server = (request: SentRequest) => Promise<Response> | Response;

export type FakeNetwork = {
  fetch: typeof globalThis.fetch;
  sent: SentRequest[];
  /** Puts a server at a URL; the server with the longest matching prefix answers. */
  serve: (url: string, server: Server) => void;
  /** Receives the options of every request. */
  watch: (listener: (init: RequestInit) => unknown) => void;
};

/** Creates a network without servers. A request to an unknown URL fails as with fetch. */
export function createFakeNetwork(): FakeNetwork {
  const servers = new Map<string, Server>();
  const sent: SentRequest[] = [];
  const listeners: ((init: RequestInit) => unknown)[] = [];
  return {
    sent,
    watch: (listener) => listeners.push(listener),
    serve: (url, server) => servers.set(url, server),
    fetch: async (target, init = {}) => {
      const url = target instanceof Request ? target.url : String(target);
      const request: SentRequest = {
        method: init.method ?? 'GET',
        url,
        headers: Object.fromEntries(new Headers(init.headers)),
        body: typeof init.body === 'string' ? init.body : undefined,
      };
      sent.push(request);
      listeners.forEach((listener) => listener(init));
      const [found] = [...servers.keys()]
        .filter((base) => url.startsWith(base))
        .sort((one, other) => other.length - one.length);
      const server = found === undefined ? undefined : servers.get(found);
      if (!server) throw new TypeError('fetch failed');
      const answer = Promise.resolve(server(request));
      return unlessAborted(answer, init.signal ?? undefined);
    },
  };
}

export function answering(body: Json, status = 200): Server {
  return () => new Response(JSON.stringify(body), { status });
}

/** Creates a node's JSON-RPC server, for single calls and batches. */
export function serving(node: FakeNode): Server {
  return async ({ body = '' }) => {
    const request = JSON.parse(body) as Call | Call[];
    const calls = Array.isArray(request) ? request : [request];
    const answers = await Promise.all(calls.map((call) => answerCall(call, node)));
    return new Response(JSON.stringify(Array.isArray(request) ? answers : answers[0]));
  };
}

type Call = { id: number; method: string; params: Json[] };

async function answerCall({ id, ...call }: Call, node: FakeNode): Promise<Json> {
  try {
    return { jsonrpc: '2.0', id, result: await node.request(call) };
  } catch (error) {
    if (error instanceof Error) throw error;
    return { jsonrpc: '2.0', id, error: error as RpcFault };
  }
}

/**
 * Creates a server that passes each request to the next of the given servers; the last one gets all
 * later requests.
 */
export function inTurn(...servers: Server[]): Server {
  const [last] = servers.slice(-1);
  const remaining = servers.slice(0, -1);
  return (request) => (remaining.shift() ?? last ?? answering(null, 500))(request);
}

export const silent: Server = () => new Promise(() => undefined);

export const unreachableServer: Server = () =>
  Promise.reject(new TypeError('fetch failed'));
