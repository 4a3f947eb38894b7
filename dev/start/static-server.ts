// Serves files on loopback: the snap for MetaMask Flask, and the page.
import { resolve } from 'node:path';

import cors from '@fastify/cors';
import fastifyStatic from '@fastify/static';
import fastify from 'fastify';
import type { FastifyInstance } from 'fastify';

/** What a server serves. */
export type StaticSite = {
  port: number;
  /** Folders or files of the repository by the path that they are served at. */
  folders: Record<string, string>;
  /** JSON documents by path; a text is sent as it is. */
  documents?: Record<string, unknown>;
  /** Headers of every answer. */
  headers?: Record<string, string>;
};

/** A running server. */
export type StaticServer = { url: string; stop: () => Promise<void> };

/**
 * Start a server.
 *
 * @throws {Error} If the port is taken.
 */
export async function startStaticServer(site: StaticSite): Promise<StaticServer> {
  const server = fastify({ forceCloseConnections: true });
  await server.register(cors, { origin: '*' });
  server.addHook('onRequest', (_request, reply, done) => {
    // What is being developed changes: nothing may be kept.
    void reply.headers({ 'Cache-Control': 'no-store', ...site.headers });
    done();
  });
  addDocuments(server, site.documents ?? {});
  await addFolders(server, site.folders);
  try {
    const url = new URL(await server.listen({ host: '127.0.0.1', port: site.port }));
    return { url: `http://localhost:${url.port}`, stop: async () => server.close() };
  } catch (cause) {
    throw new Error(`Port ${site.port} cannot be used; is something else on it?`, {
      cause,
    });
  }
}

function addDocuments(
  server: FastifyInstance,
  documents: Record<string, unknown>,
): void {
  for (const [path, document] of Object.entries(documents)) {
    server.get(path, () => document);
  }
}

async function addFolders(
  server: FastifyInstance,
  folders: Record<string, string>,
): Promise<void> {
  for (const [prefix, folder] of Object.entries(folders)) {
    await server.register(fastifyStatic, {
      prefix,
      root: resolve(folder),
      decorateReply: false,
      cacheControl: false,
    });
  }
}
