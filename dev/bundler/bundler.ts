// One bundler address for EntryPoint 0.6, 0.7 and 0.8: the last two are bundled here, and
// what concerns 0.6 goes to the bundler behind. In this process, so that nothing of it is
// left when the process ends.
import type { LocalAccount } from 'viem/accounts';

import type { Contracts } from '../stack/contracts';
import { startJsonRpcServer } from '../stack/json-rpc-server';
import type { JsonRpcServer } from '../stack/json-rpc-server';
import { createSend } from './bundle';
import { createBundling } from './bundling';
import { createChain } from './chain';
import { withFault } from './fault-table';
import { createForward } from './forward';
import { createMethods } from './methods';
import { createPool } from './pool';

/** What a bundler works with. */
export type BundlerOptions = {
  /** Port to listen on; 0 for any free one. */
  port: number;
  chainUrl: string;
  contracts: Contracts;
  /** Pays for the bundles; nobody else may send from it. */
  account: LocalAccount;
  /** The bundler for EntryPoint 0.6. */
  url06: string;
};

/**
 * Start the bundler.
 *
 * @throws {Error} If the port is taken.
 */
export async function startBundler(options: BundlerOptions): Promise<JsonRpcServer> {
  const { port, chainUrl, contracts, account, url06 } = options;
  const chain = createChain(chainUrl);
  const pool = createPool();
  const bundling = createBundling(chain, pool, createSend(chain, chainUrl, account));
  const forward = createForward(url06);
  const handle = createMethods({ chain, contracts, pool, bundling, forward });
  const server = await startJsonRpcServer({
    name: 'bundler',
    path: '/rpc',
    port,
    open: (query) => withFault(handle, query),
  });
  const stop = async (): Promise<void> => {
    await Promise.all([bundling.stop(), server.stop()]);
  };
  let stopped: Promise<void> | undefined;
  return { url: server.url, stop: async () => (stopped ??= stop()) };
}
