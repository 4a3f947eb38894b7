// The snap on in-memory edges: a test controls storage, entropy, the wallet's events, dialogs and
// provider, the network and the clock; everything else is real.
import type { KeyringAccount } from '@metamask/keyring-api';
import { UserInputEventType } from '@metamask/snaps-sdk';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';

import { createDialogs } from '../../packages/testing/src/dialogs';
import { createApp } from '../../src/app';
import type { Config } from '../../src/config';
import type { AppContext } from '../../src/context';
import type { CoreEntry } from '../../src/core/core';
import { createEntryPoints } from '../../src/entry-points';
import type { EntryPoints } from '../../src/entry-points';
import { platformEdges } from '../../src/platform/edges';
import type { Edges as AppEdges } from '../../src/platform/edges';
import { createFakeInterfaces } from './fake-interfaces';
import { toAppSockets } from './fake-socket';
import { createEdges, createFakeWakes, sleepOn } from './test-edges';
import type { Edges } from './test-edges';

export { approve, refuse, whileDialogOpen } from './test-edges';
export type { Edges } from './test-edges';

export const COMPANION = 'http://localhost:8000';

export const DAPP = 'https://dapp.example';
export const OTHER_SITE = 'https://other.example';

export type TestApp = {
  services: AppContext;
  core: CoreEntry;
  entry: EntryPoints;
  edges: Edges;
};

const DEVELOPMENT: Config = {
  logLevel: 'debug',
  companionOrigin: COMPANION,
  isDevelopment: true,
  version: '1.2.3',
};

export const RELEASE: Config = {
  ...DEVELOPMENT,
  companionOrigin: undefined,
  isDevelopment: false,
};

/** Builds the snap on new edges, or on those of a stopped snap. */
export function createTestApp(edges = createEdges(), config = DEVELOPMENT): TestApp {
  const app = createApp(
    toAppEdges(edges, () => entry),
    config,
  );
  const entry = createEntryPoints(() => app);
  return { services: app.context, core: app.entry, entry, edges };
}

function toAppEdges(edges: Edges, getEntry: () => EntryPoints): AppEdges {
  const { wallet, network, events, clock, alarm, shipped } = edges;
  return {
    now: () => clock.time,
    sleep: async (ms) => sleepOn(clock, ms),
    fetch: network.fetch,
    createSockets: () => toAppSockets(edges.sockets),
    createStateBackend: (encrypted, epoch) =>
      Object.assign(encrypted ? edges.backend : edges.publicBackend, { epoch }),
    requestWallet: wallet.request,
    getEntropy: async (salt, source) => edges.entropy.getEntropy(salt, source),
    listEntropySources: async () => {
      const { sources } = edges.entropy;
      return sources instanceof Error
        ? Promise.reject(sources)
        : Promise.resolve(sources);
    },
    emitKeyringEvent: async (event, params) => {
      events.emitted.push([event, params]);
      await events.take(event, params);
    },
    interfaces: createFakeInterfaces(edges.screens),
    ...createUser(edges, getEntry),
    readFile: async (path) => shipped.read(path),
    fetchLocale: async () => shipped.locale(),
    notify: async (message) => {
      edges.notifications.push(message);
      return Promise.resolve();
    },
    isLocked: async () => Promise.resolve(clock.isLocked),
    alarm: {
      findNext: async () => Promise.resolve(alarm.due),
      set: async (_method, seconds) => {
        await alarm.held;
        alarm.due = clock.time + seconds * 1000;
      },
    },
    wakes: createFakeWakes(edges.wakes),
    print: (line) => edges.lines.push(line),
  };
}

// `dialogs.answer` decides in place of the user.
function createUser(
  { dialogs, screens }: Edges,
  getEntry: () => EntryPoints,
): Pick<AppEdges, 'showDialog' | 'answerDialog'> {
  const { showDialog, answerDialog } = createDialogs(screens, {
    decide: async (id) => {
      const answer = await dialogs.answer(screens.get(id) as JSXElement, id);
      const decision = answer as { approved?: boolean; values?: Record<string, Json> };
      if (typeof decision?.approved !== 'boolean') return { answer };
      screens.filled = decision.values ?? {};
      return { press: decision.approved ? 'approve' : 'refuse' };
    },
    press: async (id, name) => click(getEntry(), id, name),
    tick: async (id, name) =>
      getEntry().onUserInput({
        id,
        event: { type: UserInputEventType.InputChangeEvent, name, value: true },
        context: null,
      }),
  });
  return {
    showDialog: async (id) => {
      dialogs.shown.push(screens.get(id) as JSXElement);
      return showDialog(id);
    },
    answerDialog,
  };
}

/** Starts a worker on the platform's globals. */
export function createPlatformEntry(): EntryPoints {
  const app = createApp(platformEdges, { ...DEVELOPMENT, logLevel: 'off' });
  return createEntryPoints(() => app);
}

/** Fires the snap's background event after `ms`. */
export async function pollLater({ entry, edges }: TestApp, ms: number): Promise<void> {
  edges.clock.time += ms;
  edges.alarm.due = undefined;
  await entry.onCronjob({
    request: { jsonrpc: '2.0', id: 1, method: 'tollkeeper_poll' },
  });
}

/** Clicks a dialog's button, even one that is not drawn. */
export async function click(
  { onUserInput }: Pick<EntryPoints, 'onUserInput'>,
  id: string,
  name: string,
): Promise<void> {
  const event = { type: UserInputEventType.ButtonClickEvent, name } as const;
  await onUserInput({ id, event, context: null });
}

/** Creates an account as the companion, without a dialog. */
export async function createAccount(
  { services }: TestApp,
  options: Record<string, Json> = {},
): Promise<KeyringAccount> {
  const agree = async () => Promise.resolve();
  const consent = { create: agree, createUnlisted: agree };
  return services.keyring.createAccount(options, consent);
}
