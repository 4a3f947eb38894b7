// The snap's exports.
import { createApp } from './app';
import type { App } from './app';
import { getConfig } from './config';
import { createEntryPoints } from './entry-points';
import { platformEdges } from './platform/edges';

let app: App | undefined;

export const {
  onRpcRequest,
  onKeyringRequest,
  onSignature,
  onTransaction,
  onHomePage,
  onUserInput,
  onWebSocketEvent,
  onStart,
  onInstall,
  onActive,
  onUpdate,
  onCronjob,
} = createEntryPoints(() => (app ??= createApp(platformEdges, getConfig())));
