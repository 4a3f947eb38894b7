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

/** A request: its number in this tab, and its time, which tabs can compare. */
type Question = { number: number; askedAt: number };

/** The accounts that another tab has learned, and the time of its request. */
type Message = { accounts?: unknown; askedAt: number };

/** Watches a site's accounts. The returned function passes answers on unchanged, and emits the
 * account changes that follow from them. */
export function watchAccounts(
  findAccounts: () => Promise<unknown>,
  { emit, hasListeners }: Emitter,
  name: string,
): (method: string, answer: Promise<unknown>) => Promise<unknown> {
  const isPage = typeof document !== 'undefined';
  let known: readonly unknown[] = [];
  /** Number of the latest request, now and when accounts were last learned. */
  let [asked, learned] = [0, 0];
  let learnedAt = 0;
  let channel: BroadcastChannel | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;
  const isKnown = (accounts: readonly unknown[]): boolean =>
    String(accounts) === String(known);
  const learn = (accounts: readonly unknown[]): void => {
    [learned, learnedAt] = [asked, Date.now()];
    if (isKnown(accounts)) return;
    known = [...accounts];
    emit('accountsChanged', [...known]);
  };
  const pollIf = (accounts: readonly unknown[]): void => {
    if (isPage && accounts.length > 0) timer ??= startPolling();
  };
  const startRequest = (): Question => ({ number: (asked += 1), askedAt: Date.now() });
  const askAgain = async (): Promise<void> => {
    const question = startRequest();
    await findAccounts().then(
      async (accounts) => weigh(accounts, question),
      () => undefined,
    );
  };
  // Asks again if an answer differs from accounts learned during the wait: it may be older.
  const weigh = async (accounts: unknown, question: Question): Promise<void> => {
    if (!Array.isArray(accounts)) return;
    pollIf(accounts);
    const isNew = !isKnown(accounts);
    if (question.number > learned) {
      learn(accounts);
      const { askedAt } = question;
      if (isNew) channel?.postMessage({ accounts: [...known], askedAt });
    } else if (isNew) {
      await askAgain();
    }
  };
  const hear = (message: unknown): void => {
    const { accounts, askedAt } = Object(message) as Message;
    if (!Array.isArray(accounts)) return;
    pollIf(accounts);
    if (askedAt >= learnedAt) learn(accounts);
    else if (!isKnown(accounts)) void askAgain();
  };
  const refresh = async (): Promise<void> => {
    // Without listeners, accounts that are still connected show in `selectedAddress`.
    if (known.length > 0 || hasListeners('accountsChanged')) await askAgain();
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
    const question = startRequest();
    if (isPage) channel ??= openChannel(name, hear);
    try {
      const result = await answer;
      if (readingMethods.includes(method)) void weigh(result, question);
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
  onMessage: (message: unknown) => void,
): BroadcastChannel | undefined {
  try {
    const channel = new BroadcastChannel(`tollkeeper ${name}`);
    channel.onmessage = ({ data }) => onMessage(data);
    return channel;
  } catch {
    return undefined;
  }
}
