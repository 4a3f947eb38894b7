// The home page's accounts and settings tabs, and the secrets entered there.
import type { EntropySource } from '@metamask/snaps-sdk';
import type { Json } from '@metamask/utils';
import { privateKeyToAddress } from 'viem/accounts';

import { decryptKeystore } from '../../src/eth/keystore';
import type { ChainRow } from '../../src/state/chain-row';
import { keyOfIndex } from '../support/entropy';
import { serving } from '../support/fake-fetch';
import { createFakeMetaMask } from '../support/fake-metamask';
import { calledMethods, createFakeNode, refuses } from '../support/fake-node';
import { createGate, settle } from '../support/gate';
import { storeChains, storeGrant } from '../support/given';
import { KIND, openHome } from '../support/home-bench';
import type { HomeBench } from '../support/home-bench';
import { UNUSED_ACCOUNT_ANSWERS } from '../support/keyring-bench';
import { ADDRESS, KEY, makeKeystore, PASSWORD } from '../support/keystores';
import { IMPORTED_KEY, importedRecord } from '../support/records';
import { stateOf } from '../support/stored-accounts';
import { createAccount, createTestApp, DAPP } from '../support/test-app';
import type { TestApp } from '../support/test-app';
import { elementsOf, namesOf, textOf, textsOf } from '../support/view';
import { without } from '../support/without';

const NODE = 'https://node.example';

const API_KEY = 'k3y-of-the-user-0123456789abcdef';

const listAccounts = async ({ app }: HomeBench) => app.services.keyring.listAccounts();

function propsOf({ page }: HomeBench, name: string) {
  return elementsOf(page()).find(({ props }) => props.name === name)?.props;
}

async function openAccounts(step?: string, app = createTestApp()): Promise<HomeBench> {
  app.edges.wallet.answers.eth_getCode = '0x';
  const home = await openHome(app, 'accounts');
  if (step !== undefined) await home.click(`home.accounts.step:${step}`);
  return home;
}

describe('the accounts tab', () => {
  async function setup() {
    const app = createTestApp();
    const eoa = await createAccount(app);
    const options = { type: 'eip155:erc4337', entryPoint: '0.7', scopes: ['eip155:1'] };
    app.edges.wallet.answers.eth_getCode = '0x';
    const smart = await createAccount(app, options);
    return { home: await openAccounts(undefined, app), eoa, smart };
  }

  it('lists accounts with their details, even if balances are unknown', async () => {
    const { home, eoa, smart } = await setup();
    const texts = home.texts().join('\n');
    const details = [
      'Tollkeeper 1',
      eoa.address,
      textOf('accounts.eoa'),
      'Tollkeeper Smart 1',
      smart.address,
      textOf('accounts.smart', { version: '0.7' }),
      textOf('accounts.derived', { number: '1' }),
      '10 ETH',
      textOf('accounts.absent'),
    ];
    expect(details.filter((detail) => !texts.includes(detail))).toStrictEqual([]);
    home.app.edges.wallet.answers.eth_getBalance = refuses('down');
    await home.click('home.frame.refresh');
    expect(home.texts()).toEqual(
      expect.arrayContaining([eoa.address, textOf('accounts.unknown')]),
    );
    expect(home.notices()).toStrictEqual([]);
  });

  it('shows ten accounts per page', async () => {
    const app = createTestApp();
    for (let count = 0; count < 12; count += 1) await createAccount(app);
    const home = await openAccounts(undefined, app);
    const shown = (): string[] =>
      namesOf(home.page(), 'Button').filter((name) => name.includes('accounts.show'));
    expect(shown()).toHaveLength(10);
    await home.click('home.frame.page:1');
    expect(shown()).toHaveLength(2);
    expect(home.texts()).toContain('Tollkeeper 12');
  });

  it('reads balances on the chosen chain, and remembers the choice', async () => {
    const { home, eoa } = await setup();
    await storeChains(home.app, { 'eip155:8453': { rpcUrl: 'https://base.example' } });
    await home.click('home.frame.refresh');
    await home.choose('home.accounts.chain', 'eip155:8453');
    expect(home.texts()).toContain(textOf('accounts.unknown'));
    await home.click(`home.accounts.show:${eoa.id}`);
    await home.click('home.accounts.list');
    expect(home.place().chain).toBe('eip155:8453');
  });

  it("shows an account, and revokes a site's access to it", async () => {
    const { home, smart } = await setup();
    await storeGrant(home.app, DAPP, smart);
    await home.click(`home.accounts.show:${smart.id}`);
    expect(home.texts()).toEqual(expect.arrayContaining([DAPP, 'Ethereum']));
    home.restart();
    await home.click(`home.accounts.revoke:${DAPP}`);
    expect(home.app.edges.backend.document).toHaveProperty('grants', {});
    expect(home.texts()).toContain(textOf('accounts.noSites'));
  });

  it('deletes an account after a confirmation, unless the user declines in MetaMask', async () => {
    const { home, eoa, smart } = await setup();
    const { events } = home.app.edges;
    const { take } = events;
    events.take = async () => Promise.reject(new Error('User denied it'));
    await home.click(`home.accounts.show:${eoa.id}`);
    await home.click('home.accounts.ask:delete');
    expect(home.notices()).toStrictEqual([textOf('delete.derived')]);
    await home.click('home.accounts.delete');
    expect(home.notices()).toContain(textOf('home.refused'));
    expect(await listAccounts(home)).toHaveLength(2);
    events.take = take;
    home.restart();
    await home.click('home.accounts.delete');
    expect(await listAccounts(home)).toStrictEqual([smart]);
    expect(home.notices()).toStrictEqual([
      textOf('delete.done', { address: eoa.address }),
    ]);
    expect(home.place().item).toBeUndefined();
  });

  it('shows the list if the account was deleted elsewhere', async () => {
    const { home, eoa } = await setup();
    await home.click(`home.accounts.show:${eoa.id}`);
    await home.app.services.keyring.deleteAccount(eoa.id);
    await home.click('home.frame.refresh');
    expect(elementsOf(home.page()).some(({ type }) => type === 'Dropdown')).toBe(true);
  });
});

describe('the forms of the accounts tab', () => {
  const CREATE = 'home.accounts.create';
  const IMPORT = 'home.accounts.import';
  const EXPORT = 'home.accounts.export';

  it('create the chosen account, and return to the list', async () => {
    const home = await openAccounts('create');
    home.restart();
    await home.submit(CREATE, { [KIND]: 'eoa' });
    const [eoa] = await listAccounts(home);
    const address = eoa?.address ?? '';
    expect(home.notices()).toStrictEqual([textOf('create.done', { address })]);
    expect(home.place().step).toBeUndefined();
    await home.click('home.accounts.step:create');
    await home.chooseKind(CREATE, '0.8');
    await home.submit(CREATE, { [KIND]: '0.8', chain: 'eip155:1' });
    expect((await listAccounts(home))[1]).toMatchObject({
      type: 'eip155:erc4337',
      scopes: ['eip155:1'],
      options: { entryPoint: '0.8' },
    });
  });

  it.each([
    ['smart', CREATE, {}],
    ['safe', CREATE, {}],
    ['0.8', 'home.accounts.import', { key: `0x${'5a'.repeat(32)}` }],
  ])('can keep a new %s account out of MetaMask’s list', async (type, form, more) => {
    const home = await openAccounts(form === CREATE ? 'create' : 'import');
    const { edges } = home.app;
    const values = { [KIND]: type, chain: 'eip155:1', ...more };
    expect(home.texts()).not.toContain(textOf('create.listing'));
    expect(home.texts()).not.toContain(textOf('field.chain'));
    await home.chooseKind(form, type);
    expect(home.texts()).toEqual(
      expect.arrayContaining([textOf('create.listing'), textOf('field.chain')]),
    );
    await home.submit(form, { ...values, listed: false });
    expect(await listAccounts(home)).toMatchObject([{ options: { unlisted: true } }]);
    expect([edges.events.emitted, edges.dialogs.shown]).toStrictEqual([[], []]);
  });

  it("add a smart account to MetaMask's list if the user chooses to", async () => {
    const home = await openAccounts('create');
    await home.chooseKind(CREATE, 'smart');
    await home.submit(CREATE, { [KIND]: 'smart', chain: 'eip155:1', listed: true });
    const [account] = await listAccounts(home);
    expect(account?.options).not.toHaveProperty('unlisted');
    expect(home.app.edges.events.emitted).toMatchObject([
      ['notify:accountCreated', {}],
    ]);
  });

  it('report that the user declined, and keep the entered values', async () => {
    const home = await openAccounts('create');
    home.app.edges.events.take = async () =>
      Promise.reject(new Error('User denied account creation'));
    await home.chooseKind(CREATE, '0.7');
    await home.submit(CREATE, { [KIND]: '0.7', chain: 'eip155:1', listed: true });
    expect(home.notices()).toStrictEqual([textOf('home.refused')]);
    expect(
      elementsOf(home.page()).filter(({ type }) => type === 'Dropdown'),
    ).toMatchObject([{ props: { value: '0.7' } }, { props: { value: 'eip155:1' } }]);
    expect(await listAccounts(home)).toStrictEqual([]);
  });

  describe('with several recovery phrases', () => {
    const RESTORE = 'home.accounts.restore';
    const addressOf = (source?: string): string =>
      privateKeyToAddress(keyOfIndex(0, source)).toLowerCase();

    function setup(): TestApp {
      const app = createTestApp();
      const { sources } = app.edges.entropy;
      const second = { id: '01-second', name: 'Phrase 2', type: 'mnemonic' as const };
      (sources as EntropySource[]).push({ ...second, primary: false });
      return app;
    }

    it('create an account from the chosen phrase, by default the first', async () => {
      const home = await openAccounts('create', setup());
      expect(home.texts()).toEqual(expect.arrayContaining(['Phrase 1', 'Phrase 2']));
      const { value } = propsOf(home, 'phrase') ?? {};
      await home.submit(CREATE, { [KIND]: 'eoa', phrase: value as string });
      await home.click('home.accounts.step:create');
      await home.submit(CREATE, { [KIND]: 'eoa', phrase: '01-second' });
      const [first, second] = await listAccounts(home);
      expect(first?.address).toBe(addressOf());
      expect(first?.options).not.toHaveProperty('entropySource');
      expect(second).toMatchObject({
        address: addressOf('01-second'),
        options: { entropySource: '01-second' },
      });
    });

    it('restore the accounts of the chosen phrase', async () => {
      const app = setup();
      app.edges.wallet.answers.eth_getTransactionCount = ([address]) =>
        address === addressOf('01-second') ? '0x1' : '0x0';
      app.edges.wallet.answers.eth_getBalance = '0x0';
      app.edges.events.take = createFakeMetaMask().take;
      const home = await openAccounts('restore', app);
      await home.submit(RESTORE, { gap: '1', phrase: '01-second' });
      expect(await listAccounts(home)).toMatchObject([
        { address: addressOf('01-second') },
      ]);
    });

    it.each(['create', 'restore'])(
      'show no choice with only one phrase, or if MetaMask cannot list the phrases (%s)',
      async (step) => {
        const app = createTestApp();
        const failure = new Error('No such method.');
        for (const sources of [app.edges.entropy.sources, failure]) {
          app.edges.entropy.sources = sources;
          expect(propsOf(await openAccounts(step, app), 'phrase')).toBeUndefined();
        }
      },
    );
  });

  const nothing = { key: '', file: null, password: '', [KIND]: 'eoa' };
  const keystore = makeKeystore(KEY.slice(2), 'foo');
  const asFile = (text: string): Json => ({
    contents: Buffer.from(text).toString('base64'),
  });

  it.each<[string, Record<string, Json>]>([
    ['a private key', { key: ` ${KEY} ` }],
    ['a private key without 0x', { key: KEY.slice(2) }],
    ['the text of a keystore file', { key: keystore, password: 'foo' }],
    ['a keystore file', { file: asFile(keystore), password: 'foo' }],
  ])('import %s', async (_what, values) => {
    const home = await openAccounts('import');
    await home.submit(IMPORT, { ...nothing, ...values });
    const address = ADDRESS.toLowerCase();
    expect(await listAccounts(home)).toMatchObject([{ address }]);
    expect(home.notices()).toStrictEqual([textOf('import.done', { address })]);
  });

  it.each<[string, Record<string, Json>, string]>([
    ['empty fields', {}, textOf('import.eitherOr')],
    ['a key and a file', { key: KEY, file: asFile('{}') }, textOf('import.eitherOr')],
    ['words', { key: 'my secret words' }, textOf('import.noKey')],
    ['a file without JSON', { file: asFile('no') }, 'The keystore file is not JSON.'],
    [
      'a keystore with the wrong password',
      { key: keystore, password: 'bar' },
      'The password does not open the keystore file, or the file is damaged.',
    ],
  ])('import nothing from %s, and clear secrets', async (_what, values, message) => {
    const home = await openAccounts('import');
    await home.submit(IMPORT, { ...nothing, ...values });
    expect(home.notices()).toStrictEqual([message]);
    const secrets = elementsOf(home.page()).filter(
      ({ props }) => props.type === 'password',
    );
    expect(secrets.map(({ props }) => props.value)).toStrictEqual(['', '']);
    expect(await listAccounts(home)).toStrictEqual([]);
  });

  /** Exports a key after a restart, and decrypts the keystore file. */
  async function exportFrom(home: HomeBench): Promise<string> {
    home.restart();
    await home.submit(EXPORT, { password: PASSWORD, again: PASSWORD });
    const copyable = elementsOf(home.page()).find(({ type }) => type === 'Copyable');
    return decryptKeystore(String(copyable?.props.value), PASSWORD);
  }

  it('export a key only as a keystore file under a valid password', async () => {
    const app = createTestApp();
    const { id } = await createAccount(app);
    const home = await openAccounts(undefined, app);
    await home.click(`home.accounts.show:${id}`);
    await home.click('home.accounts.ask:export');
    expect(home.notices()).toStrictEqual([textOf('export.warning')]);
    for (const [password, again, message] of [
      [PASSWORD, `${PASSWORD}!`, textOf('export.differ')],
      ['short', 'short', 'The password must have 12 to 1000 characters.'],
    ]) {
      await home.submit(EXPORT, { password: password ?? '', again: again ?? '' });
      expect(home.notices()).toContain(message);
      expect(home.place().keystore).toBeUndefined();
    }
    expect(await exportFrom(home)).toBe(keyOfIndex(0));
    await home.click('home.accounts.list');
    expect(JSON.stringify(home.place())).not.toContain('ciphertext');
  });

  const imported = importedRecord();
  const damaged = { ...imported, type: 7 };
  const SITE = 'https://site.example';
  const keyless = without(importedRecord(`0x${'2e'.repeat(32)}`), 'key');

  it.each<[string, object, string?]>([
    ['whose record is damaged', { accounts: { [imported.id]: damaged } }],
    [
      'whose key belongs to another address',
      { accounts: { [imported.id]: { ...imported, address: keyless.address } } },
      keyless.address,
    ],
    [
      'in a damaged pending addition',
      {
        unsettled: { [imported.id]: { change: 'add', record: imported, session: '0' } },
      },
    ],
    [
      'in a damaged document',
      { accounts: { [imported.id]: imported, [keyless.id]: keyless }, settings: null },
    ],
    ['in a newer document', { accounts: { [imported.id]: imported }, version: 9 }],
  ])(
    'export the imported key of an account %s',
    async (_what, changes, address = imported.address) => {
      const app = createTestApp();
      const stored = { ...stateOf({}), ...changes } as unknown as Json;
      app.edges.backend.document = stored;
      const home = await openAccounts(undefined, app);
      const [open = ''] = namesOf(home.page(), 'Button').filter(
        (name) => name.startsWith('home.accounts.show:') && name.includes(imported.id),
      );
      await home.click(open);
      expect(home.texts()).toContain(address);
      await home.click('home.accounts.ask:export');
      expect(await exportFrom(home)).toBe(IMPORTED_KEY);
      expect(JSON.stringify(home.page())).not.toContain(IMPORTED_KEY.slice(2));
      expect(app.edges.backend.document).toStrictEqual(stored);
    },
  );

  it('show why a record is damaged, and delete it after a confirmation', async () => {
    const app = createTestApp();
    const state = stateOf({ accounts: [imported] });
    app.edges.backend.document = {
      ...state,
      accounts: { ...state.accounts, [keyless.id]: keyless },
      grants: { [SITE]: 'text' },
      chains: { 'eip155:1': 7 },
      batches: [7],
    };
    const home = await openAccounts(undefined, app);
    const chain = 'eip155:1';
    for (const name of ['permissions', 'accounts']) {
      await home.click(`home.frame.tab:${name}`);
      expect(home.notices()).toStrictEqual([textOf('damaged.notice')]);
    }
    const losses = [
      textOf('damaged.site', { site: SITE }),
      textOf('damaged.chain', { chain: 'Ethereum' }),
      textOf('damaged.account'),
      textOf('damaged.other'),
    ];
    expect(home.texts()).toEqual(
      expect.arrayContaining([keyless.address, imported.address, ...losses]),
    );
    expect(home.texts().join()).not.toContain('set aside');
    for (const [id, reason] of [
      [`grants.${SITE}`, `grants["${SITE}"] must be an array.`],
      [`chains.${chain}`, `chains["${chain}"] must be an object.`],
      ['batches.0', 'batches[0] must be an object.'],
      [
        `accounts.${keyless.id}`,
        `accounts["${keyless.id}"].key is missing: it must be an object.`,
      ],
    ] as const) {
      await home.click(`home.accounts.show:${id}`);
      expect(home.texts()).toContain(
        `A record of the stored encrypted state is damaged and was set aside: encrypted state.${reason}`,
      );
      expect(namesOf(home.page(), 'Button')).not.toContain('home.accounts.ask:export');
      await home.click('home.accounts.ask:delete');
      expect(home.notices()).toContain(textOf('damaged.lost'));
      home.restart();
      await home.click('home.accounts.discard');
    }
    expect(home.notices()).toStrictEqual([]);
    expect(app.edges.backend.document).toStrictEqual(state);
  });

  it('show the progress of restoring, and stop on request', async () => {
    const app = createTestApp();
    const { screens, events, network } = app.edges;
    const serve = serving(
      createFakeNode({ ...UNUSED_ACCOUNT_ANSWERS, eth_getBalance: '0x1' }),
    );
    const { opened, open } = createGate();
    network.serve(NODE, async (request) => opened.then(async () => serve(request)));
    await storeChains(app, { 'eip155:1': { rpcUrl: NODE } });
    events.take = async () => Promise.reject(new Error("Account 'it' not found"));
    const home = await openAccounts('restore', app);
    const set = screens.set.bind(screens);
    const drawn: string[] = [];
    screens.set = (id, content) => {
      drawn.push(...textsOf(content));
      return set(id, content);
    };
    const restoring = home.submit('home.accounts.restore', { gap: '' });
    await settle();
    await home.click('home.frame.refresh');
    expect(drawn).toContain(textOf('progress.searching'));
    await home.click('home.accounts.cancel');
    open();
    await restoring;
    const done = textOf('restore.done', { restored: '0', unchanged: '0' });
    expect(home.notices()).toContain(done);
    expect(home.notices()[0]).toContain('Skipped: 120 (Tollkeeper 1, ');
  });
});

describe('the settings tab', () => {
  const FORM = 'home.settings.saveChain';

  /** Sets up a node of chain 1. With a row, also opens that chain's form. */
  async function setup(row?: ChainRow) {
    const app = createTestApp();
    const node = createFakeNode({ eth_chainId: '0x1', eth_blockNumber: '0x4d2' });
    app.edges.network.serve(NODE, serving(node));
    if (row) await storeChains(app, { 'eip155:1': row });
    const home = await openHome(app, 'settings');
    if (row) await home.click('home.settings.edit:eip155:1');
    return { home, node };
  }

  const getRow = ({ app }: HomeBench): Json | undefined =>
    (app.edges.backend.document as { chains: Record<string, Json> }).chains['eip155:1'];

  it('saves settings, and opens the form of a chain by its ID', async () => {
    const { home } = await setup();
    const chosen = {
      feeLevel: 'high',
      approvalMode: 'asynchronous',
      secondConfirmation: true,
      notifications: false,
      prices: false,
    };
    home.restart();
    await home.submit('home.settings.save', chosen);
    expect(home.app.edges.backend.document).toHaveProperty('settings', chosen);
    expect(home.notices()).toStrictEqual([textOf('settings.saved')]);
    expect(propsOf(home, 'feeLevel')?.value).toBe('high');
    await home.submit('home.settings.add', { chain: 'nothing' });
    expect(home.notices()).toStrictEqual([textOf('settings.noChainId')]);
    expect(propsOf(home, 'chain')?.value).toBe('nothing');
    await home.submit('home.settings.save', { feeLevel: 'low', prices: 'no' });
    expect(home.notices()).toHaveLength(1);
    expect(propsOf(home, 'feeLevel')?.value).toBe('low');
    await home.submit('home.settings.add', { chain: ' 0xaa36a7 ' });
    expect(home.texts()).toContain('Sepolia');
  });

  it("deletes a chain's configuration after a confirmation", async () => {
    const { home } = await setup({ rpcUrl: NODE });
    await home.click('home.settings.list');
    await home.click('home.settings.askRemove:eip155:1');
    expect(getRow(home)).toStrictEqual({ rpcUrl: NODE });
    home.restart();
    await home.click('home.settings.remove');
    expect(getRow(home)).toBeUndefined();
    expect(home.texts()).toContain(textOf('settings.noChains'));
  });

  it('saves valid servers', async () => {
    const { home, node } = await setup({});
    await home.submit(FORM, { rpcUrl: NODE, apiKey: API_KEY, gasAuth: 'default' });
    expect(getRow(home)).toStrictEqual({ rpcUrl: NODE, apiKey: API_KEY });
    expect(calledMethods(node)).toStrictEqual(['eth_chainId', 'eth_blockNumber']);
    const chain = 'Ethereum';
    expect(home.notices()).toStrictEqual([textOf('settings.savedChain', { chain })]);
  });

  it('keeps the entered values except secrets if a server is for another chain', async () => {
    const { home, node } = await setup({});
    node.answers.eth_chainId = '0x5';
    await home.submit(FORM, { rpcUrl: NODE, apiKey: API_KEY, entryPoint: '0.7' });
    expect(home.notices()).toStrictEqual([
      'Node (HTTP) is the address of eip155:5, not of eip155:1. Nothing was saved.',
    ]);
    const entered = ['rpcUrl', 'apiKey', 'entryPoint'].map(
      (name) => propsOf(home, name)?.value,
    );
    expect(entered).toStrictEqual([NODE, '', '0.7']);
    expect(getRow(home)).toStrictEqual({});
  });

  it('names a malformed field by its label', async () => {
    const { home } = await setup({});
    await home.submit(FORM, { bundlerUrl: 'http://bundler.example' });
    expect(home.notices()).toStrictEqual([
      'Bundler must be a URL that starts with https:// (or http:// on this machine) and has no credentials.',
    ]);
    await home.submit(FORM, { paymasterContext: '{' });
    expect(home.notices()).toStrictEqual([textOf('chain.noJson')]);
  });

  it('hides a secret, keeps it if its field is empty, and removes it if its box is checked', async () => {
    const secret = `${NODE}/v3/${API_KEY}`;
    const row = { bundlerUrl: secret, bundlerApiKey: API_KEY };
    const { home } = await setup(row);
    expect(JSON.stringify(home.page())).not.toContain(API_KEY);
    expect(propsOf(home, 'bundlerUrl')).toMatchObject({
      placeholder: `${NODE}/v3/[redacted]`,
    });
    for (const name of Object.keys(row)) {
      expect(propsOf(home, name)?.value).toBeUndefined();
    }
    const name = textOf('chain.bundlerApiKey');
    const state = textOf('chain.isSet');
    expect(home.texts()).toContain(textOf('chain.secret', { name, state }));
    await home.submit(FORM, { bundlerUrl: '', bundlerApiKey: '' });
    expect(getRow(home)).toStrictEqual(row);
    const { home: other } = await setup({ rpcUrl: NODE, apiKey: API_KEY });
    await other.submit(FORM, { rpcUrl: '', apiKey: '', 'apiKey-remove': true });
    expect(getRow(other)).toStrictEqual({});
  });

  it('tests a server with the entered values, and saves nothing', async () => {
    const { home, node } = await setup({});
    home.app.edges.screens.filled = { [FORM]: { rpcUrl: NODE, apiKey: API_KEY } };
    const test = async (): Promise<void> => home.click('home.settings.test:rpcUrl');
    await test();
    const answered = (network: string): string =>
      `Node (HTTP) responded in 0 ms. Network: ${network}. Latest block: 1,234.`;
    expect(home.notices()).toStrictEqual([answered('Ethereum')]);
    expect(propsOf(home, 'rpcUrl')?.value).toBe(NODE);
    expect(propsOf(home, 'apiKey')?.value).toBeUndefined();
    node.answers.eth_chainId = '0x5';
    await test();
    expect(home.notices()).toStrictEqual([
      'Node (HTTP) is the address of eip155:5, not of eip155:1.',
      answered('eip155:5'),
    ]);
    expect(getRow(home)).toStrictEqual({});
  });
});

describe('secrets on the home page', () => {
  const FILE_PASSWORD = 'file-password';
  const secrets = [
    KEY.slice(2),
    keyOfIndex(0).slice(2),
    PASSWORD,
    API_KEY,
    FILE_PASSWORD,
  ];

  /** `findLeaks` searches all screens, contexts, logs, notifications and unencrypted state. */
  async function setup() {
    const app = createTestApp();
    const { edges } = app;
    const drawn: string[] = [];
    for (const store of [edges.screens, edges.screens.contexts]) {
      const set = store.set.bind(store) as (id: string, value: unknown) => never;
      store.set = (id: string, value: unknown) => {
        drawn.push(JSON.stringify(value));
        return set(id, value);
      };
    }
    const home = await openHome(app);
    return {
      home,
      findLeaks: () => {
        const unencrypted = JSON.stringify(edges.publicBackend.document);
        const all = [drawn, edges.lines, edges.notifications, unencrypted].join();
        expect(drawn.length).toBeGreaterThan(2);
        return secrets.filter((secret) => all.includes(secret));
      },
    };
  }

  it('do not leak from the accounts tab', async () => {
    const { home, findLeaks } = await setup();
    await home.click('home.frame.tab:accounts');
    await home.click('home.accounts.step:import');
    const nothing = { key: '', file: null, password: '', [KIND]: 'eoa' };
    const keystore = makeKeystore(KEY.slice(2), FILE_PASSWORD);
    for (const values of [
      { key: `${KEY}00` },
      { key: keystore, password: PASSWORD },
      { key: keystore, password: FILE_PASSWORD },
    ]) {
      await home.submit('home.accounts.import', { ...nothing, ...values });
    }
    const [account] = await listAccounts(home);
    await home.click(`home.accounts.show:${account?.id}`);
    await home.click('home.accounts.ask:export');
    for (const again of ['other', PASSWORD]) {
      await home.submit('home.accounts.export', { password: PASSWORD, again });
    }
    expect(home.place().keystore).toContain('ciphertext');
    expect(findLeaks()).toStrictEqual([]);
  });

  it('do not leak from the settings tab', async () => {
    const { home, findLeaks } = await setup();
    await home.click('home.frame.tab:settings');
    await home.submit('home.settings.add', { chain: '1' });
    const fields = {
      rpcUrl: `${NODE}/v3/${API_KEY}`,
      gasBaseUrl: 'https://gas.example',
      apiKey: API_KEY,
      apiKeySecret: API_KEY,
      bundlerApiKey: API_KEY,
    };
    // No server answers at these URLs.
    await home.submit('home.settings.saveChain', fields);
    await home.click('home.settings.test:rpcUrl');
    await home.click('home.settings.test:gasBaseUrl');
    await storeChains(home.app, { 'eip155:1': fields });
    home.app.edges.screens.filled = {};
    await home.click('home.settings.list');
    await home.click('home.settings.edit:eip155:1');
    expect(findLeaks()).toStrictEqual([]);
  });
});
