// The home page of the built snap where there is nothing, where there is much, and where
// something is wrong: no configuration and no node, a hundred accounts, a damaged document.
import type { BoxElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';

import { tabNames } from '../../src/handlers/home/place';
import type { TabName } from '../../src/handlers/home/place';
import { tabs } from '../../src/handlers/home/tabs';
import { AccountList } from '../../src/ui/home/accounts';
import { ActivityTab } from '../../src/ui/home/activity';
import { HomeFrame } from '../../src/ui/home/frame';
import { GasTab } from '../../src/ui/home/gas';
import { RequestsTab } from '../../src/ui/home/requests';
import { SettingsPage } from '../../src/ui/home/settings';
import { SitesTab } from '../../src/ui/home/sites';
import { answerRpc } from '../support/answer-rpc';
import { FEE_ANSWERS } from '../support/fees';
import { useHttpServers } from '../support/http-server';
import { derivedRecord } from '../support/records';
import { installBench } from '../support/snap-bench';
import type { BenchOptions } from '../support/snap-bench';
import { openSnapHome } from '../support/snap-home';
import type { SnapHome } from '../support/snap-home';
import { SETTINGS, stateOf } from '../support/stored-accounts';
import { elementsOf, textOf, translate, warningsOf } from '../support/view';

const startServer = useHttpServers();

const NODE = {
  ...FEE_ANSWERS,
  eth_chainId: '0x1',
  eth_getBalance: '0x8ac7230489e80000',
};

type Node = Record<string, Json | (() => Promise<Json>)>;

/** A page over the wallet's node, which fails for what is not in the table. */
async function setup(node: Node, options: BenchOptions = {}): Promise<SnapHome> {
  const bench = await installBench(options);
  bench.snap.mockJsonRpc(({ method }) => {
    const told = node[method];
    if (told !== undefined) return typeof told === 'function' ? told() : told;
    if (method.startsWith('eth_')) throw new Error('The node is down.');
    return undefined;
  });
  return openSnapHome(bench);
}

/** Draw the page around a tab. */
function page(open: TabName, content: BoxElement): BoxElement {
  return HomeFrame({
    translate,
    tabs: tabNames.map((name) => ({
      name,
      label: tabs[name].label,
      isOpen: name === open,
    })),
    notices: [],
    isLocked: false,
    totals: { requests: 0, pending: 0 },
    content,
  });
}

describe('the home page with no configuration and no node', () => {
  const list = { translate, page: 0, pages: 1 };
  const form = { typed: {}, hasFailed: false };
  const empty: [TabName, BoxElement][] = [
    [
      'accounts',
      AccountList({
        ...list,
        accounts: [],
        chain: undefined,
        chains: [],
        progress: undefined,
      }),
    ],
    ['activity', ActivityTab({ ...list, sent: [], open: undefined })],
    ['requests', RequestsTab({ ...list, waiting: [], isAsynchronous: false })],
    ['sites', SitesTab({ ...list, sites: [] })],
    ['settings', SettingsPage({ ...list, settings: SETTINGS, chains: [], form })],
    [
      'gas',
      GasTab({ translate, chains: [], notices: [], servers: { inUse: [], now: 0 } }),
    ],
  ];

  it('draws every tab as its view', async () => {
    const home = await setup({});
    for (const [tab, content] of empty) {
      await home.click(`home.frame.tab:${tab}`);
      expect({ content: home.page() }).toRender(page(tab, content));
    }
  });
});

describe('the home page with a hundred accounts', () => {
  const accounts = Array.from({ length: 100 }, (_none, index) => derivedRecord(index));

  it('draws ten a page as its view, and turns the pages', async () => {
    const home = await setup(NODE, { state: stateOf({ accounts }) });
    await home.click('home.frame.tab:accounts');
    const expectPage = (number: number): void => {
      const rows = accounts.slice(number * 10, number * 10 + 10);
      const content = AccountList({
        translate,
        accounts: rows.map(({ id, address }, row) => ({
          id,
          address,
          name: `Tollkeeper ${number * 10 + row + 1}`,
          index: number * 10 + row,
          balance: { amount: '10', unit: 'ETH' },
        })),
        page: number,
        pages: 10,
        chain: 'eip155:1',
        chains: ['eip155:1'],
        progress: undefined,
      });
      expect({ content: home.page() }).toRender(page('accounts', content));
    };
    expectPage(0);
    await home.click('home.frame.page:1');
    expectPage(1);
    await home.click(`home.accounts.show:${accounts[13]?.id}`, 'home.accounts.list');
    expectPage(1);
    for (let number = 2; number < 10; number += 1) {
      await home.click(`home.frame.page:${number}`);
    }
    expectPage(9);
    expect(home.propsOf('home.frame.page:10')?.disabled).toBe(true);
    await home.click('home.frame.page:8');
    expectPage(8);
  });
});

describe('the home page over a damaged public document', () => {
  it('says so, knows no fees, and shows all else', async () => {
    const accounts = [derivedRecord()];
    const home = await setup(NODE, {
      state: stateOf({ accounts }),
      unencryptedState: { version: 1, levels: 'spoiled' },
    });
    expect(home.texts()).toContain(textOf('gas.noChain'));
    await home.click('home.frame.refresh');
    expect(warningsOf(home.page())).toEqual([
      expect.stringContaining('The stored public state is not valid'),
    ]);
    expect(home.texts()).toContain(textOf('gas.unknown'));
    expect(elementsOf(home.page()).some(({ type }) => type === 'Skeleton')).toBe(true);
    await home.click('home.frame.tab:accounts');
    expect(home.texts()).toContain(accounts[0]?.address);
    await home.click('home.frame.tab:settings');
    expect(home.texts()).toContain(textOf('settings.save'));
  });
});

describe('the tab of the gas market', () => {
  it('shows what is known, then figures, and keeps them when the node fails', async () => {
    let release: (value: Json) => void = () => undefined;
    const history = new Promise<Json>((resolve) => (release = resolve));
    const node: Node = { ...NODE, eth_feeHistory: () => history };
    const { url } = await startServer(answerRpc({ ...NODE, eth_chainId: '0xa' }));
    const chains = { 'eip155:10': { rpcUrl: url } };
    const home = await setup(node, { state: { ...stateOf({}), chains } });
    const choosing = home.click('home.frame.refresh');
    expect(home.texts()).toContain(textOf('gas.noChain'));
    release(FEE_ANSWERS.eth_feeHistory);
    await choosing;
    expect(home.texts()).toContain('1 gwei');
    await home.choose('home.gas.chain', 'eip155:10');
    expect(home.propsOf('home.gas.chain')?.value).toBe('eip155:10');
    expect(home.texts()).toContain(textOf('server.configured'));
    await home.choose('home.gas.chain', 'eip155:1');
    node.eth_feeHistory = () => Promise.reject(new Error('down'));
    node.eth_gasPrice = () => Promise.reject(new Error('down'));
    await home.click('home.frame.refresh');
    expect(home.texts()).toContain('1 gwei');
  });
});
