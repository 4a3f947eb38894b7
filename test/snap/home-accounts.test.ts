import { decryptKeystoreJson } from 'ethers';

import { ADDRESS, KEY, makeKeystore, PASSWORD } from '../support/keystores';
import { DAPP, installBench, resultIn } from '../support/snap-bench';
import type { SnapBench } from '../support/snap-bench';
import { openSnapHome } from '../support/snap-home';
import type { SnapHome } from '../support/snap-home';
import { elementsOf, textOf } from '../support/view';

type Bench = SnapBench & { home: SnapHome };

/** The tab of accounts, with the wallet's node on chain 1. */
async function setup(eth_getBalance = '0x8ac7230489e80000'): Promise<Bench> {
  const bench = await installBench();
  const answers = {
    eth_chainId: '0x1',
    eth_getBalance,
    eth_getCode: '0x',
    eth_getTransactionCount: '0x0',
  };
  for (const [method, result] of Object.entries(answers)) {
    bench.snap.mockJsonRpc({ method, result });
  }
  const home = await openSnapHome(bench);
  await home.click('home.frame.tab:accounts');
  return { ...bench, home };
}

async function listAddresses({ keyring }: Bench): Promise<string[]> {
  const accounts = resultIn(await keyring('keyring_listAccounts'));
  return (accounts as { address: string }[]).map(({ address }) => address);
}

describe('the tab of accounts', () => {
  it('creates an ordinary and a smart account and lists them', async () => {
    const bench = await setup();
    const { home } = bench;
    expect(home.texts()).toContain(textOf('accounts.none'));
    await home.click('home.accounts.step:create', 'home.accounts.submit');
    await home.click('home.accounts.step:create');
    await home.choose('type', '0.7');
    await home.choose('chain', 'eip155:1');
    await home.click('home.accounts.submit');
    const [eoa = '', smart = ''] = await listAddresses(bench);
    expect(home.texts()).toEqual(
      expect.arrayContaining([
        eoa,
        smart,
        '10 ETH',
        textOf('accounts.smart', { version: '0.7' }),
        textOf('accounts.absent'),
      ]),
    );
  });

  it('creates several accounts from a number on', async () => {
    const bench = await setup();
    await bench.home.click('home.accounts.step:create');
    await bench.home.type({ number: '3', count: '2' });
    await bench.home.click('home.accounts.submit');
    const listed = resultIn(await bench.keyring('keyring_listAccounts'));
    expect(listed).toMatchObject([
      { options: { index: 2 } },
      { options: { index: 3 } },
    ]);
  });

  it('adds a network to a smart account and removes another', async () => {
    const bench = await setup();
    const scopes = ['eip155:5', 'eip155:10'];
    const { id } = await bench.create({ type: 'eip155:erc4337', scopes });
    const { home } = bench;
    await home.click('home.frame.refresh', `home.accounts.show:${id}`);
    await home.choose('chain', 'eip155:1');
    await home.click('home.accounts.submit', 'home.accounts.removeChain:eip155:5');
    const account = resultIn(await bench.keyring('keyring_getAccount', { id }));
    expect(account).toHaveProperty('scopes', ['eip155:10', 'eip155:1']);
  });

  it('keeps the form if MetaMask’s user declines', async () => {
    const bench = await setup();
    bench.metamask.take = () => {
      throw new Error('User denied account creation');
    };
    await bench.home.click('home.accounts.step:create');
    await bench.home.choose('type', '0.8');
    await bench.home.click('home.accounts.submit');
    expect(bench.home.texts()).toContain(textOf('home.refused'));
    expect(bench.home.propsOf('type')?.value).toBe('0.8');
    await bench.home.click('home.accounts.list');
    expect(await listAddresses(bench)).toStrictEqual([]);
  });

  it('imports a typed key, and a keystore file after a wrong password', async () => {
    const bench = await setup();
    const { home } = bench;
    await home.click('home.accounts.step:import');
    await home.type({ key: KEY });
    await home.click('home.accounts.submit');
    expect(await listAddresses(bench)).toStrictEqual([ADDRESS.toLowerCase()]);
    await home.click('home.accounts.step:import');
    await home.upload('file', makeKeystore('11'.repeat(32), 'foo'));
    await home.type({ password: 'bar' });
    await home.click('home.accounts.submit');
    expect(home.texts()).toContain(
      'The password does not open the keystore file, or the file is damaged.',
    );
    expect(home.propsOf('password')?.value).toBe('');
    await home.type({ password: 'foo' });
    await home.click('home.accounts.submit');
    expect(await listAddresses(bench)).toHaveLength(2);
  });

  it('exports a key as a file that another program opens, and deletes the account', async () => {
    const bench = await setup();
    const { home } = bench;
    const { id } = await bench.create({ privateKey: KEY });
    await bench.confirm({ method: 'eth_requestAccounts' }, ['approve']);
    await home.click('home.frame.refresh', `home.accounts.show:${id}`);
    expect(home.texts()).toContain(DAPP);
    await home.click(`home.accounts.revoke:${DAPP}`);
    expect(home.texts()).toContain(textOf('accounts.noSites'));
    await home.click('home.accounts.ask:export');
    await home.type({ password: PASSWORD, again: PASSWORD });
    await home.click('home.accounts.submit');
    const [file] = elementsOf(home.page()).filter(({ type }) => type === 'Copyable');
    const opened = await decryptKeystoreJson(String(file?.props.value), PASSWORD);
    expect(opened).toStrictEqual({ address: ADDRESS, privateKey: KEY });
    await home.click('home.accounts.list', `home.accounts.show:${id}`);
    await home.click('home.accounts.ask:delete');
    expect(home.texts()).toContain(textOf('delete.imported'));
    await home.click('home.accounts.delete');
    expect(await listAddresses(bench)).toStrictEqual([]);
  });

  it('restores, and chooses a chain', async () => {
    const bench = await setup('0x0');
    const { home } = bench;
    await bench.create();
    bench.metamask.take = () => {
      throw new Error("Account 'it' not found");
    };
    await home.click('home.accounts.step:restore');
    await home.type({ gap: '5' });
    await home.click('home.accounts.submit');
    expect(home.texts().join()).toContain(
      textOf('restore.done', { restored: '0', unchanged: '0' }),
    );
    await home.choose('home.accounts.chain', 'eip155:1');
    expect(home.propsOf('home.accounts.chain')?.value).toBe('eip155:1');
  });
});
