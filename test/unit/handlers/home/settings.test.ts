import type { ChainRow } from '../../../../src/state/chain-row';
import { serving } from '../../../support/fake-fetch';
import { askedOf, createFakeNode } from '../../../support/fake-node';
import type { FakeNode } from '../../../support/fake-node';
import { openHome } from '../../../support/home-bench';
import type { HomeBench } from '../../../support/home-bench';
import { createTestApp } from '../../../support/test-app';
import { elementsOf, textOf } from '../../../support/view';

const NODE = 'https://node.example';
const FORM = 'home.settings.saveChain';
const KEY = 'k3y-of-the-user-0123456789abcdef';

type Bench = { home: HomeBench; node: FakeNode };

/** A node of chain 1, and the form for that chain if there is to be a row. */
async function setup(row?: ChainRow): Promise<Bench> {
  const app = createTestApp();
  const node = createFakeNode({ eth_chainId: '0x1', eth_blockNumber: '0x4d2' });
  app.edges.network.serve(NODE, serving(node));
  if (row) {
    const chains = { 'eip155:1': row };
    await app.services.store.update((state) => ({ ...state, chains }));
  }
  const home = await openHome(app);
  await home.click('home.frame.tab:settings');
  if (row) await home.click('home.settings.edit:eip155:1');
  return { home, node };
}

async function getRow({ app }: HomeBench): Promise<ChainRow | undefined> {
  return (await app.services.store.read()).chains['eip155:1'];
}

function fieldOf(
  { page }: HomeBench,
  name: string,
): Record<string, unknown> | undefined {
  return elementsOf(page()).find(({ props }) => props.name === name)?.props;
}

describe('the tab of settings', () => {
  it('saves what is chosen', async () => {
    const { home } = await setup();
    const chosen = {
      feeLevel: 'high',
      approvalMode: 'asynchronous',
      secondConfirmation: true,
      notifications: false,
    };
    home.restart();
    await home.submit('home.settings.save', chosen);
    expect((await home.app.services.store.read()).settings).toStrictEqual(chosen);
    expect(home.notices()).toStrictEqual([textOf('settings.saved')]);
    expect(fieldOf(home, 'feeLevel')?.value).toBe('high');
  });

  it('leads from a chain id to its form', async () => {
    const { home } = await setup();
    await home.submit('home.settings.add', { chain: 'nothing' });
    expect(home.notices()).toStrictEqual([textOf('settings.noChainId')]);
    expect(fieldOf(home, 'chain')?.value).toBe('nothing');
    await home.submit('home.settings.add', { chain: ' 0xaa36a7 ' });
    expect(home.texts()).toContain('Sepolia (eip155:11155111)');
  });

  it('forgets a chain after it was asked once more', async () => {
    const { home } = await setup({ rpcUrl: NODE });
    await home.click('home.settings.list');
    await home.click('home.settings.askRemove:eip155:1');
    expect(await getRow(home)).toStrictEqual({ rpcUrl: NODE });
    home.restart();
    await home.click('home.settings.remove');
    expect(await getRow(home)).toBeUndefined();
    expect(home.texts()).toContain(textOf('settings.noChains'));
  });
});

describe('the form for a chain', () => {
  it('saves servers that are what they should be', async () => {
    const { home, node } = await setup({});
    await home.submit(FORM, { rpcUrl: NODE, apiKey: KEY, gasAuth: 'default' });
    expect(await getRow(home)).toStrictEqual({ rpcUrl: NODE, apiKey: KEY });
    expect(askedOf(node)).toStrictEqual(['eth_chainId', 'eth_blockNumber']);
    expect(home.notices()).toStrictEqual([
      textOf('settings.savedChain', { chain: 'Ethereum (eip155:1)' }),
    ]);
  });

  it('keeps what was typed but for the secrets when a server is another one', async () => {
    const { home, node } = await setup({});
    node.answers.eth_chainId = '0x5';
    await home.submit(FORM, { rpcUrl: NODE, apiKey: KEY, entryPoint: '0.7' });
    expect(home.notices()).toStrictEqual([
      'Node (HTTP) is the address of eip155:5, not of eip155:1. Nothing was saved.',
    ]);
    const shown = ['rpcUrl', 'apiKey', 'entryPoint'].map(
      (name) => fieldOf(home, name)?.value,
    );
    expect(shown).toStrictEqual([NODE, '', '0.7']);
    expect(await getRow(home)).toStrictEqual({});
  });

  it('names a field that is malformed by its label', async () => {
    const { home } = await setup({});
    await home.submit(FORM, { bundlerUrl: 'http://bundler.example' });
    expect(home.notices()).toStrictEqual([
      'Bundler must be a URL with https:// (or http:// on this machine) and without credentials in it.',
    ]);
    await home.submit(FORM, { paymasterContext: '{' });
    expect(home.notices()).toStrictEqual([textOf('chain.noJson')]);
  });

  it('shows no secret, says that it is set, and keeps it where nothing is typed', async () => {
    const secret = `${NODE}/v3/${KEY}`;
    const { home } = await setup({ bundlerUrl: secret, bundlerApiKey: KEY });
    expect(JSON.stringify(home.page())).not.toContain(KEY);
    expect([
      fieldOf(home, 'bundlerUrl')?.value,
      fieldOf(home, 'bundlerUrl')?.placeholder,
      fieldOf(home, 'bundlerApiKey')?.value,
    ]).toStrictEqual([undefined, `${NODE}/v3/[redacted]`, undefined]);
    expect(home.texts()).toContain(
      textOf('chain.secret', {
        name: textOf('chain.bundlerApiKey'),
        state: textOf('chain.isSet'),
      }),
    );
    await home.submit(FORM, { bundlerUrl: '', bundlerApiKey: '' });
    expect(await getRow(home)).toStrictEqual({
      bundlerUrl: secret,
      bundlerApiKey: KEY,
    });
  });

  it('removes secrets where that is ticked, and other fields where they are emptied', async () => {
    const { home } = await setup({ rpcUrl: NODE, apiKey: KEY });
    await home.submit(FORM, { rpcUrl: '', apiKey: '', 'apiKey-remove': true });
    expect(await getRow(home)).toStrictEqual({});
  });
});

describe('the test of a server', () => {
  it('says what was found at what is typed, and saves nothing', async () => {
    const { home } = await setup({});
    home.app.edges.screens.filled = { [FORM]: { rpcUrl: NODE, apiKey: KEY } };
    await home.click('home.settings.test:rpcUrl');
    expect(home.notices()).toStrictEqual([
      'Node (HTTP) answered in 0 ms. Network: Ethereum (eip155:1). Newest block: 1,234.',
    ]);
    expect([
      fieldOf(home, 'rpcUrl')?.value,
      fieldOf(home, 'apiKey')?.value,
    ]).toStrictEqual([NODE, undefined]);
    expect(await getRow(home)).toStrictEqual({});
  });

  it('says what is wrong with it', async () => {
    const { home, node } = await setup({ rpcUrl: NODE });
    node.answers.eth_chainId = '0x5';
    home.app.edges.screens.filled = { [FORM]: { rpcUrl: NODE, apiKey: null } };
    await home.click('home.settings.test:rpcUrl');
    expect(home.notices()).toStrictEqual([
      'Node (HTTP) is the address of eip155:5, not of eip155:1.',
      'Node (HTTP) answered in 0 ms. Network: eip155:5. Newest block: 1,234.',
    ]);
  });

  it('says that nobody answers, or that nothing is there', async () => {
    const { home } = await setup({ gasBaseUrl: 'https://gas.example' });
    await home.click('home.settings.test:gasBaseUrl');
    expect(home.notices().join()).toContain('https://gas.example');
    await home.click('home.settings.test:wsUrl');
    expect(home.notices()).toStrictEqual([
      textOf('test.none', { server: textOf('chain.wsUrl') }),
    ]);
  });
});
