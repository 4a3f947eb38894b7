// The home page: how it renders and refreshes, and its gas, sites, requests and activity tabs.
import type { KeyringAccount } from '@metamask/keyring-api';
import { UserInputEventType } from '@metamask/snaps-sdk';
import type { Json } from '@metamask/utils';
import { stringToHex } from 'viem';
import type { Hex } from 'viem';

import { REQUEST_ID } from '../../dev/wallet/keyring-requests';
import { PlatformError } from '../../src/core/errors';
import { callersOf } from '../support/callers';
import { serving } from '../support/fake-fetch';
import type { Server } from '../support/fake-fetch';
import { createFakeNode, refuses } from '../support/fake-node';
import { FEE_ANSWERS } from '../support/fees';
import { storeChains, storeGrant, storeSettings } from '../support/given';
import { openHome } from '../support/home-bench';
import type { HomeBench } from '../support/home-bench';
import { refusalOf } from '../support/refusal';
import { createSendBench, RECIPIENT } from '../support/send-bench';
import { pendingOf } from '../support/sent-transactions';
import { stateOf } from '../support/stored-accounts';
import {
  createAccount,
  createTestApp,
  DAPP,
  refuse,
  approve,
  OTHER_SITE,
} from '../support/test-app';
import type { TestApp } from '../support/test-app';
import { advanceTime } from '../support/test-edges';
import { elementsOf, namesOf, textOf, textsOf, writeView } from '../support/view';

const HOME = 'tollkeeper_home';

const NODE = 'https://node.example';

const OP = 'eip155:10';

const tab = (name: string): string => `home.frame.tab:${name}`;

/** Opens a home page that has loaded its data once. */
async function setup(app?: TestApp): Promise<HomeBench> {
  const home = await openHome(app);
  await home.wake();
  return home;
}

/** Presses a button, whether or not the page has it. */
async function press({ app, id }: HomeBench, name: string): Promise<void> {
  const event = { type: UserInputEventType.ButtonClickEvent, name } as const;
  await app.entry.onUserInput({ id, event, context: null });
}

function valueOf(home: HomeBench, label: string): string | undefined {
  const texts = home.texts();
  const index = texts.indexOf(label);
  return index < 0 ? undefined : texts[index + 1];
}

const buttonsOf = (home: HomeBench): string[] => namesOf(home.page(), 'Button');

describe('the home page', () => {
  const tabs = ['gas', 'accounts', 'activity', 'requests', 'permissions', 'settings'];

  it('renders immediately, without reading encrypted state or contacting a server', async () => {
    const home = await openHome();
    const { backend, wallet, network, wakes } = home.app.edges;
    expect([backend.loads, wallet.calls, network.sent]).toStrictEqual([0, [], []]);
    expect(home.texts()).toContain(textOf('gas.title'));
    expect(home.texts()).toContain(textOf('gas.noChain'));
    expect(wakes).toStrictEqual([[HOME, home.id, 1]]);
  });

  it('loads fresh data every ten seconds, until it is closed or idle for 15 minutes', async () => {
    const home = await openHome();
    const { edges } = home.app;
    for (let round = 0; round < 2; round += 1) {
      await home.wake();
      expect(home.texts()).toContain(textOf('gas.fresh'));
      expect(edges.wakes).toStrictEqual([[HOME, home.id, 10]]);
    }
    advanceTime(edges, 15 * 60_000 - 1);
    await home.wake();
    expect(edges.wakes).toHaveLength(1);
    advanceTime(edges, 1);
    await home.wake();
    expect(edges.wakes).toStrictEqual([]);
    await home.click('home.frame.refresh');
    expect(edges.wakes).toStrictEqual([[HOME, home.id, 10]]);
    edges.screens.delete(home.id);
    await home.wake();
    expect(edges.wakes).toStrictEqual([]);
  });

  it('renders even if no refresh can be scheduled', async () => {
    const app = createTestApp();
    app.edges.wakes.push = refuses('no');
    const home = await openHome(app, 'permissions');
    expect(home.texts()).toContain(textOf('sites.none'));
  });

  it.each<Json>([null, [], [7], {}, ['gone']])(
    'ignores a scheduled event with the params %j',
    async (params) => {
      const home = await setup();
      const before = home.page();
      const request = { jsonrpc: '2.0', id: 1, method: HOME, params } as never;
      await home.app.entry.onCronjob({ request });
      expect(home.page()).toBe(before);
    },
  );

  it('opens each tab, even after a restart', async () => {
    const home = await setup();
    for (const name of [...tabs].reverse()) {
      home.restart();
      await home.click(tab(name));
      expect(home.place()).toMatchObject({ tab: name, page: 0, notices: [] });
      const others = tabs.filter((each) => each !== name).map(tab);
      expect(namesOf(home.page(), 'Button')).toEqual(expect.arrayContaining(others));
      expect(namesOf(home.page(), 'Button')).not.toContain(tab(name));
    }
  });

  it('shows unencrypted state while locked, without asking to unlock', async () => {
    const home = await setup();
    const { clock, backend } = home.app.edges;
    clock.isLocked = true;
    home.restart();
    const { loads } = backend;
    await home.click('home.frame.refresh');
    expect(home.texts()).toContain(textOf('home.locked'));
    expect(home.texts()).toContain(textOf('level.medium'));
    await home.click(tab('permissions'));
    expect(home.texts()).toContain(textOf('home.locked'));
    expect(home.texts()).not.toContain(textOf('sites.title'));
    await home.wake();
    expect(backend.loads).toBe(loads);
  });

  const failToLoad = async (): Promise<never> =>
    Promise.reject(new PlatformError('MetaMask could not execute snap_getState'));

  it.each<[string, (app: TestApp) => unknown, string]>([
    [
      'the encrypted document has a newer format',
      ({ edges }) => (edges.backend.document = { version: 9 }),
      'The stored encrypted state has format 9; this version of Tollkeeper reads formats up ' +
        'to 8. Install a newer version of Tollkeeper.',
    ],
    [
      'the encrypted document is damaged',
      ({ edges }) => (edges.backend.document = { ...stateOf({}), settings: 7 } as Json),
      'The stored encrypted state is not valid and was left as it is: encrypted ' +
        'state.settings must be an object.',
    ],
    [
      'the public document has a newer format',
      ({ edges }) => (edges.publicBackend.document = { version: 9 }),
      'The stored public state has format 9; this version of Tollkeeper reads formats up ' +
        'to 6. Install a newer version of Tollkeeper.',
    ],
    [
      'MetaMask does not return the encrypted document',
      ({ edges }) => (edges.backend.load = failToLoad),
      'MetaMask could not execute snap_getState; try again.',
    ],
    [
      'MetaMask does not return the public document',
      ({ edges }) => (edges.publicBackend.load = failToLoad),
      'MetaMask could not execute snap_getState; try again.',
    ],
  ])('shows the reason on every tab if %s', async (_what, damage, reason) => {
    const app = createTestApp();
    damage(app);
    const home = await openHome(app);
    // The first render reads only public state.
    if (reason.includes('public')) expect(home.notices()).toStrictEqual([reason]);
    await home.wake();
    for (const name of tabs) {
      if (name !== home.place().tab) await home.click(tab(name));
      expect([name, home.notices()]).toStrictEqual([name, [reason]]);
      await home.click('home.frame.refresh');
      expect([name, home.notices()]).toStrictEqual([name, [reason]]);
    }
    for (const step of ['create', 'import', 'restore']) {
      await home.click(tab('gas'));
      await home.click(tab('accounts'));
      await press(home, `home.accounts.step:${step}`);
      expect([step, home.notices()]).toStrictEqual([step, [reason]]);
    }
  });

  it('shows an error until the next action, and hides the details of internal errors', async () => {
    const home = await setup();
    const { backend } = home.app.edges;
    const { save } = backend;
    await home.click(tab('settings'));
    await home.submit('home.settings.add', { chain: '1' });
    await home.submit('home.settings.saveChain', { rpcUrl: NODE });
    const [notice] = home.notices();
    expect(notice).toContain(NODE);
    expect(home.place().tab).toBe('settings');
    await home.wake();
    expect(home.notices()).toStrictEqual([notice]);
    backend.save = async () => Promise.reject(new Error('x1'));
    await home.submit('home.settings.saveChain', { entryPoint: '0.7' });
    expect(home.notices()).toStrictEqual([textOf('home.failed')]);
    backend.save = save;
    await home.click('home.frame.refresh');
    expect(home.notices()).toStrictEqual([]);
  });

  it.each([
    'home.x.y',
    'home.permissions.toString',
    'home.frame.constructor',
    'home.',
    'home.gas',
  ])('ignores an unknown button: %j', async (name) => {
    const home = await setup();
    const before = home.page();
    await press(home, name);
    expect(home.page()).toBe(before);
  });

  it('starts over if its stored position is invalid, and ignores invalid buttons', async () => {
    const home = await setup();
    home.app.edges.screens.contexts.set(home.id, { tab: 'of another version' });
    await home.click('home.frame.refresh');
    expect(home.place()).toMatchObject({ tab: 'gas', page: 0 });
    for (const argument of ['9999999', '-1', 'x']) {
      await press(home, `home.frame.page:${argument}`);
    }
    await press(home, tab('nowhere'));
    expect(home.place()).toMatchObject({ tab: 'gas', page: 0 });
  });

  it('counts waiting requests and pending transactions, if there are any', async () => {
    const site = await createSendBench();
    const home = await setup(site.app);
    expect(home.texts()).not.toContain(textOf('home.totalRequests'));
    await site.send();
    await home.wake();
    expect(valueOf(home, textOf('home.totalRequests'))).toBe('0');
    expect(valueOf(home, textOf('home.totalPending'))).toBe('1');
  });
});

describe('concurrent redraws', () => {
  /** Opens a home page on chain 1. `before` runs an action before the node's next answer. */
  async function setupSlow(app = createTestApp()) {
    const node = createFakeNode({ ...app.edges.wallet.answers, ...FEE_ANSWERS });
    const serve = serving(node);
    let waiting: (() => Promise<unknown>) | undefined;
    const slow: Server = async (request) => {
      const act = waiting;
      waiting = undefined;
      await act?.();
      return serve(request);
    };
    app.edges.network.serve(NODE, slow);
    await storeChains(app, { 'eip155:1': { rpcUrl: NODE } });
    const home = await setup(app);
    return { home, before: (act: () => Promise<unknown>) => (waiting = act) };
  }

  const expectSitesTab = (home: HomeBench): void => {
    expect(home.place().tab).toBe('permissions');
    expect(home.texts()).toContain(textOf('sites.title'));
    expect(home.texts()).not.toContain(textOf('gas.title'));
  };

  it.each<[string, (home: HomeBench) => Promise<void>]>([
    ['data is loading', async (home) => home.wake()],
    ['an earlier tab is loading', async (home) => home.click(tab('accounts'))],
  ])('show the tab clicked last while %s', async (_what, load) => {
    const { home, before } = await setupSlow();
    await createAccount(home.app);
    advanceTime(home.app.edges, 60_000);
    let isClicked = false;
    before(async () => {
      await home.click(tab('permissions'));
      isClicked = true;
    });
    await load(home);
    expect(isClicked).toBe(true);
    expectSitesTab(home);
  });

  it('show the tab clicked last if an event reads the page while it changes', async () => {
    const { home } = await setupSlow();
    const { screens } = home.app.edges;
    const set = screens.set.bind(screens);
    let woken: Promise<void> | undefined;
    screens.set = (id, content) => {
      woken ??= home.wake();
      return set(id, content);
    };
    await home.click(tab('permissions'));
    await woken;
    expectSitesTab(home);
  });

  it('of one page do not affect another page', async () => {
    const { home, before } = await setupSlow();
    await createAccount(home.app);
    advanceTime(home.app.edges, 60_000);
    const other = await openHome(home.app);
    before(async () => other.click(tab('permissions')));
    await home.click(tab('accounts'));
    expect(home.place().tab).toBe('accounts');
    expectSitesTab(other);
  });

  it('stay on the tab that the user opened, unless there is a result to report', async () => {
    const site = await createSendBench();
    const { home, before } = await setupSlow(site.app);
    const goElsewhere = async (): Promise<void> => home.click(tab('permissions'));
    await home.click(tab('settings'));
    await home.click('home.settings.edit:eip155:1');
    before(goElsewhere);
    await home.click('home.settings.test:rpcUrl');
    expect(home.place().tab).toBe('settings');
    expect(home.notices()[0]).toContain(NODE);
    await site.app.services.ledger.add(pendingOf(1));
    await home.click(tab('activity'));
    before(goElsewhere);
    await home.click('home.frame.refresh');
    expectSitesTab(home);
  });
});

describe('the gas tab', () => {
  /** Opens a home page with OP Mainnet: its node's base fee is 2 gwei, and its gas API is down. */
  async function setupOp(): Promise<HomeBench> {
    const app = createTestApp();
    const eth_feeHistory = {
      oldestBlock: '0x1',
      baseFeePerGas: ['0x77359400', '0x77359400'],
      gasUsedRatio: [1],
      reward: [['0x1', '0x1', '0x1']],
    };
    const answers = { eth_chainId: '0xa', eth_feeHistory, eth_getBlockByNumber: null };
    app.edges.network.serve(NODE, serving(createFakeNode(answers)));
    const row = { rpcUrl: NODE, gasBaseUrl: 'https://gas.example', apiKey: 'k' };
    await storeChains(app, { [OP]: row });
    return setup(app);
  }

  it("shows the wallet's network, and the last known figures with their age when reopened", async () => {
    const home = await setupOp();
    expect(valueOf(home, textOf('gas.baseFee'))).toBe('1 gwei');
    expect(valueOf(home, textOf('gas.congestion'))).toBe('50 %');
    expect(valueOf(home, textOf('gas.source'))).toBe(textOf('source.feeHistory'));
    const imageOf = (each: HomeBench): unknown =>
      elementsOf(each.page()).find(({ type }) => type === 'Image')?.props.src;
    expect(imageOf(home)).toMatch(/^<svg .*polyline.*<\/svg>$/su);
    advanceTime(home.app.edges, 120_000);
    const again = await openHome(home.app);
    expect(again.texts()).toContain(textOf('gas.asOf', { age: '2 min' }));
    expect(imageOf(again)).toBe(imageOf(home));
  });

  it('shows the chosen network and its configuration', async () => {
    const home = await setupOp();
    for (const value of ['', 'eip155:x', 7]) {
      await home.choose('home.gas.chain', value as string);
      expect(home.place()).not.toHaveProperty('chain');
    }
    await home.choose('home.gas.chain', OP);
    expect(home.place()).toMatchObject({ tab: 'gas', chain: OP });
    expect(valueOf(home, textOf('gas.baseFee'))).toBe('2 gwei');
    expect(valueOf(home, textOf('server.gas'))).toBe(textOf('server.configured'));
    const [chosen] = elementsOf(home.page()).filter(({ type }) => type === 'Dropdown');
    expect(chosen?.props.value).toBe(OP);
    // The gas API is unreachable, so the fees come from the node.
    const age = '0 sec';
    const failed = textOf('server.unreachable', { age });
    expect(valueOf(home, textOf('server.gasAnswer'))).toBe(failed);
    expect(valueOf(home, textOf('server.nodeAnswer'))).toBe(
      textOf('server.ok', { age }),
    );
    expect(home.notices()).toStrictEqual([]);
  });

  it('shows the last known figures and the error while offline', async () => {
    const home = await setupOp();
    home.app.edges.wallet.answers = { eth_chainId: '0x1' };
    advanceTime(home.app.edges, 60_000);
    await home.click('home.frame.refresh');
    expect(valueOf(home, textOf('gas.baseFee'))).toBe('1 gwei');
    expect(home.notices()).toHaveLength(1);
    const failed = textOf('server.failed', { age: '0 sec' });
    expect(valueOf(home, textOf('server.nodeAnswer'))).toBe(failed);
    const app = createTestApp();
    app.edges.wallet.answers = {};
    expect((await setup(app)).texts()).toContain(textOf('gas.noChain'));
  });
});

describe('the sites tab', () => {
  it('lists sites with their accounts, and revokes one or all', async () => {
    const app = createTestApp();
    const first = await createAccount(app);
    const second = await createAccount(app);
    await storeGrant(app, DAPP, first, second);
    await storeGrant(app, OTHER_SITE, second);
    const home = await setup(app);
    await home.click(tab('permissions'));
    const revokeOne = (origin: string, { id }: KeyringAccount): string =>
      `home.permissions.disconnectOne:${id} ${origin}`;
    const expected = [
      revokeOne(DAPP, second),
      `home.permissions.disconnect:${OTHER_SITE}`,
    ];
    expect(buttonsOf(home)).toEqual(expect.arrayContaining(expected));
    expect(buttonsOf(home)).not.toContain(revokeOne(OTHER_SITE, first));
    expect(home.texts()).toEqual(
      expect.arrayContaining([DAPP, OTHER_SITE, first.address]),
    );
    await home.click(revokeOne(DAPP, first));
    const values = { origin: DAPP, address: first.address };
    expect(home.notices()).toStrictEqual([textOf('sites.revokedOne', values)]);
    const { rpc } = callersOf(app);
    expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([second.address]);
    home.restart();
    await home.click(`home.permissions.disconnect:${DAPP}`);
    expect(home.notices()).toStrictEqual([textOf('sites.revoked', { origin: DAPP })]);
    expect(await rpc(OTHER_SITE, 'eth_accounts')).toStrictEqual([second.address]);
    await home.click(`home.permissions.disconnect:${OTHER_SITE}`);
    expect(home.texts()).toContain(textOf('sites.none'));
    expect(home.app.edges.backend.document).toHaveProperty('grants', {});
  });
});

describe('the requests tab', () => {
  const APPROVE = `home.requests.approve:${REQUEST_ID}`;
  const REJECT = `home.requests.reject:${REQUEST_ID}`;

  async function setupWaiting(fields: Record<string, Json> = {}) {
    const app = createTestApp();
    const account = await createAccount(app);
    await storeSettings(app, { approvalMode: 'asynchronous' });
    const params = [stringToHex('hello'), account.address];
    const request = { account: account.id, method: 'personal_sign', params };
    await callersOf(app).submit(request, fields);
    const home = await openHome(app, 'requests');
    const { emitted } = app.edges.events;
    return { home, emitted: () => emitted.map(([event]) => event) };
  }

  it("shows that no requests are waiting, because MetaMask's are answered immediately", async () => {
    const home = await openHome(undefined, 'requests');
    expect(home.texts()).toContain(textOf('requests.none'));
    expect(home.texts()).toContain(textOf('requests.synchronous'));
  });

  it('shows the content, and the origin that MetaMask reports, before signing', async () => {
    const { home, emitted } = await setupWaiting();
    expect(home.texts()).toEqual(
      expect.arrayContaining([textOf('message.title'), 'metamask']),
    );
    expect(home.texts()).not.toContain(textOf('requests.synchronous'));
    const { dialogs } = home.app.edges;
    dialogs.answer = refuse;
    await home.click(APPROVE);
    expect(home.notices()).toStrictEqual([textOf('home.refused')]);
    expect(emitted()).not.toContain('notify:requestApproved');
    dialogs.answer = approve;
    home.restart();
    await home.click(APPROVE);
    const texts = textsOf(dialogs.shown[1]);
    expect(texts.join('\n')).toContain('hello');
    expect(texts[texts.indexOf(textOf('field.originTold')) + 1]).toBe('metamask');
    expect(texts).not.toContain(textOf('field.origin'));
    expect(emitted()).toContain('notify:requestApproved');
    expect(home.notices()).toStrictEqual([textOf('requests.approved')]);
    expect(home.texts()).toContain(textOf('requests.none'));
  });

  it('lets the user approve a request of a site that has to wait for its next dialog', async () => {
    const { home, emitted } = await setupWaiting({ origin: DAPP });
    const { dialogs } = home.app.edges;
    dialogs.answer = refuse;
    for (let refusal = 0; refusal < 3; refusal += 1) {
      await refusalOf(callersOf(home.app).rpc(DAPP, 'eth_requestAccounts'));
    }
    dialogs.answer = approve;
    await home.click(APPROVE);
    expect(textsOf(dialogs.shown.at(-1))).toContain(DAPP);
    expect(emitted()).toContain('notify:requestApproved');
  });

  it.each([
    ['eip155:0x1', 'Ethereum'],
    ['eip155:999', 'eip155:999'],
    ['eip155:0', undefined],
    ['', undefined],
  ])('shows the network of a request with the scope %j as %j', async (scope, shown) => {
    const { home } = await setupWaiting({ scope });
    expect(valueOf(home, textOf('field.chain'))).toBe(shown);
  });

  it('rejects without a dialog, and reports requests that are no longer waiting', async () => {
    const { home, emitted } = await setupWaiting();
    await home.click(REJECT);
    expect(home.app.edges.dialogs.shown).toStrictEqual([]);
    expect(emitted()).toContain('notify:requestRejected');
    expect(home.notices()).toStrictEqual([textOf('requests.rejected')]);
    expect(home.texts()).toContain(textOf('requests.none'));
    await press(home, APPROVE);
    expect(home.notices()[0]).toContain('waits for approval');
  });
});

describe('the activity tab', () => {
  const detailsOf = (hash: string): string => `home.activity.details:${hash}`;

  async function setupSent() {
    const site = await createSendBench();
    const hash = (await site.send()) as Hex;
    const home = await openHome(site.app, 'activity');
    return { home, site, hash };
  }

  it('lists pending transactions with their maximum cost, and settled ones with their cost', async () => {
    const { home, site, hash } = await setupSent();
    expect(home.texts()).toContain(textOf('sent.pending'));
    expect(home.texts()).toContain('Sent 0.000000000000000001 ETH to 0x7099…79c8');
    expect(valueOf(home, textOf('activity.hash'))).toBe(
      `${hash.slice(0, 6)}…${hash.slice(-4)}`,
    );
    const links = elementsOf(home.page()).filter(({ type }) => type === 'Link');
    expect(links.map(({ props }) => props.href)).toStrictEqual([
      `https://etherscan.io/tx/${hash}`,
    ]);
    expect(valueOf(home, textOf('activity.maxCost'))).toBe('0.00003591 ETH');
    await home.click(detailsOf(hash));
    expect(home.texts()).toEqual(expect.arrayContaining([hash, RECIPIENT, DAPP]));
    expect(buttonsOf(home)).toContain(`home.activity.speedUp:${hash}`);
    site.mine(hash);
    await home.click('home.frame.refresh');
    expect(home.texts()).toContain(textOf('sent.included'));
    expect(home.texts()).toContain(`Sent 0.000000000000000001 ETH to ${RECIPIENT}`);
    expect(valueOf(home, textOf('activity.cost'))).toBe('0.000021 ETH');
    expect(home.texts()).toContain(textOf('activity.gasUsed'));
    expect(buttonsOf(home)).not.toContain(`home.activity.speedUp:${hash}`);
    await press(home, `home.activity.speedUp:${hash}`);
    expect(home.notices()[0]).toContain('it is included');
    const failed = await site.send({ value: '0x2' });
    site.mine(failed, '0x0');
    await home.click('home.frame.back');
    await home.click('home.frame.refresh');
    expect(home.texts()).toContain(textOf('sent.failed'));
  });

  it.each([
    ['speedUp', 'activity.spedUp', 'transaction.speedUp'],
    ['cancel', 'activity.cancelled', 'transaction.cancel'],
  ] as const)('replaces a transaction: %s', async (action, notice, title) => {
    const { home, site, hash } = await setupSent();
    const { dialogs } = site.edges;
    await home.click(detailsOf(hash));
    dialogs.answer = refuse;
    await home.click(`home.activity.${action}:${hash}`);
    expect(home.notices()).toStrictEqual([textOf('home.refused')]);
    expect([site.pool.size, home.place().item]).toStrictEqual([1, hash]);
    dialogs.answer = approve;
    home.restart();
    await home.click(`home.activity.${action}:${hash}`);
    const dialog = writeView(dialogs.shown.at(-1));
    expect(dialog).toContain(textOf(title));
    expect(dialog).not.toContain(textOf('origin.form'));
    expect(home.notices()).toStrictEqual([textOf(notice)]);
    const newest = home.place().item as Hex;
    expect(newest).not.toBe(hash);
    expect(site.pool.has(newest)).toBe(true);
    expect(home.texts()).toContain(hash);
    await home.click('home.frame.back');
    expect(home.place()).not.toHaveProperty('item');
    expect(buttonsOf(home)).toContain(detailsOf(hash));
  });

  it('says when it is empty, and shows 100 transactions, ten per page', async () => {
    const home = await openHome(undefined, 'activity');
    expect(home.texts()).toContain(textOf('activity.none'));
    const { ledger } = home.app.services;
    for (let n = 1; n <= 100; n += 1) await ledger.add(pendingOf(n));
    await home.click('home.frame.refresh');
    const shown = (): string[] =>
      buttonsOf(home).filter((name) => name.startsWith('home.activity'));
    expect(shown()[0]).toBe(detailsOf(pendingOf(100).hash));
    expect(shown()).toHaveLength(10);
    await home.click('home.frame.page:1');
    expect(shown()[0]).toBe(detailsOf(pendingOf(90).hash));
    expect(home.texts()).toContain(textOf('pager.page', { page: '2', pages: '10' }));
    await home.click(shown()[3] ?? '');
    await home.click('home.frame.back');
    expect(home.place().page).toBe(1);
  });
});
