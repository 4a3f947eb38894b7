/**
 * Tollkeeper in a page that Playwright drives, for end-to-end tests of dapps.
 *
 * @module playwright
 */
import type { Provider, RequestArguments } from '../../provider/src';
import { toProviderError } from '../../provider/src/eip1193';
import { createTollkeeper } from '../../testing/src';
import type {
  Decision,
  Review,
  TestTollkeeper,
  TollkeeperOptions,
} from '../../testing/src';

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

const ASK = '__tollkeeperAsk';
const EVENT = '__tollkeeperEvent';

/**
 * Creates the fixture `wallet`, which is in the page before the test begins.
 *
 * @example
 * ```ts
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
  await bridge(page, wallet);
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

async function bridge(page: WalletPage, wallet: TestTollkeeper): Promise<void> {
  const frames = new Map<Provider, Set<PageFrame>>();
  const visit = (frame: PageFrame): Provider => {
    const provider = wallet.visit(new URL(frame.url()).origin);
    const known = frames.get(provider) ?? new Set();
    if (!frames.has(provider)) listen(provider, known);
    frames.set(provider, known.add(frame));
    return provider;
  };
  await page.exposeBinding(ASK, async ({ frame }, args) =>
    visit(frame)
      .request(args)
      .then(
        (result) => ({ result }),
        (thrown: unknown) => {
          const { code, message, data } = toProviderError(thrown);
          return { error: { code, message, data } };
        },
      ),
  );
  await page.addInitScript({
    content: `(${install.toString()})('${ASK}', '${EVENT}')`,
  });
}

function listen(provider: Provider, frames: ReadonlySet<PageFrame>): void {
  for (const event of ['accountsChanged', 'chainChanged', 'connect'] as const) {
    provider.on(event, (value: unknown) => {
      const values = JSON.stringify([event, value]);
      const script = `window.${EVENT} && window.${EVENT}(...${values})`;
      // A frame can be closed, or on its way to another page.
      for (const frame of frames) frame.evaluate(script).catch(() => undefined);
    });
  }
}

type Answered = { result?: unknown; error?: { message: string } };

// Runs in the page, as text: it can use nothing from outside of it.
function install(askName: string, eventName: string): void {
  const target = window as unknown as Record<string, unknown>;
  const listeners = new Map<string, ((value: unknown) => void)[]>();
  const of = (event: string): ((value: unknown) => void)[] =>
    listeners.get(event) ?? [];
  const ethereum = {
    isMetaMask: true,
    request: async (args: unknown) => {
      const ask = target[askName] as (args: unknown) => Promise<Answered>;
      const { result, error } = await ask(args);
      if (error) throw Object.assign(new Error(error.message), error);
      return result;
    },
    on: (event: string, listener: (value: unknown) => void) => {
      listeners.set(event, [...of(event), listener]);
      return ethereum;
    },
    removeListener: (event: string, listener: (value: unknown) => void) => {
      listeners.set(
        event,
        of(event).filter((each) => each !== listener),
      );
      return ethereum;
    },
  };
  target[eventName] = (event: string, value: unknown) => {
    for (const listener of of(event)) listener(value);
  };
  target['ethereum'] = ethereum;
  const info = Object.freeze({
    uuid: '7d1a3b52-5b0c-4c57-9f0e-2a6c1f0d8e31',
    name: 'MetaMask Flask (Tollkeeper for tests)',
    icon: 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg"/%3E',
    rdns: 'io.metamask.flask',
  });
  const detail = Object.freeze({ info, provider: ethereum });
  const announce = (): void => {
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  };
  window.addEventListener('eip6963:requestProvider', announce);
  announce();
}
