// npm run gallery: draws screens as HTML and as images in dist/gallery. `--keep` also updates the
// images of the README and the docs.
import { copyFile, mkdir, writeFile } from 'node:fs/promises';

import type { Browser, Page } from 'playwright-core';

import { readArgs } from '../args';
import { buildDapp } from '../build/dapp';
import { startStaticServer } from '../start/serve';
import { answerAsFlask, bridgeWallet, startBrowser } from '../wallet/browser';
import { DEFAULT_SNAP_ID } from '../wallet/options';
import { drawFigure, loadTexts, writePage, type Figure } from './page';
import { nameOf } from './screen';
import { allScreens } from './screens';

const FOLDER = 'dist/gallery';

const KEPT_FOLDER = 'docs/public/screens';

/** Screens in the README and the docs, by the file names of their images. */
const KEPT: Record<string, string> = {
  'account-page': 'account-page-of-an-account',
  approval: 'transaction-that-approves-without-limit',
  'approve-and-swap': 'described-batch-of-approval-and-swap-after',
  authorization: 'transaction-that-delegates',
  batch: 'calls-several',
  bridge: 'described-bridge-to-starknet-after',
  'calls-status': 'calls-status-that-failed-in-part',
  cancel: 'transaction-that-cancels',
  'clear-signing': 'described-subscription-to-a-fund-after',
  collection: 'transaction-that-gives-a-collection-away',
  create: 'create-form-with-networks',
  damaged: 'damaged-page-with-a-key',
  dangers: 'user-operation-that-is-dangerous',
  home: 'home-frame-around-the-gas-market',
  insight: 'signature-insight-of-a-permit-for-a-phisher',
  loan: 'described-loan-from-aave-after',
  safe: 'described-transaction-of-a-safe-after',
  'sign-in': 'message-to-sign-in-elsewhere',
  swap: 'described-swap-on-1inch-after',
  transaction: 'transaction-that-pays',
  'user-operation': 'user-operation-that-deploys-and-is-sponsored',
};

/** Screens for MetaMask's directory of snaps, which requires images of a fixed size. */
const SCREENSHOTS = [
  'transaction-insight-fees-that-are-too-high',
  'signature-insight-of-a-permit-for-a-phisher',
  'signature-insight-of-a-payment-by-a-safe',
];
const SCREENSHOT_SIZE = { width: 960, height: 540 };

const { values, names: words } = readArgs(
  `npm run gallery [-- NAME …] [--keep]

Draws every screen, or those whose names contain one of the texts, in dist/gallery.
--keep updates the images of README and docs, too.`,
  { keep: { type: 'boolean' } },
  (word) => allScreens.some((screen) => nameOf(screen).includes(word)),
);
const screens = allScreens.filter(
  (screen) => words.length === 0 || words.some((word) => nameOf(screen).includes(word)),
);

const translate = await loadTexts('en');
const figures: Figure[] = [];
for (const screen of screens) {
  figures.push(await drawFigure(screen, translate));
}
await mkdir(`${FOLDER}/pictures`, { recursive: true });
await writeFile(`${FOLDER}/index.html`, await writePage(figures));
const browser = await startBrowser();
try {
  const view = await browser.newPage({ viewport: { width: 420, height: 900 } });
  for (const figure of figures) {
    // One page per screen renders faster than one page with all screens.
    await view.setContent(await writePage([figure]));
    const path = `${FOLDER}/pictures/${figure.id}.png`;
    await view.locator(`#${figure.id}`).screenshot({ path });
  }
  if (values.keep) {
    await mkdir(KEPT_FOLDER, { recursive: true });
    const drawn = new Set(figures.map(({ id }) => id));
    for (const [name, id] of Object.entries(KEPT)) {
      if (!drawn.has(id)) continue;
      await copyFile(`${FOLDER}/pictures/${id}.png`, `${KEPT_FOLDER}/${name}.png`);
    }
    await takeScreenshots(await browser.newPage({ viewport: SCREENSHOT_SIZE }));
    await takeInstallation(browser);
  }
} finally {
  await browser.close();
}
process.stdout.write(
  `${FOLDER}/index.html: ${screens.length} screens, ${figures.length} pictures\n`,
);

// Longer screens are cut off at the bottom.
async function takeScreenshots(view: Page): Promise<void> {
  for (const [index, id] of SCREENSHOTS.entries()) {
    if (!figures.some((each) => each.id === id)) continue;
    await view.setContent(await writePage(figures.filter((each) => each.id === id)));
    await view.locator('details').evaluateAll((folds) => {
      for (const fold of folds) fold.setAttribute('open', '');
    });
    await view.addStyleTag({
      content: `.shelf { padding: 0; } figure { margin: 0 auto; zoom: 1.2; }
        figcaption { display: none; } .popup { min-height: 450px; }`,
    });
    await view.screenshot({ path: `packages/insight/screenshots/${index + 1}.png` });
  }
}

// The browser has MetaMask Flask but not the snap.
async function takeInstallation(browser: Browser): Promise<void> {
  const { folder } = await buildDapp({ folder: `${FOLDER}/page` });
  const server = await startStaticServer({
    port: 0,
    folders: { '/': folder },
    documents: { '/stack.json': { snapId: DEFAULT_SNAP_ID } },
  });
  try {
    const page = await browser.newPage({ viewport: { width: 720, height: 360 } });
    const metamask = {
      origin: server.url,
      request: async ({ method }: { method: string }) =>
        Promise.resolve(method === 'wallet_getSnaps' ? {} : null),
      on: () => undefined,
    };
    await bridgeWallet(page, metamask, answerAsFlask);
    await page.goto(server.url);
    await page.locator('main[data-state="not-installed"]').waitFor();
    await page.screenshot({ path: `${KEPT_FOLDER}/install.png` });
  } finally {
    await server.stop();
  }
}
