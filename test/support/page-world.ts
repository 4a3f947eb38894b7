// The built development page in a real Chromium, against the built snap in MetaMask's packages,
// and everything that the page must not do, noted.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Page } from 'playwright-core';

import { buildDapp } from '../../dev/build/dapp';
import { LOOPBACK } from '../../dev/build/policy';
import type { PageConfig } from '../../dev/dapp/session';
import { startWorld } from '../../dev/demo/world';
import { servePage } from '../../dev/start/serve';
import { answerAsFlask, bridgeWallet, startBrowser } from '../../dev/wallet/browser';
import type { Override } from '../../dev/wallet/browser';
import { COMPANION_ORIGIN, DEFAULT_SNAP_ID } from '../../dev/wallet/options';

/** The page and all behind it. */
export type PageWorld = Awaited<ReturnType<typeof startPageWorld>>;

/** Starts it, and opens the page. */
export async function startPageWorld(config: Partial<PageConfig> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'tollkeeper-dapp-'));
  const [world, browser, dapp] = await Promise.all([
    startWorld(),
    startBrowser(),
    buildDapp({ folder, connect: LOOPBACK }),
  ]);
  const snapUrl = DEFAULT_SNAP_ID.replace('local:', '');
  const server = await servePage(world.stack, { snapUrl, folder, port: 0, config });
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
    browser,
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
