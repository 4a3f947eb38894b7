import { keyOfIndex } from '../../../support/entropy';
import { openHome } from '../../../support/home-bench';
import type { HomeBench } from '../../../support/home-bench';
import { KEY, makeKeystore, PASSWORD } from '../../../support/keystores';
import { createTestApp } from '../../../support/test-app';

const API_KEY = 'k3y-of-the-user-0123456789abcdef';

const secrets = [
  KEY.slice(2),
  keyOfIndex(0).slice(2),
  PASSWORD,
  API_KEY,
  'file-password',
];

/** A page, and all that ever was drawn, kept beside it, logged or stored in the clear. */
async function setup(): Promise<{
  home: HomeBench;
  findLeaks: () => Promise<string[]>;
}> {
  const app = createTestApp();
  const { edges, services } = app;
  const drawn: string[] = [];
  const set = edges.screens.set.bind(edges.screens);
  edges.screens.set = (id, content) => {
    drawn.push(JSON.stringify(content));
    return set(id, content);
  };
  const setContext = edges.screens.contexts.set.bind(edges.screens.contexts);
  edges.screens.contexts.set = (id, context) => {
    drawn.push(JSON.stringify(context));
    return setContext(id, context);
  };
  const home = await openHome(app);
  return {
    home,
    findLeaks: async () => {
      const open = JSON.stringify(await services.publicStore.read());
      const all = [...drawn, ...edges.lines, ...edges.told, open].join('\n');
      expect(drawn.length).toBeGreaterThan(2);
      return secrets.filter((secret) => all.includes(secret));
    },
  };
}

describe('secrets on the home page', () => {
  it('are nowhere to be seen of accounts', async () => {
    const { home, findLeaks } = await setup();
    await home.click('home.frame.tab:accounts');
    await home.click('home.accounts.step:import');
    const nothing = { key: '', file: null, password: '', type: 'eoa' };
    const keystore = makeKeystore(KEY.slice(2), 'file-password');
    await home.submit('home.accounts.import', { ...nothing, key: `${KEY}00` });
    await home.submit('home.accounts.import', {
      ...nothing,
      key: keystore,
      password: PASSWORD,
    });
    await home.submit('home.accounts.import', {
      ...nothing,
      key: keystore,
      password: 'file-password',
    });
    const [account] = await home.app.services.keyring.listAccounts();
    await home.click(`home.accounts.show:${account?.id}`);
    await home.click('home.accounts.ask:export');
    await home.submit('home.accounts.export', { password: PASSWORD, again: 'other' });
    await home.submit('home.accounts.export', { password: PASSWORD, again: PASSWORD });
    expect(home.place().keystore).toContain('ciphertext');
    expect(await findLeaks()).toStrictEqual([]);
  });

  it('are nowhere to be seen of settings', async () => {
    const { home, findLeaks } = await setup();
    await home.click('home.frame.tab:settings');
    await home.submit('home.settings.add', { chain: '1' });
    const fields = {
      rpcUrl: `https://node.example/v3/${API_KEY}`,
      gasBaseUrl: 'https://gas.example',
      apiKey: API_KEY,
      apiKeySecret: API_KEY,
      bundlerApiKey: API_KEY,
    };
    // Nobody answers there.
    await home.submit('home.settings.saveChain', fields);
    await home.click('home.settings.test:rpcUrl');
    await home.click('home.settings.test:gasBaseUrl');
    const chains = { 'eip155:1': fields };
    await home.app.services.store.update((state) => ({ ...state, chains }));
    home.app.edges.screens.filled = {};
    await home.click('home.settings.list');
    await home.click('home.settings.edit:eip155:1');
    expect(await findLeaks()).toStrictEqual([]);
  });
});
