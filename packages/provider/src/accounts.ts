// A site's accounts and their change events. Snaps cannot push to a page, so a visible page with
// accounts and a listener polls every 2.5 s; tabs of one site notify each other immediately.
import { toProviderError } from './eip1193';
import type { Emitter } from './eip1193';

const INTERVAL_MS = 2_500;

const readingMethods = ['eth_requestAccounts', 'eth_accounts'];

/** Methods that may change the accounts. Changes reach the listeners before the method returns. */
const changingMethods = [
  'wallet_connect',
  'wallet_disconnect',
  'wallet_requestPermissions',
  'wallet_revokePermissions',
];

/** Error code for an account that the site may not use, or may no longer use. */
const UNAUTHORIZED = 4100;

/** Watches a site's accounts. The returned function passes answers on unchanged, and emits the
 * account changes that follow from them. */
export function watchAccounts(
  findAccounts: () => Promise<unknown>,
  { emit, hasListeners }: Emitter,
  name: string,
): (method: string, answer: Promise<unknown>) => Promise<unknown> {
  const isPage = typeof document !== 'undefined';
  let known: readonly unknown[] = [];
  let [asked, accepted] = [0, 0];
  let channel: BroadcastChannel | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;
  // An answer is outdated if a later request has already been answered.
  const accept = (accounts: unknown, question: number): boolean => {
    if (!Array.isArray(accounts) || question < accepted) return false;
    accepted = question;
    if (isPage && accounts.length > 0) timer ??= startPolling();
    if (String(accounts) === String(known)) return false;
    known = accounts;
    emit('accountsChanged', [...known]);
    return true;
  };
  const share = (accounts: unknown, question: number): void => {
    if (accept(accounts, question)) channel?.postMessage([...known]);
  };
  const refresh = async (): Promise<void> => {
    // Without listeners, accounts that are still connected show in `selectedAddress`.
    if (known.length === 0 && !hasListeners('accountsChanged')) return;
    const question = (asked += 1);
    await findAccounts().then(
      (accounts) => share(accounts, question),
      () => undefined,
    );
  };
  const startPolling = (): ReturnType<typeof setInterval> => {
    let refreshing: Promise<void> | undefined;
    const refreshIfVisible = (): void => {
      if (document.visibilityState !== 'visible') return;
      if (!hasListeners('accountsChanged')) return;
      refreshing ??= refresh().finally(() => (refreshing = undefined));
    };
    document.addEventListener('visibilitychange', refreshIfVisible);
    return setInterval(refreshIfVisible, INTERVAL_MS);
  };
  return async (method, answer) => {
    const question = (asked += 1);
    if (isPage) {
      // A pending request may be newer than another tab's accounts, so it outranks them.
      channel ??= openChannel(name, (accounts) => void accept(accounts, accepted));
    }
    try {
      const result = await answer;
      if (readingMethods.includes(method)) share(result, question);
      return result;
    } catch (error) {
      if (toProviderError(error).code === UNAUTHORIZED) void refresh();
      throw error;
    } finally {
      if (changingMethods.includes(method)) await refresh();
    }
  };
}

// Some browsers refuse channels if storage is blocked, and test environments may lack them.
function openChannel(
  name: string,
  onAccounts: (accounts: unknown) => void,
): BroadcastChannel | undefined {
  try {
    const channel = new BroadcastChannel(`tollkeeper ${name}`);
    channel.onmessage = ({ data }) => onAccounts(data);
    return channel;
  } catch {
    return undefined;
  }
}
