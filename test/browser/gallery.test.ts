// Every screen in a real Chromium, as wide as MetaMask's window: nothing overflows, nothing
// is cut, and everything can be read. The pseudo-language is as long as any.
import type { Browser, Page } from 'playwright-core';

import { themes, writePage } from '../../dev/gallery/page';
import type { Look } from '../../dev/gallery/page';
import { nameOf } from '../../dev/gallery/screen';
import { allScreens } from '../../dev/gallery/screens';
import { startBrowser } from '../../dev/wallet/browser';
import { findFaults } from '../support/look-at';
import { translatePseudo } from '../support/pseudo-locale';
import { translate } from '../support/view';

let browser: Browser;
let page: Page;

const faults = new Map<string, string[]>();

const languages = { English: translate, 'the pseudo-language': translatePseudo };

// One page a look: a page for each screen would take a minute.
beforeAll(async () => {
  browser = await startBrowser();
  // Its only page: this Chromium is one process, and ends with the first that is closed.
  page = await browser.newPage({ viewport: { width: 1_700, height: 900 } });
  for (const [language, words] of Object.entries(languages)) {
    for (const theme of themes) {
      const look: Look = { translate: words, theme };
      const found = await findFaults(page, writePage(allScreens, [look]));
      faults.set(`${language}, ${theme}`, found);
    }
  }
});

afterAll(async () => {
  await browser?.close();
});

describe.each(
  Object.keys(languages).flatMap((language) =>
    themes.map((theme) => `${language}, ${theme}`),
  ),
)('in %s', (look) => {
  it.each(allScreens.map(nameOf))('shows the whole of %s, legibly', (name) => {
    const own = faults.get(look)?.filter((fault) => fault.startsWith(`${name}-`));
    expect(own?.map((fault) => fault.split(': ').slice(1).join(': '))).toStrictEqual(
      [],
    );
  });
});

it('finds what overflows, what is cut and what cannot be read', async () => {
  const html = `<div id="bad" class="popup" style="width: 100px; background: #fff">
    <p style="white-space: nowrap">A text that is much too long for its place</p>
    <p style="overflow: hidden; height: 10px; width: 50px">Three words in there</p>
    <p style="color: #ccc">Pale</p>
    <p style="overflow: auto; height: 10px; width: 50px">Three words in there</p>
    <input style="width: 50px" value="Three words in there">
    <input style="width: 150px" value="Three words in there">
  </div>`;
  expect(await findFaults(page, html)).toStrictEqual([
    'bad: overflows: A text that is much too long for its place',
    'bad: is cut: Three words in there',
    'bad: has a contrast of 1.6: Pale',
    // What is typed into a field may be long; the field itself may not.
    'bad: overflows: ',
  ]);
});
