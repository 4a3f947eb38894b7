// npm run gallery: draws every screen as MetaMask would, as HTML and as pictures, in
// dist/gallery. Words after the command choose screens by their names: npm run gallery --
// user-operation. With --keep it also updates the pictures of README and docs.
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';

import { createTranslate, languages } from '../../src/ui/i18n';
import type { Texts, Translate } from '../../src/ui/i18n';
import { startBrowser } from '../wallet/browser';
import { drawScreen } from './draw';
import { tag, toHtml, toImageAddress } from './html';
import type { Html } from './html';
import { nameOf } from './screen';
import type { Screen } from './screen';
import { allScreens } from './screens';

const FOLDER = 'dist/gallery';

const KEPT_FOLDER = 'docs/public/screens';

/** The pictures of README and docs, by the names of their files there. */
const KEPT: Record<string, string> = {
  accounts: 'account-list-of-all-kinds-en-light',
  approval: 'transaction-that-approves-without-limit-en-dark',
  batch: 'calls-several-en-light',
  connect: 'connect-several-accounts-en-light',
  home: 'home-frame-around-the-gas-market-en-light',
  order: 'typed-data-order-for-nothing-en-dark',
  settings: 'settings-page-with-networks-en-light',
  'sign-in': 'message-to-sign-in-elsewhere-en-light',
  transaction: 'transaction-that-pays-en-light',
  'user-operation': 'user-operation-that-deploys-and-is-sponsored-en-light',
};

/** A screen in a language and a theme of MetaMask. */
type Figure = { id: string; html: Html };

const isKeeping = process.argv.includes('--keep');
const words = process.argv.slice(2).filter((word) => word !== '--keep');
const screens = allScreens.filter(
  (screen) => words.length === 0 || words.some((word) => nameOf(screen).includes(word)),
);

const icon = toImageAddress(await readFile('images/icon.svg', 'utf8'));
const translations = await Promise.all((['en', 'de'] as const).map(loadTexts));
const figures = screens.flatMap((screen) =>
  translations.flatMap((translate) =>
    (['light', 'dark'] as const).map((theme) => drawFigure(screen, translate, theme)),
  ),
);
const page = await writePage(figures);
await mkdir(`${FOLDER}/pictures`, { recursive: true });
await writeFile(`${FOLDER}/index.html`, page);
await takePictures();
if (isKeeping) {
  await mkdir(KEPT_FOLDER, { recursive: true });
  for (const [name, id] of Object.entries(KEPT)) {
    await copyFile(`${FOLDER}/pictures/${id}.png`, `${KEPT_FOLDER}/${name}.png`);
  }
}
process.stdout.write(
  `${FOLDER}/index.html: ${screens.length} screens, ${figures.length} pictures\n`,
);

async function loadTexts(locale: 'en' | 'de'): Promise<Translate> {
  const texts = await readFile(`locales/ui/${locale}.json`, 'utf8');
  return createTranslate(JSON.parse(texts) as Texts, languages[locale]);
}

// In a frame as wide as MetaMask's window, with its name below.
function drawFigure(screen: Screen, translate: Translate, theme: string): Figure {
  const lang = translate.language;
  const id = `${nameOf(screen)}-${lang}-${theme}`;
  const popup = tag('div', { id, class: `popup ${theme}`, lang }, [
    tag('div', { class: 'top' }, [
      tag('img', { src: icon, alt: '' }),
      tag('span', {}, 'Tollkeeper'),
    ]),
    { html: drawScreen(screen.draw(translate)) },
  ]);
  return { id, html: tag('figure', {}, [popup, tag('figcaption', {}, id)]) };
}

async function writePage(all: readonly Figure[]): Promise<string> {
  const styles = await readFile('dev/gallery/gallery.css', 'utf8');
  const head = tag('head', {}, [
    { html: '<meta charset="utf-8">' },
    tag('title', {}, 'Tollkeeper: what people see'),
    { html: `<style>${styles}</style>` },
  ]);
  const shelf = tag(
    'div',
    { class: 'shelf' },
    all.map(({ html }) => html),
  );
  const body = tag('body', {}, shelf);
  return `<!doctype html>${toHtml(tag('html', { lang: 'en' }, [head, body]))}`;
}

async function takePictures(): Promise<void> {
  const browser = await startBrowser();
  try {
    const view = await browser.newPage({ viewport: { width: 1_700, height: 900 } });
    await view.setContent(page);
    for (const { id } of figures) {
      const path = `${FOLDER}/pictures/${id}.png`;
      await view.locator(`#${id}`).screenshot({ path });
    }
  } finally {
    await browser.close();
  }
}
