// What counts stands on the first screen of MetaMask's popup, without scrolling: warnings, what
// is sent and received, to whom, for which site, on which network and at what cost.
import type { Page } from 'playwright-core';

import { drawFigure, loadTexts, writePage } from '../../dev/gallery/page';
import { nameOf } from '../../dev/gallery/screen';
import { allScreens } from '../../dev/gallery/screens';
import { startBrowser } from '../../dev/wallet/browser';
import type { TextKey, Translate } from '../../src/ui/i18n';

const who: TextKey[] = ['field.origin', 'field.chain'];

const sent: TextKey[] = [...who, 'field.to', 'field.networkFee'];

const tokensSent: TextKey[] = [...who, 'field.tokensTo', 'field.networkFee'];

/** Labels of what counts, in the ten commonest dialogs. */
const cases: Record<string, TextKey[]> = {
  'transaction-that-pays': [...sent, 'changes.send'],
  'transaction-that-transfers-a-token': [...tokensSent, 'changes.send'],
  'transaction-that-approves-without-limit': [
    ...sent,
    'changes.approve',
    'changes.spender',
  ],
  'described-swap-on-1inch-after': [...sent, 'changes.send', 'changes.receive'],
  'described-nft-that-is-sent-after': [...tokensSent, 'changes.send'],
  'described-approval-of-a-collection-after': [
    ...sent,
    'changes.approve',
    'changes.spender',
  ],
  'described-permit-after': [...who, 'field.contractBy', 'changes.spender'],
  'message-to-sign-in': ['field.origin'],
  'user-operation-that-pays': [...sent, 'changes.send', 'field.paidBy'],
  'described-batch-of-approval-and-swap-after': [
    ...who,
    'field.networkFee',
    'changes.send',
    'changes.receive',
  ],
};

describe('the first screen of a popup', () => {
  let browser: Awaited<ReturnType<typeof startBrowser>>;
  let page: Page;
  let translate: Translate;

  beforeAll(async () => {
    browser = await startBrowser();
    page = await browser.newPage({ viewport: { width: 360, height: 600 } });
    translate = await loadTexts('en');
  });

  afterAll(async () => browser.close());

  it.each(Object.entries(cases))('shows what counts of %s', async (name, keys) => {
    const screen = allScreens.find((each) => nameOf(each) === name);
    if (!screen) throw new Error(`The gallery has no screen ${name}.`);
    const { id, html } = await drawFigure(screen, translate, 'light');
    await page.setContent(await writePage([{ id, html }]));
    const popup = page.locator(`#${id}`);
    const [top = 0, footer = 0] = await Promise.all([
      topOf(popup),
      popup.locator('footer').evaluate((each) => each.getBoundingClientRect().height),
    ]);
    const rows = await popup
      .locator('.section:not(.fold) > .row, .banner')
      .evaluateAll((all) =>
        all.map((each) => ({
          text: each.querySelector('.label')?.textContent ?? 'banner',
          bottom: each.getBoundingClientRect().bottom,
        })),
      );
    const shown = rows.filter(({ bottom }) => bottom - top <= 600 - footer);
    const below = rows.filter((row) => !shown.includes(row));
    expect(shown.map(({ text }) => text)).toStrictEqual(
      expect.arrayContaining(keys.map((key) => translate(key))),
    );
    expect(below.map(({ text }) => text)).not.toContain('banner');
  });
});

async function topOf(element: ReturnType<Page['locator']>): Promise<number> {
  return element.evaluate((each) => each.getBoundingClientRect().top);
}
