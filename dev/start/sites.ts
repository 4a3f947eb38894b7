// The two sites of `npm start`: the snap where MetaMask Flask fetches it, and the page
// that manages it.
import { readFile } from 'node:fs/promises';

import type { DevStack } from '../stack/dev-stack';
import { startStaticServer } from './static-server';
import type { StaticServer } from './static-server';

const SNAP_PORT = 8080;
const PAGE_PORT = 8000;

/** Serve the built snap. */
export async function serveSnap(port = SNAP_PORT): Promise<StaticServer> {
  const manifest: unknown = JSON.parse(await readFile('snap.manifest.json', 'utf8'));
  return startStaticServer({
    port,
    folders: { '/dist/': 'dist', '/images/': 'images', '/locales/': 'locales' },
    documents: {
      '/snap.manifest.json': manifest,
      // As it stands in the file: the checksum is of its bytes.
      '/openrpc.json': await readFile('openrpc.json', 'utf8'),
    },
  });
}

/** Serve the page, which learns from `/stack.json` where everything is. */
export async function servePage(
  stack: DevStack,
  snapUrl: string,
  port = PAGE_PORT,
): Promise<StaticServer> {
  const { chainId, chain, service, bundler, contracts, funded } = stack;
  return startStaticServer({
    port,
    folders: { '/': 'dev/dapp' },
    documents: {
      '/stack.json': {
        snapId: `local:${snapUrl}`,
        chainId,
        chainUrl: chain.url,
        service,
        bundlerUrl: bundler.url,
        entryPoint: contracts['0.6'].entryPoint,
        recipient: funded.address,
      },
    },
    headers: {
      // The page runs its own scripts alone, and talks to this machine alone.
      'Content-Security-Policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
        "connect-src 'self' http://127.0.0.1:*; base-uri 'none'; form-action 'none'",
    },
  });
}
