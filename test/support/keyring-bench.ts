// The snap's keyring, with a fake MetaMask on the other side and a worker that a test can restart.
import type { KeyringAccount } from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';

import { restoreAccounts } from '../../src/accounts/restore';
import type { Restored, RestoreOptions } from '../../src/accounts/restore';
import { askAboutAccounts } from '../../src/sites/accounts';
import { callersOf } from './callers';
import { createFakeMetaMask } from './fake-metamask';
import { createMemoryBackend } from './memory-backend';
import { COMPANION, createAccount, createTestApp } from './test-app';
import type { TestApp } from './test-app';

export type KeyringBench = ReturnType<typeof createKeyringBench>;

export const UNUSED_ACCOUNT_ANSWERS = {
  eth_getTransactionCount: '0x0',
  eth_getBalance: '0x0',
  eth_getCode: '0x',
};

export function createKeyringBench() {
  const metamask = createFakeMetaMask();
  const bench = {
    /** The current worker; a new one after {@link KeyringBench.restart}. */
    app: createTestApp(),
    metamask,
    restart: () => {
      const { edges } = bench.app;
      // The stopped worker must not reach the new one's storage.
      bench.app = createTestApp({
        ...edges,
        events: { ...edges.events, take: metamask.take },
        backend: createMemoryBackend(edges.backend.document),
        publicBackend: createMemoryBackend(edges.publicBackend.document),
      });
    },
    listBothSides: async () => {
      // Any request settles pending changes.
      const listed = await callersOf(bench.app).keyring(
        'metamask',
        'keyring_listAccounts',
      );
      const snap = (listed as unknown as KeyringAccount[]).map(({ id }) => id).sort();
      return { metamask: [...metamask.accounts.keys()].sort(), snap };
    },
    unsettledIds: () => {
      const { document } = bench.app.edges.backend;
      return Object.keys((document as { unsettled?: object } | null)?.unsettled ?? {});
    },
    create: async (options: Record<string, unknown> = {}) =>
      createAccount(bench.app, options as never),
    /** Calls as the companion. */
    call: async (method: string, params?: Json): Promise<Json> =>
      callersOf(bench.app).keyring(COMPANION, method, params),
    add: async (options: Record<string, Json> = {}): Promise<KeyringAccount> =>
      (await bench.call('keyring_createAccount', { options })) as never,
    list: async (): Promise<KeyringAccount[]> =>
      (await bench.call('keyring_listAccounts')) as never,
    remove: async ({ id }: { id: string }): Promise<Json> =>
      bench.call('keyring_deleteAccount', { id }),
    update: async (account: KeyringAccount, scopes = ['eip155:1']): Promise<Json> =>
      bench.call('keyring_updateAccount', { account: { ...account, scopes } as never }),
  };
  bench.app.edges.events.take = metamask.take;
  bench.app.edges.screens.accounts = () => [
    { id: 'primary', address: `0x${'f3'.repeat(20)}` },
    ...metamask.accounts.values(),
    ...[...metamask.elsewhere].map((address) => ({ id: `other ${address}`, address })),
  ];
  Object.assign(bench.app.edges.wallet.answers, UNUSED_ACCOUNT_ANSWERS);
  // Reads `bench.app` on every call, because a restart replaces it.
  metamask.deleteInSnap = async (id) =>
    callersOf(bench.app).keyring('metamask', 'keyring_deleteAccount', { id });
  return bench;
}

export async function restoreBy(
  { services }: TestApp,
  options: RestoreOptions,
): Promise<Restored> {
  const questions = askAboutAccounts(COMPANION, services.consent);
  return services.progress.run(async (port) =>
    restoreAccounts(options, { ...services, questions }, port),
  );
}

export type RestoreBench = ReturnType<typeof createRestoreBench>;

export function createRestoreBench() {
  const bench = createKeyringBench();
  const used = new Set<string>();
  bench.app.edges.wallet.answers.eth_getBalance = ([address]) =>
    used.has(address as string) ? '0x1' : '0x0';
  return Object.assign(bench, {
    /** Addresses that count as used on the wallet's chain. */
    used,
    restore: async (options: RestoreOptions = {}) =>
      restoreBy(bench.app, { gap: 3, ...options }),
    /** Loses the snap's state, as removing the snap does. */
    loseState: () => {
      bench.app.edges.backend = createMemoryBackend();
      bench.app.edges.publicBackend = createMemoryBackend();
      bench.restart();
    },
  });
}

export const requestIdOf = (n: number): string =>
  `11111111-1111-4111-8111-${String(n).padStart(12, '0')}`;

/** Sets up an account whose requests wait for approval by default. */
export async function createRequestBench(approvalMode = 'asynchronous') {
  const bench = createKeyringBench();
  const account = await bench.create();
  const { call: companion } = bench;
  const { rpc } = callersOf(bench.app);
  await rpc(COMPANION, 'tollkeeper_setSettings', [{ approvalMode }]);
  return Object.assign(bench, {
    account,
    companion,
    submit: async (
      id: string,
      {
        method = 'personal_sign',
        params = ['0x12', account.address],
      }: { method?: string; params?: Json } = {},
    ) => {
      bench.metamask.requests.set(id, undefined);
      const request = { account: account.id, method, params };
      return callersOf(bench.app).submit(request, { id });
    },
    ids: async () =>
      ((await companion('keyring_listRequests')) as { id: string }[]).map(
        ({ id }) => id,
      ),
  });
}
