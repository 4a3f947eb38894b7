// The snap's entry points, each behind the boundary.
import { UserInputEventType } from '@metamask/snaps-sdk';
import type {
  OnActiveHandler,
  OnCronjobHandler,
  OnHomePageHandler,
  OnInstallHandler,
  OnKeyringRequestHandler,
  OnRpcRequestHandler,
  OnSignatureHandler,
  OnStartHandler,
  OnTransactionHandler,
  OnUpdateHandler,
  OnUserInputHandler,
  OnWebSocketEventHandler,
  UserInputEvent,
  WebSocketEvent,
} from '@metamask/snaps-sdk';

import { POLL } from './activity/tracker';
import type { App } from './app';
import { handleKeyringRequest, handleRpcRequest } from './handlers';
import { greet } from './home/greeting';
import { HOME, HOME_PREFIX } from './home/tab';
import { handleSignature } from './insights/signature';
import { handleTransaction } from './insights/transaction';
import { atBoundary } from './platform/boundary';
import { findPress, REFUSE } from './ui/confirmation';

export type EntryPoints = {
  /** Dapps and the companion, by `wallet_invokeSnap`. */
  onRpcRequest: OnRpcRequestHandler;
  /** MetaMask and the companion, by the Account Management API. */
  onKeyringRequest: OnKeyringRequestHandler;
  /** The insight beside a signature in the wallet's own confirmation. */
  onSignature: OnSignatureHandler;
  /** The insight beside a transaction in the wallet's own confirmation. */
  onTransaction: OnTransactionHandler;
  /** The user opens the snap's page. */
  onHomePage: OnHomePageHandler;
  /** Buttons and fields of our dialogs and of our page. */
  onUserInput: OnUserInputHandler;
  /** Our sockets to nodes, which the wallet owns. */
  onWebSocketEvent: OnWebSocketEventHandler;
  /** The client was started. */
  onStart: OnStartHandler;
  /** The snap was installed, or a version of it in place of another. */
  onInstall: OnInstallHandler;
  /** The client was opened. */
  onActive: OnActiveHandler;
  /** A newer version was installed. */
  onUpdate: OnUpdateHandler;
  /** Background events: follows sent transactions, and redraws our page. */
  onCronjob: OnCronjobHandler;
};

/** Creates the entry points. `getApp` is called within the boundary, so that a failure to build the app
 * leaves as a SnapError too. */
export function createEntryPoints(getApp: () => App): EntryPoints {
  const enter = <Arguments, Result>(
    event: keyof EntryPoints,
    handle: (args: Arguments, app: App) => Promise<Result>,
  ): ((args: Arguments) => Promise<Result>) => atBoundary(event, getApp, handle);
  const openHomePage = enter('onHomePage', async (_args, { home }) => home.open());
  return {
    onRpcRequest: enter('onRpcRequest', handleRpcRequest),
    onKeyringRequest: enter('onKeyringRequest', handleKeyringRequest),
    onSignature: enter('onSignature', handleSignature),
    onTransaction: enter('onTransaction', handleTransaction),
    // The platform passes no arguments.
    onHomePage: async () => openHomePage({}),
    onUserInput: enter('onUserInput', handleUserInput),
    onWebSocketEvent: enter(
      'onWebSocketEvent',
      async ({ event }: { event: WebSocketEvent }, { sockets }) =>
        sockets.handle(event),
    ),
    onStart: enter('onStart', handleStart),
    onInstall: enter('onInstall', async (_args, app) => meet('installation', app)),
    onActive: enter('onActive', async (_args, { tracker }) => tracker.arm()),
    onUpdate: enter('onUpdate', async (_args, app) => meet('update', app)),
    onCronjob: enter('onCronjob', handleCronjob),
  };
}

// What users do with our dialogs and on the home page; other controls are ignored. Buttons are names,
// never closures: they work after the snap was stopped, too. Throws NotFoundError for a dialog that
// does not wait for an answer.
async function handleUserInput(
  { id, event }: { id: string; event: UserInputEvent },
  { dialogs, home }: App,
): Promise<void> {
  const { name = '' } = event;
  if (name.startsWith(HOME_PREFIX)) return home.input(id, event);
  if (event.type === UserInputEventType.InputChangeEvent) {
    return dialogs.input(id, { name, value: event.value });
  }
  if (event.type !== UserInputEventType.ButtonClickEvent) return undefined;
  if (name === REFUSE) return dialogs.refuse(id);
  const press = findPress(name);
  return press && dialogs.press(id, press);
}

// Ignores other events, such as those of an earlier version.
async function handleCronjob(
  { request }: { request: { method: string; params?: unknown } },
  { tracker, home }: App,
): Promise<void> {
  if (request.method === POLL) await tracker.poll();
  else if (request.method === HOME) await home.refresh(request.params);
}

// The client has started anew, and with it its memory: its questions to the user are gone, and so
// are the requests that it waited for. (A restart of our worker alone
// changes nothing.) It also drops background events that were due while it was closed, as an
// installation and an update drop all.
async function handleStart(
  _args: unknown,
  { session, requests, tracker, isLocked }: App,
): Promise<void> {
  await session.begin();
  // Without an alarm the next one who sends arms it.
  await tracker.arm().catch(() => undefined);
  // Does not ask to unlock for this: stale requests are not shown, and go with the next.
  if (!(await isLocked())) await requests.purge();
}

async function meet(occasion: 'installation' | 'update', app: App): Promise<void> {
  await app.tracker.arm().catch(() => undefined);
  await greet(occasion, app);
}
