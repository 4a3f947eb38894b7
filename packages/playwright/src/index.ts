/**
 * Tollkeeper in Playwright pages, for end-to-end tests of dapps.
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

/** A test's wallet. Its dialogs wait for the test, unless `decide` is set. */
export type PageWallet = TestTollkeeper & {
  /** Approves the oldest open dialog, or the next one to open; returns its content. If none opens
   * within four seconds, throws and names the page's pending requests. */
  approve: (decision?: Exclude<Decision, 'reject'>) => Promise<Review>;
  /** Rejects the dialog that `approve` would approve. */
  reject: () => Promise<Review>;
  /** Gets the content of the newest dialog, open or closed. Throws if there was none. */
  lastReview: () => Review;
};

export type PageFrame = {
  url: () => string;
  evaluate: (script: string) => Promise<unknown>;
};

/** Members of a Playwright page that are used here; a context has them for all its pages. */
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

/** Time limit for a dialog in ms. It is below the 5 s of Playwright's assertions, whose error would
 * not say why. */
const WAIT_MS = 4_000;

type Dialog = { review: Review; decide: (decision: Decision) => void };

/**
 * Creates the fixture `wallet`, which is injected into the page before the test begins.
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
    wallet: async ({ page }, use) => {
      const wallet = await installTollkeeper(page, options);
      await use(wallet);
      wallet.stop();
    },
  };
}

/** Injects a wallet into a page as `window.ethereum`, announced as MetaMask Flask through EIP-6963.
 * Call it before the page loads; the wallet survives reloads. Keys and dialogs stay in the test. */
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
  const pending = await bridge(page, {
    name: 'MetaMask Flask (Tollkeeper for tests)',
    visit: (origin) => wallet.visit(origin),
  });
  const waitForDialog = async (): Promise<Dialog> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(take), 1);
        reject(new Error(describeWait([...pending.values()], wallet.reviews.at(-1))));
      }, WAIT_MS);
      const take = (dialog: Dialog): void => {
        clearTimeout(timer);
        resolve(dialog);
      };
      waiting.push(take);
    });
  const decide = async (decision: Decision): Promise<Review> => {
    const dialog = open.shift() ?? (await waitForDialog());
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

function describeWait(methods: readonly string[], last: Review | undefined): string {
  const waits =
    methods.length > 0
      ? `The page is waiting for ${methods.join(', ')}`
      : 'The page is not waiting for a request';
  const dialog = last
    ? `the last dialog was "${last.title}"`
    : 'no dialog has opened yet';
  return `No dialog opened within ${WAIT_MS / 1000} s. ${waits}; ${dialog}.`;
}
