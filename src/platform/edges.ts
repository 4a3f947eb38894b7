// The snap's outer edges: everything that the app needs from the platform and the machine. Tests
// replace only these.
import { KeyringEvent } from '@metamask/keyring-api';
import type { EntropySource } from '@metamask/snaps-sdk';
import { isObject } from '@metamask/utils';
import type { Hex, Json } from '@metamask/utils';

import { PlatformError, UnavailableError } from '../core/errors';
import type { Backend } from '../core/vault';
import {
  ask,
  askUser,
  askRawWhenUnlocked,
  askWhenUnlocked,
  isLocked,
} from './answered';
import { printLine } from './boundary';
import { sharedEdges } from './shared-edges';
import type { SharedEdges } from './shared-edges';
import { createSockets } from './sockets';
import type { Sockets } from './sockets';

/** Background events, at most one per method. They wake the snap through `onCronjob`, even while
 * MetaMask is locked. */
export type Alarm = {
  /** In ms since 1970. */
  findNext: (method: string) => Promise<number | undefined>;
  /** Replaces the method's other events. */
  set: (method: string, seconds: number) => Promise<void>;
};

/** Background events for several items, by method and item id. */
export type Wakes = {
  has: (method: string, id: string) => Promise<boolean>;
  add: (method: string, id: string, seconds: number) => Promise<void>;
};

export type Edges = SharedEdges & {
  /** In the wallet's form: `de`, `zh_CN`. */
  fetchLocale: () => Promise<string>;
  print: (line: string) => void;
  /** Waits. Use it only within a request, since timers stop with the snap. */
  sleep: (ms: number) => Promise<void>;
  fetch: typeof globalThis.fetch;
  createSockets: () => Sockets;
  /** Accessing the encrypted state makes a locked wallet ask the user to unlock it. */
  createStateBackend: (encrypted: boolean, epoch: () => number) => Backend;
  /** Derives 32 bytes that only this snap can derive. The same salt and source give the same bytes,
   * even after a reinstallation; others give unrelated bytes. `source` is an entropy source of the
   * wallet, by default the primary one. */
  getEntropy: (salt: string, source?: string) => Promise<Hex>;
  /** Lists the wallet's Secret Recovery Phrases. Fails in older wallets. */
  listEntropySources: () => Promise<EntropySource[]>;
  /** Notifies MetaMask of changes to accounts and of decided requests (Account Management API).
   * Throws MetaMask's errors unchanged, for example if the user declines the account. */
  emitKeyringEvent: (
    event: `${KeyringEvent}`,
    params: Record<string, Json>,
  ) => Promise<void>;
  /** Shows an interface as a dialog. Resolves to the value from {@link Edges.answerDialog}, or to
   * null if the user closed it. The dialog has no type, because the wallet queues untyped dialogs,
   * whereas a confirmation fails while another dialog is open. */
  showDialog: (id: string) => Promise<Json>;
  answerDialog: (id: string, value: Json) => Promise<void>;
  /** Shows a notification in the wallet: at most five a minute, each below 500 characters. */
  notify: (message: string) => Promise<void>;
  isLocked: () => Promise<boolean>;
  alarm: Alarm;
  wakes: Wakes;
};

/** Events that MetaMask asks the user to confirm, so they have no time limit. */
const DECIDED_EVENTS: readonly string[] = [
  KeyringEvent.AccountCreated,
  KeyringEvent.AccountDeleted,
];

// MetaMask has no error code for corrupted state, only a message. A retry does not help.
function explainCorruption(error: unknown): never {
  const cause = error instanceof PlatformError ? error.cause : undefined;
  const message = isObject(cause) && 'message' in cause ? String(cause.message) : '';
  if (!/decrypt snap state/iu.test(message)) throw error;
  throw new UnavailableError(
    "MetaMask cannot decrypt Tollkeeper's data: it is corrupted. If restarting MetaMask " +
      'does not help, remove Tollkeeper, install it again and restore your accounts.',
    { cause },
  );
}

export const platformEdges: Edges = {
  ...sharedEdges,
  print: printLine,
  sleep: async (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  fetch: async (...args) => fetch(...args),
  createSockets,
  createStateBackend: (encrypted, epoch) => {
    const askFor = encrypted ? askWhenUnlocked : ask;
    return {
      epoch,
      load: async () =>
        askFor({ method: 'snap_getState', params: { encrypted } }).catch(
          explainCorruption,
        ),
      save: async (value) => {
        await askFor({ method: 'snap_setState', params: { encrypted, value } });
      },
    };
  },
  getEntropy: async (salt, source) =>
    askRawWhenUnlocked({
      method: 'snap_getEntropy',
      params: { version: 1, salt, ...(source !== undefined && { source }) },
    }),
  listEntropySources: async () =>
    askWhenUnlocked({ method: 'snap_listEntropySources' }),
  emitKeyringEvent: async (event, params) => {
    const request = {
      method: 'snap_manageAccounts',
      params: { method: event, params },
    } as const;
    const isDecided = DECIDED_EVENTS.includes(event);
    await (isDecided ? snap.request(request) : askRawWhenUnlocked(request));
  },
  showDialog: async (id) => askUser({ method: 'snap_dialog', params: { id } }),
  answerDialog: async (id, value) => {
    await ask({ method: 'snap_resolveInterface', params: { id, value } });
  },
  fetchLocale: async () => (await ask({ method: 'snap_getPreferences' })).locale,
  notify: async (message) => {
    await ask({ method: 'snap_notify', params: { type: 'inApp', message } });
  },
  isLocked,
  alarm: {
    findNext: async (method) => {
      const times = (await listEvents(method)).map(({ date }) => Date.parse(date));
      return times.length === 0 ? undefined : Math.min(...times);
    },
    set: async (method, seconds) => {
      const others = await listEvents(method);
      await Promise.all(others.map(async ({ id }) => cancelEvent(id)));
      await scheduleEvent({ method, params: [] }, seconds);
    },
  },
  wakes: {
    has: async (method, id) =>
      (await listEvents(method)).some(
        ({ request: { params } }) => Array.isArray(params) && params[0] === id,
      ),
    add: async (method, id, seconds) =>
      scheduleEvent({ method, params: [id] }, seconds),
  },
};

async function scheduleEvent(
  request: { method: string; params: string[] },
  seconds: number,
): Promise<void> {
  const params = { duration: `PT${seconds}S`, request };
  await ask({ method: 'snap_scheduleBackgroundEvent', params });
}

async function listEvents(
  method: string,
): Promise<{ id: string; date: string; request: { params?: unknown } }[]> {
  const events = await ask({ method: 'snap_getBackgroundEvents' });
  return events.filter(({ request }) => request.method === method);
}

// Cancelling fails if the event has already fired, which does no harm.
async function cancelEvent(id: string): Promise<void> {
  const request = { method: 'snap_cancelBackgroundEvent', params: { id } } as const;
  await ask(request).catch(() => undefined);
}
