// The default EntryPoint of a new smart account: the newest one that the chain's bundler supports
// and whose factory is deployed.
import { jest } from '@jest/globals';
import type { KeyringAccount } from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';

import { entryPoints } from '../../src/core/entry-points';
import type { EntryPointVersion } from '../../src/core/entry-points';
import { callersOf } from '../support/callers';
import { advance } from '../support/fake-clock';
import { unreachableServer, serving, silent } from '../support/fake-fetch';
import { createFakeNode } from '../support/fake-node';
import type { NodeAnswers } from '../support/fake-node';
import { KIND, openHome } from '../support/home-bench';
import { expectRefusal } from '../support/refusal';
import { COMPANION, createTestApp } from '../support/test-app';
import { elementsOf } from '../support/view';

const BUNDLER = 'https://bundler.example';

const SMART = { type: 'eip155:erc4337', scopes: ['eip155:1'] };

const addressOf = (version: EntryPointVersion) => entryPoints[version].entryPoint;

/** Sets up a bundler for chain 1 that supports EntryPoints 0.6 and 0.7. */
async function setup(answers: NodeAnswers = {}) {
  const app = createTestApp();
  app.edges.wallet.answers.eth_getCode = '0x6080';
  const { rpc, keyring } = callersOf(app);
  const bundler = createFakeNode({
    eth_chainId: '0x1',
    eth_supportedEntryPoints: [addressOf('0.6'), addressOf('0.7')],
  });
  app.edges.network.serve(BUNDLER, serving(bundler));
  const configure = async (fields: Record<string, Json>) =>
    rpc(COMPANION, 'tollkeeper_setChain', [{ chainId: 1, ...fields }]);
  await configure({ bundlerUrl: BUNDLER });
  Object.assign(bundler.answers, answers);
  const create = async (options: Record<string, Json> = {}) =>
    (await keyring(COMPANION, 'keyring_createAccount', {
      options: { ...SMART, ...options },
    })) as unknown as KeyringAccount;
  return { app, create, configure };
}

const versionOf = ({ options }: KeyringAccount): Json | undefined => options.entryPoint;

describe('a new smart account', () => {
  it.each<[EntryPointVersion[], EntryPointVersion]>([
    [['0.6'], '0.6'],
    [['0.6', '0.7'], '0.7'],
    [['0.7', '0.6'], '0.7'],
    [['0.8', '0.7', '0.6'], '0.8'],
    [['0.8', '0.9'], '0.9'],
  ])('uses the newest supported EntryPoint of %j', async (supported, version) => {
    const eth_supportedEntryPoints = [
      `0x${'09'.repeat(20)}`,
      ...supported.map((each) => addressOf(each).toLowerCase()),
    ];
    const { create } = await setup({ eth_supportedEntryPoints });
    const account = await create();
    expect(account.options).toMatchObject({
      entryPoint: version,
      factory: entryPoints[version].factory.toLowerCase(),
    });
  });

  it.each<[string, NodeAnswers['eth_getCode'], EntryPointVersion]>([
    [
      'skips an EntryPoint whose factory is not deployed',
      ([address]) => (address === entryPoints['0.9'].factory ? '0x' : '0x60'),
      '0.7',
    ],
    ['uses 0.8 if no factory is deployed', '0x', '0.8'],
    ['skips 0.9 if eth_getCode fails', undefined as never, '0.7'],
  ])('%s', async (_what, eth_getCode, version) => {
    const { app, create } = await setup({
      eth_supportedEntryPoints: [addressOf('0.9'), addressOf('0.7')],
    });
    app.edges.wallet.answers.eth_getCode = eth_getCode;
    expect(versionOf(await create())).toBe(version);
  });

  it('uses the EntryPoint in its options, whatever the bundler supports', async () => {
    const { create } = await setup();
    expect(versionOf(await create({ entryPoint: '0.8' }))).toBe('0.8');
    expect(versionOf(await create({ entryPoint: '0.6' }))).toBe('0.6');
  });

  it('uses the EntryPoint configured for its chain, whatever the bundler supports', async () => {
    const { create, configure } = await setup();
    await configure({ entryPoint: '0.6' });
    expect(versionOf(await create())).toBe('0.6');
    await configure({ entryPoint: null });
    expect(versionOf(await create())).toBe('0.7');
  });

  it.each<[string, NodeAnswers]>([
    ['no EntryPoint', { eth_supportedEntryPoints: [] }],
    ['no known EntryPoint', { eth_supportedEntryPoints: [`0x${'09'.repeat(20)}`] }],
    ['no eth_supportedEntryPoints', { eth_supportedEntryPoints: undefined as never }],
    ['a string instead of a list', { eth_supportedEntryPoints: 'all of them' }],
    ['a list without addresses', { eth_supportedEntryPoints: [7, null] }],
    ['another chain ID', { eth_chainId: '0x5' }],
  ])('uses 0.8 if the bundler has %s', async (_what, answers) => {
    const { create } = await setup(answers);
    expect(versionOf(await create())).toBe('0.8');
  });

  it('uses 0.8 if its chain has no bundler', async () => {
    const { create, configure } = await setup();
    expect(versionOf(await create({ scopes: ['eip155:5'] }))).toBe('0.8');
    await configure({ bundlerUrl: null });
    expect(versionOf(await create())).toBe('0.8');
  });

  it('uses 0.8 if the bundler cannot be reached', async () => {
    const { app, create } = await setup();
    app.edges.network.serve(BUNDLER, unreachableServer);
    expect(versionOf(await create())).toBe('0.8');
  });

  it('must name an EntryPoint if it names a factory, as must a configuration', async () => {
    const { create, configure } = await setup();
    const factory = `0x${'fa'.repeat(20)}`;
    await expectRefusal(create({ factory }), -32602, 'options.factory needs');
    const reason = 'params.factory needs entryPoint';
    await expectRefusal(configure({ factory }), -32602, reason);
  });
});

it('waits at most 3 s for a silent bundler', async () => {
  const { app, create } = await setup();
  app.edges.network.serve(BUNDLER, silent);
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  try {
    let created: KeyringAccount | undefined;
    const creating = create().then((account) => {
      created = account;
    });
    await advance(2_999);
    expect(created).toBeUndefined();
    await advance(1);
    await creating;
    expect(created && versionOf(created)).toBe('0.8');
  } finally {
    jest.useRealTimers();
  }
});

describe('the home page', () => {
  const CREATE = 'home.accounts.create';

  it('offers the default EntryPoint first, then the newest, and creates an account with the default', async () => {
    const { app } = await setup();
    const home = await openHome(app, 'accounts');
    await home.click('home.accounts.step:create');
    const offered = elementsOf(home.page())
      .filter(({ type }) => type === 'Option')
      .map(({ props }) => props.value);
    expect(offered.slice(0, 5)).toStrictEqual(['eoa', 'smart', 'safe', '0.9', '0.8']);
    await home.chooseKind(CREATE, 'smart');
    await home.submit(CREATE, { [KIND]: 'smart', chain: 'eip155:1' });
    const [account] = await app.services.keyring.listAccounts();
    expect(account?.options.entryPoint).toBe('0.7');
    expect(account?.scopes).toStrictEqual(['eip155:1']);
  });
});
