// A wallet for pages that Playwright drives, exposed as window.ethereum and announced through
// EIP-6963 as MetaMask Flask. The provider behind it runs in the test.
import { toProviderError, type RequestArguments } from '../../provider/src/eip1193';

type Frame = { url: () => string; evaluate: (script: string) => Promise<unknown> };

/** The same type as `WalletPage` in index.ts, which must declare its types itself. */
type Page = {
  exposeBinding: (
    name: string,
    callback: (source: { frame: Frame }, args: RequestArguments) => unknown,
  ) => Promise<unknown>;
  addInitScript: (script: { content: string }) => Promise<unknown>;
};

const events = [
  'accountsChanged',
  'chainChanged',
  'connect',
  'disconnect',
  'message',
] as const;

type SiteProvider = {
  request: (args: RequestArguments) => Promise<unknown>;
  on: (event: (typeof events)[number], listener: (value: unknown) => void) => unknown;
};

const ASK = '__tollkeeperAsk';
const EVENT = '__tollkeeperEvent';

/** Injects the visited site's provider into a page. Returns the method of each pending request. */
export async function bridge(
  page: Page,
  wallet: { name: string; visit: (origin: string) => SiteProvider },
): Promise<ReadonlyMap<object, string>> {
  const pending = new Map<object, string>();
  const frames = new Map<SiteProvider, Set<Frame>>();
  const visit = (frame: Frame): SiteProvider => {
    const origin = originOf(frame);
    const provider = wallet.visit(origin);
    const known = frames.get(provider) ?? new Set();
    if (!frames.has(provider)) listen(provider, origin, known);
    frames.set(provider, known.add(frame));
    return provider;
  };
  await page.exposeBinding(ASK, async ({ frame }, args) => {
    const call = {};
    // Pages can call `request` without arguments.
    pending.set(call, String((Object(args) as Partial<RequestArguments>).method));
    return visit(frame)
      .request(args)
      .finally(() => pending.delete(call))
      .then(
        (result) => ({ result }),
        (thrown: unknown) => ({ error: toProviderError(thrown).toJSON() }),
      );
  });
  await page.addInitScript({
    content: `(${install.toString()})('${ASK}', '${EVENT}', '${wallet.name}')`,
  });
  return pending;
}

function originOf(frame: Frame): string {
  return new URL(frame.url()).origin;
}

function listen(
  provider: SiteProvider,
  origin: string,
  frames: ReadonlySet<Frame>,
): void {
  for (const event of events) {
    provider.on(event, (value) => {
      const values = JSON.stringify([event, value]);
      const script = `window.${EVENT} && window.${EVENT}(...${values})`;
      // A frame may have gone to another site, or it may be closed or navigating.
      for (const frame of frames) {
        if (originOf(frame) === origin) frame.evaluate(script).catch(() => undefined);
      }
    });
  }
}

type Answered = { result?: unknown; error?: { message: string } };

// Runs in the page from its source text, so it cannot use anything outside the function.
function install(askName: string, eventName: string, name: string): void {
  const target = window as unknown as Record<string, unknown>;
  const listeners = new Map<string, ((value: unknown) => void)[]>();
  const listenersOf = (event: string): ((value: unknown) => void)[] =>
    listeners.get(event) ?? [];
  const toError = (error: { message: string }): Error =>
    Object.assign(new Error(error.message), error, { toJSON: () => error });
  const ethereum = {
    isMetaMask: true,
    request: async (args: unknown) => {
      const ask = target[askName] as (args: unknown) => Promise<Answered>;
      const { result, error } = await ask(args);
      if (error) throw toError(error);
      return result;
    },
    on: (event: string, listener: (value: unknown) => void) => {
      listeners.set(event, [...listenersOf(event), listener]);
      return ethereum;
    },
    removeListener: (event: string, listener: (value: unknown) => void) => {
      listeners.set(
        event,
        listenersOf(event).filter((each) => each !== listener),
      );
      return ethereum;
    },
  };
  target[eventName] = (event: string, given: { message: string }) => {
    const value = event === 'disconnect' ? toError(given) : given;
    for (const listener of listenersOf(event)) listener(value);
  };
  target['ethereum'] = ethereum;
  const info = Object.freeze({
    uuid: '7d1a3b52-5b0c-4c57-9f0e-2a6c1f0d8e31',
    name,
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
