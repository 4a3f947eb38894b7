// What a site is told of the accounts that it was granted, at its every visit.
import { callersOf } from '../support/callers';
import { refusalOf } from '../support/refusal';
import { COMPANION, createAccount, createTestApp, DAPP } from '../support/test-app';
import type { TestApp } from '../support/test-app';

const OTHER = 'https://other.example';

/** The snap after a start of MetaMask, with an account that one site was granted. */
async function setup(): Promise<{ app: TestApp; address: string }> {
  const before = createTestApp();
  const { address } = await createAccount(before);
  await callersOf(before).rpc(DAPP, 'eth_requestAccounts');
  const app = createTestApp(before.edges);
  Object.assign(app.edges.backend, { loads: 0, saves: 0 });
  return { app, address };
}

describe('a site without a grant', () => {
  it.each(['eth_accounts', 'wallet_getPermissions'])(
    'is answered %s without the encrypted state',
    async (method) => {
      const { app } = await setup();
      const { backend } = app.edges;
      const { rpc } = callersOf(app);
      backend.failNextLoad = new Error('The wallet is locked.');
      expect(await rpc(OTHER, method)).toStrictEqual([]);
      expect([backend.loads, backend.saves]).toStrictEqual([0, 0]);
    },
  );

  it('is so before anything was stored, and once its grant was taken back', async () => {
    const fresh = createTestApp();
    expect(await callersOf(fresh).rpc(DAPP, 'eth_accounts')).toStrictEqual([]);
    expect(fresh.edges.backend.loads).toBe(0);
    const { app } = await setup();
    const { rpc } = callersOf(app);
    const permission = [{ eth_accounts: {} }];
    await rpc(DAPP, 'wallet_revokePermissions', permission);
    const later = createTestApp(app.edges);
    app.edges.backend.loads = 0;
    expect(await callersOf(later).rpc(DAPP, 'eth_accounts')).toStrictEqual([]);
    expect(app.edges.backend.loads).toBe(0);
  });
});

describe('a site with a grant', () => {
  it('is told of it, also after a start of MetaMask', async () => {
    const { app, address } = await setup();
    expect(await callersOf(app).rpc(DAPP, 'eth_accounts')).toStrictEqual([address]);
  });

  it('keeps one of two accounts when the other is taken back', async () => {
    const { app, address } = await setup();
    const second = await createAccount(app, { index: 1 });
    const { rpc } = callersOf(app);
    app.edges.dialogs.answer = async () =>
      Promise.resolve({ approved: true, values: ticked });
    const [{ id = '' } = {}] = await app.services.keyring.listAccounts();
    const ticked = { [id]: true, [second.id]: true };
    await rpc(DAPP, 'wallet_requestPermissions', [{ eth_accounts: {} }]);
    const taken = { origin: DAPP, account: second.id };
    await rpc(COMPANION, 'tollkeeper_revokeGrant', [taken]);
    expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([address]);
  });

  it('is not named in the clear', async () => {
    const { app } = await setup();
    const stored = JSON.stringify(app.edges.publicBackend.document);
    expect(stored).not.toContain('dapp.example');
    expect(stored).toContain('grantMarks');
  });

  it('has none as long as it cannot be noted in the clear', async () => {
    const app = createTestApp();
    const { address } = await createAccount(app);
    const { rpc } = callersOf(app);
    app.edges.publicBackend.failNextSave = new Error('The disk is full.');
    await refusalOf(rpc(DAPP, 'eth_requestAccounts'));
    expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([]);
    expect(await rpc(DAPP, 'eth_requestAccounts')).toStrictEqual([address]);
    expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([address]);
  });
});
