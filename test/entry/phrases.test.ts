// Accounts with the same index from several recovery phrases.
import type { EntropySource } from '@metamask/snaps-sdk';

import { callersOf } from '../support/callers';
import { openHome } from '../support/home-bench';
import { withDialog } from '../support/open-dialog';
import { COMPANION, createAccount, createTestApp, DAPP } from '../support/test-app';
import { textOf, textsOf, writeView } from '../support/view';

const SECOND = '01-second';

/** Sets up a wallet with named phrases; the first is the primary one. */
function setup(...names: string[]) {
  const app = createTestApp();
  const ids = ['primary', SECOND, '01-third'];
  app.edges.entropy.sources = names.map((name, index): EntropySource => ({
    id: ids[index] ?? '',
    name,
    type: 'mnemonic',
    primary: index === 0,
  }));
  return { app, ...callersOf(app) };
}

const suggestions = ({ app }: ReturnType<typeof setup>): unknown[] =>
  app.edges.events.emitted.map(([, params]) => params.accountNameSuggestion);

describe('accounts from several phrases', () => {
  it.each<[string, string[], string]>([
    ['have names', ['One', 'Two'], 'Tollkeeper 1 (Two)'],
    ['have no names', ['', ''], 'Tollkeeper 1 (Phrase 2)'],
    ['share a name', ['Mine', 'Mine'], 'Tollkeeper 1 (Phrase 2)'],
    ['are not listed by MetaMask', [], 'Tollkeeper 1 (…second)'],
    ['include a removed one', ['One'], 'Tollkeeper 1 (…second)'],
  ])('have distinct names if the phrases %s', async (_what, names, name) => {
    const bench = setup(...names);
    await createAccount(bench.app);
    await createAccount(bench.app, { entropySource: SECOND });
    expect(suggestions(bench)).toStrictEqual(['Tollkeeper 1', name]);
  });

  it('are named without a phrase if they use the primary phrase or are imported', async () => {
    const bench = setup('One', 'Two');
    await createAccount(bench.app, { entropySource: 'primary', index: 3 });
    await createAccount(bench.app, { privateKey: `0x${'1f'.repeat(32)}` });
    expect(suggestions(bench)).toStrictEqual(['Tollkeeper 4', 'Tollkeeper (imported)']);
  });

  it('are distinguished when a site connects or signs in, and when a key is exported', async () => {
    const { app, rpc, keyring } = setup('One', 'Two');
    await createAccount(app);
    const { id } = await createAccount(app, { entropySource: SECOND });
    await rpc(DAPP, 'eth_requestAccounts');
    const signIn = { nonce: '12345678', chainId: '0x1' };
    const connect = async () =>
      rpc(DAPP, 'wallet_connect', [{ capabilities: { signInWithEthereum: signIn } }]);
    await withDialog(app, connect, async () => Promise.resolve());
    await keyring(COMPANION, 'keyring_exportAccount', { id });
    expect(app.edges.dialogs.shown).toHaveLength(3);
    for (const dialog of app.edges.dialogs.shown) {
      expect(writeView(dialog)).toContain('Tollkeeper 1 (Two)');
    }
  });

  it('are distinguished on the home page, which reports a missing phrase', async () => {
    const { app } = setup('One', 'Two');
    const first = await createAccount(app);
    const second = await createAccount(app, { entropySource: SECOND });
    const gone = await createAccount(app, { entropySource: '01-gone' });
    const home = await openHome(app, 'accounts');
    const phraseOf = async (id: string): Promise<string | undefined> => {
      await home.click(`home.accounts.show:${id}`);
      const texts = home.texts();
      const at = texts.indexOf(textOf('accounts.phrase'));
      await home.click('home.accounts.list');
      return at < 0 ? undefined : texts[at + 1];
    };
    for (const name of [
      'Tollkeeper 1',
      'Tollkeeper 1 (Two)',
      'Tollkeeper 1 (…1-gone)',
    ]) {
      expect(home.texts()).toContain(name);
    }
    expect(await phraseOf(first.id)).toBe('One');
    expect(await phraseOf(second.id)).toBe('Two');
    expect(await phraseOf(gone.id)).toBe(textOf('accounts.phraseMissing'));
    await home.click('home.frame.tab:permissions');
    expect(writeView(home.page())).toContain('Tollkeeper 1 (Two)');
  });

  it('are created with a choice of phrases, each with a name', async () => {
    const { app } = setup('', '');
    const home = await openHome(app, 'accounts');
    await home.click('home.accounts.step:create');
    expect(textsOf(home.page())).toEqual(
      expect.arrayContaining(['Phrase 1', 'Phrase 2']),
    );
  });
});

it('does not mention a phrase on the home page if there is only one', async () => {
  const { app } = setup('One');
  const { id } = await createAccount(app);
  const home = await openHome(app, 'accounts');
  await home.click(`home.accounts.show:${id}`);
  expect(home.texts()).not.toContain(textOf('accounts.phrase'));
});
