// The development page in a real Chromium, against the built snap in MetaMask's packages: its
// steps, every request once, and how the page looks, weighs and behaves.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { AxeBuilder } from '@axe-core/playwright';
import { providerErrors } from '@metamask/rpc-errors';
import type { Locator, Page } from 'playwright-core';
import { createPublicClient, createTestClient, getAddress, http } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

import { buildDapp } from '../../dev/build/dapp';
import { LOOPBACK } from '../../dev/build/policy';
import { ceilings } from '../../dev/build/size';
import { startWorld } from '../../dev/demo/world';
import { siteGroups } from '../../dev/docs/contract';
import { wrongParams } from '../../dev/fuzz/calls';
import { deployVerifiers, verifiers } from '../../dev/stack/verifiers';
import { servePage } from '../../dev/start/serve';
import {
  answerAsFlask,
  bridgeWallet,
  type Override,
  startBrowser,
} from '../../dev/wallet/browser';
import { COMPANION_ORIGIN, DEFAULT_SNAP_ID } from '../../dev/wallet/options';
import { type Dialog, refuseAll } from '../../dev/wallet/user';
import { SiteError } from '../../dev/wallet/wallet';
import { PATIENCE_MS } from '../fixtures/stack/requests';
import { warningsOf } from '../support/view';

let bench: Awaited<ReturnType<typeof start>>;
let page: Page;

beforeAll(async () => {
  bench = await start();
  ({ page } = bench);
  page.setDefaultTimeout(PATIENCE_MS);
  await page.locator('main[data-state="ready"]').waitFor();
});

beforeEach(() => {
  Object.assign(bench.world.wallet.user, {
    onDialog: approveEverything,
    confirmAccounts: true,
  });
});

afterAll(async () => {
  await bench?.stop();
});

// Chooses every account that is offered.
async function approveEverything(dialog: Dialog): Promise<void> {
  for (const name of Object.keys(dialog.values)) await dialog.fill(name, true);
  await dialog.approve();
}

const refuse = (): void => {
  bench.world.wallet.user.onDialog = refuseAll;
};

/** Presses a button and returns the outcome of its action; an error begins with its code. */
async function press(name: string, label: string): Promise<string> {
  const button = page.getByRole('button', { name, exact: true });
  const output = page.getByLabel(label, { exact: true });
  // A pointer waits for frames, and a browser without a GPU draws few.
  await button.dispatchEvent('click');
  await page.waitForFunction(
    (element) => element?.closest('.output')?.matches('.done, .failed'),
    await output.elementHandle(),
  );
  return (await output.innerText()).replaceAll(/\s+/gu, ' ').trim();
}

/** Opens the form of a method. */
async function open(name: string): Promise<Locator> {
  const form = page.locator('details', {
    has: page.locator('summary code').getByText(name, { exact: true }),
  });
  if ((await form.getAttribute('open')) === null) {
    await form.locator('summary').dispatchEvent('click');
  }
  return form;
}

/** Sends a request with its example, or with other params. */
async function send(name: string, params?: string): Promise<string> {
  const form = await open(name);
  if (params !== undefined) await form.getByRole('textbox').fill(params);
  const answer = await press(`Send ${name}`, `Answer of ${name}`);
  if (params !== undefined) {
    await page.getByRole('button', { name: `Reset ${name}` }).dispatchEvent('click');
  }
  return answer;
}

const checkOf = (name: string) => page.getByLabel(`Check of ${name}`, { exact: true });

/** Visits the page with another answer of the wallet. */
async function visit(state: string, override: Override, query = ''): Promise<void> {
  bench.wallet.override = override;
  await page.goto(`${bench.server.url}/${query}`);
  await page.locator(`main[data-state="${state}"]`).waitFor();
}

/** A wallet that lists the snap so, or not at all. */
function withSnap(snap?: object, name = 'MetaMask/v13.5.0-flask.0'): Override {
  return (method) => {
    if (method === 'wallet_getSnaps') return snap ? { [DEFAULT_SNAP_ID]: snap } : {};
    return method === 'web3_clientVersion' ? name : undefined;
  };
}

it('is small, and ready soon', async () => {
  const { size } = bench.dapp;
  const ready = await page.evaluate(
    () => performance.getEntriesByName('ready')[0]?.startTime ?? NaN,
  );
  process.stdout.write(
    `page: ${size.raw} bytes, ${size.gzipped} gzipped, ready after ${Math.round(ready)} ms\n`,
  );
  const { raw, gzipped } = ceilings['development page, one visit'];
  expect(size.raw).toBeLessThanOrEqual(raw);
  expect(size.gzipped).toBeLessThanOrEqual(gzipped);
  expect(ready).toBeLessThan(5_000);
});

describe('the installation', () => {
  const label = 'Answer of the installation';

  afterAll(async () => visit('ready', answerAsFlask));

  it.each<[string, { text: string; verb?: string; override: Override }]>([
    ['no-metamask', { text: 'no MetaMask in this browser', override: answerAsFlask }],
    [
      'no-flask',
      { text: 'does not run', override: withSnap(undefined, 'MetaMask/v13.5.0') },
    ],
    [
      'not-installed',
      { text: 'the permissions', verb: 'Install', override: withSnap() },
    ],
    [
      'outdated',
      {
        text: 'Version 0.0.9 is installed. This page needs ^0.1.0.',
        verb: 'Update',
        override: withSnap({ version: '0.0.9', enabled: true }),
      },
    ],
    [
      'disabled',
      {
        text: 'Enable it in MetaMask',
        override: withSnap({ version: '0.1.0', enabled: false }),
      },
    ],
  ])('says what to do: %s', async (state, { text, verb, override }) => {
    await visit(state, override, state === 'no-metamask' ? '?without-wallet' : '');
    const step = page.getByRole('region', { name: 'Install Tollkeeper' });
    await step.getByText(text).waitFor();
    expect(await step.getByRole('button').allInnerTexts()).toStrictEqual(
      verb === undefined ? [] : [verb],
    );
    expect(await step.getByRole('link').count()).toBe(state.startsWith('no-') ? 1 : 0);
    const create = page.getByRole('button', { name: 'Create', exact: true });
    expect(await create.isDisabled()).toBe(true);
  });

  it('is done by MetaMask, unless the user rejects it', async () => {
    await visit('not-installed', (method, params) => {
      if (method !== 'wallet_requestSnaps') return withSnap()(method, params);
      throw new SiteError({ code: 4001, message: 'User rejected the request.' });
    });
    expect(await press('Install', label)).toBe('4001: User rejected the request.');
    bench.wallet.override = (method, params) => {
      if (method !== 'wallet_requestSnaps') return withSnap()(method, params);
      bench.wallet.override = answerAsFlask;
      return { [DEFAULT_SNAP_ID]: { version: '0.1.0', enabled: true } };
    };
    expect(await press('Install', label)).toBe('MetaMask has installed the snap.');
    await page.locator('main[data-state="ready"]').waitFor();
  });

  it('is not enough if the snap does not answer the page', async () => {
    const message = 'This origin cannot manage accounts.';
    await visit('ready', (method) => {
      if (method === 'wallet_invokeKeyring') {
        throw new SiteError({ code: 4100, message });
      }
      return answerAsFlask(method, []);
    });
    await page.getByRole('alert').getByText(message).waitFor();
  });
});

describe('the steps', () => {
  const NETWORK = 'Answer about the network';
  const isDone = async (title: string): Promise<void> =>
    page.getByRole('heading', { name: `${title} (done)` }).waitFor();

  const configure = async (config: object): Promise<void> => {
    await page.route('**/stack.json', async (route) => {
      const response = await route.fetch();
      const served = (await response.json()) as object;
      await route.fulfill({ json: { ...served, ...config } });
    });
    await page.reload();
    await page.locator('main[data-state="ready"]').waitFor();
  };

  afterEach(async () => {
    await page.unroute('**/stack.json');
  });

  it('name the server that does not answer', async () => {
    await configure({
      bundlerUrl: 'http://127.0.0.1:9',
      chainUrl: 'http://127.0.0.1:9',
    });
    expect(await press('Check and save', NETWORK)).toMatch(
      /^-32002: .*bundlerUrl.* could not be reached/u,
    );
    await press('Create', 'Answer of the creation');
    const fund = page.getByRole('button', { name: 'Give 10 ETH' });
    const name = (await fund.getAttribute('aria-label')) ?? '';
    expect(await press(name, 'Answer of the development chain')).toBe(
      'Error: The development chain at http://127.0.0.1:9 does not answer. Is npm start running?',
    );
    // The browser logs refused connections.
    expect(bench.problems.splice(0).join()).toMatch(/Failed to load|REFUSED|UNSAFE/u);
  });

  it('save the servers of the development chain', async () => {
    await page.reload();
    refuse();
    expect(await press('Check and save', NETWORK)).toMatch(/^4001: /u);
    bench.world.wallet.user.onDialog = approveEverything;
    expect(await press('Check and save', NETWORK)).toBe('Anvil was saved.');
    await isDone('Use the network Anvil');
    expect(await page.content()).not.toContain(bench.world.stack.service.apiKeySecret);
  });

  it('create accounts, unless the user declines', async () => {
    const create = async (kind: string): Promise<string> => {
      await page.getByLabel('Type').selectOption(kind);
      return press('Create', 'Answer of the creation');
    };
    bench.world.wallet.user.confirmAccounts = false;
    expect(await create('eoa')).toMatch(/^4001: /u);
    bench.world.wallet.user.confirmAccounts = true;
    expect(await create('0.7')).toMatch(/^Account 0x[\da-f]{40} was created\.$/u);
    bench.world.wallet.onSnapCall = ({ method }) => {
      if (method === 'snap_manageAccounts') throw providerErrors.unauthorized();
    };
    expect(await create('smart')).toMatch(/ was created\. Not in MetaMask's list\.$/u);
    bench.world.wallet.onSnapCall = undefined;
    await isDone('Create an account');
  });

  it('connect the page, unless the user refuses', async () => {
    const label = 'Answer of the connection';
    refuse();
    expect(await press('Connect', label)).toBe('4001: The user refused the request.');
    bench.world.wallet.user.onDialog = approveEverything;
    expect(await press('Connect', label)).toBe('The page is connected.');
    await isDone('Connect accounts');
  });

  it('fund accounts', async () => {
    const buttons = page.getByRole('button', { name: 'Give 10 ETH' });
    for (const button of await buttons.all()) {
      const name = (await button.getAttribute('aria-label')) ?? '';
      expect(await press(name, 'Answer of the development chain')).toMatch(
        / has 10 ETH/u,
      );
    }
    await page.getByText('Balance: 10 ETH').first().waitFor();
    await isDone('Fund the account');
  });

  it('omit unconfigured fields', async () => {
    await page.route('**/stack.json', async (route) =>
      route.fulfill({ json: { snapId: DEFAULT_SNAP_ID } }),
    );
    await page.reload();
    await page.locator('main[data-state="ready"]').waitFor();
    expect(await page.getByRole('heading', { level: 2 }).count()).toBe(4);
  });
});

describe('requests', () => {
  const asked = new Set<string>();
  let ordinary: string;

  beforeAll(async () => {
    await page.goto(bench.server.url);
    await page.locator('summary').first().waitFor();
    const accounts = JSON.parse(await send('eth_accounts')) as string[];
    [ordinary = ''] = accounts;
  });

  const expectAnswer = async (name: string, part: string | RegExp): Promise<void> => {
    expect(await send(name)).toMatch(part);
    asked.add(name);
  };

  it.each(wrongParams)('reject wrong params: %s', async (name, params, code) => {
    expect(await send(name, params)).toMatch(new RegExp(`^${code ?? 'Error'}: `, 'u'));
  });

  it('reject malformed JSON before anything is sent', async () => {
    const before = bench.world.wallet.calls.length;
    expect(await send('personal_sign', '["a",]')).toMatch(/^Error: .*not valid JSON/u);
    expect(bench.world.wallet.calls).toHaveLength(before);
  });

  it.each([
    'eth_requestAccounts',
    'wallet_connect',
    'wallet_getPermissions',
    'wallet_requestPermissions',
  ])('connect: %s', async (name) => expectAnswer(name, ordinary));

  it.each([
    'personal_sign',
    'eth_signTypedData_v4',
    'eth_signTypedData_v3',
    'eth_signTransaction',
  ])('sign, and show who signed: %s', async (name) => {
    refuse();
    expect(await send(name)).toBe('4001: The user refused the request.');
    bench.world.wallet.user.onDialog = approveEverything;
    await expectAnswer(name, /0x/u);
    await checkOf(name)
      .getByText(`Signed by ${getAddress(ordinary)}, the account itself.`)
      .waitFor();
  });

  it('show that another account signed', async () => {
    const stranger = privateKeyToAccount(generatePrivateKey());
    const signature = await stranger.signMessage({ message: 'The toll is paid.' });
    bench.wallet.override = (method, params) => {
      const { request } = Object(params) as { request?: { method: string } };
      return request?.method === 'personal_sign'
        ? signature
        : answerAsFlask(method, params);
    };
    expect(await send('personal_sign')).toBe(signature);
    bench.wallet.override = answerAsFlask;
    await checkOf('personal_sign')
      .getByText(`Signed by ${stranger.address}, which is not the account`)
      .waitFor();
  });

  it('sign the sample document without a warning', async () => {
    let warnings: string[] = [];
    bench.world.wallet.user.onDialog = async (dialog) => {
      warnings = warningsOf(dialog.content);
      await dialog.approve();
    };
    await send('eth_signTypedData_v4');
    expect(warnings).toStrictEqual([]);
  });

  it('are found by a filter, and name the accounts that offer them', async () => {
    const filter = page.getByRole('searchbox', { name: 'Filter' });
    const shown = async (): Promise<string[]> =>
      page.locator('.methods > li:visible summary').allInnerTexts();
    await filter.fill('signTypedData_v4');
    expect(await shown()).toStrictEqual([
      expect.stringContaining('Needs: standard account or Safe.'),
    ]);
    await filter.fill('smart account, or');
    expect((await shown()).join()).toContain('eth_sendUserOperation');
    expect((await shown()).join()).not.toContain('eth_signTransaction');
    await filter.fill('');
  });

  it('send transactions, and follow them', async () => {
    const { url } = bench.world.stack.chain;
    const miner = createTestClient({ mode: 'anvil', transport: http(url) });
    await expectAnswer('eth_fillTransaction', '"raw"');
    await expectAnswer('eth_sendRawTransaction', /^0x/u);
    await checkOf('eth_sendRawTransaction').getByText('Status: confirmed').waitFor();
    await miner.setAutomine(false);
    await expectAnswer('eth_sendTransaction', /^0x/u);
    await checkOf('eth_sendTransaction').getByText('Status: pending').waitFor();
    await expectAnswer('tollkeeper_replaceTransaction', /^0x/u);
    await miner.setAutomine(true);
    await miner.mine({ blocks: 1 });
    await checkOf('tollkeeper_replaceTransaction').getByText('confirmed').waitFor();
    await expectAnswer('eth_sendTransaction', /^0x/u);
    await checkOf('eth_sendTransaction').getByText('Status: confirmed').waitFor();
    await expectAnswer('eth_getTransactionReceipt', '"status": "0x1"');
    await expectAnswer('eth_getTransactionByHash', '"blockNumber": "0x');
  });

  it('send user operations, each with the answers before', async () => {
    const form = await open('eth_getUserOperationReceipt');
    await form.getByText('Send eth_sendUserOperation first').waitFor();
    await expectAnswer('eth_prepareUserOperation', '"callData"');
    await expectAnswer('eth_patchUserOperation', '"paymasterAndData"');
    await expectAnswer('eth_estimateUserOperationGas', '"callGasLimit"');
    await expectAnswer('eth_signUserOperation', /^0x/u);
    await expectAnswer('eth_sendUserOperation', /^0x/u);
    await checkOf('eth_sendUserOperation').getByText('Status: confirmed').waitFor();
    await expectAnswer('eth_getUserOperationReceipt', '"success": true');
    await expectAnswer('eth_getUserOperationByHash', '"entryPoint"');
  });

  it('are filled in for the chosen account, where it offers them', async () => {
    const [, smart = ''] = JSON.parse(await send('eth_accounts')) as string[];
    await page.getByRole('combobox', { name: 'Account' }).selectOption({ index: 1 });
    const message = await open('personal_sign');
    expect(await message.getByRole('textbox').inputValue()).toContain(ordinary);
    const payment = await open('eth_sendTransaction');
    expect(await payment.getByRole('textbox').inputValue()).toContain(smart);
    expect(await send('eth_sendTransaction')).toMatch(/^0x/u);
    await checkOf('eth_sendTransaction').getByText('Status: confirmed').waitFor();
  });

  it('send calls', async () => {
    await expectAnswer('wallet_sendCalls', '"id"');
    await checkOf('wallet_sendCalls').getByText('Status: confirmed').waitFor();
    await expectAnswer('wallet_getCallsStatus', '"status": 200');
    await expectAnswer('wallet_showCallsStatus', 'null');
  });

  it('delegate a standard account to send calls in one transaction', async () => {
    await page.getByRole('combobox', { name: 'Account' }).selectOption({ index: 0 });
    expect(await send('wallet_sendCalls')).toContain('"id"');
    await checkOf('wallet_sendCalls').getByText('Status: confirmed').waitFor();
    const node = createPublicClient({ transport: http(bench.world.stack.chain.url) });
    const code = await node.getCode({ address: getAddress(ordinary) });
    const delegates = Object.values(verifiers.simple7702).map(
      (address) => `0xef0100${address.slice(2).toLowerCase()}`,
    );
    expect(delegates).toContain(code);
  });

  it.each([
    ['eth_signTypedData', /^0x/u],
    ['eth_signTypedData_v1', /^0x/u],
    ['eth_sign', /^4200: /u],
    ['wallet_signAuthorization', '"yParity"'],
    ['eth_chainId', '0x7a69'],
    ['eth_supportedEntryPoints', '0x'],
    ['wallet_getCapabilities', '"atomic"'],
    ['eth_getUncleByBlockNumberAndIndex', 'null'],
    ['eth_getUncleByBlockHashAndIndex', 'null'],
    ['gas_suggestedGasFees', '"estimatedBaseFee"'],
    ['gas_baseFeePercentile', '"baseFeePercentile"'],
    ['tollkeeper_getFeeLevels', '"source": "gas-api"'],
    ['tollkeeper_getPermissions', '"permissions"'],
    ['tollkeeper_revoke', /^-32602: .* is already revoked/u],
    ['rollup_estimateGas', '"gasLimit"'],
  ])('answer: %s', async (name, part) => expectAnswer(name, part));

  it('keep the page accessible and narrow with forms open and answered', async () => {
    await page.setViewportSize({ width: 360, height: 900 });
    expect(await findOverflow()).toBe(0);
    expect(await findBarriers()).toStrictEqual([]);
  });

  // It comes after the look at the page: of 200 kB, the search for barriers measures each line.
  it('answer: rpc.discover', async () =>
    expectAnswer('rpc.discover', '"openrpc": "1.3.2"'));

  it('disconnect', async () => {
    await expectAnswer('wallet_revokePermissions', 'null');
    await page.getByText('No account is connected.').waitFor();
    await expectAnswer('wallet_disconnect', 'null');
    await expectAnswer('eth_accounts', '[]');
  });

  it('were all made', () => {
    const names = siteGroups.flatMap(({ rows }) => rows.map(({ name }) => name));
    expect([...asked].sort()).toStrictEqual(names.sort());
  });
});

it('says where a request of MetaMask waits', async () => {
  await visit('ready', answerAsFlask, '?request=1');
  await page.getByRole('alert').getByText("on Tollkeeper's page").waitFor();
});

describe('looks', () => {
  beforeAll(async () => visit('ready', answerAsFlask));

  it.each(['light', 'dark'] as const)('has no barrier in %s', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    expect(await findBarriers()).toStrictEqual([]);
  });

  it.each([360, 768, 1_280])('fits %i pixels, and nothing moves', async (width) => {
    await page.setViewportSize({ width, height: 900 });
    expect(await sumShifts(1_500)).toBeLessThan(0.01);
    expect(await findOverflow()).toBe(0);
  });

  it('is used with the keyboard', async () => {
    expect(await findUnreached()).toStrictEqual([]);
  });
});

it('breaks no rule, throws nothing, and asks no foreign origin', () => {
  expect(bench.problems).toStrictEqual([]);
});

/** Starts the wallet and the browser, and opens the page. */
async function start() {
  const folder = await mkdtemp(join(tmpdir(), 'tollkeeper-dapp-'));
  const [world, browser, dapp] = await Promise.all([
    startWorld(),
    startBrowser(),
    buildDapp({ folder, connect: LOOPBACK }),
  ]);
  const snapUrl = DEFAULT_SNAP_ID.replace('local:', '');
  await deployVerifiers(world.stack);
  const server = await servePage(world.stack, { snapUrl, folder, port: 0 });
  // Its only page: this Chromium is one process, and ends with the first that is closed.
  const page = await browser.newPage({ viewport: { width: 1_280, height: 900 } });
  const problems = noteProblems(page);
  const wallet: { override: Override } = { override: answerAsFlask };
  const site = world.wallet.site(COMPANION_ORIGIN);
  await bridgeWallet(page, site, (method, params) => wallet.override(method, params));
  await page.goto(server.url);
  const stop = async (): Promise<void> => {
    await browser.close();
    await Promise.all([server.stop(), world.stop(), rm(folder, { recursive: true })]);
  };
  return {
    world,
    page,
    server,
    dapp,
    /** Errors, messages of the console, and requests to foreign origins. */
    problems,
    /** Answers in the wallet's place; may be changed at any time. */
    wallet,
    stop,
  };
}

// What may be asked of this machine: the page's own server and those that it is built for.
function noteProblems(page: Page): string[] {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol === 'data:' || ['localhost', '127.0.0.1'].includes(hostname)) return;
    problems.push(`asked ${hostname}`);
  });
  return problems;
}

/** Faults of accessibility that are serious or worse, with where they are. */
async function findBarriers(): Promise<string[]> {
  // Legacy: it opens no page of its own, and closes none.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, any }) => `${id}: ${target.join(' ')} ${any[0]?.message}`),
    );
}

/** Loads the page anew, and sums up how far things move by themselves within a time. */
async function sumShifts(ms: number): Promise<number> {
  await page.reload();
  await page.locator('main[data-state]').waitFor();
  return page.evaluate(
    async (wait) =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            const { value, hadRecentInput } = entry as PerformanceEntry & {
              value: number;
              hadRecentInput: boolean;
            };
            if (!hadRecentInput) sum += value;
          }
        }).observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => resolve(sum), wait);
      }),
    ms,
  );
}

/** Walks through the page by Tab, and names the controls that are not come by. */
async function findUnreached(): Promise<string[]> {
  const count = await page.evaluate(() => {
    const focusable =
      'a[href], button, input, select, textarea, summary, [tabindex="0"]';
    const controls = [...document.querySelectorAll<HTMLElement>(focusable)].filter(
      (element) =>
        element.checkVisibility() &&
        !element.matches(':disabled') &&
        // Of radio buttons one is come by; the others are chosen by arrows.
        !element.matches('[type="radio"]:not(:checked)'),
    );
    for (const control of controls) control.dataset.unreached = '';
    document.addEventListener('focusin', ({ target }) => {
      delete (target as HTMLElement).dataset.unreached;
    });
    return controls.length;
  });
  for (let pressed = 0; pressed <= count; pressed += 1) {
    await page.keyboard.press('Tab');
  }
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[data-unreached]')].map(
      ({ outerHTML }) => outerHTML.slice(0, 120),
    ),
  );
}

/** How much wider the page is than its window, in pixels. */
async function findOverflow(): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
}
