// The parent's side of the bundler for EntryPoint 0.6: `@metamask/test-bundler`. It stands
// behind the one of all versions (dev/bundler), on a port of its own choice. Loading it takes as long as the chain takes to be ready, so it is started at once and told
// where the chain is when the contracts stand.
import type { Address } from 'viem';

import { bundlerMnemonic } from './accounts';
import { startChild, type Child } from './child';

/** The bundler's process, loading; `listen` makes it serve. */
export type Bundler06 = {
  child: Child;
  /**
   * Let it serve; resolves with its port. Never rejects: failures are told by `child.died`.
   */
  listen: (chain: {
    url: string;
    entryPoint: Address;
    beneficiary: Address;
  }) => Promise<number>;
};

/**
 * Start the bundler's process.
 *
 * @returns The bundler, not serving yet.
 */
export function startBundler06(): Bundler06 {
  const child = startChild({
    name: 'The bundler for EntryPoint 0.6',
    script: new URL('./bundler-process.mjs', import.meta.url),
  });
  return {
    child,
    listen: ({ url, entryPoint, beneficiary }) => {
      child.process.send({
        mnemonic: bundlerMnemonic,
        config: {
          network: url,
          entryPoint,
          beneficiary,
          port: '0',
          // An operation is bundled when it arrives, and what could not be is tried again
          // every second.
          autoBundleMempoolSize: 1,
          autoBundleInterval: 1,
          // Its transactions have 10,000,000; an operation above this is never bundled.
          maxBundleGas: 9_000_000,
          minBalance: '0',
          conditionalRpc: false,
        },
      });
      return readPort(child);
    },
  };
}

function readPort(child: Child): Promise<number> {
  return new Promise((resolve) => {
    child.process.on('message', (message) => {
      const isReport = typeof message === 'object' && 'port' in message;
      if (isReport) resolve(Number(message.port));
    });
  });
}
