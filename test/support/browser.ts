// A real Chromium from the package registry, and MetaMask's packages bridged into a page
// as window.ethereum.
import chromium from '@sparticuz/chromium';
import { chromium as playwright } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';

import type { Site } from '../../dev/wallet/site';
import { SiteError } from '../../dev/wallet/site';

/** Start a headless Chromium that talks to this machine alone. */
export async function startBrowser(): Promise<Browser> {
  return playwright.launch({
    executablePath: await chromium.executablePath(),
    args: [...chromium.args, '--disable-background-networking', '--disable-sync'],
    headless: true,
  });
}

/** What crosses from the wallet to the page: errors do not survive as such. */
type Answer = { result: unknown } | { error: { code: number; message: string } };

/** Make a website's provider the page's window.ethereum. */
export async function bridgeWallet(page: Page, site: Site): Promise<void> {
  await page.exposeFunction(
    'askWallet',
    async (args: Parameters<Site['request']>[0]): Promise<Answer> => {
      try {
        return { result: await site.request(args) };
      } catch (error) {
        if (!(error instanceof SiteError)) throw error;
        return { error: { code: error.code, message: error.message } };
      }
    },
  );
  await page.addInitScript(`
    window.ethereum = {
      request: async (args) => {
        const { result, error } = await window.askWallet(args);
        if (error) throw Object.assign(new Error(error.message), { code: error.code });
        return result;
      },
    };
  `);
}
