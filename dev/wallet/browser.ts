// A real Chromium from the package registry, and MetaMask's packages bridged into a page as
// MetaMask Flask: announced by EIP-6963, and as window.ethereum.
import chromium from '@sparticuz/chromium';
import {
  type Browser,
  type BrowserContext,
  chromium as playwright,
  type Page,
} from 'playwright-core';

import { type Site, SiteError } from './wallet';

// No name but this machine's resolves, for WebSockets either.
const ALONE =
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1';

/** Starts a headless Chromium that talks to this machine alone. */
export async function startBrowser(): Promise<Browser> {
  return playwright.launch({
    executablePath: await chromium.executablePath(),
    args: [
      ...chromium.args,
      '--disable-background-networking',
      '--disable-sync',
      ALONE,
    ],
    headless: true,
  });
}

/** What crosses from the wallet to the page: errors do not survive as such. */
type Answer =
  { result: unknown } | { error: { code: number; message: string; data?: unknown } };

/** Answers in the wallet's place; undefined leaves the request to the wallet. */
export type Override = (method: string, params: unknown) => unknown;

/** What only Flask says. */
export const answerAsFlask: Override = (method) =>
  method === 'web3_clientVersion' ? 'MetaMask/v13.5.0-flask.0' : undefined;

/** Makes a website's provider the wallet of a page, or of all pages of a context. */
export async function bridgeWallet(
  page: Page | BrowserContext,
  site: Site,
  override: Override = answerAsFlask,
): Promise<void> {
  await page.exposeFunction(
    'askWallet',
    async (args: Parameters<Site['request']>[0]): Promise<Answer> => {
      try {
        const own = await override(args.method, args.params);
        return { result: own ?? (await site.request(args)) };
      } catch (error) {
        if (!(error instanceof SiteError)) throw error;
        const { code, message, data } = error;
        return { error: { code, message, ...(data === undefined ? {} : { data }) } };
      }
    },
  );
  await page.addInitScript(announceFlask);
  const pages = (): Page[] => ('pages' in page ? page.pages() : [page]);
  site.on('chainChanged', (chainId) => {
    // A page that is just being loaded has no listeners yet.
    for (const each of pages()) {
      each.evaluate(`tellChain(${JSON.stringify(chainId)})`).catch(() => undefined);
    }
  });
}

// Runs in the page; a visit with this in its address finds no wallet.
const announceFlask = `if (!location.search.includes('without-wallet')) {
  const listeners = new Set();
  window.tellChain = (chainId) => {
    for (const listener of listeners) listener(chainId);
  };
  window.ethereum = {
    isMetaMask: true,
    request: async (args) => {
      const { result, error } = await window.askWallet(args);
      if (error) throw Object.assign(new Error(error.message), error);
      return result;
    },
    on: (event, listener) => {
      if (event === 'chainChanged') listeners.add(listener);
    },
    removeListener: (event, listener) => {
      listeners.delete(listener);
    },
  };
  const detail = Object.freeze({
    info: Object.freeze({
      uuid: '350670db-19fa-4704-a166-e52e178b59d2',
      name: 'MetaMask Flask',
      icon: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>',
      rdns: 'io.metamask.flask',
    }),
    provider: window.ethereum,
  });
  const announce = () =>
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  window.addEventListener('eip6963:requestProvider', announce);
  announce();
}`;
