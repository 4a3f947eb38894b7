import { callersOf } from '../../support/callers';
import type { Callers } from '../../support/callers';
import { COMPANION, createAccount, createTestApp, DAPP } from '../../support/test-app';
import type { TestApp } from '../../support/test-app';

const OTHER = 'https://other.example';

type Bench = {
  app: TestApp;
  rpc: Callers['rpc'];
  /** Get the permissions of an origin. */
  permissionsOf: (origin: string, params?: unknown) => Promise<unknown>;
};

function setup(): Bench {
  const app = createTestApp();
  const { rpc } = callersOf(app);
  const permissionsOf: Bench['permissionsOf'] = (origin, params) =>
    rpc(origin, 'wallet_getPermissions', params);
  return { app, rpc, permissionsOf };
}

const toPermissions = (...value: string[]): unknown => [
  {
    parentCapability: 'eth_accounts',
    caveats: [{ type: 'restrictReturnedAccounts', value }],
  },
];

describe('wallet_getPermissions', () => {
  it('gives nothing before anything was granted, and asks nobody', async () => {
    const { app, permissionsOf } = setup();
    await createAccount(app);
    expect(await permissionsOf(DAPP)).toStrictEqual([]);
    expect(app.edges.dialogs.shown).toStrictEqual([]);
  });

  it('gives what was granted, in the order of granting', async () => {
    const { app, permissionsOf } = setup();
    const eoa = await createAccount(app);
    const smart = await createAccount(app, { type: 'eip155:erc4337' });
    await app.services.grants.set(DAPP, [smart.id, eoa.id]);
    expect(await permissionsOf(DAPP)).toStrictEqual(
      toPermissions(smart.address, eoa.address),
    );
    expect(app.edges.dialogs.shown).toStrictEqual([]);
  });

  it('gives the same as asking for it gave', async () => {
    const { app, rpc, permissionsOf } = setup();
    const { address } = await createAccount(app);
    const params = [{ eth_accounts: {} }];
    const asked = await rpc(DAPP, 'wallet_requestPermissions', params);
    expect(asked).toStrictEqual(toPermissions(address));
    expect(await permissionsOf(DAPP)).toStrictEqual(asked);
  });

  it('tells an origin nothing of what others were granted', async () => {
    const { app, permissionsOf } = setup();
    const { id, address } = await createAccount(app);
    await app.services.grants.set(DAPP, [id]);
    expect(await permissionsOf(OTHER)).toStrictEqual([]);
    expect(await permissionsOf(COMPANION)).toStrictEqual([]);
    expect(await permissionsOf(DAPP)).toStrictEqual(toPermissions(address));
  });

  it('gives nothing once all was revoked', async () => {
    const { app, rpc, permissionsOf } = setup();
    const { id } = await createAccount(app);
    await app.services.grants.set(DAPP, [id]);
    await rpc(DAPP, 'wallet_revokePermissions', [{ eth_accounts: {} }]);
    expect(await permissionsOf(DAPP)).toStrictEqual([]);
  });

  it('writes nothing where nothing was granted that could be given back', async () => {
    const { app, rpc } = setup();
    await app.services.grants.set('https://other.example', [
      (await createAccount(app)).id,
    ]);
    const { saves } = app.edges.backend;
    await rpc(DAPP, 'wallet_revokePermissions', [{ eth_accounts: {} }]);
    expect(app.edges.backend.saves).toBe(saves);
  });

  it('gives no account that is gone', async () => {
    const { app, permissionsOf } = setup();
    const [one, other] = [await createAccount(app), await createAccount(app)];
    await app.services.grants.set(DAPP, [one.id, other.id]);
    await app.services.keyring.deleteAccount(one.id);
    expect(await permissionsOf(DAPP)).toStrictEqual(toPermissions(other.address));
    await app.services.keyring.deleteAccount(other.id);
    expect(await permissionsOf(DAPP)).toStrictEqual([]);
  });

  it.each([undefined, [], {}, [{}]])('needs no params: %j', async (params) => {
    const { app, permissionsOf } = setup();
    const { id, address } = await createAccount(app);
    await app.services.grants.set(DAPP, [id]);
    expect(await permissionsOf(DAPP, params)).toStrictEqual(toPermissions(address));
  });
});
