// The companion page: releases have none, and development builds ask the user before the page
// changes anything. The home page has the same functions.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';

import { entryPoints } from '../../src/core/entry-points';
import { routes } from '../../src/routes';
import type { Route } from '../../src/routes';
import type { TextKey } from '../../src/ui/i18n';
import { callersOf } from '../support/callers';
import { answering, serving } from '../support/fake-fetch';
import { createFakeNode } from '../support/fake-node';
import { createGate, settle } from '../support/gate';
import { storeChains } from '../support/given';
import { KIND, openHome } from '../support/home-bench';
import type { HomeBench } from '../support/home-bench';
import { restoreBy, UNUSED_ACCOUNT_ANSWERS } from '../support/keyring-bench';
import { expectRefusal, refusalOf } from '../support/refusal';
import { SETTINGS } from '../support/stored-accounts';
import {
  COMPANION,
  createTestApp,
  refuse,
  RELEASE,
  whileDialogOpen,
  createAccount,
} from '../support/test-app';
import { createEdges } from '../support/test-edges';
import { elementsOf, textOf, textsOf, warningsOf } from '../support/view';

/** A planted factory, and the account address that it returns. */
const PLANTED = `0x${'ba'.repeat(20)}`;
const PLANTED_ACCOUNT = `0x${'ee'.repeat(20)}`;

const ROW = { chainId: 1, entryPoint: '0.6', factory: PLANTED };

const SMART = { type: 'eip155:erc4337', scopes: ['eip155:1'] };

const REFUSED = { code: 4001, message: 'The user refused the request.' };

type Bench = ReturnType<typeof setup>;

function setup(config?: typeof RELEASE) {
  const app = createTestApp(createEdges(), config);
  const { edges } = app;
  // Every address has code, and every factory returns the same account address.
  Object.assign(edges.wallet.answers, {
    eth_getCode: '0x60',
    eth_call: `0x${'0'.repeat(24)}${PLANTED_ACCOUNT.slice(2)}`,
  });
  const callers = callersOf(app);
  return {
    ...callers,
    app,
    edges,
    manage: async (method: string, params?: Record<string, Json>) =>
      callers.rpc(COMPANION, `tollkeeper_${method}`, params && [params]),
  };
}

function serveNode({ edges }: Bench, url: string): void {
  edges.network.serve(url, serving(createFakeNode({ eth_chainId: '0x1' })));
}

const changeOf = (label: TextKey, before: string, after: string): string[] => [
  textOf(label),
  textOf('change.before'),
  before,
  textOf('change.after'),
  after,
];

function changesIn({ edges }: Bench): string[][] {
  return elementsOf(edges.dialogs.shown.at(-1))
    .filter(({ type, props }) => type === 'Section' && hasBold(props.children))
    .map(({ props }) => textsOf(props.children));
}

function hasBold(content: unknown): boolean {
  return elementsOf(content).some(({ type }) => type === 'Bold');
}

const stored = ({ edges }: Bench): string => JSON.stringify(edges.backend.document);

describe('a release', () => {
  const closed = Object.entries<Route>(routes)
    .filter(([, { by }]) => by.includes('companion') && !by.includes('dapp'))
    .map(([method]) => method);

  it.each(closed)('does not offer %s to the companion page', async (method) => {
    const bench = setup(RELEASE);
    const { app, edges, rpc, keyring } = bench;
    const call = method.startsWith('keyring_') ? keyring : rpc;
    expect(await refusalOf(call(COMPANION, method, {}))).toStrictEqual({
      code: 4100,
      message: `${method} is not open to this origin.`,
    });
    expect(app.edges.dialogs.shown).toStrictEqual([]);
    expect(edges.backend.document).toBeNull();
  });

  it('points to the home page if a request waits for approval', async () => {
    const bench = setup(RELEASE);
    const created = bench.keyring('metamask', 'keyring_createAccount', { options: {} });
    const { id: account, address } = (await created) as { id: string; address: string };
    const home = await openHome(bench.app, 'settings');
    const settings = { ...SETTINGS, approvalMode: 'asynchronous' };
    await home.submit('home.settings.save', settings);
    const id = '9c190a38-8a7c-4f84-a390-53cd8b5f758b';
    const request = { account, method: 'personal_sign', params: ['0x12', address] };
    const submitted = await bench.submit(request, { id });
    const message = `${textOf('redirect.message')} ${textOf('welcome.page.where')}`;
    expect(submitted).toStrictEqual({ pending: true, redirect: { message } });
    await home.click('home.frame.tab:requests');
    await home.click(`home.requests.approve:${id}`);
    expect(home.notices()).toStrictEqual([textOf('requests.approved')]);
  });
});

describe('tollkeeper_setChain', () => {
  async function saveAtHome({ app }: Bench, factory: string): Promise<void> {
    const home = await openHome(app, 'settings');
    await home.submit('home.settings.add', { chain: '1' });
    await home.submit('home.settings.saveChain', { entryPoint: '0.6', factory });
  }

  it('shows old and new values, but no credentials', async () => {
    const bench = setup();
    serveNode(bench, 'https://old.example');
    serveNode(bench, 'https://new.example');
    await bench.manage('setChain', {
      chainId: 1,
      rpcUrl: 'https://old.example',
      apiKey: 'the-former-key',
    });
    await bench.manage('setChain', {
      chainId: 1,
      rpcUrl: 'https://new.example/v3/a-key-in-the-address',
      apiKey: 'the-next-key',
      entryPoint: '0.7',
      factory: PLANTED,
    });
    const shown = bench.edges.dialogs.shown.at(-1);
    const isSet = textOf('change.isSet');
    expect(changesIn(bench)).toStrictEqual([
      changeOf(
        'chain.rpcUrl',
        'https://old.example',
        'https://new.example/v3/[redacted]',
      ),
      changeOf('chain.apiKey', isSet, textOf('change.other', { value: isSet })),
      changeOf(
        'chain.entryPoint',
        textOf('chain.entryPointDefault'),
        '0.7 (0x0000000071727De22E5E9d8BAf0edAc6f37da032)',
      ),
      changeOf('chain.factory', textOf('chain.isNotSet'), PLANTED),
    ]);
    expect(textsOf(shown)).toContain(COMPANION);
    expect(warningsOf(shown)).toStrictEqual([textOf('factory.unknown')]);
    const dialogs = JSON.stringify(bench.edges.dialogs.shown);
    for (const secret of ['former-key', 'next-key', 'a-key-in-the-address']) {
      expect(dialogs).not.toContain(secret);
    }
  });

  it('contacts no server and saves nothing if the user refuses', async () => {
    const bench = setup();
    bench.edges.dialogs.answer = refuse;
    const row = { ...ROW, rpcUrl: 'https://new.example' };
    expect(await refusalOf(bench.manage('setChain', row))).toStrictEqual(REFUSED);
    expect(bench.edges.network.sent).toStrictEqual([]);
    expect(stored(bench)).not.toContain('new.example');
  });

  it('shows no dialog if nothing changes', async () => {
    const bench = setup();
    await bench.manage('setChain', { chainId: 1 });
    expect(bench.edges.dialogs.shown).toStrictEqual([]);
  });

  it('is rate-limited after three refusals in a row', async () => {
    const bench = setup();
    bench.edges.dialogs.answer = refuse;
    for (let count = 0; count < 3; count += 1) {
      await refusalOf(bench.manage('setChain', ROW));
    }
    await expectRefusal(bench.manage('setChain', ROW), -32005);
    expect(bench.edges.dialogs.shown).toHaveLength(3);
  });

  it('saves nothing if the row changes while the dialog is open', async () => {
    const bench = setup();
    const { opened, open } = createGate();
    whileDialogOpen(bench.edges, async () => opened);
    const call = bench.manage('setChain', ROW);
    while (bench.edges.dialogs.shown.length === 0) await settle();
    await saveAtHome(bench, `0x${'cc'.repeat(20)}`);
    open();
    expect(await refusalOf(call)).toStrictEqual({
      code: -32602,
      message:
        'The configuration changed while the user was deciding. Nothing was saved; send the request again.',
    });
    expect(stored(bench)).not.toContain(PLANTED);
  });

  it("shows no dialog for the home page's form", async () => {
    const bench = setup();
    await saveAtHome(bench, PLANTED);
    expect(bench.edges.dialogs.shown).toStrictEqual([]);
    expect(stored(bench)).toContain(PLANTED);
  });
});

describe('tollkeeper_setSettings', () => {
  const settingsOf = async ({ app }: Bench) =>
    (await app.services.store.read()).settings;

  it('shows the old and new values of changed settings', async () => {
    const bench = setup();
    const changes = { approvalMode: 'asynchronous', notifications: false };
    await bench.manage('setSettings', { ...changes, feeLevel: 'medium' });
    expect(changesIn(bench)).toStrictEqual([
      changeOf(
        'settings.approvalMode',
        textOf('settings.atOnce'),
        textOf('settings.later'),
      ),
      changeOf('settings.notifications', textOf('yes'), textOf('no')),
    ]);
    expect(await settingsOf(bench)).toMatchObject(changes);
  });

  it('changes nothing if the user refuses, and shows no dialog if nothing changes', async () => {
    const bench = setup();
    bench.edges.dialogs.answer = refuse;
    const before = await settingsOf(bench);
    await bench.manage('setSettings', { feeLevel: 'medium' });
    expect(bench.edges.dialogs.shown).toStrictEqual([]);
    const call = bench.manage('setSettings', { secondConfirmation: true });
    expect(await refusalOf(call)).toStrictEqual(REFUSED);
    expect(await settingsOf(bench)).toStrictEqual(before);
  });
});

describe('an account factory', () => {
  function expectAsked({ edges }: Bench, origin: string): void {
    const [dialog, ...others] = edges.dialogs.shown.filter(isAboutFactory);
    expect(others).toStrictEqual([]);
    expect(warningsOf(dialog)).toContain(textOf('factory.unknown'));
    expect(textsOf(dialog)).toEqual(
      expect.arrayContaining([origin, PLANTED, PLANTED_ACCOUNT]),
    );
  }

  const create = { options: { ...SMART, entryPoint: '0.6', factory: PLANTED } };

  const creations: [string, string, (bench: Bench) => Promise<unknown>][] = [
    [
      'keyring_createAccount from MetaMask',
      'metamask',
      async ({ keyring }) => keyring('metamask', 'keyring_createAccount', create),
    ],
    [
      'keyring_createAccount from the companion',
      COMPANION,
      async ({ keyring }) => keyring(COMPANION, 'keyring_createAccount', create),
    ],
    ['the home page', 'Tollkeeper', createAtHome],
  ];

  it.each(creations)(
    'is shown before %s uses it if it is custom',
    async (_way, origin, run) => {
      const bench = setup();
      await plant(bench);
      await run(bench);
      expectAsked(bench, origin);
      expect(JSON.stringify(bench.edges.backend.document)).toContain(PLANTED_ACCOUNT);
    },
  );

  it.each(creations)(
    'is not used by %s if the user refuses',
    async (_way, origin, run) => {
      const bench = setup();
      await plant(bench);
      bench.edges.dialogs.answer = refuse;
      await run(bench).catch(() => undefined);
      expectAsked(bench, origin);
      expect(bench.edges.events.emitted).toStrictEqual([]);
      expect(stored(bench)).not.toContain(PLANTED_ACCOUNT);
    },
  );

  it('is shown again before its account is restored', async () => {
    const bench = setup();
    await bench.keyring('metamask', 'keyring_createAccount', create);
    const { shown } = bench.edges.dialogs;
    shown.length = 0;
    Object.assign(bench.edges.wallet.answers, UNUSED_ACCOUNT_ANSWERS);
    bench.edges.events.take = async () =>
      Promise.reject(new Error("Account 'it' not found"));
    bench.edges.dialogs.answer = refuse;
    const restored = await restoreBy(bench.app, { gap: 1 });
    expect(restored).toMatchObject({
      declined: [{ address: PLANTED_ACCOUNT }],
      accounts: [],
    });
    expectAsked(bench, COMPANION);
  });

  it('is not shown if it is canonical', async () => {
    const bench = setup();
    bench.edges.wallet.answers.eth_call = '0x';
    for (const entryPoint of ['0.6', '0.7', '0.8', '0.9']) {
      const options = { ...SMART, entryPoint };
      await bench.keyring('metamask', 'keyring_createAccount', { options });
    }
    expect(bench.edges.dialogs.shown).toStrictEqual([]);
  });

  it('is shown if it is canonical only for another EntryPoint version', async () => {
    const bench = setup();
    const { factory } = entryPoints['0.6'];
    const options = { ...SMART, entryPoint: '0.7', factory };
    await bench.keyring('metamask', 'keyring_createAccount', { options });
    expect(bench.edges.dialogs.shown.filter(isAboutFactory)).toHaveLength(1);
  });
});

/** Plants a factory, as an attacker who controls the page could. */
async function plant(bench: Bench): Promise<void> {
  await bench.manage('setChain', ROW);
  bench.edges.dialogs.shown.length = 0;
}

async function openAccounts({ app }: Bench, step: string): Promise<HomeBench> {
  const home = await openHome(app, 'accounts');
  await home.click(`home.accounts.step:${step}`);
  return home;
}

async function createAtHome(bench: Bench): Promise<void> {
  const home = await openAccounts(bench, 'create');
  await home.chooseKind('home.accounts.create', '0.6');
  await home.submit('home.accounts.create', { [KIND]: '0.6', chain: 'eip155:1' });
}

function isAboutFactory(dialog: JSXElement): boolean {
  return textsOf(dialog).includes(textOf('factory.title'));
}

describe('the home page', () => {
  async function listIndices({ keyring }: Bench): Promise<unknown[]> {
    const listed = await keyring('metamask', 'keyring_listAccounts');
    return (listed as { options: { index?: number } }[]).map(
      ({ options }) => options.index,
    );
  }

  it.each([
    ['from a given number', { number: '5', count: '3' }, [4, 5, 6]],
    ['at the next free indices', { number: '', count: '2' }, [0, 1]],
  ])('creates several accounts %s', async (_where, fields, indices) => {
    const bench = setup(RELEASE);
    const home = await openAccounts(bench, 'create');
    await home.submit('home.accounts.create', { [KIND]: 'eoa', ...fields });
    expect(await listIndices(bench)).toStrictEqual(indices);
    const { count } = fields;
    expect(home.notices()).toStrictEqual([textOf('create.several', { count })]);
  });

  it('stops at the first declined account, and reports how many it created', async () => {
    const bench = setup(RELEASE);
    bench.edges.events.take = async () =>
      bench.edges.events.emitted.length > 2
        ? Promise.reject(new Error('User denied account creation'))
        : Promise.resolve();
    const home = await openAccounts(bench, 'create');
    await home.submit('home.accounts.create', { [KIND]: 'eoa', count: '9' });
    expect(await listIndices(bench)).toStrictEqual([0, 1]);
    expect(home.notices()).toStrictEqual([
      textOf('create.several', { count: '2' }),
      textOf('home.refused'),
    ]);
  });

  it.each([
    ['number', '0'],
    ['number', '-1'],
    ['number', '1.5'],
    ['number', '2147483649'],
    ['count', '101'],
    ['count', 'many'],
  ] as const)('creates nothing for a %s of %s', async (field, value) => {
    const bench = setup(RELEASE);
    const home = await openAccounts(bench, 'create');
    await home.submit('home.accounts.create', { [KIND]: 'eoa', [field]: value });
    const bounds = {
      number: { least: '1', most: '2,147,483,648' },
      count: { least: '1', most: '100' },
    }[field];
    expect(home.notices()).toStrictEqual([
      textOf('form.noNumber', { name: textOf(`create.${field}`), ...bounds }),
    ]);
    expect(await listIndices(bench)).toStrictEqual([]);
  });

  it('restores accounts with the entered gap', async () => {
    const bench = setup(RELEASE);
    bench.edges.events.take = async () =>
      Promise.reject(new Error("Account 'it' not found"));
    Object.assign(bench.edges.wallet.answers, UNUSED_ACCOUNT_ANSWERS);
    const home = await openAccounts(bench, 'restore');
    await home.submit('home.accounts.restore', { gap: '2' });
    // Each index has one EOA, four SimpleAccounts and one Safe; each needs three requests.
    const requests = bench.edges.wallet.calls.filter(
      ({ params }) => params.length === 2,
    );
    expect(requests).toHaveLength(2 * 6 * 3);
  });

  it('adds networks to a smart account and removes them', async () => {
    const bench = setup(RELEASE);
    serveNode(bench, 'https://node.example');
    bench.edges.network.serve('https://ten.example', answering({ result: '0xa' }));
    await storeChains(bench.app, { 'eip155:10': { rpcUrl: 'https://ten.example' } });
    const options = { ...SMART, entryPoint: '0.8' };
    bench.edges.wallet.answers.eth_call = '0x';
    const { id } = await createAccount(bench.app, options);
    const scopesOf = async (): Promise<unknown> =>
      (await bench.app.services.keyring.listAccounts())[0]?.scopes;
    const home = await openHome(bench.app, 'accounts');
    await home.click(`home.accounts.show:${id}`);
    await home.submit('home.accounts.addChain', { chain: 'eip155:10' });
    expect(await scopesOf()).toStrictEqual(['eip155:1', 'eip155:10']);
    await home.click('home.accounts.removeChain:eip155:1');
    expect(await scopesOf()).toStrictEqual(['eip155:10']);
    expect(home.notices()).toStrictEqual([textOf('accounts.savedChains')]);
    // The last network cannot be removed.
    await expect(home.click('home.accounts.removeChain:eip155:10')).rejects.toThrow(
      'There is no button',
    );
  });
});
