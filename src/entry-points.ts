// The snap's entry points, each behind the boundary.
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
} from '@metamask/snaps-sdk';

import type { App } from './app';
import { handleCronjob } from './handlers/background';
import { atBoundary } from './handlers/boundary';
import type { EntryHandler } from './handlers/boundary';
import { handleKeyringRequest } from './handlers/keyring-request';
import {
  handleAwake,
  handleInstall,
  handleStart,
  handleUpdate,
} from './handlers/lifecycle';
import { handleRpcRequest } from './handlers/rpc-request';
import { handleSignature } from './insights/signature';
import { handleTransaction } from './insights/transaction';
import { handleUserInput } from './handlers/user-input';
import { handleWebSocketEvent } from './handlers/web-socket-event';

/** What the platform calls. */
export type EntryPoints = {
  /** Dapps and the companion, by `wallet_invokeSnap`. */
  onRpcRequest: OnRpcRequestHandler;
  /** MetaMask and the companion, by the Account Management API. */
  onKeyringRequest: OnKeyringRequestHandler;
  /** What is said beside a signature in the wallet's own confirmation. */
  onSignature: OnSignatureHandler;
  /** What is said beside a transaction in the wallet's own confirmation. */
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
  /** Background events: follows what was sent, and redraws our page. */
  onCronjob: OnCronjobHandler;
};

/**
 * Creates the entry points.
 *
 * @param getApp - Gets the app; called within the boundary, so that a failure to build it
 * leaves as a SnapError too.
 */
export function createEntryPoints(getApp: () => App): EntryPoints {
  const enter = <Arguments, Result>(
    event: keyof EntryPoints,
    handle: EntryHandler<Arguments, App, Result>,
  ): ((args: Arguments) => Promise<Result>) => atBoundary(event, getApp, handle);
  const openHomePage = enter('onHomePage', async (_args: unknown, { home }) =>
    home.open(),
  );
  return {
    onRpcRequest: enter('onRpcRequest', handleRpcRequest),
    onKeyringRequest: enter('onKeyringRequest', handleKeyringRequest),
    onSignature: enter('onSignature', handleSignature),
    onTransaction: enter('onTransaction', handleTransaction),
    // The platform passes no arguments.
    onHomePage: async () => openHomePage({}),
    onUserInput: enter('onUserInput', handleUserInput),
    onWebSocketEvent: enter('onWebSocketEvent', handleWebSocketEvent),
    onStart: enter('onStart', handleStart),
    onInstall: enter('onInstall', handleInstall),
    onActive: enter('onActive', handleAwake),
    onUpdate: enter('onUpdate', handleUpdate),
    onCronjob: enter('onCronjob', handleCronjob),
  };
}
