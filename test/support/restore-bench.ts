// A keyring bench whose accounts can be lost and restored.
import type { Json } from '@metamask/utils';

import type { Restored } from '../../src/keyring/restore-accounts';
import { callersOf } from './callers';
import { createKeyringBench } from './keyring-bench';
import type { KeyringBench } from './keyring-bench';
import { createMemoryBackend } from './memory-backend';
import { COMPANION } from './test-app';

/** The bench, and what restoring needs. */
export type RestoreBench = KeyringBench & {
  restore: (options?: Record<string, Json>) => Promise<Restored>;
  /** Addresses that the wallet's chain has seen. */
  used: Set<string>;
  /** Lose the snap's state, as removing the snap does. */
  lose: () => void;
};

/** Set up both sides, without any account; nothing is used on the wallet's chain. */
export function createRestoreBench(): RestoreBench {
  const bench = createKeyringBench();
  const used = new Set<string>();
  bench.app.edges.wallet.answers.eth_getBalance = ([address]) =>
    used.has(address as string) ? '0x1' : '0x0';
  return Object.assign(bench, {
    used,
    restore: async (options = {}) =>
      (await callersOf(bench.app).rpc(COMPANION, 'tollkeeper_restoreAccounts', [
        { gap: 3, ...options },
      ])) as unknown as Restored,
    lose: () => {
      bench.app.edges.backend = createMemoryBackend();
      bench.app.edges.publicBackend = createMemoryBackend();
      bench.restart();
    },
  });
}
