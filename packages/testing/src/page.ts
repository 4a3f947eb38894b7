// The mock provider in a page that Playwright drives: keys, chains and the user's script stay in
// the test, and the page finds MetaMask Flask with Tollkeeper in it.
import { toProviderError } from '../../provider/src/eip1193';
import type { RequestArguments } from '../../provider/src/eip1193';
import type { MockProvider } from './provider';

/** A page of Playwright, as far as it is used here. */
export type MockPage = {
  exposeFunction: (
    name: string,
    callback: (args: RequestArguments) => unknown,
  ) => Promise<unknown>;
  addInitScript: (script: { content: string }) => Promise<unknown>;
  evaluate: (script: string) => Promise<unknown>;
};

const ASK = '__tollkeeperAsk';
const EVENT = '__tollkeeperEvent';

/**
 * Installs a mock provider into a page, as `window.ethereum` and announced by EIP-6963 as MetaMask
 * Flask. Call it before the page loads; it stays there when the page is loaded again.
 *
 * @example
 * ```ts
 * const provider = createMockProvider();
 * await installMockProvider(page, provider);
 * await page.goto('http://localhost:5173');
 * ```
 */
export async function installMockProvider(
  page: MockPage,
  provider: MockProvider,
): Promise<void> {
  await page.exposeFunction(ASK, async (args) =>
    provider.request(args).then(
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
  for (const event of ['accountsChanged', 'chainChanged', 'connect'] as const) {
    provider.on(event, (value: unknown) => {
      const told = JSON.stringify([event, value]);
      const script = `window.${EVENT} && window.${EVENT}(...${told})`;
      // The page can be closed, or on its way to another one.
      page.evaluate(script).catch(() => undefined);
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
    name: 'MetaMask Flask (mock)',
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
