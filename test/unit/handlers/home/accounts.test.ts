import type { KeyringAccount } from '@metamask/keyring-api';

import { openHome } from '../../../support/home-bench';
import type { HomeBench } from '../../../support/home-bench';
import { createAccount, createTestApp, DAPP } from '../../../support/test-app';
import { elementsOf, namesOf, textOf } from '../../../support/view';

const SMART = { type: 'eip155:erc4337', entryPoint: '0.7', scopes: ['eip155:1'] };

type Bench = { home: HomeBench; eoa: KeyringAccount; smart: KeyringAccount };

/** An ordinary and a smart account, which is not deployed yet. */
async function setup(): Promise<Bench> {
  const app = createTestApp();
  app.edges.wallet.answers.eth_getCode = '0x';
  const eoa = await createAccount(app);
  const smart = await createAccount(app, SMART);
  const home = await openHome(app);
  await home.click('home.frame.tab:accounts');
  return { home, eoa, smart };
}

describe('the tab of accounts', () => {
  it('lists accounts with what is known of them', async () => {
    const { home, eoa, smart } = await setup();
    const texts = home.texts().join('\n');
    const facts = [
      ['Tollkeeper 1', eoa.address, textOf('accounts.eoa')],
      [
        'Tollkeeper Smart 1',
        smart.address,
        textOf('accounts.smart', { version: '0.7' }),
      ],
      [
        textOf('accounts.derived', { number: '1' }),
        '10 ETH',
        textOf('accounts.absent'),
      ],
    ].flat();
    expect(facts.filter((fact) => !texts.includes(fact))).toStrictEqual([]);
  });

  it('shows accounts whose balance nobody tells', async () => {
    const { home, eoa } = await setup();
    home.app.edges.wallet.answers.eth_getBalance = () => {
      throw new Error('down');
    };
    await home.click('home.frame.refresh');
    expect(home.texts()).toContain(eoa.address);
    expect(home.texts()).toContain(textOf('accounts.unknown'));
    expect(home.notices()).toStrictEqual([]);
  });

  it('shows ten accounts a page', async () => {
    const app = createTestApp();
    for (let count = 0; count < 12; count += 1) await createAccount(app);
    const home = await openHome(app);
    await home.click('home.frame.tab:accounts');
    const count = (): number =>
      namesOf(home.page(), 'Button').filter((name) => name.includes('accounts.show'))
        .length;
    expect(count()).toBe(10);
    await home.click('home.frame.page:1');
    expect([count(), home.texts().includes('Tollkeeper 12')]).toStrictEqual([2, true]);
  });

  it('asks the chain that was chosen, on the way back as well', async () => {
    const { home, eoa } = await setup();
    await home.app.services.store.update((state) => ({
      ...state,
      chains: { 'eip155:8453': { rpcUrl: 'https://base.example' } },
    }));
    await home.click('home.frame.refresh');
    await home.choose('home.accounts.chain', 'eip155:8453');
    expect(home.texts()).toContain(textOf('accounts.unknown'));
    await home.click(`home.accounts.show:${eoa.id}`);
    await home.click('home.accounts.list');
    expect(home.place().chain).toBe('eip155:8453');
  });

  it('shows one account, and takes it from a site', async () => {
    const { home, smart } = await setup();
    await home.app.services.grants.set(DAPP, [smart.id]);
    await home.click(`home.accounts.show:${smart.id}`);
    expect(home.texts()).toContain(DAPP);
    expect(home.texts()).toContain('Ethereum (eip155:1)');
    home.restart();
    await home.click(`home.accounts.revoke:${DAPP}`);
    expect(await home.app.services.grants.listAll()).toStrictEqual([]);
    expect(home.texts()).toContain(textOf('accounts.noSites'));
  });

  it('deletes an account after it was asked once more', async () => {
    const { home, eoa, smart } = await setup();
    await home.click(`home.accounts.show:${eoa.id}`);
    await home.click('home.accounts.ask:delete');
    expect(home.notices()).toStrictEqual([textOf('delete.derived')]);
    home.restart();
    await home.click('home.accounts.delete');
    const left = await home.app.services.keyring.listAccounts();
    expect(left.map(({ id }) => id)).toStrictEqual([smart.id]);
    expect(home.notices()).toStrictEqual([
      textOf('delete.done', { address: eoa.address }),
    ]);
    expect(home.place().item).toBeUndefined();
  });

  it('keeps an account whose deletion is declined, and says so', async () => {
    const { home, eoa } = await setup();
    home.app.edges.events.take = () => Promise.reject(new Error('User denied it'));
    await home.click(`home.accounts.show:${eoa.id}`);
    await home.click('home.accounts.ask:delete');
    await home.click('home.accounts.delete');
    expect(home.notices()).toContain(textOf('home.refused'));
    expect(await home.app.services.keyring.listAccounts()).toHaveLength(2);
  });

  it('shows the list where the account is gone', async () => {
    const { home, eoa } = await setup();
    await home.click(`home.accounts.show:${eoa.id}`);
    await home.app.services.keyring.deleteAccount(eoa.id);
    await home.click('home.frame.refresh');
    expect(elementsOf(home.page()).some(({ type }) => type === 'Dropdown')).toBe(true);
  });
});
