// Starts Chromium from an npm package, and provides a wallet to pages as MetaMask Flask, through
// EIP-6963 and as window.ethereum.
import chromium from '@sparticuz/chromium';
import {
  type Browser,
  type BrowserContext,
  chromium as playwright,
  type Page,
} from 'playwright-core';

import { bridge } from '../../packages/playwright/src/bridge';
import type { RequestArguments } from '../../packages/provider/src';
import type { Site } from './wallet';

// Resolves only the names of this machine, for WebSockets too.
const LOCAL_NAMES_ONLY =
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1';

/** Flags for servers with little memory, which disable the isolation of sites. */
const ONE_PROCESS =
  /^--(?:single-process|no-zygote|disable-(?:site-isolation-trials|web-security|features=.*))$/u;

/** Starts a browser that can only reach this machine. If `isolated`, each site has its own process,
 * as in users' browsers. */
export async function startBrowser({ isolated = false } = {}): Promise<Browser> {
  return playwright.launch({
    executablePath: await chromium.executablePath(),
    args: [
      ...chromium.args.filter((arg) => !isolated || !ONE_PROCESS.test(arg)),
      ...(isolated ? ['--site-per-process'] : []),
      '--disable-background-networking',
      '--disable-sync',
      LOCAL_NAMES_ONLY,
    ],
    headless: true,
  });
}

/** Answers a request instead of the wallet, or returns undefined to let the wallet answer. */
export type Override = (method: string, params: unknown) => unknown;

/** Pages recognize Flask by its client version. */
export const answerAsFlask: Override = (method) =>
  method === 'web3_clientVersion' ? 'MetaMask/v13.5.0-flask.0' : undefined;

/** Provides the wallet to a page, or to every page in a context, except for pages with
 * `without-wallet` in their query. */
export async function bridgeWallet(
  page: Page | BrowserContext,
  site: Site,
  override: Override = answerAsFlask,
): Promise<void> {
  const provider = {
    request: async ({ method, params }: RequestArguments): Promise<unknown> =>
      (await override(method, params)) ?? site.request({ method, params }),
    on: site.on,
  };
  // tsx marks functions with a helper that pages lack.
  await page.addInitScript('globalThis.__name = (marked) => marked;');
  await bridge(
    {
      exposeBinding: async (...binding) => page.exposeBinding(...binding),
      addInitScript: async ({ content }) =>
        page.addInitScript({
          content: `if (!location.search.includes('without-wallet')) ${content}`,
        }),
    },
    { name: 'MetaMask Flask', visit: () => provider },
  );
}
