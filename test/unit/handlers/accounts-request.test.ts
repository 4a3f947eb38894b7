import type { KeyringAccount } from '@metamask/keyring-api';

import { callersOf } from '../../support/callers';
import type { Callers } from '../../support/callers';
import { refusalOf } from '../../support/refusal';
import { createAccount, createTestApp, DAPP, refuse } from '../../support/test-app';
import type { Edges, TestApp } from '../../support/test-app';
import { elementsOf, namesOf, writeView } from '../../support/view';

type Bench = Callers & {
  app: TestApp;
  dialogs: Edges['dialogs'];
  eoa: KeyringAccount;
  smart: KeyringAccount;
  /** Have the user tick these accounts. */
  choose: (...accounts: KeyringAccount[]) => void;
};

async function setup(): Promise<Bench> {
  const app = createTestApp();
  const { dialogs } = app.edges;
  const eoa = await createAccount(app);
  const smart = await createAccount(app, { type: 'eip155:erc4337' });
  const choose: Bench['choose'] = (...accounts) => {
    const values = Object.fromEntries(accounts.map(({ id }) => [id, true]));
    dialogs.answer = () => Promise.resolve({ approved: true, values });
  };
  return { ...callersOf(app), app, dialogs, eoa, smart, choose };
}

describe('eth_requestAccounts', () => {
  it('asks the user once, and gives the accounts that were chosen', async () => {
    const { rpc, dialogs, eoa, choose } = await setup();
    choose(eoa);
    expect(await rpc(DAPP, 'eth_requestAccounts')).toStrictEqual([eoa.address]);
    expect(await rpc(DAPP, 'eth_requestAccounts')).toStrictEqual([eoa.address]);
    expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([eoa.address]);
    expect(dialogs.shown).toHaveLength(1);
  });

  it('shows who asks, and every account, none of them chosen', async () => {
    const { rpc, dialogs, eoa, smart } = await setup();
    await rpc(DAPP, 'eth_requestAccounts');
    const view = writeView(dialogs.shown);
    for (const part of [DAPP, 'Tollkeeper 1', 'Tollkeeper Smart 1']) {
      expect(view).toContain(part);
    }
    expect(view).toContain(`${eoa.address.slice(0, 8)}…${eoa.address.slice(-6)}`);
    expect(namesOf(dialogs.shown, 'Checkbox')).toStrictEqual([eoa.id, smart.id]);
    const boxes = elementsOf(dialogs.shown).filter(({ type }) => type === 'Checkbox');
    expect(boxes.map(({ props }) => props.checked)).toStrictEqual([false, false]);
  });

  it('grants several accounts, to this origin alone', async () => {
    const { rpc, eoa, smart, choose } = await setup();
    choose(smart, eoa);
    const addresses = [eoa.address, smart.address];
    expect(await rpc(DAPP, 'eth_requestAccounts')).toStrictEqual(addresses);
    expect(await rpc('https://other.example', 'eth_accounts')).toStrictEqual([]);
  });

  it('grants nothing if the user refuses, and asks anew next time', async () => {
    const { rpc, dialogs, eoa, choose } = await setup();
    dialogs.answer = refuse;
    expect(await refusalOf(rpc(DAPP, 'eth_requestAccounts'))).toStrictEqual({
      code: 4001,
      message: 'The user refused the request.',
    });
    expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([]);
    choose(eoa);
    expect(await rpc(DAPP, 'eth_requestAccounts')).toStrictEqual([eoa.address]);
  });

  it('takes an approval without any account for a no', async () => {
    const { rpc, choose } = await setup();
    choose();
    expect(await refusalOf(rpc(DAPP, 'eth_requestAccounts'))).toStrictEqual({
      code: 4001,
      message: 'The user chose no account.',
    });
  });

  it.each([
    { yes: true },
    { ID: 'true' },
    { ID: 1 },
    { ID: null },
    { ID: { checked: true } },
  ])('takes nothing but a ticked box for a choice: %j', async (answer) => {
    const { rpc, dialogs, eoa } = await setup();
    const text = JSON.stringify(answer).replace('ID', eoa.id);
    const values = JSON.parse(text) as Record<string, string>;
    dialogs.answer = () => Promise.resolve({ approved: true, values });
    expect(await refusalOf(rpc(DAPP, 'eth_requestAccounts'))).toHaveProperty(
      'code',
      4001,
    );
    expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([]);
  });

  it('says that there is no account yet, and asks nobody', async () => {
    const app = createTestApp();
    const { rpc } = callersOf(app);
    expect(await refusalOf(rpc(DAPP, 'eth_requestAccounts'))).toStrictEqual({
      code: -32001,
      message:
        "There is no account yet. Create one on Tollkeeper's home page in MetaMask.",
    });
    expect(app.edges.dialogs.shown).toStrictEqual([]);
  });

  it('grants no account that was deleted while the user was asked', async () => {
    const { rpc, app, dialogs, eoa, smart } = await setup();
    dialogs.answer = async () => {
      await app.services.keyring.deleteAccount(eoa.id);
      return { approved: true, values: { [eoa.id]: true, [smart.id]: true } };
    };
    expect(await rpc(DAPP, 'eth_requestAccounts')).toStrictEqual([smart.address]);
    await createAccount(app, { index: 0 });
    expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([smart.address]);
  });
});

describe('eth_accounts', () => {
  it('gives nothing before anything was granted, and asks nobody', async () => {
    const { rpc, dialogs } = await setup();
    expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([]);
    expect(dialogs.shown).toStrictEqual([]);
  });

  it('lists an account no more once it is deleted, also after it was made again', async () => {
    const { rpc, app, eoa, choose } = await setup();
    choose(eoa);
    await rpc(DAPP, 'eth_requestAccounts');
    await app.services.keyring.deleteAccount(eoa.id);
    expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([]);
    await createAccount(app, { index: 0 });
    expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([]);
  });
});

const permission = [{ eth_accounts: {} }];

describe('wallet_requestPermissions', () => {
  it('asks anew, with what was granted ticked, and gives the new choice', async () => {
    const { rpc, dialogs, eoa, smart, choose } = await setup();
    choose(eoa);
    await rpc(DAPP, 'eth_requestAccounts');
    choose(smart);
    expect(await rpc(DAPP, 'wallet_requestPermissions', permission)).toStrictEqual([
      {
        parentCapability: 'eth_accounts',
        caveats: [{ type: 'restrictReturnedAccounts', value: [smart.address] }],
      },
    ]);
    const boxes = elementsOf(dialogs.shown[1]).filter(
      ({ type }) => type === 'Checkbox',
    );
    expect(boxes.map(({ props }) => props.checked)).toStrictEqual([true, false]);
    expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([smart.address]);
  });

  it('leaves what was granted before if the user refuses', async () => {
    const { rpc, dialogs, eoa, choose } = await setup();
    choose(eoa);
    await rpc(DAPP, 'eth_requestAccounts');
    dialogs.answer = refuse;
    const asking = rpc(DAPP, 'wallet_requestPermissions', permission);
    expect(await refusalOf(asking)).toHaveProperty('code', 4001);
    expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([eoa.address]);
  });
});

describe('wallet_revokePermissions', () => {
  it('forgets what was granted to the origin that asks, and to no other', async () => {
    const { rpc, eoa, choose } = await setup();
    const other = 'https://other.example';
    choose(eoa);
    for (const origin of [DAPP, other]) await rpc(origin, 'eth_requestAccounts');
    expect(await rpc(DAPP, 'wallet_revokePermissions', permission)).toBeNull();
    expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([]);
    expect(await rpc(other, 'eth_accounts')).toStrictEqual([eoa.address]);
  });
});

describe.each(['wallet_requestPermissions', 'wallet_revokePermissions'])(
  '%s',
  (method) => {
    it.each([[[]], [[{}]], [[{ eth_accounts: {}, snap: {} }]], [{ eth_accounts: {} }]])(
      'refuses the params %j',
      async (params) => {
        const { rpc, dialogs } = await setup();
        const { code, message } = await refusalOf(rpc(DAPP, method, params));
        expect(code).toBe(-32602);
        expect(message).toMatch(new RegExp(`^${method}: params`, 'u'));
        expect(dialogs.shown).toStrictEqual([]);
      },
    );
  },
);
