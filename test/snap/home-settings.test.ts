import { answerChain } from '../support/answer-rpc';
import { useHttpServers } from '../support/http-server';
import { COMPANION, installBench, resultIn } from '../support/snap-bench';
import type { SnapBench } from '../support/snap-bench';
import { openSnapHome } from '../support/snap-home';
import type { SnapHome } from '../support/snap-home';
import { textOf } from '../support/view';

const startServer = useHttpServers();

const KEY = 'k3y-of-the-user-0123456789abcdef';

type Bench = SnapBench & { home: SnapHome };

/** The tab of settings, with the wallet's node on chain 1. */
async function setup(): Promise<Bench> {
  const bench = await installBench();
  bench.snap.mockJsonRpc({ method: 'eth_chainId', result: '0x1' });
  const home = await openSnapHome(bench);
  await home.click('home.frame.tab:settings');
  return { ...bench, home };
}

async function getChains({ rpc }: SnapBench): Promise<unknown> {
  return resultIn(await rpc('tollkeeper_getChains', [], COMPANION));
}

describe('the tab of settings', () => {
  it('saves every choice', async () => {
    const { home, rpc } = await setup();
    await home.choose('feeLevel', 'high');
    await home.choose('approvalMode', 'asynchronous');
    await home.click(
      'secondConfirmation',
      'notifications',
      'prices',
      'home.settings.submit:save',
    );
    expect(home.texts()).toContain(textOf('settings.saved'));
    const settings = await rpc('tollkeeper_getSettings', [], COMPANION);
    expect(resultIn(settings)).toStrictEqual({
      feeLevel: 'high',
      approvalMode: 'asynchronous',
      secondConfirmation: true,
      notifications: false,
      prices: false,
    });
  });

  it('adds a network, tests its servers, saves and removes it', async () => {
    const bench = await setup();
    const { home } = bench;
    const { url } = await startServer(answerChain(31_337));
    await home.type({ chain: '31337' });
    await home.click('home.settings.submit:add');
    await home.type({ rpcUrl: url, gasBaseUrl: url, bundlerUrl: url, apiKey: KEY });
    await home.choose('gasAuth', 'basic');
    await home.choose('entryPoint', '0.6');
    await home.click('home.settings.test:rpcUrl');
    expect(home.texts().join('\n')).toMatch(
      /Node \(HTTP\) responded in [\d,]+ ms\. Network: Anvil\. Latest block: 1,234\./u,
    );
    await home.click('home.settings.test:gasBaseUrl');
    expect(home.texts().join('\n')).toContain('Base fee: ≈ 16.284 gwei.');
    await home.click('home.settings.test:bundlerUrl');
    expect(home.texts().join('\n')).toContain('EntryPoints: 1 (0x5FF1');
    await home.click('home.settings.test:wsUrl', 'home.settings.test:paymasterUrl');
    expect(home.texts().join('\n')).toContain('Nothing to test: Paymaster');
    expect(await getChains(bench)).toStrictEqual([]);
    await home.click('home.settings.submit:chain');
    expect(home.texts()).toContain(textOf('settings.savedChain', { chain: 'Anvil' }));
    expect(await getChains(bench)).toMatchObject([
      { chainId: 'eip155:31337', apiKey: '[redacted]', gasAuth: 'basic' },
    ]);
    await home.click('home.settings.edit:eip155:31337');
    expect(JSON.stringify(home.page())).not.toContain(KEY);
    await home.click('home.settings.list', 'home.settings.askRemove:eip155:31337');
    await home.click('home.settings.remove');
    expect(await getChains(bench)).toStrictEqual([]);
  });

  it('keeps what was typed but for the secrets after a failure', async () => {
    const bench = await setup();
    const { home } = bench;
    const { url } = await startServer(answerChain(5));
    await home.type({ chain: '31337' });
    await home.click('home.settings.submit:add');
    await home.type({ rpcUrl: url, apiKey: KEY });
    await home.click('home.settings.submit:chain');
    expect(home.texts().join('\n')).toContain(
      'Node (HTTP) is the address of eip155:5, not of eip155:31337. Nothing was saved.',
    );
    expect([
      home.propsOf('rpcUrl')?.value,
      home.propsOf('apiKey')?.value,
    ]).toStrictEqual([url, '']);
    expect(await getChains(bench)).toStrictEqual([]);
  });
});
