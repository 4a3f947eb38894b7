// npm run gallery: draws every screen as MetaMask would, as HTML and as pictures, in
// dist/gallery. Words after the command choose screens by their names: npm run gallery --
// user-operation. With --keep it also updates the pictures of README and docs.
import { copyFile, mkdir, writeFile } from 'node:fs/promises';

import { startBrowser } from '../wallet/browser';
import { drawFigure, loadTexts, writePage } from './page';
import type { Figure } from './page';
import { nameOf } from './screen';
import { allScreens } from './screens';

const FOLDER = 'dist/gallery';

const KEPT_FOLDER = 'docs/public/screens';

/** The pictures of README and docs, by the names of their files there. */
const KEPT: Record<string, string> = {
  accounts: 'account-list-of-all-kinds-en-light',
  approval: 'transaction-that-approves-without-limit-en-dark',
  batch: 'calls-several-en-light',
  'clear-signing': 'described-subscription-to-a-fund-after-en-light',
  connect: 'connect-several-accounts-en-light',
  home: 'home-frame-around-the-gas-market-en-light',
  order: 'typed-data-order-for-nothing-en-dark',
  settings: 'settings-page-with-networks-en-light',
  'sign-in': 'message-to-sign-in-elsewhere-en-light',
  transaction: 'transaction-that-pays-en-light',
  'user-operation': 'user-operation-that-deploys-and-is-sponsored-en-light',
};

/** The pictures of Tollkeeper Insight in MetaMask's directory of snaps, which wants this size. */
const SCREENSHOTS = [
  'transaction-insight-fees-that-are-too-high-en-light',
  'signature-insight-of-a-permit-en-light',
  'signature-insight-of-a-safe-transaction-en-light',
];
const SCREENSHOT_SIZE = { width: 960, height: 540 };

const isKeeping = process.argv.includes('--keep');
const words = process.argv.slice(2).filter((word) => word !== '--keep');
const screens = allScreens.filter(
  (screen) => words.length === 0 || words.some((word) => nameOf(screen).includes(word)),
);

const translations = await Promise.all((['en', 'de'] as const).map(loadTexts));
const figures: Figure[] = [];
for (const screen of screens) {
  for (const translate of translations) {
    for (const theme of ['light', 'dark'] as const) {
      figures.push(await drawFigure(screen, translate, theme));
    }
  }
}
await mkdir(`${FOLDER}/pictures`, { recursive: true });
await writeFile(`${FOLDER}/index.html`, await writePage(figures));
await takePictures();
if (isKeeping) {
  await mkdir(KEPT_FOLDER, { recursive: true });
  for (const [name, id] of Object.entries(KEPT)) {
    await copyFile(`${FOLDER}/pictures/${id}.png`, `${KEPT_FOLDER}/${name}.png`);
  }
  await takeScreenshots();
}
process.stdout.write(
  `${FOLDER}/index.html: ${screens.length} screens, ${figures.length} pictures\n`,
);

async function takePictures(): Promise<void> {
  const browser = await startBrowser();
  try {
    const view = await browser.newPage({ viewport: { width: 420, height: 900 } });
    for (const figure of figures) {
      // A page of one is quicker than finding each among all.
      await view.setContent(await writePage([figure]));
      const path = `${FOLDER}/pictures/${figure.id}.png`;
      await view.locator(`#${figure.id}`).screenshot({ path });
    }
  } finally {
    await browser.close();
  }
}

// What is longer than the picture goes on below it.
async function takeScreenshots(): Promise<void> {
  const browser = await startBrowser();
  try {
    const view = await browser.newPage({ viewport: SCREENSHOT_SIZE });
    for (const [index, id] of SCREENSHOTS.entries()) {
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
  } finally {
    await browser.close();
  }
}
