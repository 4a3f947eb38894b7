// The development page in a real Chromium, with the built snap in MetaMask's packages: its steps,
// every method for sites, its size, layout and accessibility.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { AxeBuilder } from '@axe-core/playwright';
import { providerErrors } from '@metamask/rpc-errors';
import type { Page } from 'playwright-core';
import {
  createPublicClient,
  createTestClient,
  getAddress,
  http,
  recoverMessageAddress,
  recoverTransactionAddress,
  recoverTypedDataAddress,
  zeroAddress,
} from 'viem';
import type { Hex, TransactionSerialized, TypedDataDefinition } from 'viem';

import { buildDapp } from '../../dev/build/dapp';
import { LOOPBACK } from '../../dev/build/policy';
import { ceilings } from '../../dev/build/size';
import { startWorld } from '../../dev/demo/world';
import { getContractMethod, listExamples, siteMethods } from '../../dev/docs/contract';
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
import { MAX_WAIT_MS, poll } from '../fixtures/stack/requests';
import { warningsOf } from '../support/view';

const CHAIN = '0x7a69';

const RECIPIENT = '0x000000000000000000000000000000000000bEEF';

const UNKNOWN_HASH = `0x${'00'.repeat(32)}`;

let bench: Awaited<ReturnType<typeof start>>;
let page: Page;

beforeAll(async () => {
  bench = await start();
  ({ page } = bench);
  page.setDefaultTimeout(MAX_WAIT_MS);
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

async function approveEverything(dialog: Dialog): Promise<void> {
  for (const name of Object.keys(dialog.values)) await dialog.fill(name, true);
  await dialog.approve();
}

const refuse = (): void => {
  bench.world.wallet.user.onDialog = refuseAll;
};

/** Presses a button, and returns the outcome; an error begins with its code. */
async function press(name: string, label: string): Promise<string> {
  const button = page.getByRole('button', { name, exact: true });
  const output = page.getByLabel(label, { exact: true });
  // `click` waits for frames, and a browser without a GPU renders few.
  await button.dispatchEvent('click');
  await page.waitForFunction(
    (element) => element?.matches('.done, .failed'),
    await output.elementHandle(),
  );
  return (await output.innerText()).replaceAll(/\s+/gu, ' ').trim();
}

const choose = async (method: string): Promise<void> =>
  page
    .locator('.examples li', { has: page.getByText(method, { exact: true }) })
    .getByRole('button')
    .dispatchEvent('click');

const toText = (params?: unknown): string | undefined =>
  params === undefined ? undefined : JSON.stringify(params);

const paramsField = () => page.getByRole('textbox', { name: 'Params (JSON)' });

async function send(method: string, params?: string): Promise<string> {
  if (params === undefined) {
    await choose(method);
  } else {
    await page.getByRole('textbox', { name: 'Method' }).fill(method);
    await paramsField().fill(params);
  }
  return press('Send', 'Answer of the request');
}

async function visit(state: string, override: Override, query = ''): Promise<void> {
  bench.wallet.override = override;
  await page.goto(`${bench.server.url}/${query}`);
  await page.locator(`main[data-state="${state}"]`).waitFor();
}

/** Answers like a wallet that has this snap, or no snap. */
function withSnap(snap?: object, name = 'MetaMask/v13.5.0-flask.0'): Override {
  return (method) => {
    if (method === 'wallet_getSnaps') return snap ? { [DEFAULT_SNAP_ID]: snap } : {};
    return method === 'web3_clientVersion' ? name : undefined;
  };
}

it('keeps the page below its size limit', () => {
  const { size } = bench.dapp;
  process.stdout.write(`page: ${size.raw} bytes, ${size.gzipped} gzipped\n`);
  const { raw, gzipped } = ceilings['development page, one visit'];
  expect(size.raw).toBeLessThanOrEqual(raw);
  expect(size.gzipped).toBeLessThanOrEqual(gzipped);
});

describe('the installation step', () => {
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
        text: 'The installed version does not match this page.',
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
  ])('says what to do in the state %s', async (state, { text, verb, override }) => {
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

  it('succeeds in MetaMask, unless the user rejects it', async () => {
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

  it('shows the error if the snap refuses the page', async () => {
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
  const configure = async (config: object): Promise<void> => {
    await page.route('**/stack.json', async (route) => route.fulfill({ json: config }));
    await page.reload();
    await page.locator('main[data-state="ready"]').waitFor();
  };

  afterEach(async () => {
    await page.unroute('**/stack.json');
    await page.goto(bench.server.url);
    await page.locator('main[data-state="ready"]').waitFor();
  });

  const create = async (kind: string): Promise<string> => {
    await page.getByLabel('Type').selectOption(kind);
    return press('Create', 'Answer of the creation');
  };

  it('save the servers of the development chain, unless the user refuses', async () => {
    refuse();
    expect(await send('tollkeeper_setChain')).toMatch(/^4001: /u);
    bench.world.wallet.user.onDialog = approveEverything;
    expect(await send('tollkeeper_setChain')).toContain('"eip155:31337"');
  });

  it('create accounts, unless the user declines', async () => {
    bench.world.wallet.user.confirmAccounts = false;
    expect(await create('eoa')).toMatch(/^4001: /u);
    bench.world.wallet.user.confirmAccounts = true;
    expect(await create('eoa')).toMatch(/^Account 0x[\da-f]{40} was created\.$/u);
    expect(await create('0.7')).toMatch(/^Account 0x[\da-f]{40} was created\.$/u);
    bench.world.wallet.onSnapCall = ({ method }) => {
      if (method === 'snap_manageAccounts') throw providerErrors.unauthorized();
    };
    expect(await create('smart')).toMatch(/ was created\. Not in MetaMask's list\.$/u);
    bench.world.wallet.onSnapCall = undefined;
  });

  it('connect the page, unless the user refuses', async () => {
    const label = 'Answer of the connection';
    refuse();
    expect(await press('Connect', label)).toBe('4001: The user refused the request.');
    bench.world.wallet.user.onDialog = approveEverything;
    expect(await press('Connect', label)).toBe('The page is connected.');
    const connected = page.getByRole('list', { name: 'Connected accounts' });
    expect(await connected.getByRole('listitem').count()).toBe(3);
  });

  const fund = async (): Promise<string[]> => {
    const answers: string[] = [];
    for (const button of await page.getByText('Give 10 ETH').all()) {
      const name = (await button.getAttribute('aria-label')) ?? '';
      answers.push(await press(name, 'Answer of the development chain'));
    }
    return answers;
  };

  it('fund accounts', async () => {
    const answers = await fund();
    expect(answers).toHaveLength(3);
    const node = createPublicClient({ transport: http(bench.world.stack.chain.url) });
    for (const answer of answers) {
      const [address = ''] = /0x[\da-f]{40}/u.exec(answer) ?? [];
      expect(await node.getBalance({ address: getAddress(address) })).toBe(10n ** 19n);
    }
  });

  it('name a server that does not answer', async () => {
    const url = 'http://127.0.0.1:9';
    await configure({
      snapId: DEFAULT_SNAP_ID,
      chainId: 31337,
      chainUrl: url,
      bundlerUrl: url,
    });
    expect(await send('tollkeeper_setChain')).toMatch(
      /^-32002: .*bundlerUrl.* could not be reached/u,
    );
    expect((await fund())[0]).toBe(
      `Error: The development chain at ${url} does not answer. Is npm start running?`,
    );
    // The browser logs the refused connections.
    expect(bench.problems.splice(0).join()).toMatch(/Failed to load|REFUSED|UNSAFE/u);
  });

  it('are hidden if they are not configured', async () => {
    await configure({ snapId: DEFAULT_SNAP_ID });
    expect(await page.getByRole('heading', { level: 2 }).count()).toBe(4);
  });
});

describe('requests', () => {
  const answered = new Set<string>();
  let ordinary: string;
  let smart: string;

  beforeAll(async () => {
    const accounts = await send('eth_accounts', '[]');
    [ordinary = '', smart = ''] = JSON.parse(accounts) as string[];
  });

  const expectAnswer = async (
    name: string,
    part: string | RegExp,
    params?: unknown,
  ): Promise<string> => {
    const answer = await send(name, toText(params));
    expect(answer).toMatch(part);
    answered.add(name);
    return answer;
  };

  const expectEventually = async (name: string, part: string, params?: unknown) => {
    const sent = toText(params);
    await poll(async () => (await send(name, sent)).includes(part) || undefined);
    answered.add(name);
  };

  it.each(wrongParams)(
    'are refused with wrong params: %s',
    async (name, params, code) => {
      expect(await send(name, params)).toMatch(
        new RegExp(`^${code ?? '-32602'}: `, 'u'),
      );
    },
  );

  it('are not sent if their JSON is malformed', async () => {
    const before = bench.world.wallet.calls.length;
    expect(await send('personal_sign', '["a",]')).toMatch(/^Error: .*JSON/u);
    expect(bench.world.wallet.calls).toHaveLength(before);
  });

  it('connect the page', async () => {
    await expectAnswer('eth_requestAccounts', ordinary, []);
    const signInWithEthereum = { nonce: 'k13wuyv6db6cz', chainId: CHAIN };
    const capabilities = { signInWithEthereum };
    await expectAnswer('wallet_connect', ordinary, [{ version: '1', capabilities }]);
    await expectAnswer('wallet_getPermissions', ordinary, []);
    await expectAnswer('wallet_requestPermissions', ordinary, [{ eth_accounts: {} }]);
  });

  /** Sends a signing request twice: the user refuses the first and approves the second. */
  const sign = async (name: string, params?: unknown): Promise<Hex> => {
    refuse();
    const given = toText(params);
    expect(await send(name, given)).toBe('4001: The user refused the request.');
    bench.world.wallet.user.onDialog = approveEverything;
    return (await expectAnswer(name, '0x', params)) as Hex;
  };

  it('sign messages', async () => {
    const signature = await sign('personal_sign');
    const [message = ''] = JSON.parse(await paramsField().inputValue()) as string[];
    const recovered = await recoverMessageAddress({ message, signature });
    expect(recovered).toBe(getAddress(ordinary));
  });

  it('sign typed data, and show no warning for the example', async () => {
    const v4 = await sign('eth_signTypedData_v4');
    const [, document] = JSON.parse(await paramsField().inputValue()) as [
      string,
      TypedDataDefinition,
    ];
    const v3 = await sign('eth_signTypedData_v3', [ordinary, document]);
    for (const signature of [v4, v3]) {
      const recovered = await recoverTypedDataAddress({ ...document, signature });
      expect(recovered).toBe(getAddress(ordinary));
    }
    let warnings: string[] | undefined;
    bench.world.wallet.user.onDialog = async (dialog) => {
      warnings = warningsOf(dialog.content);
      await dialog.approve();
    };
    await send('eth_signTypedData_v4');
    expect(warnings).toStrictEqual([]);
    const entries = [{ type: 'string', name: 'Message', value: 'Hello.' }];
    await expectAnswer('eth_signTypedData', /^0x/u, [ordinary, entries]);
    await expectAnswer('eth_signTypedData_v1', /^0x/u, [ordinary, entries]);
  });

  it('have examples that can be filtered', async () => {
    const filter = page.getByRole('searchbox', { name: 'Filter' });
    await filter.fill(' Typed ');
    const shown = await page.locator('.examples li').allInnerTexts();
    expect(shown).toStrictEqual([expect.stringContaining('eth_signTypedData_v4')]);
    await filter.fill('');
  });

  it('sign, send, replace and find transactions', async () => {
    const { url } = bench.world.stack.chain;
    const miner = createTestClient({ mode: 'anvil', transport: http(url) });
    const node = createPublicClient({ transport: http(url) });
    const confirm = async (hash: string): Promise<void> => {
      const { status } = await node.waitForTransactionReceipt({ hash: hash as Hex });
      expect(status).toBe('success');
    };
    const payment = [{ from: ordinary, to: RECIPIENT, value: '0x1' }];
    const { raw } = JSON.parse(await sign('eth_signTransaction')) as {
      raw: TransactionSerialized;
    };
    const signer = await recoverTransactionAddress({ serializedTransaction: raw });
    expect(signer).toBe(getAddress(ordinary));
    await expectAnswer('eth_fillTransaction', '"raw"', payment);
    await confirm(await expectAnswer('eth_sendRawTransaction', /^0x/u, [raw]));
    await miner.setAutomine(false);
    const pending = await expectAnswer('eth_sendTransaction', /^0x/u);
    const speedUp = [pending, { action: 'speedUp' }];
    const replaced = await expectAnswer(
      'tollkeeper_replaceTransaction',
      /^0x/u,
      speedUp,
    );
    await miner.setAutomine(true);
    await miner.mine({ blocks: 1 });
    await confirm(replaced);
    const sent = await expectAnswer('eth_sendTransaction', /^0x/u);
    await confirm(sent);
    // The example contains the hash of the last transaction.
    await expectAnswer('eth_getTransactionReceipt', sent);
    await expectAnswer('eth_getTransactionByHash', '"blockNumber": "0x', [sent]);
  });

  it('prepare, sign and send user operations', async () => {
    const call = { to: RECIPIENT, value: '0x1', data: '0x' };
    const expectForSmart = async (
      name: string,
      part: string | RegExp,
      params: unknown,
    ) => expectAnswer(name, part, { account: smart, params });
    const prepared = JSON.parse(
      await expectForSmart('eth_prepareUserOperation', '"callData"', [call]),
    ) as Record<string, unknown> & { gasLimits: object };
    const { callData, initCode, nonce, gasLimits, dummySignature } = prepared;
    const operation = {
      sender: smart,
      nonce,
      initCode,
      callData,
      ...gasLimits,
      maxFeePerGas: '0x77359400',
      maxPriorityFeePerGas: '0x3b9aca00',
      paymasterAndData: '0x',
      signature: dummySignature,
    };
    await expectForSmart('eth_patchUserOperation', '"paymasterAndData"', [operation]);
    await expectForSmart('eth_estimateUserOperationGas', '"callGasLimit"', [call]);
    await expectForSmart('eth_signUserOperation', /^0x/u, [operation]);
    const hash = await expectAnswer('eth_sendUserOperation', /^0x/u);
    await expectEventually('eth_getUserOperationReceipt', '"success": true', [hash]);
    await expectAnswer('eth_getUserOperationByHash', '"entryPoint"', [hash]);
  });

  it('send calls', async () => {
    const { id } = JSON.parse(await expectAnswer('wallet_sendCalls', '"id"')) as {
      id: string;
    };
    await expectEventually('wallet_getCallsStatus', '"status": 200');
    await expectAnswer('wallet_showCallsStatus', 'null', [id]);
  });

  it('send calls from a standard account by delegating it', async () => {
    await choose('wallet_sendCalls');
    const params = await paramsField().inputValue();
    expect(await send('wallet_sendCalls', params.replace(smart, ordinary))).toContain(
      '"id"',
    );
    await expectEventually('wallet_getCallsStatus', '"status": 200');
    const node = createPublicClient({ transport: http(bench.world.stack.chain.url) });
    const code = await node.getCode({ address: getAddress(ordinary) });
    const delegates = Object.values(verifiers.simple7702).map(
      (address) => `0xef0100${address.slice(2).toLowerCase()}`,
    );
    expect(delegates).toContain(code);
  });

  it('get answers from the remaining methods', async () => {
    const accountOnChain = { account: ordinary, chainId: CHAIN };
    const [example] = listExamples(getContractMethod('tollkeeper_revoke'));
    const [revocation] = (example?.params ?? []) as object[];
    await expectAnswer('tollkeeper_revoke', /^-32602: .* is already revoked/u, [
      { ...revocation, ...accountOnChain },
    ]);
    const undelegate = [{ ...accountOnChain, address: zeroAddress }];
    await expectAnswer('wallet_signAuthorization', '"yParity"', undelegate);
    await expectAnswer('eth_sign', /^4200: /u, [ordinary, '0x54']);
    await expectAnswer('eth_chainId', CHAIN, []);
    await expectAnswer('eth_supportedEntryPoints', '0x', []);
    await expectAnswer('wallet_getCapabilities', '"atomic"', [ordinary]);
    await expectAnswer('eth_getUncleByBlockNumberAndIndex', 'null', ['0x1', '0x0']);
    await expectAnswer('eth_getUncleByBlockHashAndIndex', 'null', [
      UNKNOWN_HASH,
      '0x0',
    ]);
    await expectAnswer('gas_suggestedGasFees', '"estimatedBaseFee"', [CHAIN]);
    await expectAnswer('gas_baseFeePercentile', '"baseFeePercentile"', [CHAIN]);
    await expectAnswer('tollkeeper_getFeeLevels', '"source": "gas-api"');
    await expectAnswer('tollkeeper_getPermissions', '"permissions"');
    await expectAnswer('rollup_estimateGas', '"gasLimit"', [
      { from: ordinary, to: RECIPIENT, value: '0x1' },
    ]);
  });

  it('leave the page accessible, without overflow in a narrow window', async () => {
    await page.setViewportSize({ width: 360, height: 900 });
    expect(await findOverflow()).toBe(0);
    expect(await findBarriers()).toStrictEqual([]);
  });

  // Runs after the accessibility check, which would measure each line of this 200 kB answer.
  it('get the contract from rpc.discover', async () => {
    await expectAnswer('rpc.discover', '"openrpc": "1.3.2"');
  });

  it('disconnect the page', async () => {
    await expectAnswer('wallet_revokePermissions', 'null');
    const connected = page.getByRole('list', { name: 'Connected accounts' });
    await connected.getByRole('listitem').first().waitFor({ state: 'detached' });
    await expectAnswer('wallet_disconnect', 'null', []);
    await expectAnswer('eth_accounts', '[]', []);
  });

  it('cover every method', () => {
    const names = siteMethods.map(({ name }) => name);
    expect([...answered].sort()).toStrictEqual(names.sort());
  });
});

it("tells the user where to find MetaMask's pending request", async () => {
  await visit('ready', answerAsFlask, '?request=1');
  await page.getByRole('alert').getByText("on Tollkeeper's page").waitFor();
});

describe('the layout', () => {
  beforeAll(async () => visit('ready', answerAsFlask));

  it.each(['light', 'dark'] as const)(
    'has no accessibility violations in %s mode',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme });
      expect(await findBarriers()).toStrictEqual([]);
    },
  );

  it.each([360, 768, 1_280])('fits %i pixels and does not shift', async (width) => {
    await page.setViewportSize({ width, height: 900 });
    expect(await sumShifts(1_500)).toBeLessThan(0.01);
    expect(await findOverflow()).toBe(0);
  });

  it('lets the keyboard reach every control', async () => {
    expect(await findUnreached()).toStrictEqual([]);
  });
});

it('logs no errors, throws nothing, and contacts no other machine', () => {
  expect(bench.problems).toStrictEqual([]);
});

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
  // This Chromium is a single process, which ends when any page is closed.
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
    problems,
    wallet,
    stop,
  };
}

// Collects errors, warnings, and requests to other machines. The page's server and the stack are
// local.
function noteProblems(page: Page): string[] {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol === 'data:' || ['localhost', '127.0.0.1'].includes(hostname)) return;
    problems.push(`requested ${hostname}`);
  });
  return problems;
}

async function findBarriers(): Promise<string[]> {
  // Legacy mode does not open and close another page, which would end this Chromium.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, any }) => `${id}: ${target.join(' ')} ${any[0]?.message}`),
    );
}

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

/** Moves through the page with the Tab key, and lists the controls that never receive focus. */
async function findUnreached(): Promise<string[]> {
  const count = await page.evaluate(() => {
    const focusable =
      'a[href], button, input, select, textarea, summary, [tabindex="0"]';
    const controls = [...document.querySelectorAll<HTMLElement>(focusable)].filter(
      (element) =>
        element.checkVisibility() &&
        !element.matches(':disabled') &&
        // Tab reaches one radio button of a group; arrow keys select the others.
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

async function findOverflow(): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
}
