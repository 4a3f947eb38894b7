// A JSON-RPC server of the stack: POST at one path, on loopback alone, open to snaps.
import cors from '@fastify/cors';
import fastify from 'fastify';
import type { FastifyInstance } from 'fastify';

import { answerText, ConnectionCut } from './json-rpc';
import type { Handle } from './json-rpc';

/** What is served. */
export type JsonRpcSite = {
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
