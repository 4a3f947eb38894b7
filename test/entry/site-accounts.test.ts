// The accounts that a site sees at each visit, and how it is
// granted them.
import type { KeyringAccount } from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';

import { callersOf } from '../support/callers';
import { giveGrant } from '../support/given';
import { refusalOf } from '../support/refusal';
import {
  COMPANION,
  createAccount,
  createTestApp,
  DAPP,
  refuse,
} from '../support/test-app';
import type { TestApp } from '../support/test-app';
import { elementsOf, namesOf, writeView } from '../support/view';

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
  it('sees none while MetaMask is locked, and the user is not asked to unlock it', async () => {
    const { app, address } = await setup();
    const { rpc } = callersOf(app);
    const { backend, clock } = app.edges;
    clock.isLocked = true;
    expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([]);
    expect(await rpc(DAPP, 'wallet_getPermissions')).toStrictEqual([]);
    expect(backend.loads).toBe(0);
    clock.isLocked = false;
    expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([address]);
    // The worker can return what it knows already.
    clock.isLocked = true;
    expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([address]);
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

const permission = [{ eth_accounts: {} }];

const toPermissions = (value: string[], invoker = DAPP): unknown => [
  {
    invoker,
    parentCapability: 'eth_accounts',
    caveats: [{ type: 'restrictReturnedAccounts', value }],
  },
];

async function setupTwo() {
  const app = createTestApp();
  const eoa = await createAccount(app);
  const smart = await createAccount(app, { type: 'eip155:erc4337' });
  const callers = callersOf(app);
  return {
    ...callers,
    app,
    eoa,
    smart,
    /** Has the user tick these accounts. */
    choose: (...accounts: KeyringAccount[]) => {
      const values = Object.fromEntries(accounts.map(({ id }) => [id, true]));
      app.edges.dialogs.answer = async () =>
        Promise.resolve({ approved: true, values });
    },
    /** What the site sees by both methods, which must agree. */
    seen: async (origin: string = DAPP) => {
      const addresses = (await callers.rpc(origin, 'eth_accounts')) as string[];
      const permissions = await callers.rpc(origin, 'wallet_getPermissions');
      expect(permissions).toStrictEqual(
        addresses.length > 0 ? toPermissions(addresses, origin) : [],
      );
      return addresses;
    },
  };
}

describe('asking for accounts', () => {
  it('shows who asks and every account, none ticked, and is asked once', async () => {
    const { rpc, app, eoa, smart, choose, seen } = await setupTwo();
    const { dialogs } = app.edges;
    expect(await seen()).toStrictEqual([]);
    choose(smart, eoa);
    const addresses = [eoa.address, smart.address];
    expect(await rpc(DAPP, 'eth_requestAccounts')).toStrictEqual(addresses);
    expect(await rpc(DAPP, 'eth_requestAccounts')).toStrictEqual(addresses);
    expect(await seen()).toStrictEqual(addresses);
    for (const other of [OTHER, 'https://dapp.example:8443', 'constructor', '']) {
      expect(await seen(other)).toStrictEqual([]);
    }
    expect(dialogs.shown).toHaveLength(1);
    const view = writeView(dialogs.shown);
    const short = `${eoa.address.slice(0, 8)}…${eoa.address.slice(-6)}`;
    for (const part of [DAPP, 'Tollkeeper 1', 'Tollkeeper Smart 1', short]) {
      expect(view).toContain(part);
    }
    expect(namesOf(dialogs.shown, 'Checkbox')).toStrictEqual([eoa.id, smart.id]);
    expect(ticksIn(dialogs.shown)).toStrictEqual([false, false]);
  });

  it.each<[string, Json, string]>([
    ['refuses', { approved: false, values: {} }, 'The user refused the request.'],
    ['closes the dialog', null, 'The user refused the request.'],
    ...[{}, { yes: true }, { ID: 'true' }, { ID: 1 }, { ID: { checked: true } }].map(
      (values): [string, Json, string] => [
        `approves ${JSON.stringify(values)}`,
        { approved: true, values },
        'The user chose no account.',
      ],
    ),
  ])('grants nothing where the user %s', async (_how, answer, message) => {
    const { rpc, app, eoa, seen } = await setupTwo();
    const text = JSON.stringify(answer).replace('"ID"', `"${eoa.id}"`);
    app.edges.dialogs.answer = async () => Promise.resolve(JSON.parse(text) as Json);
    const asking = rpc(DAPP, 'eth_requestAccounts');
    expect(await refusalOf(asking)).toStrictEqual({ code: 4001, message });
    expect(await seen()).toStrictEqual([]);
  });

  it('grants no account that is deleted meanwhile or later, nor one made again', async () => {
    const { rpc, app, eoa, smart, seen } = await setupTwo();
    const remove = app.services.keyring.deleteAccount;
    app.edges.dialogs.answer = async () => {
      await remove(eoa.id);
      return { approved: true, values: { [eoa.id]: true, [smart.id]: true } };
    };
    expect(await rpc(DAPP, 'eth_requestAccounts')).toStrictEqual([smart.address]);
    await createAccount(app, { index: 0 });
    expect(await seen()).toStrictEqual([smart.address]);
    await remove(smart.id);
    expect(await seen()).toStrictEqual([]);
    await createAccount(app, { type: 'eip155:erc4337' });
    expect(await seen()).toStrictEqual([]);
  });
});

describe('wallet_requestPermissions', () => {
  it('asks anew, with what was granted ticked, and keeps that if refused', async () => {
    const { rpc, app, eoa, smart, choose, seen } = await setupTwo();
    const { dialogs } = app.edges;
    const ask = async () => rpc(DAPP, 'wallet_requestPermissions', permission);
    choose(eoa);
    expect(await ask()).toStrictEqual(toPermissions([eoa.address]));
    choose(smart);
    expect(await ask()).toStrictEqual(toPermissions([smart.address]));
    expect(ticksIn(dialogs.shown[1])).toStrictEqual([true, false]);
    dialogs.answer = refuse;
    expect(await refusalOf(ask())).toHaveProperty('code', 4001);
    expect(await seen()).toStrictEqual([smart.address]);
  });
});

describe.each(['wallet_revokePermissions', 'wallet_disconnect'])('%s', (method) => {
  it('forgets what was granted to who asks, to no other, and writes nothing else', async () => {
    const { rpc, app, eoa, smart, seen } = await setupTwo();
    const { backend } = app.edges;
    await giveGrant(app, DAPP, smart, eoa);
    await giveGrant(app, OTHER, eoa);
    expect(await seen()).toStrictEqual([smart.address, eoa.address]);
    const revoke = async (): Promise<Json> =>
      rpc(DAPP, method, method === 'wallet_disconnect' ? undefined : permission);
    expect(await revoke()).toBeNull();
    expect(backend.document).toHaveProperty('grants', { [OTHER]: [eoa.id] });
    expect(await seen()).toStrictEqual([]);
    expect(await seen(OTHER)).toStrictEqual([eoa.address]);
    const { saves } = backend;
    expect(await revoke()).toBeNull();
    expect(backend.saves).toBe(saves);
  });
});

it.each(['wallet_requestPermissions', 'wallet_revokePermissions'])(
  'refuses malformed params of %s',
  async (method) => {
    const { rpc, app } = await setupTwo();
    for (const params of [[], [{}], [{ eth_accounts: {}, snap: {} }], permission[0]]) {
      const { code, message } = await refusalOf(rpc(DAPP, method, params));
      expect(code).toBe(-32602);
      expect(message).toMatch(new RegExp(`^${method}: params`, 'u'));
    }
    expect(app.edges.dialogs.shown).toStrictEqual([]);
  },
);

it.each([undefined, [], {}, [{}]])('needs no params: %j', async (params) => {
  const { rpc, app, eoa } = await setupTwo();
  await giveGrant(app, DAPP, eoa);
  expect(await rpc(DAPP, 'wallet_getPermissions', params)).toStrictEqual(
    toPermissions([eoa.address]),
  );
});

function ticksIn(content: unknown): unknown[] {
  return elementsOf(content)
    .filter(({ type }) => type === 'Checkbox')
    .map(({ props }) => props.checked);
}
