// The two sites of `npm start`: the snap where MetaMask Flask fetches it, and the page
// that manages it.
import { LOOPBACK, writePolicy } from '../build/policy';
import type { PageConfig } from '../dapp/session';
import type { DevStack } from '../stack/stack';
import { DEV_SNAP } from '../wallet/options';
import { startStaticServer, type StaticServer } from './static-server';

const SNAP_PORT = 8080;
const PAGE_PORT = 8000;

/** Serve the development build of the snap. */
export async function serveSnap(port = SNAP_PORT): Promise<StaticServer> {
  return startStaticServer({ port, folders: { '/': DEV_SNAP } });
}

/** How the page is served. */
export type PageSite = {
  /** Where the snap is served. */
  snapUrl: string;
  /** The built page. */
  folder: string;
  port?: number;
  /** What `/stack.json` says otherwise than the stack does. */
  config?: Partial<PageConfig>;
};

/** Serve the page, which learns from `/stack.json` where everything is. */
export async function servePage(
  stack: DevStack,
  { snapUrl, folder, port = PAGE_PORT, config }: PageSite,
): Promise<StaticServer> {
  return startStaticServer({
    port,
    folders: { '/': folder },
    documents: { '/stack.json': { ...describeStack(stack, snapUrl), ...config } },
    headers: {
      'Content-Security-Policy': `${writePolicy(LOOPBACK)}; frame-ancestors 'none'`,
      'X-Content-Type-Options': 'nosniff',
    },
  });
}

function describeStack(stack: DevStack, snapUrl: string): Partial<PageConfig> {
  const { chainId, chain, service, bundler, paymaster, contracts, funded } = stack;
  const [v06, v07, v08] = (['0.6', '0.7', '0.8'] as const).map(
    (version) => contracts[version].entryPoint,
  ) as [string, string, string];
  return {
    snapId: `local:${snapUrl}`,
    chainId,
    chainUrl: chain.url,
    service: { ...service, wsUrl: service.url.replace('http', 'ws') },
    bundlerUrl: bundler.url,
    paymasterUrl: paymaster.url,
    entryPoint: v06,
    entryPoints: { '0.6': v06, '0.7': v07, '0.8': v08 },
    recipient: funded.address,
  };
}
