// The hooks behind the methods that need no permission of their own, for one origin:
// wallet_requestSnaps, wallet_invokeKeyring, snap_getState, snap_openWebSocket, …
import type { RequestedPermissions } from '@metamask/permission-controller';

import { getKeyringMethods } from './keyring-methods';
import { bindAction, type Platform } from './platform';

/** What `snap_getClientStatus` tells about the wallet. */
const CLIENT_VERSION = '13.6.0-flask.0';

type Bind = (
  action: Parameters<typeof bindAction>[1],
  ...bound: unknown[]
) => (...args: unknown[]) => unknown;

type Interface = { state: unknown; context: unknown };

/**
 * Create the hooks of one origin.
 *
 * @param origin - A website's origin or a snap's id.
 * @param platform - The wallet's parts.
 * @returns Hooks by name, as MetaMask's method middleware selects them.
 */
export function createMethodHooks(
  origin: string,
  platform: Platform,
): Record<string, unknown> {
  const bind: Bind = (action, ...bound) => bindAction(platform, action, ...bound);
  return {
    ...createPermissionHooks(origin, platform),
    ...createSnapHooks(origin, bind),
    ...createInterfaceHooks(origin, bind),
    getUnlockPromise: () => platform.lock.untilUnlocked(),
    getIsLocked: () => platform.lock.isLocked(),
    getIsActive: () => !platform.lock.isLocked(),
    getVersion: () => CLIENT_VERSION,
    getEntropySources: () => platform.secrets.getEntropySources(),
    // There are no prices and no second network here.
    getCurrencyRate: () => undefined,
    getNetworkConfigurationByChainId: () => undefined,
  };
}

function createPermissionHooks(
  origin: string,
  { permissions, subjects }: Platform,
): Record<string, unknown> {
  return {
    hasPermission: (name: string) => permissions.hasPermission(origin, name),
    getPermissions: () => permissions.getPermissions(origin),
    requestPermissions: (requested: RequestedPermissions) =>
      permissions.requestPermissions({ origin }, requested),
    invokeSnap: (params: Record<string, never>) =>
      permissions.executeRestrictedMethod(origin, 'wallet_snap', params),
    getAllowedKeyringMethods: () =>
      getKeyringMethods(subjects.getSubjectMetadata(origin)),
  };
}

function createSnapHooks(origin: string, bind: Bind): Record<string, unknown> {
  return {
    getSnap: bind('SnapController:get'),
    getAllSnaps: bind('SnapController:getAll'),
    getSnaps: bind('SnapController:getPermitted', origin),
    installSnaps: bind('SnapController:install', origin),
    handleSnapRpcRequest: (request: object) =>
      bind('SnapController:handleRequest')({ ...request, origin }),
    getSnapFile: bind('SnapController:getFile', origin),
    getSnapState: bind('SnapController:getSnapState', origin),
    updateSnapState: bind('SnapController:updateSnapState', origin),
    clearSnapState: bind('SnapController:clearSnapState', origin),
    scheduleBackgroundEvent: (event: object) =>
      bind('CronjobController:schedule')({ ...event, snapId: origin }),
    cancelBackgroundEvent: bind('CronjobController:cancel', origin),
    getBackgroundEvents: bind('CronjobController:get', origin),
    openWebSocket: bind('WebSocketService:open', origin),
    closeWebSocket: bind('WebSocketService:close', origin),
    sendWebSocketMessage: bind('WebSocketService:sendMessage', origin),
    getWebSockets: bind('WebSocketService:getAll', origin),
  };
}

function createInterfaceHooks(origin: string, bind: Bind): Record<string, unknown> {
  const get = (id: string) =>
    bind('SnapInterfaceController:getInterface', origin)(id) as Interface;
  return {
    createInterface: bind('SnapInterfaceController:createInterface', origin),
    updateInterface: bind('SnapInterfaceController:updateInterface', origin),
    resolveInterface: bind('SnapInterfaceController:resolveInterface', origin),
    getInterfaceState: (id: string) => get(id).state,
    getInterfaceContext: (id: string) => get(id).context,
  };
}
