// Every screen in a real Chromium, as wide as MetaMask's window: nothing overflows, nothing
// is cut, and everything can be read. The pseudo-language is as long as any.
import type { Page, Browser } from 'playwright-core';

import { themes, writePage } from '../../dev/gallery/page';
import type { Look } from '../../dev/gallery/page';
import { nameOf } from '../../dev/gallery/screen';
import { allScreens } from '../../dev/gallery/screens';
import { startBrowser } from '../../dev/wallet/browser';
import { translatePseudo } from '../support/pseudo-locale';
import { translate } from '../support/view';

/** Contrast that WCAG 2 (AA) asks of a text. */
const CONTRAST = 4.5;

/**
 * List what is wrong on a page of screens, each with the id of its `.popup`.
 *
 * @param html - The page; its folds are opened before it is looked at.
 */
async function findFaults(page: Page, html: string): Promise<string[]> {
  await page.setContent(html);
  return page.evaluate(lookAround, CONTRAST);
}

// Runs in the page: it may use nothing of this module.
function lookAround(contrast: number): string[] {
  document.querySelectorAll('details').forEach((fold) => {
    fold.open = true;
  });
  // Computed colours are written as rgb(1, 2, 3).
  const luminance = (colour: string): number => {
    const parts = (colour.match(/[\d.]+/gu) ?? []).map((byte) => {
      const part = Number(byte) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    const [red = 0, green = 0, blue = 0] = parts;
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const backgroundOf = (element: Element | null): string => {
    if (!element) return '#fff';
    const colour = getComputedStyle(element).backgroundColor;
    return colour === 'rgba(0, 0, 0, 0)' ? backgroundOf(element.parentElement) : colour;
  };
  const contrastOf = (element: Element): number => {
    const one = luminance(getComputedStyle(element).color);
    const other = luminance(backgroundOf(element));
    return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  };
  const judge = (element: Element, frame: DOMRect): string | undefined => {
    const style = getComputedStyle(element);
    // A field moves what is typed under the cursor, such as an address.
    const isTyped = element instanceof HTMLInputElement && element.value !== '';
    const overflow = `${style.overflowX} ${style.overflowY}`;
    const scrolls = isTyped || /auto|scroll/u.test(overflow);
    const { left, right } = element.getBoundingClientRect();
    const isWider = element.scrollWidth > element.clientWidth + 1;
    const isHigher = element.scrollHeight > element.clientHeight + 1;
    const isBlock = style.display !== 'inline' && element.clientWidth > 0;
    const clips = !isTyped && /^(?:hidden|clip)$/u.test(style.overflowX);
    if (isBlock && clips && (isWider || isHigher)) return 'is cut';
    const sticksOut = left < frame.left - 1 || right > frame.right + 1;
    if (sticksOut || (isBlock && isWider && !scrolls)) return 'overflows';
    const isText = [...element.childNodes].some(
      ({ nodeType, textContent }) => nodeType === 3 && textContent?.trim() !== '',
    );
    if (!isText || element.matches(':disabled, .disabled *')) return undefined;
    const found = contrastOf(element);
    return found < contrast ? `has a contrast of ${found.toFixed(1)}` : undefined;
  };
  return [...document.querySelectorAll('.popup')].flatMap((popup) => {
    const frame = popup.getBoundingClientRect();
    const elements = [...popup.querySelectorAll<HTMLElement>('*')].filter(
      (element) => element.closest('svg') === null && element.checkVisibility(),
    );
    return elements.flatMap((element) => {
      const fault = judge(element, frame);
      const text = (element.textContent ?? '').trim().slice(0, 60);
      return fault ? [`${popup.id}: ${fault}: ${text}`] : [];
    });
  });
}

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
