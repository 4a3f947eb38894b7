import { createKeyringBench } from '../../support/keyring-bench';
import { refusalOf } from '../../support/refusal';

const SMART = { type: 'eip155:erc4337', scopes: ['eip155:5'] };

/** What a lost answer looks like. */
const lost = (): never => {
  throw new Error('The connection was lost.');
};

describe('updating an account', () => {
  it('reaches both sides', async () => {
    const { create, app, metamask, notes } = createKeyringBench();
    const account = await create(SMART);
    const changed = { ...account, scopes: ['eip155:1' as const] };
    await app.services.keyring.updateAccount(changed);
    expect(metamask.accounts.get(account.id)).toStrictEqual(changed);
    expect(await app.services.keyring.listAccounts()).toStrictEqual([changed]);
    expect(notes()).toStrictEqual([]);
  });

  it.each([
    ['MetaMask refuses it', (): never => lost()],
    [
      'MetaMask takes it, but its answer is lost',
      async (take: () => Promise<void>) => {
        await take();
        lost();
      },
    ],
  ])('is undone on both sides if %s', async (_what, deliver) => {
    const { create, app, metamask, sides, notes } = createKeyringBench();
    const account = await create(SMART);
    app.edges.events.take = async (event, params) =>
      deliver(async () => metamask.take(event, params));
    const changed = { ...account, scopes: ['eip155:1' as const] };
    expect(await refusalOf(app.services.keyring.updateAccount(changed))).toHaveProperty(
      'code',
      -32002,
    );
    app.edges.events.take = metamask.take;
    await sides();
    expect(metamask.accounts.get(account.id)).toStrictEqual(account);
    expect(await app.services.keyring.listAccounts()).toStrictEqual([account]);
    expect(notes()).toStrictEqual([]);
  });

  it('says that MetaMask has lost the account, and keeps it as it was', async () => {
    const { create, app, metamask, notes } = createKeyringBench();
    const account = await create(SMART);
    metamask.accounts.clear();
    const changed = { ...account, scopes: ['eip155:1' as const] };
    expect(await refusalOf(app.services.keyring.updateAccount(changed))).toStrictEqual({
      code: -32001,
      message: 'MetaMask knows no such account or request.',
    });
    expect(await app.services.keyring.listAccounts()).toStrictEqual([account]);
    expect(notes()).toStrictEqual([]);
  });
});
