// The forms of the page in a real Chromium, against the built snap in MetaMask's packages:
// every method once refused and once answered, in the order of a first visit.
import type { Locator, Page } from 'playwright-core';
import { createTestClient, http, getAddress } from 'viem';
import type { TestClient } from 'viem';

import { methodGroups } from '../../dev/dapp/methods/rows';
import {
  configureChain,
  createAccount,
  type DemoAccount,
  type World,
} from '../../dev/demo/world';
import { wrongParams } from '../../dev/fuzz/calls';
import { refuseAll } from '../../dev/wallet/user';
import { PATIENCE_MS } from '../fixtures/stack/requests';
import { approveEverything } from '../support/page-actions';
import { findBarriers } from '../support/page-looks';
import { startPageWorld } from '../support/page-world';
import type { PageWorld } from '../support/page-world';

/** What a form said. */
type Said = {
  /** The code of a failure. */
  code?: string;
  text: string;
};

/** A page with forms. */
type FormPage = Pick<PageWorld, 'world' | 'page' | 'problems' | 'stop'> & {
  ordinary: DemoAccount;
  smart: DemoAccount;
  /** Rules the chain. */
  miner: TestClient<'anvil'>;
  /** Open a method's form; it stays open. */
  open: (name: string) => Promise<Locator>;
  /** Have the user approve every dialog from now on, with every account; or refuse it. */
  approve: () => void;
  refuse: () => void;
  /** Methods that refused, or were refused. */
  refused: ReadonlySet<string>;
  /** Ask a method what its form says, or other params, which are taken back then. */
  ask: (name: string, params?: string) => Promise<Said>;
  /** Wait for what was found about the last answer. */
  verified: (name: string) => Promise<string>;
};

/** Start all of it. Nothing was granted to the page yet. */
async function startFormPage(): Promise<FormPage> {
  const { world, page, problems, stop } = await startPageWorld();
  try {
    const accounts = await prepare(world);
    const miner = createTestClient({
      mode: 'anvil',
      transport: http(world.stack.chain.url),
    });
    page.setDefaultTimeout(PATIENCE_MS);
    // Scrolling smoothly to each form takes its time.
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.reload();
    await page.locator('main[data-state=ready]').waitFor();
    return {
      world,
      page,
      problems,
      stop,
      miner,
      ...accounts,
      ...createHands(world, page),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function prepare(
  world: World,
): Promise<{ ordinary: DemoAccount; smart: DemoAccount }> {
  await configureChain(world);
  const { chainId } = world.stack;
  const scopes = [`eip155:${chainId}`];
  const ordinary = await createAccount(world, { type: 'eip155:eoa' });
  const options = { type: 'eip155:erc4337', scopes, entryPoint: '0.7' };
  const smart = await createAccount(world, options);
  await world.stack.fund(ordinary.address, '10');
  await world.stack.fund(smart.address, '10');
  return { ordinary, smart };
}

type Hands = Pick<
  FormPage,
  'open' | 'ask' | 'verified' | 'approve' | 'refuse' | 'refused'
>;

function createHands({ wallet: { user } }: World, page: Page): Hands {
  const refused = new Set<string>();
  const open = async (name: string): Promise<Locator> => {
    const row = page.locator('details.method').filter({
      has: page.locator('summary code').getByText(name, { exact: true }),
    });
    if ((await row.getAttribute('open')) === null) {
      await row
        .locator('summary')
        .evaluate((element) => (element as HTMLElement).click());
      await row.locator('form').waitFor();
    }
    return row;
  };
  return {
    open,
    refused,
    approve: () => {
      user.onDialog = approveEverything;
    },
    refuse: () => {
      user.onDialog = refuseAll;
    },
    ask: async (name, params) => {
      const row = await open(name);
      if (params !== undefined) await row.getByRole('textbox').fill(params);
      const button = row.getByRole('button', { name: `Ask ${name}`, exact: true });
      // By the page itself: a pointer waits for frames, which a drawing without a GPU has few of.
      await button.evaluate((element) => (element as HTMLElement).click());
      const said = await readAnswer(row, name);
      if (said.code !== undefined || params !== undefined) refused.add(name);
      if (params !== undefined) {
        const reset = `Reset to example: ${name}`;
        const again = row.getByRole('button', { name: reset, exact: true });
        await again.evaluate((element) => (element as HTMLElement).click());
      }
      return said;
    },
    verified: async (name) => {
      const row = await open(name);
      const place = row.getByLabel(`Verification of ${name}`, { exact: true });
      await place.getByText(/^(?:Right|Wrong)$/u).waitFor();
      return (await place.textContent()) ?? '';
    },
  };
}

async function readAnswer(row: Locator, name: string): Promise<Said> {
  const wrong = row.locator('.hint.error');
  const done = row.locator('.output.done, .output.failed');
  await wrong.or(done).first().waitFor();
  if (await wrong.isVisible()) return { text: (await wrong.textContent()) ?? '' };
  const output = row.getByLabel(`Answer of ${name}`, { exact: true });
  const code = output.locator('.output-code');
  const text = (await output.locator('span').textContent()) ?? '';
  if ((await code.count()) === 0) return { text };
  return { code: ((await code.textContent()) ?? '').replace(/:\s*$/u, ''), text };
}

let forms: FormPage;
const answered = new Set<string>();

beforeAll(async () => {
  forms = await startFormPage();
});

afterAll(async () => {
  await forms?.stop();
});

const expectRefusal = async (name: string): Promise<void> => {
  forms.refuse();
  const refused = { code: '4001', text: 'The user refused the request.' };
  expect(await forms.ask(name)).toStrictEqual(refused);
};

const expectAnswer = async (name: string, part: string): Promise<void> => {
  forms.approve();
  const { code, text } = await forms.ask(name);
  expect(code).toBeUndefined();
  expect(text).toContain(part);
  answered.add(name);
};

it('says what to do first, and asks nothing', async () => {
  expect(await forms.ask('personal_sign')).toStrictEqual({
    text: 'Create an ordinary account and connect this site to it first.',
  });
});

it('says where JSON breaks off, and asks nothing', async () => {
  const before = forms.world.wallet.calls.length;
  expect(await forms.ask('personal_sign', '["a",\n  ]')).toStrictEqual({
    text: 'Line 2, column 3: a value was expected.',
  });
  expect(forms.world.wallet.calls).toHaveLength(before);
});

it('shows that the user refused to connect', async () => {
  await expectRefusal('eth_requestAccounts');
  await expectRefusal('wallet_requestPermissions');
});

describe('params that are wrong', () => {
  it.each(wrongParams)('are refused by %s', async (name, params, code) => {
    const said = await forms.ask(name, params);
    expect(said.code).toBe(code);
    expect(said.text).not.toBe('');
  });
});

describe('accounts and signatures', () => {
  it('connects', async () => {
    await expectAnswer('eth_requestAccounts', forms.ordinary.address);
    await expectAnswer('eth_accounts', forms.smart.address);
    await expectAnswer('wallet_getPermissions', 'eth_accounts');
    await expectAnswer('wallet_requestPermissions', 'eth_accounts');
    await expectAnswer('eth_chainId', '0x7a69');
    await expectAnswer('wallet_getCapabilities', '"status": "unsupported"');
  });

  it.each([
    'personal_sign',
    'eth_signTypedData_v4',
    'eth_signTypedData_v3',
    'eth_signTypedData_v1',
    'eth_signTypedData',
    'eth_signTransaction',
  ])('signs, and verifies who did: %s', async (name) => {
    await expectRefusal(name);
    await expectAnswer(name, name === 'eth_signTransaction' ? '"raw": "0x02' : '0x');
    expect(await forms.verified(name)).toBe(
      `Right Recovered address: ${getAddress(forms.ordinary.address)}, the account's own.`,
    );
  });
});

describe('transactions', () => {
  it('sends what was signed, and follows it', async () => {
    await expectAnswer('eth_sendRawTransaction', '0x');
    expect(await forms.verified('eth_sendRawTransaction')).toMatch(
      /^Right Receipt: Included in block \d+\.$/u,
    );
  });

  it('sends, and speeds up what is pending', async () => {
    await expectAnswer('eth_fillTransaction', '"raw"');
    await expectRefusal('eth_sendTransaction');
    await forms.miner.setAutomine(false);
    await expectAnswer('eth_sendTransaction', '0x');
    await expectRefusal('tollkeeper_replaceTransaction');
    await expectAnswer('tollkeeper_replaceTransaction', '0x');
    await forms.miner.setAutomine(true);
    await forms.miner.mine({ blocks: 1 });
    expect(await forms.verified('tollkeeper_replaceTransaction')).toMatch(/^Right/u);
    await expectAnswer('eth_getTransactionReceipt', '"status": "0x1"');
    await expectAnswer('eth_getTransactionByHash', '"blockNumber": "0x');
    await expectAnswer('eth_getUncleByBlockNumberAndIndex', 'null');
    await expectAnswer('eth_getUncleByBlockHashAndIndex', 'null');
  });
});

it('prepares, patches, signs and sends one, each form with the answer before', async () => {
  await expectAnswer('eth_prepareUserOperation', '"callData"');
  await expectAnswer('eth_patchUserOperation', '"paymasterAndData": "0x"');
  await expectAnswer('eth_estimateUserOperationGas', '"callGasLimit"');
  await expectRefusal('eth_sendUserOperation');
  await expectRefusal('eth_signUserOperation');
  await expectAnswer('eth_signUserOperation', '0x');
  expect(await forms.verified('eth_signUserOperation')).toMatch(
    /^Right Recovered address/u,
  );
  await expectAnswer('eth_sendUserOperation', '0x');
  expect(await forms.verified('eth_sendUserOperation')).toMatch(/^Right Receipt/u);
  await expectAnswer('eth_getUserOperationReceipt', '"success": true');
  await expectAnswer('eth_getUserOperationByHash', '"entryPoint"');
  await expectAnswer('eth_supportedEntryPoints', '0x');
});

it('sends calls and tells their status', async () => {
  await expectRefusal('wallet_sendCalls');
  await expectAnswer('wallet_sendCalls', '"id"');
  expect(await forms.verified('wallet_sendCalls')).toMatch(/^Right Receipt/u);
  await expectAnswer('wallet_getCallsStatus', '"status": 200');
  await expectAnswer('wallet_showCallsStatus', 'null');
});

it('tells what gas costs, and what there is to call', async () => {
  await expectAnswer('gas_suggestedGasFees', '"estimatedBaseFee"');
  await expectAnswer('gas_baseFeePercentile', '"baseFeePercentile"');
  await expectAnswer('tollkeeper_getFeeLevels', '"source": "gas-api"');
  await expectAnswer('rollup_estimateGas', '"gasLimit"');
  await expectAnswer('rpc.discover', '"openrpc": "1.3.2"');
});

it('sends and batches, and follows both until they are included', async () => {
  forms.approve();
  const { page, miner } = forms;
  const send = page.locator('#send');
  const row = (title: string) => send.locator('.sent > li').filter({ hasText: title });
  await miner.setAutomine(false);
  await send.getByRole('button', { name: 'Send', exact: true }).click();
  const payment = row('0.001 ETH to');
  await payment.getByText('Waiting for a block').waitFor();
  await payment.getByRole('button', { name: /^Cancel/u }).click();
  await payment.getByText('Being cancelled.').waitFor();
  await miner.setAutomine(true);
  await miner.mine({ blocks: 1 });
  await payment.getByText(/Cancelled\. Included in block \d+/u).waitFor();
  const batch = page.getByRole('article', { name: 'Batch' });
  await batch.getByLabel('From').selectOption({ index: 1 });
  await batch.getByLabel('All or none').check();
  await batch.getByRole('button', { name: 'Send all' }).click();
  await row('2 calls, all or none')
    .getByText(/^Included in block \d+/u)
    .waitFor();
  forms.refuse();
  await send.getByRole('button', { name: 'Send', exact: true }).click();
  await row('0.001 ETH to').getByText('4001: The user refused the request.').waitFor();
  const article = page.getByRole('article', { name: 'Send', exact: true });
  await article.getByLabel('To').fill('0x12');
  await send.getByRole('button', { name: 'Send', exact: true }).click();
  await article.getByText('An address: 0x and 40 hex digits.').waitFor();
});

it('goes through the tabs of a form by arrow keys', async () => {
  const row = await forms.open('personal_sign');
  await row.getByRole('tab', { name: 'Request (JSON)' }).focus();
  await forms.page.keyboard.press('ArrowRight');
  const tab = row.getByRole('tab', { name: 'viem' });
  expect(await tab.evaluate((each) => each === document.activeElement)).toBe(true);
  expect(await row.getByRole('tabpanel').textContent()).toContain('client.signMessage');
});

it('has no serious finding of axe, with forms open and answered', async () => {
  const places = ['#send', '#methods .card:nth-of-type(1)'];
  expect(await findBarriers(forms.page, places)).toStrictEqual([]);
});

it('gives its accounts back', async () => {
  await expectAnswer('wallet_revokePermissions', 'null');
  await expectAnswer('eth_accounts', '[]');
});

it('has used every form for both, broken no rule of the page and thrown nothing', () => {
  expect(forms.problems).toStrictEqual([]);
  const names = methodGroups.flatMap(({ rows }) => rows.map(({ name }) => name));
  expect(names.filter((name) => !forms.refused.has(name))).toStrictEqual([]);
  expect(names.filter((name) => !answered.has(name))).toStrictEqual([
    'eth_sign',
    'wallet_signAuthorization',
  ]);
});
