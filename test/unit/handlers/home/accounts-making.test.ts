import { decryptKeystore } from '../../../../src/eth/keystore';
import { keyOfIndex } from '../../../support/entropy';
import { openHome } from '../../../support/home-bench';
import type { HomeBench } from '../../../support/home-bench';
import { ADDRESS, KEY, makeKeystore, PASSWORD } from '../../../support/keystores';
import { createAccount, createTestApp } from '../../../support/test-app';
import { elementsOf, textOf, textsOf } from '../../../support/view';

const CREATE = 'home.accounts.create';
const IMPORT = 'home.accounts.import';
const EXPORT = 'home.accounts.export';

async function setup(step?: string): Promise<HomeBench> {
  const app = createTestApp();
  app.edges.wallet.answers.eth_getCode = '0x';
  const home = await openHome(app);
  await home.click('home.frame.tab:accounts');
  if (step !== undefined) await home.click(`home.accounts.step:${step}`);
  return home;
}

async function listAddresses({ app }: HomeBench): Promise<string[]> {
  const accounts = await app.services.keyring.listAccounts();
  return accounts.map(({ address }) => address.toLowerCase());
}

describe('creating on the home page', () => {
  it('makes an ordinary account, and goes back to the list', async () => {
    const home = await setup('create');
    home.restart();
    await home.submit(CREATE, { type: 'eoa', chain: 'eip155:1' });
    const [address = ''] = await listAddresses(home);
    expect(home.notices()).toStrictEqual([textOf('create.done', { address })]);
    expect(home.place().step).toBeUndefined();
  });

  it('makes a smart account of the version and the chain that were chosen', async () => {
    const home = await setup('create');
    await home.submit(CREATE, { type: '0.8', chain: 'eip155:1' });
    const [account] = await home.app.services.keyring.listAccounts();
    expect([account?.type, account?.scopes, account?.options.entryPoint]).toStrictEqual(
      ['eip155:erc4337', ['eip155:1'], '0.8'],
    );
  });

  it('says that the user declined, and keeps what was chosen', async () => {
    const home = await setup('create');
    home.app.edges.events.take = () =>
      Promise.reject(new Error('User denied account creation'));
    await home.submit(CREATE, { type: '0.7', chain: 'eip155:1' });
    expect(home.notices()).toStrictEqual([textOf('home.refused')]);
    const values = elementsOf(home.page())
      .filter(({ type }) => type === 'Dropdown')
      .map(({ props }) => props.value);
    expect(values).toStrictEqual(['0.7', 'eip155:1']);
    expect(await listAddresses(home)).toStrictEqual([]);
  });
});

describe('importing on the home page', () => {
  const nothing = { key: '', file: null, password: '', type: 'eoa' };

  const asFile = (text: string): { contents: string } => ({
    contents: Buffer.from(text).toString('base64'),
  });

  it.each([
    ['a private key', { ...nothing, key: ` ${KEY} ` }],
    ['a private key without 0x', { ...nothing, key: KEY.slice(2) }],
    [
      'the text of a keystore file',
      { ...nothing, key: makeKeystore(KEY.slice(2), 'foo'), password: 'foo' },
    ],
    [
      'a keystore file',
      { ...nothing, file: asFile(makeKeystore(KEY.slice(2), 'foo')), password: 'foo' },
    ],
  ])('takes %s', async (_what, values) => {
    const home = await setup('import');
    await home.submit(IMPORT, values);
    expect(await listAddresses(home)).toStrictEqual([ADDRESS.toLowerCase()]);
    expect(home.notices()).toStrictEqual([
      textOf('import.done', { address: ADDRESS.toLowerCase() }),
    ]);
  });

  it.each([
    ['nothing', nothing, textOf('import.eitherOr')],
    ['both', { ...nothing, key: KEY, file: asFile('{}') }, textOf('import.eitherOr')],
    ['words', { ...nothing, key: 'my secret words' }, textOf('import.noKey')],
    [
      'a file that is none',
      { ...nothing, file: asFile('no') },
      'The keystore file is not JSON.',
    ],
    [
      'another password',
      { ...nothing, key: makeKeystore(KEY.slice(2), 'foo'), password: 'bar' },
      'The password does not open the keystore file, or the file is damaged.',
    ],
  ])('refuses %s, and empties the secret fields', async (_what, values, message) => {
    const home = await setup('import');
    await home.submit(IMPORT, values);
    expect(home.notices()).toStrictEqual([message]);
    const secrets = elementsOf(home.page())
      .filter(({ props }) => props.type === 'password')
      .map(({ props }) => props.value);
    expect(secrets).toStrictEqual(['', '']);
    expect(await listAddresses(home)).toStrictEqual([]);
  });
});

describe('exporting on the home page', () => {
  it('gives the key as a keystore file under the password, and nowhere else', async () => {
    const home = await setup();
    const { id } = await createAccount(home.app);
    await home.click('home.frame.refresh');
    await home.click(`home.accounts.show:${id}`);
    await home.click('home.accounts.ask:export');
    expect(home.notices()).toStrictEqual([textOf('export.warning')]);
    home.restart();
    await home.submit(EXPORT, { password: PASSWORD, again: PASSWORD });
    const [copyable] = elementsOf(home.page()).filter(
      ({ type }) => type === 'Copyable',
    );
    const text = String(copyable?.props.value);
    expect(await decryptKeystore(text, PASSWORD)).toBe(keyOfIndex(0));
    await home.click('home.accounts.list');
    expect(JSON.stringify(home.place())).not.toContain('ciphertext');
  });

  it.each([
    [
      'two passwords',
      { password: PASSWORD, again: `${PASSWORD}!` },
      textOf('export.differ'),
    ],
    [
      'a short password',
      { password: 'short', again: 'short' },
      'The password must have 12 to 1000 characters.',
    ],
  ])('refuses %s', async (_what, values, message) => {
    const home = await setup();
    const { id } = await createAccount(home.app);
    await home.click('home.frame.refresh');
    await home.click(`home.accounts.show:${id}`);
    await home.click('home.accounts.ask:export');
    await home.submit(EXPORT, values);
    expect(home.notices()).toContain(message);
    expect(home.place().keystore).toBeUndefined();
  });
});

describe('restoring on the home page', () => {
  it('shows how far it has come, and says what came of it', async () => {
    const home = await setup('restore');
    home.app.edges.events.take = () =>
      Promise.reject(new Error("Account 'it' not found"));
    home.app.edges.wallet.answers.eth_getTransactionCount = '0x0';
    home.app.edges.wallet.answers.eth_getBalance = '0x0';
    const { screens } = home.app.edges;
    const set = screens.set.bind(screens);
    const drawn: string[] = [];
    screens.set = (id, content) => {
      drawn.push(...textsOf(content));
      return set(id, content);
    };
    await home.submit('home.accounts.restore', { gap: '' });
    expect(drawn).toContain(textOf('progress.searching'));
    expect(home.notices()).toStrictEqual([
      textOf('restore.done', { restored: '0', unchanged: '0' }),
    ]);
  });

  it('shows work that another click has begun, and stops when it is told to', async () => {
    const home = await setup('restore');
    const { progress } = home.app.services;
    let end = (): void => undefined;
    const work = progress.run(async ({ report, isCancelled }) => {
      report({ phase: 'searching', done: 3, total: 20 });
      await new Promise<void>((resolve) => (end = resolve));
      return isCancelled();
    });
    await home.click('home.frame.refresh');
    expect(home.texts()).toContain(
      textOf('progress.count', { done: '3', total: '20' }),
    );
    await home.click('home.accounts.cancel');
    end();
    expect(await work).toBe(true);
  });
});
