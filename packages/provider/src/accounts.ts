// A site's accounts and their change events. Snaps cannot push to a page, so a visible page with
// accounts polls every 2.5 s; tabs of one site notify each other at once.
import { toProviderError } from './eip1193';
import type { Emitter } from './eip1193';

/** Polling interval in ms. */
const INTERVAL_MS = 2_500;

const answersAccounts = ['eth_requestAccounts', 'eth_accounts'];

/** Methods that change the accounts. The event is emitted before the answer is returned. */
const changesAccounts = [
  'wallet_connect',
  'wallet_disconnect',
  'wallet_requestPermissions',
  'wallet_revokePermissions',
];

/** Error code for an account that the site may not use, or may no longer use. */
const UNAUTHORIZED = 4100;

/** Creates a watcher of a site's accounts. It passes on the answers to requests and emits the
 * account changes that they contain. Pages with the same snap id notify each other. */
export function watchAccounts(
  findAccounts: () => Promise<unknown>,
  { emit, hasListeners }: Emitter,
  name: string,
): (method: string, answer: Promise<unknown>) => Promise<unknown> {
  const isPage = typeof document !== 'undefined';
  let known: readonly unknown[] = [];
  let [asked, taken] = [0, 0];
  let channel: BroadcastChannel | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;
  // The answer to an earlier request is outdated once a later one was answered.
  const take = (accounts: unknown, question: number): boolean => {
    if (!Array.isArray(accounts) || question < taken) return false;
    taken = question;
    if (String(accounts) === String(known)) return false;
    known = accounts;
    emit('accountsChanged', [...known]);
    return true;
  };
  const share = (accounts: unknown, question: number): void => {
    if (take(accounts, question)) channel?.postMessage([...known]);
    if (isPage && known.length > 0) timer ??= startPolling();
  };
  const look = async (): Promise<void> => {
    if (!hasListeners('accountsChanged')) return;
    const question = (asked += 1);
    await findAccounts().then(
      (accounts) => share(accounts, question),
      () => undefined,
    );
  };
  const startPolling = (): ReturnType<typeof setInterval> => {
    let looking: Promise<void> | undefined;
    const lookIfVisible = (): void => {
      if (document.visibilityState !== 'visible') return;
      looking ??= look().finally(() => (looking = undefined));
    };
    document.addEventListener('visibilitychange', lookIfVisible);
    return setInterval(lookIfVisible, INTERVAL_MS);
  };
  return async (method, answer) => {
    const question = (asked += 1);
    if (isPage) {
      channel ??= openChannel(name, (accounts) => void take(accounts, (asked += 1)));
    }
    try {
      const result = await answer;
      if (answersAccounts.includes(method)) share(result, question);
      return result;
    } catch (error) {
      if (toProviderError(error).code === UNAUTHORIZED) void look();
      throw error;
    } finally {
      if (changesAccounts.includes(method)) await look();
    }
  };
}

// Some browsers refuse channels if storage is blocked, and test environments may lack them.
function openChannel(
  name: string,
  hear: (accounts: unknown) => void,
): BroadcastChannel | undefined {
  try {
    const channel = new BroadcastChannel(`tollkeeper ${name}`);
    channel.onmessage = ({ data }) => hear(data);
    return channel;
  } catch {
    return undefined;
  }
}
