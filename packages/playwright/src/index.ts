/**
 * Tollkeeper in a page that Playwright drives, for end-to-end tests of dapps.
 *
 * @module playwright
 */
import type { RequestArguments } from '../../provider/src';
import { createTollkeeper } from '../../testing/src';
import type {
  Decision,
  Review,
  TestTollkeeper,
  TollkeeperOptions,
} from '../../testing/src';
import { bridge } from './bridge';

/** The wallet of a test. Its dialogs wait for the test, unless `decide` is set. */
export type PageWallet = TestTollkeeper & {
  /** Approves the dialog that is open, or the next one that opens; returns what it asks. */
  approve: (decision?: Exclude<Decision, 'reject'>) => Promise<Review>;
  /** Refuses the dialog that is open, or the next one that opens; returns what it asks. */
  reject: () => Promise<Review>;
  /** Gets what the newest dialog asks, or asked. Throws if there was none. */
  lastReview: () => Review;
};

export type PageFrame = {
  url: () => string;
  evaluate: (script: string) => Promise<unknown>;
};

/** A page of Playwright, or a context for all of its pages, as far as it is used here. */
export type WalletPage = {
  exposeBinding: (
    name: string,
    callback: (source: { frame: PageFrame }, args: RequestArguments) => unknown,
  ) => Promise<unknown>;
  addInitScript: (script: { content: string }) => Promise<unknown>;
};

/** Fixtures for `test.extend`. */
export type WalletFixtures = {
  wallet: (
    given: { page: WalletPage },
    use: (wallet: PageWallet) => Promise<void>,
  ) => Promise<void>;
};

type Dialog = { review: Review; decide: (decision: Decision) => void };

/**
 * Creates the fixture `wallet`, which is in the page before the test begins.
 *
 * @example
 * ```ts
 * import { test as base } from '@playwright/test';
 * import { tollkeeper, type PageWallet } from 'tollkeeper-snap/playwright';
 *
 * const test = base.extend<{ wallet: PageWallet }>(tollkeeper());
 *
 * test('connects', async ({ page, wallet }) => {
 *   await page.goto('http://localhost:5173');
 *   await page.getByText('Connect').click();
 *   await wallet.approve();
 * });
 * ```
 */
export function tollkeeper(options: TollkeeperOptions = {}): WalletFixtures {
  return {
    wallet: async ({ page }, use) => use(await installTollkeeper(page, options)),
  };
}

/** Puts a wallet into a page, as `window.ethereum` and announced by EIP-6963 as MetaMask Flask. Call
 * it before the page loads; it is still there when the page is loaded again. Keys and dialogs stay in
 * the test. */
export async function installTollkeeper(
  page: WalletPage,
  options: TollkeeperOptions = {},
): Promise<PageWallet> {
  const open: Dialog[] = [];
  const waiting: ((dialog: Dialog) => void)[] = [];
  const wallet = await createTollkeeper({
    decide: async (review) =>
      new Promise((decide) => {
        const next = waiting.shift();
        if (next) next({ review, decide });
        else open.push({ review, decide });
      }),
    ...options,
  });
  await bridge(page, {
    name: 'MetaMask Flask (Tollkeeper for tests)',
    visit: (origin) => wallet.visit(origin),
  });
  const decide = async (decision: Decision): Promise<Review> => {
    const dialog =
      open.shift() ?? (await new Promise<Dialog>((resolve) => waiting.push(resolve)));
    dialog.decide(decision);
    return dialog.review;
  };
  return Object.assign(wallet, {
    approve: async (decision: Decision = 'approve') => decide(decision),
    reject: async () => decide('reject'),
    lastReview: () => {
      const last = wallet.reviews.at(-1);
      if (last) return last;
      throw new Error('The wallet has shown no dialog yet.');
    },
  });
}
