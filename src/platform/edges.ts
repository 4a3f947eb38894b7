// The snap's outer edges: everything that the app uses of the platform and of the machine.
// Tests replace these, and nothing else.
import { KeyringEvent } from '@metamask/keyring-api';
import type { Hex, Json } from '@metamask/utils';

import {
  answered,
  answeredUnlocked,
  decided,
  heard,
  heardUnlocked,
  isLocked,
} from './answered';
import { interfaces } from './interfaces';
import type { Interfaces } from './interfaces';
import { printLine } from './log';
import { createSockets } from './sockets';
import type { Sockets } from './sockets';

// Time, so that everything above can be given another one in tests.

/** A clock in milliseconds since 1970, and a way to wait. */
export type Clock = {
  now: () => number;
  /** Wait; only within a request, since timers stop with the snap. */
  sleep: (ms: number) => Promise<void>;
};

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

// Custom dialogs: queued by the wallet, answered by the snap itself. A typed dialog would
// fail while another one is open, and could answer no more than yes or no.

/**
 * Show an interface as a dialog, and wait for its answer.
 *
 * @returns What {@link answerDialog} was given, or null if the user closed it.
 */
export async function showDialog(id: string): Promise<Json> {
  const method = 'snap_dialog';
  return decided(method, snap.request({ method, params: { id } }));
}

/** Close an open dialog with an answer. */
export async function answerDialog(id: string, value: Json): Promise<void> {
  const method = 'snap_resolveInterface';
  await answered(method, snap.request({ method, params: { id, value } }));
}

// The wallet's entropy for the snap. The same salt gives the same bytes, also after the
// snap was removed and installed again.

/**
 * Get 32 bytes that only this snap can derive.
 *
 * @param salt - Which bytes; other salts give unrelated ones.
 * @param source - The wallet's entropy source; its primary one by default.
 */
export async function getEntropy(salt: string, source?: string): Promise<Hex> {
  const method = 'snap_getEntropy';
  const params = { version: 1 as const, salt, ...(source !== undefined && { source }) };
  return heardUnlocked(method, snap.request({ method, params }));
}

// Files that are shipped beside the bundle (the manifest's `source.files`).

/** Read a text file; null if it is not there. */
export async function readFile(path: string): Promise<string | null> {
  const method = 'snap_getFile';
  const params = { path, encoding: 'utf8' as const };
  return answered(method, snap.request({ method, params }));
}

// Telling MetaMask what happened to our accounts (Account Management API).

/** What MetaMask asks its user about. */
const DECIDED_EVENTS: readonly string[] = [
  KeyringEvent.AccountCreated,
  KeyringEvent.AccountDeleted,
];

/**
 * Emit a keyring event.
 *
 * @throws What MetaMask says, such as that the user declined the account.
 */
export async function emitKeyringEvent(
  event: `${KeyringEvent}`,
  params: Record<string, Json>,
): Promise<void> {
  const method = 'snap_manageAccounts';
  const answer = snap.request({ method, params: { method: event, params } });
  await (DECIDED_EVENTS.includes(event) ? answer : heardUnlocked(method, answer));
}

// Notifications of the wallet: five a minute, of less than 500 characters.

/** Show a message in the wallet. */
export async function notify(message: string): Promise<void> {
  const method = 'snap_notify';
  const params = { type: 'inApp' as const, message };
  await answered(method, snap.request({ method, params }));
}

// What the user chose in the wallet's own settings.

/** Fetch the locale of the wallet's screens, as the wallet writes it: `de`, `zh_CN`. */
export async function fetchLocale(): Promise<string> {
  const method = 'snap_getPreferences';
  const { locale } = await answered(method, snap.request({ method }));
  return locale;
}

// The wallet's storage for the snap: one document encrypted, one in the clear.

/** Loads and saves a whole document; null if nothing was saved yet. */
type Backend = {
  load: () => Promise<Json>;
  save: (document: Json) => Promise<void>;
  epoch: () => number;
};

/**
 * Create access to one of the two documents.
 *
 * @param encrypted - Whether it is the encrypted one, which asks a locked wallet's user
 * to unlock.
 * @param epoch - The number of the worker epoch.
 */
export function createStateBackend(encrypted: boolean, epoch: () => number): Backend {
  const wait = encrypted ? answeredUnlocked : answered;
  return {
    epoch,
    load: async () => {
      const method = 'snap_getState';
      return wait(method, snap.request({ method, params: { encrypted } }));
    },
    save: async (value) => {
      const method = 'snap_setState';
      await wait(method, snap.request({ method, params: { encrypted, value } }));
    },
  };
}

// The wallet's own provider. It serves the snap's own network there, which follows
// neither the user nor the dapp, and it takes no batches.

/** Ask the wallet's node. */
export async function requestWallet(call: {
  method: string;
  params: Json[];
}): Promise<unknown> {
  return heard(call.method, ethereum.request(call));
}

// Background events: the wallet wakes the snap at a time, also while it is locked.

/** Wakes the snap by `onCronjob`. */
export type Alarm = {
  /** Find when the next event of a method is due, in ms since 1970. */
  findNext: (method: string) => Promise<number | undefined>;
  /** Have `onCronjob` called with a method in some seconds, in place of its other events. */
  set: (method: string, seconds: number) => Promise<void>;
};

/** Wakes the snap for each of several things of a kind, by their ids. */
export type Wakes = {
  /** Tell whether an event of a method is due for one. */
  has: (method: string, id: string) => Promise<boolean>;
  /** Have `onCronjob` called with a method and an id in some seconds. */
  add: (method: string, id: string, seconds: number) => Promise<void>;
};

/** The wallet's background events, of which a method has one. */
export const backgroundEvents: Alarm = {
  findNext: async (method) => {
    const times = (await list(method)).map(({ date }) => Date.parse(date));
    return times.length === 0 ? undefined : Math.min(...times);
  },
  set: async (method, seconds) => {
    const others = await list(method);
    await Promise.all(others.map(async ({ id }) => cancel(id)));
    await schedule({ method, params: [] }, seconds);
  },
};

/** The wallet's background events, of which a method has one an id. */
export const wakes: Wakes = {
  has: async (method, id) =>
    (await list(method)).some(
      ({ request: { params } }) => Array.isArray(params) && params[0] === id,
    ),
  add: async (method, id, seconds) => schedule({ method, params: [id] }, seconds),
};

async function schedule(
  request: { method: string; params: string[] },
  seconds: number,
): Promise<void> {
  const method = 'snap_scheduleBackgroundEvent';
  const params = { duration: `PT${seconds}S`, request };
  await answered(method, snap.request({ method, params }));
}

async function list(
  method: string,
): Promise<{ id: string; date: string; request: { params?: unknown } }[]> {
  const listing = 'snap_getBackgroundEvents';
  const events = await answered(listing, snap.request({ method: listing }));
  return events.filter(({ request }) => request.method === method);
}

// One that fires meanwhile cannot be cancelled, and does no harm.
async function cancel(id: string): Promise<void> {
  const method = 'snap_cancelBackgroundEvent';
  await answered(method, snap.request({ method, params: { id } })).catch(
    () => undefined,
  );
}

/** What the app uses of the platform and of the machine. */
export type Edges = Clock & {
  fetch: typeof globalThis.fetch;
  /** Creates access to the wallet's sockets; called once a worker. */
  createSockets: () => Sockets;
  createStateBackend: typeof createStateBackend;
  requestWallet: typeof requestWallet;
  getEntropy: typeof getEntropy;
  emitKeyringEvent: typeof emitKeyringEvent;
  interfaces: Interfaces;
  showDialog: (id: string) => Promise<Json>;
  answerDialog: (id: string, value: Json) => Promise<void>;
  readFile: (path: string) => Promise<string | null>;
  fetchLocale: () => Promise<string>;
  notify: (message: string) => Promise<void>;
  isLocked: () => Promise<boolean>;
  alarm: Alarm;
  wakes: Wakes;
  /** Writes a line of the log. */
  print: (line: string) => void;
};

/** The edges of a snap that runs in MetaMask. */
export const platformEdges: Edges = {
  ...systemClock,
  fetch: async (...args) => fetch(...args),
  createSockets,
  createStateBackend,
  requestWallet,
  getEntropy,
  emitKeyringEvent,
  interfaces,
  showDialog,
  answerDialog,
  readFile,
  fetchLocale,
  notify,
  isLocked,
  alarm: backgroundEvents,
  wakes,
  print: printLine,
};
