// Requests whose account is removed while they wait, in MetaMask or in Tollkeeper.
import type { Json } from '@metamask/utils';

import { callersOf } from '../support/callers';
import { sendCallsParam, createCallsBench } from '../support/calls-bench';
import { storeGrant, storeSettings } from '../support/given';
import { openHome } from '../support/home-bench';
import { createRequestBench, requestIdOf } from '../support/keyring-bench';
import type { KeyringBench } from '../support/keyring-bench';
import { withDialog } from '../support/open-dialog';
import { IMPORTED_KEY } from '../support/records';
import { refusalOf } from '../support/refusal';
import {
  createAccount,
  createTestApp,
  DAPP,
  whileDialogOpen,
} from '../support/test-app';

const removals: [
  string,
  (bench: KeyringBench, account: { id: string }) => Promise<unknown>,
][] = [
  ['in MetaMask', async ({ metamask }, { id }) => metamask.remove(id)],
  ['by the companion page', async (bench, account) => bench.remove(account)],
  [
    'on the home page',
    async ({ app }, { id }) => {
      const home = await openHome(app, 'accounts');
      await home.click(`home.accounts.show:${id}`);
      await home.click('home.accounts.ask:delete');
      await home.click('home.accounts.delete');
    },
  ],
];

const REFUSAL = {
  code: -32001,
  message:
    'The account was removed from Tollkeeper while the request waited. It was not signed.',
};

describe('a request from MetaMask that waits for approval', () => {
  it.each(removals)(
    'is rejected when its account is removed %s',
    async (_how, remove) => {
      const bench = await createRequestBench();
      const { metamask, account, submit, ids, app } = bench;
      await submit(requestIdOf(1));
      const other = await bench.create();
      const params = ['0x12', other.address];
      await callersOf(app).submit(
        { account: other.id, method: 'personal_sign', params },
        { id: requestIdOf(2) },
      );
      await remove(bench, account);
      expect(metamask.requests.get(requestIdOf(1))).toBe('rejected');
      expect(app.edges.backend.document).toMatchObject({
        requests: { [requestIdOf(2)]: {} },
      });
      expect(await ids()).toStrictEqual([requestIdOf(2)]);
    },
  );

  it('keeps waiting if the user keeps the account', async () => {
    const bench = await createRequestBench();
    const { metamask, account, submit, ids } = bench;
    await submit(requestIdOf(1));
    metamask.decide = () => Promise.resolve(false);
    await refusalOf(bench.remove(account));
    expect(await ids()).toStrictEqual([requestIdOf(1)]);
    expect(metamask.requests.get(requestIdOf(1))).toBeUndefined();
  });

  it('is rejected after a restart if MetaMask could not be notified', async () => {
    const bench = await createRequestBench();
    const { metamask, account, submit, app } = bench;
    await submit(requestIdOf(1));
    app.edges.events.take = async (event, params) =>
      event === 'notify:requestRejected'
        ? Promise.reject(new Error('lost'))
        : metamask.take(event, params);
    await metamask.remove(account.id);
    expect(await bench.ids()).toStrictEqual([]);
    expect(metamask.requests.get(requestIdOf(1))).toBeUndefined();
    bench.restart();
    expect(await bench.ids()).toStrictEqual([]);
    expect(metamask.requests.get(requestIdOf(1))).toBe('rejected');
    expect(bench.app.edges.backend.document).toHaveProperty('requests', {});
  });

  it('does not make keyring_deleteAccount wait until MetaMask handles the rejection', async () => {
    const bench = await createRequestBench();
    const { metamask, account, submit, app } = bench;
    await submit(requestIdOf(1));
    app.edges.events.take = async (event, params) =>
      event === 'notify:requestRejected'
        ? new Promise(() => undefined)
        : metamask.take(event, params);
    const { id } = account;
    const asked = callersOf(app).keyring('metamask', 'keyring_deleteAccount', { id });
    expect(await asked).toBeNull();
  });

  it('is dropped if MetaMask no longer has a keyring for the snap', async () => {
    const bench = await createRequestBench();
    const { metamask, account, submit, app } = bench;
    await submit(requestIdOf(1));
    metamask.isNewest = true;
    await metamask.remove(account.id);
    expect(app.edges.backend.document).toHaveProperty('requests', {});
  });

  it('is not signed if its account is removed during the approval', async () => {
    const bench = await createRequestBench();
    const { metamask, account, submit, companion, app } = bench;
    await storeSettings(app, { secondConfirmation: true });
    await submit(requestIdOf(1));
    whileDialogOpen(app.edges, async () => metamask.remove(account.id));
    const approving = companion('keyring_approveRequest', {
      id: requestIdOf(1),
      data: {},
    });
    expect(await refusalOf(approving)).toHaveProperty('code', -32001);
    expect(metamask.requests.get(requestIdOf(1))).toBe('rejected');
  });
});

describe('a request from a site', () => {
  it('does not sign in with an account that is removed while the dialog is open', async () => {
    const app = createTestApp();
    const { rpc, keyring } = callersOf(app);
    const [one, two] = [
      await createAccount(app, { privateKey: IMPORTED_KEY }),
      await createAccount(app),
    ];
    await storeGrant(app, DAPP, one, two);
    const signIn = { nonce: '12345678', chainId: '0x1' };
    const connecting = withDialog(
      app,
      async () =>
        rpc(DAPP, 'wallet_connect', [{ capabilities: { signInWithEthereum: signIn } }]),
      async () =>
        void (await keyring('metamask', 'keyring_deleteAccount', { id: one.id })),
    );
    expect(await refusalOf(connecting)).toStrictEqual(REFUSAL);
    expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([two.address]);
  });

  it('fails if the only chosen account is removed while the dialog is open', async () => {
    const app = createTestApp();
    const { rpc, keyring } = callersOf(app);
    const { id } = await createAccount(app);
    whileDialogOpen(app.edges, async () =>
      keyring('metamask', 'keyring_deleteAccount', { id }),
    );
    expect(await refusalOf(rpc(DAPP, 'eth_requestAccounts'))).toStrictEqual({
      code: -32001,
      message: 'The chosen accounts were removed from Tollkeeper meanwhile.',
    });
  });

  it.each<[string, Record<string, Json>]>([
    ['a derived', { index: 7 }],
    ['an imported', { privateKey: IMPORTED_KEY }],
  ])(
    'signs no further call of a batch after %s account is removed',
    async (_kind, options) => {
      const bench = await createCallsBench();
      const { app, edges, pool, batches, call } = bench;
      const account = await createAccount(app, options);
      await storeGrant(app, DAPP, account);
      const { answers } = edges.wallet;
      const take = answers.eth_sendRawTransaction as (params: Json[]) => Json;
      answers.eth_sendRawTransaction = (async (params: Json[]) => {
        await callersOf(app).keyring('metamask', 'keyring_deleteAccount', {
          id: account.id,
        });
        return take(params);
      }) as never;
      const calls = [1, 2].map((value) => ({
        to: account.address,
        value: `0x${value}`,
      }));
      await call('wallet_sendCalls', [sendCallsParam(account.address, { calls })]);
      expect(pool.size).toBe(1);
      expect(batches()).toMatchObject([{ failure: REFUSAL.message }]);
    },
  );
});
