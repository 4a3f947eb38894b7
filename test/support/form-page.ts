// The page in a browser, in front of a world with a chain, an ordinary account and a smart one:
// what a person does with its forms.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Browser, Locator, Page } from 'playwright-core';
import { createTestClient, http } from 'viem';
import type { TestClient } from 'viem';

import { buildDapp } from '../../dev/build/dapp';
import { createAccount } from '../../dev/demo/accounts';
import type { DemoAccount } from '../../dev/demo/accounts';
import { configureChain, startWorld } from '../../dev/demo/world';
import type { World } from '../../dev/demo/world';
import { servePage } from '../../dev/start/sites';
import { COMPANION_ORIGIN, DEFAULT_SNAP_ID } from '../../dev/wallet/options';
import { bridgeWallet, startBrowser } from './browser';

/** What a form said. */
export type Said = {
  /** The code of a failure. */
  code?: string;
  text: string;
};

/** A page with forms. */
export type FormPage = {
  world: World;
  page: Page;
  ordinary: DemoAccount;
  smart: DemoAccount;
  /** What broke a rule of the page, or was thrown. */
  problems: string[];
  /** Rules the chain. */
  miner: TestClient<'anvil'>;
  /** Open a method's form; it stays open. */
  open: (name: string) => Promise<Locator>;
  /** Ask a method what its form says, or other params. */
  ask: (name: string, params?: string) => Promise<Said>;
  /** Wait for what was found about the last answer. */
  verified: (name: string) => Promise<string>;
  stop: () => Promise<void>;
};

/** Start all of it. Nothing was granted to the page yet. */
export async function startFormPage(): Promise<FormPage> {
  const folder = await mkdtemp(join(tmpdir(), 'tollkeeper-page-'));
  const [world, browser] = await Promise.all([
    startWorld(process.cwd()),
    startBrowser(),
    buildDapp({ folder }),
  ]);
  const accounts = await prepare(world);
  const snapUrl = DEFAULT_SNAP_ID.replace('local:', '');
  const server = await servePage(world.stack, { snapUrl, folder, port: 0 });
  const problems: string[] = [];
  const page = await openPage(browser, { world, problems, url: server.url });
  return {
    ...{ world, page, problems, ...accounts, ...createHands(page) },
    miner: createTestClient({ mode: 'anvil', transport: http(world.stack.chain.url) }),
    stop: async () => {
      await browser.close();
      await server.stop();
      await world.stop();
      await rm(folder, { recursive: true });
    },
  };
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

async function openPage(
  browser: Browser,
  { world, problems, url }: { world: World; problems: string[]; url: string },
): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1_280, height: 900 } });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  await bridgeWallet(page, world.wallet.site(COMPANION_ORIGIN));
  await page.goto(url);
  await page.locator('main[data-state=ready]').waitFor();
  return page;
}

function createHands(page: Page): Pick<FormPage, 'open' | 'ask' | 'verified'> {
  const open = async (name: string): Promise<Locator> => {
    const row = page.locator('details.method').filter({
      has: page.locator('summary code').getByText(name, { exact: true }),
    });
    if ((await row.getAttribute('open')) === null) await row.locator('summary').click();
    return row;
  };
  return {
    open,
    ask: async (name, params) => {
      const row = await open(name);
      if (params !== undefined) await row.getByRole('textbox').fill(params);
      const button = row.getByRole('button', { name: `Ask ${name}`, exact: true });
      await button.click();
      return readAnswer(row, name);
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
  const text = (await output.locator('.output-text').textContent()) ?? '';
  const isFailed = (await code.count()) > 0;
  return isFailed ? { code: (await code.textContent()) ?? '', text } : { text };
}
