// Checks that a user can decide within five seconds: the title names the act and the amount,
// everything important is visible without scrolling, nothing appears twice, and no danger can be
// skipped. The screens are as wide as MetaMask's popup, in three languages.
import type { Locator, Page } from 'playwright-core';

import { drawFigure, loadTexts, writePage } from '../../dev/gallery/page';
import { nameOf } from '../../dev/gallery/screen';
import { allScreens } from '../../dev/gallery/screens';
import { startBrowser } from '../../dev/wallet/browser';
import type { Locale, Translate } from '../../src/ui/i18n';

/** Titles of the twenty most common dialogs, by screen. */
const common: Record<string, string> = {
  'connect-one-account': 'Connect accounts',
  'connect-several-accounts': 'Connect accounts',
  'message-of-text': 'Sign a message',
  'message-to-sign-in': 'Sign in to app.swap.example',
  'message-to-connect-and-sign-in': 'Sign in to app.swap.example',
  'message-to-sign-in-with-a-safe': 'Sign in to app.swap.example',
  'transaction-that-pays': 'Send 1.25 ETH',
  'transaction-that-transfers-a-token': 'Send 250 USDC',
  'transaction-that-approves-without-limit': 'Allow unlimited USDC',
  'transaction-that-creates-a-contract': 'Deploy a contract',
  'transaction-that-speeds-up': 'Speed up transaction',
  'transaction-that-cancels': 'Cancel transaction',
  'described-swap-on-1inch-after': 'Swap tokens for ≈ 2,115.62 USDC',
  'described-nft-that-is-sent-after': 'Send NFT #118110',
  'described-permit-of-permit2-after': 'Allow unlimited USDC',
  'described-stake-with-lido-after': 'Stake ≈ 1.07861 ETH',
  'described-unlimited-approval-after': 'Allow unlimited LBTC',
  'typed-data-permit': 'Allow unlimited USDC',
  'user-operation-that-pays': 'Send 0.5 ETH',
  'user-operation-that-deploys-and-is-sponsored': 'Send 0.5 ETH',
};

const dangerous: Record<string, string> = {
  'message-to-sign-in-elsewhere': 'Sign in to app.swap.example',
  'message-that-is-the-hash-of-an-operation': 'Sign a message',
  'typed-data-order-for-nothing': 'Sign an order to trade',
  'described-approval-of-a-collection-after': 'Allow all NFTs of a collection',
  'transaction-that-delegates': 'Let other code act for accounts and send 1.25 ETH',
  'transaction-that-gives-a-collection-away':
    'Allow all NFTs of a collection and give away 251 NFTs',
  'user-operation-that-is-dangerous':
    'Replace the code of your account and send 0.5 ETH',
  'export-plain': 'Export a private key',
};

let browser: Awaited<ReturnType<typeof startBrowser>>;
let page: Page;

beforeAll(async () => {
  browser = await startBrowser();
  page = await browser.newPage({ viewport: { width: 360, height: 600 } });
});

afterAll(async () => browser.close());

async function draw(name: string, translate: Translate): Promise<Locator> {
  const screen = allScreens.find((each) => nameOf(each) === name);
  if (!screen) throw new Error(`The gallery has no screen ${name}.`);
  const { id, html } = await drawFigure(screen, translate);
  await page.setContent(await writePage([{ id, html }]));
  return page.locator(`#${id}`);
}

/** Reads the texts outside folds, with their distance below MetaMask's top bar. */
async function read(popup: Locator) {
  return popup.evaluate((root) => {
    const top = root.querySelector('.top')?.getBoundingClientRect().bottom ?? 0;
    const list = (selector: string) =>
      [...root.querySelectorAll(selector)]
        .filter((each) => !each.closest('.fold'))
        .map((each) => ({
          text: each.textContent ?? '',
          bottom: each.getBoundingClientRect().bottom - top,
        }));
    return {
      title: list('h1, h2')[0],
      banners: list('.banner'),
      dangers: list('.banner.danger'),
      addresses: list('.address'),
      labels: list('.label'),
      values: list('.row > .value'),
      footer: (root.querySelector('footer')?.getBoundingClientRect().top ?? 0) - top,
    };
  });
}

/** Titles with amounts from the simulation or from the calls. */
const detailedTitles: Record<string, string> = {
  'transaction-that-swaps': 'Swap 1.25 ETH for 4,303.12 USDC',
  'calls-several': 'Send 250 USDC and 1.25 ETH',
  'described-bridge-to-starknet-after': 'Bridge 980,000 STRK and ≈ 0.0000221486 ETH',
  'described-loan-from-aave-after': 'Borrow ≈ 0.308171 WBTC',
  'described-transaction-of-a-safe-after': 'Your Safe sends 30,000 USDC',
  'described-batch-of-approval-and-swap-after':
    'Allow ≈ 0.00647138 WETH and swap it for ≈ 13.9711 USDT',
};

/** Verbs of screens that undo something; their other button is "Back" instead of "Cancel". */
const undoing: Record<string, string> = {
  'transaction-that-cancels': 'Cancel the transaction',
  'transaction-that-is-revoked': 'Revoke',
  'transaction-that-is-revoked-and-another-account-pays': 'Revoke',
  'transaction-that-is-replaced-and-tokens-move-to-the-account-that-pays':
    'Rescue tokens',
};

/** Texts that hide known facts or are ambiguous. */
const vague =
  /, and \d+ more$|^Unverified token|^Call \d|^Delegates (now )?to|the network's currency/u;

const locales: Locale[] = ['en', 'de', 'ja'];

describe.each(locales)('a dialog in %s', (locale) => {
  let translate: Translate;

  beforeAll(async () => {
    translate = await loadTexts(locale);
  });

  it.each(Object.entries({ ...common, ...dangerous }))(
    'is understood at a glance: %s',
    async (name, english) => {
      const popup = await draw(name, translate);
      const { title, banners, dangers, addresses, values, footer } = await read(popup);
      if (locale === 'en') expect(title?.text).toBe(english);
      const [unit = ''] = /ETH|USDC/u.exec(english) ?? [];
      expect(title?.text).toContain(unit);
      // The first 300 px contain the title and the worst warning or, without warnings, the
      // counterparty.
      const [worst] = banners;
      const [counterparty] = addresses;
      for (const each of [title, worst, ...(worst ? [] : [counterparty])]) {
        expect(each?.bottom ?? 0).toBeLessThanOrEqual(300);
      }
      const texts = values
        .map(({ text }) => text)
        .filter((text) => !text.startsWith('0x') && text.length > 3);
      expect([...new Set(texts)]).toStrictEqual(texts);
      if (Object.hasOwn(common, name)) {
        expect(footer).toBeLessThanOrEqual(600);
      }
      const approve = popup.locator('footer button').last();
      if (dangers.length > 0) expect(await approve.isDisabled()).toBe(true);
    },
  );
});

it('gives every screen a precise title, labels and buttons', async () => {
  const translate = await loadTexts('en');
  const found: string[] = [];
  for (const screen of allScreens) {
    const name = nameOf(screen);
    const popup = await draw(name, translate);
    const { title, labels } = await read(popup);
    const expected = detailedTitles[name];
    if (expected !== undefined && title?.text !== expected) {
      found.push(`${name}: ${title?.text}`);
    }
    const folds = await popup.locator('.fold > summary').allTextContents();
    if (folds.filter((each) => each === translate('details.title')).length > 1) {
      found.push(`${name}: several folds of details`);
    }
    const unknown = ['MBG', 'OUSG', 'ABC'];
    const text = (await popup.textContent()) ?? '';
    const isVague = (each: string): boolean =>
      vague.test(each) &&
      !(/^Unverified/u.test(each) && unknown.some((symbol) => text.includes(symbol)));
    found.push(
      ...[title, ...labels]
        .map((each) => each?.text ?? '')
        .filter(isVague)
        .map((each) => `${name}: ${each}`),
    );
    const [refuse, approve] = await popup.locator('footer button').allTextContents();
    const verb = undoing[name];
    if (verb !== undefined && (refuse !== 'Back' || approve !== verb)) {
      found.push(`${name}: ${refuse} | ${approve}`);
    }
  }
  expect(found).toStrictEqual([]);
}, 120_000);

it('uses no Solidity name or type as a label outside folds', async () => {
  const translate = await loadTexts('en');
  // Calls of a batch are labelled with their states.
  const states = (
    ['pending', 'included', 'failed', 'replaced', 'dropped', 'unknown'] as const
  ).map((state) => translate(`sent.${state}`));
  const found: string[] = [];
  for (const screen of allScreens) {
    const { labels } = await read(await draw(nameOf(screen), translate));
    const odd = labels.filter(
      ({ text }) => !/^(?:[\p{Lu}#\d]|https:)/u.test(text) && !states.includes(text),
    );
    found.push(...odd.map(({ text }) => `${nameOf(screen)}: ${text}`));
  }
  expect(found).toStrictEqual([]);
}, 120_000);
