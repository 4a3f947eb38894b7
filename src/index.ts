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

import { getApp } from './app';
import { handleCronjob } from './handlers/background';
import { atBoundary } from './handlers/boundary';
import { handleHomePage } from './handlers/home-page';
import { handleKeyringRequest } from './handlers/keyring-request';
import {
  handleAwake,
  handleInstall,
  handleStart,
  handleUpdate,
} from './handlers/lifecycle';
import { handleRpcRequest } from './handlers/rpc-request';
import { handleSignature } from './handlers/signature-insight';
import { handleTransaction } from './handlers/transaction-insight';
import { handleUserInput } from './handlers/user-input';
import { handleWebSocketEvent } from './handlers/web-socket-event';

/** Dapps and the companion, by `wallet_invokeSnap`. */
export const onRpcRequest: OnRpcRequestHandler = atBoundary(
  'onRpcRequest',
  getApp,
  handleRpcRequest,
);

/** MetaMask and the companion, by the Account Management API. */
export const onKeyringRequest: OnKeyringRequestHandler = atBoundary(
  'onKeyringRequest',
  getApp,
  handleKeyringRequest,
);

/** What is said beside a signature in the wallet's own confirmation. */
export const onSignature: OnSignatureHandler = atBoundary(
  'onSignature',
  getApp,
  handleSignature,
);

/** What is said beside a transaction in the wallet's own confirmation. */
export const onTransaction: OnTransactionHandler = atBoundary(
  'onTransaction',
  getApp,
  handleTransaction,
);

const openHomePage = atBoundary('onHomePage', getApp, handleHomePage);

/** The user opens the snap's page, of which the platform tells nothing. */
export const onHomePage: OnHomePageHandler = async () => openHomePage({});

/** Buttons of our dialogs and of our page. */
export const onUserInput: OnUserInputHandler = atBoundary(
  'onUserInput',
  getApp,
  handleUserInput,
);

/** Our sockets to nodes, which the wallet owns. */
export const onWebSocketEvent: OnWebSocketEventHandler = atBoundary(
  'onWebSocketEvent',
  getApp,
  handleWebSocketEvent,
);

/** The client has started anew. */
export const onStart: OnStartHandler = atBoundary('onStart', getApp, handleStart);

/** The snap was installed, or a version of it in place of another. */
export const onInstall: OnInstallHandler = atBoundary(
  'onInstall',
  getApp,
  handleInstall,
);

/** The client was opened. */
export const onActive: OnActiveHandler = atBoundary('onActive', getApp, handleAwake);

/** A newer version was installed. */
export const onUpdate: OnUpdateHandler = atBoundary('onUpdate', getApp, handleUpdate);

/** Background events: what was sent is looked after, and our page drawn anew. */
export const onCronjob: OnCronjobHandler = atBoundary(
  'onCronjob',
  getApp,
  handleCronjob,
);
