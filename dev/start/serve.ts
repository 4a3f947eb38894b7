// Serves files on loopback: the folders of the snaps for MetaMask Flask, and the development page.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname } from 'node:path';

import { LOOPBACK, writePolicy } from '../build/policy';
import type { PageConfig } from '../dapp/session';
import { listenOnLoopback } from '../stack/server';
import type { DevStack } from '../stack/stack';
import { readWithin } from '../wallet/base';

export async function servePage(
  { chainId, chain, service, bundler, paymaster }: DevStack,
  { snapUrl, folder, port }: { snapUrl: string; folder: string; port: number },
): Promise<StaticServer> {
  const config: Partial<PageConfig> = {
    snapId: `local:${snapUrl}`,
    chainId,
    chainUrl: chain.url,
    service: { ...service, wsUrl: service.url.replace('http', 'ws') },
    bundlerUrl: bundler.url,
    paymasterUrl: paymaster.url,
  };
  return startStaticServer({
    port,
    folders: { '/': folder },
    documents: { '/stack.json': config },
    headers: {
      'Content-Security-Policy': `${writePolicy(LOOPBACK)}; frame-ancestors 'none'`,
      'X-Content-Type-Options': 'nosniff',
    },
  });
}

export type StaticServer = { url: string; stop: () => Promise<void> };

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

/** Starts a file server for any origin. The keys of `folders` and `documents` are URL paths. Throws
 * if the port is taken. */
export async function startStaticServer(site: {
  port: number;
  folders: Record<string, string>;
  documents?: Record<string, unknown>;
  headers?: Record<string, string>;
}): Promise<StaticServer> {
  const { port, folders, documents = {} } = site;
  const headers = {
    'Access-Control-Allow-Origin': '*',
    'Cache-Control': 'no-store',
    ...site.headers,
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://x').pathname);
    const name = path.endsWith('/') ? `${path}index.html` : path;
    const content = Object.hasOwn(documents, path)
      ? JSON.stringify(documents[path])
      : await readFrom(folders, name);
    const type = types[extname(name)] ?? 'application/octet-stream';
    if (content === undefined) response.writeHead(404, headers);
    else response.writeHead(200, { ...headers, 'Content-Type': type });
    response.end(request.method === 'HEAD' ? undefined : content);
  };
  const { url, stop } = await listenOnLoopback(answer, { port, name: 'files' });
  return { url: url.replace('127.0.0.1', 'localhost'), stop };
}

// The folder with the longest matching path is used.
async function readFrom(folders: Record<string, string>, path: string) {
  const prefixes = Object.keys(folders).sort((one, other) => other.length - one.length);
  const prefix = prefixes.find((each) => path.startsWith(each));
  if (prefix === undefined) return undefined;
  return readWithin(folders[prefix] ?? '', path.slice(prefix.length));
}
