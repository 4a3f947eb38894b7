// The development page beside another snap's, both built: what a visit loads, and how long it
// takes in a real Chromium until there is a button to press. The other is given by path:
// npm run bench -- page --peer simple-keyring=<folder of the built site>
import { gzipSync } from 'node:zlib';

import type { Browser } from 'playwright-core';

import { buildDapp } from '../build/dapp';
import { withStopped } from '../stack/server';
import { startStaticServer } from '../start/serve';
import { bridgeWallet, startBrowser } from '../wallet/browser';
import type { Site } from '../wallet/wallet';
import { compareSides, type Bench } from './measure';

type Visit = { kilobytes: number; ms: number };

export async function* benchPage(peers: ReadonlyMap<string, string>): Bench {
  const { folder } = await buildDapp({ folder: 'dist/bench-dapp' });
  const own = await visit(folder);
  if (peers.size === 0) {
    const { kilobytes, ms } = own;
    const figures = `${kilobytes.toFixed(0)} kB gzipped, a button after ${ms.toFixed(0)} ms`;
    process.stdout.write(`\ndevelopment page: ${figures}; --peer names another's\n`);
  }
  for (const [theirs, peer] of peers) {
    const sides = {
      ours: async () => (await visit(folder)).ms,
      theirs: async () => (await visit(peer)).ms,
    };
    const rows = [
      {
        what: 'what a visit loads, gzipped',
        ours: own.kilobytes,
        theirs: (await visit(peer)).kilobytes,
        unit: 'kB',
        bound: { atMost: 1 },
      },
      await compareSides({ what: 'load until there is a button', unit: 'ms' }, sides, {
        rounds: 5,
      }),
    ];
    yield { name: 'development page', ours: 'tollkeeper', theirs, rows };
  }
}

// A browser each: nothing is cached, and this Chromium ends with its only page.
async function visit(folder: string): Promise<Visit> {
  const starting = startStaticServer({ port: 0, folders: { '/': folder } });
  return withStopped(starting, async ({ url }) => {
    const browser = await startBrowser();
    // oxlint-disable-next-line typescript/no-misused-promises -- finally() awaits it.
    return load(browser, url).finally(async () => browser.close());
  });
}

async function load(browser: Browser, url: string): Promise<Visit> {
  const page = await browser.newPage();
  await bridgeWallet(page, WALLET);
  const bodies: Promise<Buffer>[] = [];
  page.on('response', (response) => {
    if (response.url().startsWith(url) && response.ok()) bodies.push(response.body());
  });
  const start = performance.now();
  await page.goto(url);
  await page.getByRole('button').first().waitFor();
  const ms = performance.now() - start;
  await page.waitForLoadState('networkidle');
  const sizes = (await Promise.all(bodies)).map((body) => gzipSync(body).length);
  return { kilobytes: sizes.reduce((sum, size) => sum + size, 0) / 1_000, ms };
}

// MetaMask Flask without any snap, for both.
const WALLET: Site = {
  origin: 'https://visitor.example',
  request: async ({ method }) =>
    Promise.resolve(method === 'wallet_getSnaps' ? {} : null),
  on: () => undefined,
};
