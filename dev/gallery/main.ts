// npm run gallery: every screen as HTML and as pictures, in dist/gallery. Words after the
// command choose screens by their names: npm run gallery -- user-operation. With --keep the
// README's pictures are taken anew.
import { copyFile, mkdir, writeFile } from 'node:fs/promises';

import { startBrowser } from '../wallet/browser';
import { findLanguages } from './languages';
import { themes, writePage } from './page';
import { takePictures } from './pictures';
import { nameOf } from './screen';
import { allScreens } from './screens';

const FOLDER = 'dist/gallery';

/** Pictures that stand in the README. */
const KEPT = [
  'home-frame-around-the-gas-market-en-light',
  'transaction-that-pays-en-light',
  'typed-data-order-for-nothing-en-dark',
  'message-to-sign-in-elsewhere-en-dark',
];

const isKeeping = process.argv.includes('--keep');
const wanted = process.argv.slice(2).filter((word) => word !== '--keep');
const screens = allScreens.filter(
  (screen) =>
    wanted.length === 0 || wanted.some((word) => nameOf(screen).includes(word)),
);
const looks = findLanguages().flatMap((translate) =>
  themes.map((theme) => ({ translate, theme })),
);

await mkdir(FOLDER, { recursive: true });
await writeFile(`${FOLDER}/index.html`, writePage(screens, looks));
const browser = await startBrowser();
try {
  await takePictures(browser, { screens, looks, folder: `${FOLDER}/pictures` });
} finally {
  await browser.close();
}
if (isKeeping) {
  for (const name of KEPT) {
    await copyFile(
      `${FOLDER}/pictures/${name}.png`,
      `dev/gallery/pictures/${name}.png`,
    );
  }
}
process.stdout.write(
  `${FOLDER}/index.html: ${screens.length} screens, ${looks.length} looks each\n`,
);
