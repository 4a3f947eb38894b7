// The keyring with MetaMask on the other side, and a worker that can be stopped at any time.
import type { KeyringAccount } from '@metamask/keyring-api';

import { callersOf } from './callers';
import { createFakeMetaMask } from './fake-metamask';
import type { FakeMetaMask } from './fake-metamask';
import { createMemoryBackend } from './memory-backend';
import { createAccount, createTestApp } from './test-app';
import type { TestApp } from './test-app';

/** Both sides. */
export type KeyringBench = {
  /** The worker that runs; another one after {@link KeyringBench.restart}. */
  app: TestApp;
  metamask: FakeMetaMask;
  /** Stop the worker and start another one over the same storage. */
  restart: () => void;
  /** Ids that MetaMask holds, and that the snap lists, both sorted. */
  sides: () => Promise<{ metamask: string[]; snap: string[] }>;
  /** Ids of which something is noted. */
  notes: () => string[];
  create: (options?: Record<string, unknown>) => Promise<KeyringAccount>;
};

/** Set up both sides, without any account. */
export function createKeyringBench(): KeyringBench {
  const metamask = createFakeMetaMask();
  const bench: KeyringBench = {
    app: createTestApp(),
    metamask,
    restart: () => {
      const { edges } = bench.app;
      // What the stopped worker still does must not reach what the new one reads.
      bench.app = createTestApp({
        ...edges,
        events: { ...edges.events, take: metamask.take },
        backend: createMemoryBackend(edges.backend.document),
        publicBackend: createMemoryBackend(edges.publicBackend.document),
      });
    },
    sides: async () => {
      // A request, as whoever comes next sends it: it settles what was left.
      const listed = await callersOf(bench.app).keyring(
        'metamask',
        'keyring_listAccounts',
      );
      const snap = (listed as unknown as KeyringAccount[]).map(({ id }) => id).sort();
      return { metamask: [...metamask.accounts.keys()].sort(), snap };
    },
    notes: () => {
      const { document } = bench.app.edges.backend;
      return Object.keys((document as { unsettled?: object } | null)?.unsettled ?? {});
    },
    create: async (options = {}) => createAccount(bench.app, options as never),
  };
  bench.app.edges.events.take = metamask.take;
  Object.assign(bench.app.edges.wallet.answers, {
    eth_getTransactionCount: '0x0',
    eth_getBalance: '0x0',
    eth_getCode: '0x',
  });
  // Always the worker that runs now.
  metamask.deleteInSnap = async (id) =>
    callersOf(bench.app).keyring('metamask', 'keyring_deleteAccount', { id });
  return bench;
}
