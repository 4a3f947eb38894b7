// The companion page in a real Chromium, against the built snap in MetaMask's packages: the way
// to the snap, the gas market, and how the page looks, weighs and behaves.
import type { Page } from 'playwright-core';

import { ceilings } from '../../dev/build/size';
import { callRpc } from '../../dev/stack/server';
import { answerAsFlask, type Override } from '../../dev/wallet/browser';
import { DEFAULT_SNAP_ID } from '../../dev/wallet/options';
import { SiteError } from '../../dev/wallet/wallet';
import { approveEverything, press } from '../support/page-actions';
import {
  findBarriers,
  findOverflow,
  findUnreached,
  sumShifts,
} from '../support/page-looks';
import { pageStates, withSnap } from '../support/page-states';
import { type PageWorld, startPageWorld } from '../support/page-world';

const INSTALLATION = 'Answer of the installation';

let bench: PageWorld;
let page: Page;

beforeAll(async () => {
  bench = await startPageWorld();
  ({ page } = bench);
  bench.world.wallet.user.onDialog = approveEverything;
  await page.locator('main[data-state="ready"]').waitFor();
});

afterAll(async () => {
  await bench?.stop();
});

it('is light, and ready soon', async () => {
  const { size } = bench.dapp;
  const ready = await page.evaluate(
    () => performance.getEntriesByName('ready')[0]?.startTime ?? NaN,
  );
  process.stdout.write(
    `page: ${size.raw} bytes, ${size.gzipped} gzipped, ready after ${Math.round(ready)} ms\n`,
  );
  const { raw, gzipped } = ceilings['companion page, one visit'];
  expect(size.raw).toBeLessThanOrEqual(raw);
  expect(size.gzipped).toBeLessThanOrEqual(gzipped);
  expect(ready).toBeLessThan(5_000);
});

describe('the way to the snap', () => {
  const open = async (state: string, override: Override, query = ''): Promise<void> => {
    bench.wallet.override = override;
    await page.goto(`${bench.server.url}/${query}`);
    await page.locator(`main[data-state="${state}"]`).waitFor();
  };
  afterAll(async () => open('ready', answerAsFlask));

  it.each(pageStates)(
    'says what to do: $state',
    async ({ state, title, verb, override, query }) => {
      await open(state, override, query);
      await page.getByRole('heading', { name: title }).waitFor();
      await page.getByRole('button', { name: verb, exact: true }).waitFor();
      const flask = page.getByRole('link', { name: 'Get MetaMask Flask' });
      expect(await flask.count()).toBe(state.startsWith('no-') ? 1 : 0);
    },
  );

  it('installs it, and says that the user refused', async () => {
    const lists = withSnap(undefined);
    await open('not-installed', (method, params) => {
      if (method !== 'wallet_requestSnaps') return lists(method, params);
      throw new SiteError({ code: 4001, message: 'User rejected the request.' });
    });
    expect(await press(page, 'Install', INSTALLATION)).toBe(
      'FAILED 4001: User rejected the request.',
    );
    bench.wallet.override = (method, params) => {
      if (method !== 'wallet_requestSnaps') return lists(method, params);
      bench.wallet.override = answerAsFlask;
      return { [DEFAULT_SNAP_ID]: { version: '0.1.0', enabled: true } };
    };
    expect(await press(page, 'Install', INSTALLATION)).toBe(
      'MetaMask has installed it.',
    );
    await page.locator('main[data-state="ready"]').waitFor();
  });

  it('looks again when it is told to', async () => {
    await open('disabled', withSnap({ version: '0.1.0', enabled: false }));
    bench.wallet.override = answerAsFlask;
    await press(page, 'Look again', INSTALLATION);
    await page.locator('main[data-state="ready"]').waitFor();
  });
});

describe('servers of a network', () => {
  const SAVED = 'Answer about the servers';

  it('saves those of the stack, and shows no secret afterwards', async () => {
    expect(await press(page, 'Save the servers', SAVED)).toBe(
      'The snap uses these servers on chain 31337.',
    );
    expect(await page.getByLabel('API key secret').inputValue()).toBe('');
    expect(await page.content()).not.toContain(bench.world.stack.service.apiKeySecret);
  });

  it('says why one is refused', async () => {
    await page.getByLabel('Bundler', { exact: true }).fill('http://example.com');
    expect(await press(page, 'Save the servers', SAVED)).toMatch(
      /^FAILED -32602: .*bundlerUrl/u,
    );
  });
});

describe('gas', () => {
  it.each([
    ['HTTPS', 'Levels from gas API, HTTPS,'],
    ['WebSocket', 'Levels from gas API, block by block,'],
    ['The snap', 'Levels from the snap, from gas-api,'],
  ])('follows blocks by %s', async (source, shown) => {
    await page.getByRole('radio', { name: source }).check({ force: true });
    await page.getByText(shown).waitFor();
    const { url } = bench.world.stack.chain;
    const { result } = await callRpc(url, 'eth_blockNumber', []);
    const mined = BigInt(String(result)) + 1n;
    await callRpc(url, 'evm_mine', []);
    await page.locator('.chart text', { hasText: String(mined) }).waitFor();
    expect(await page.getByRole('meter').getAttribute('aria-valuetext')).toMatch(
      / %, /u,
    );
  });

  it('says what is wrong with a source, and goes on trying', async () => {
    await page.route('**/suggestedGasFees', async (route) =>
      route.fulfill({ status: 503, json: { error: { message: 'Closed.' } } }),
    );
    await page.getByRole('radio', { name: 'HTTPS' }).check({ force: true });
    await page.getByText('Trying again').waitFor();
    await page.unroute('**/suggestedGasFees');
    await page.getByText('Trying again').waitFor({ state: 'detached' });
    // The browser tells of the answer 503 by itself.
    expect(bench.problems.splice(0).join()).toMatch(/status of 503/u);
  });
});

it('does without servers where it is deployed', async () => {
  const config = { snapId: DEFAULT_SNAP_ID };
  await page.route('**/stack.json', async (route) => route.fulfill({ json: config }));
  await page.reload();
  await page.getByText('Levels from the snap, from gas-api,').waitFor();
  expect(await page.getByRole('radio').count()).toBe(1);
  expect(await page.getByText('Give 10 ETH').count()).toBe(0);
  await page.unroute('**/stack.json');
  await page.reload();
});

describe('looks', () => {
  beforeAll(async () => {
    for (const kind of ['eoa', '0.7']) {
      await page.getByLabel('Kind').selectOption(kind);
      await press(page, 'Create the account', 'Answer of the creation');
    }
    await press(page, 'Connect this page', 'Answer about the accounts');
  });

  it.each(['light', 'dark'] as const)('has no barrier in %s', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    expect(await findBarriers(page)).toStrictEqual([]);
  });

  it.each([360, 768, 1_280])('fits %i pixels, and nothing moves', async (width) => {
    await page.setViewportSize({ width, height: 900 });
    expect(await sumShifts(page, 1_500)).toBeLessThan(0.01);
    expect(await findOverflow(page)).toBe(0);
  });

  it('is gone through by keys, past the navigation if one likes', async () => {
    expect(await findUnreached(page)).toStrictEqual([]);
    await page.reload();
    await page.locator('main[data-state="ready"]').waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(
      'Skip to the content',
    );
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(
      await page.evaluate(() => document.activeElement?.closest('main') !== null),
    ).toBe(true);
  });
});

it('breaks no rule, throws nothing, and asks no foreign origin', () => {
  expect(bench.problems).toStrictEqual([]);
});
