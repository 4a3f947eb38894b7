// What the hooks of MetaMask's methods stand on: one object that each wallet builds
// once and every origin's engine shares.
import type { ApprovalControllerActions } from '@metamask/approval-controller';
import type { SnapKeyring } from '@metamask/eth-snap-keyring';
import type { Messenger } from '@metamask/messenger';
import type {
  PermissionController,
  SubjectMetadataController,
} from '@metamask/permission-controller';
import type {
  CronjobControllerActions,
  SnapControllerActions,
  SnapInterfaceControllerActions,
  WebSocketServiceActions,
} from '@metamask/snaps-controllers';

import type { Lock } from './lock';
import { createMessenger, type RootMessenger } from './messenger';
import type { Notifications } from './notifications';
import type { Secrets } from './secrets';

type PlatformActions =
  | ApprovalControllerActions
  | CronjobControllerActions
  | SnapControllerActions
  | SnapInterfaceControllerActions
  | WebSocketServiceActions;

/** The parts of a wallet that its methods use. */
export type Platform = {
  messenger: Messenger<'Platform', PlatformActions>;
  lock: Lock;
  secrets: Secrets;
  notifications: Notifications;
  keyring: SnapKeyring;
  permissions: PermissionController;
  subjects: SubjectMetadataController;
};

const ACTIONS: PlatformActions['type'][] = [
  'ApprovalController:addRequest',
  'CronjobController:cancel',
  'CronjobController:get',
  'CronjobController:schedule',
  'SnapController:clearSnapState',
  'SnapController:get',
  'SnapController:getAll',
  'SnapController:getFile',
  'SnapController:getPermitted',
  'SnapController:getSnapState',
  'SnapController:handleRequest',
  'SnapController:install',
  'SnapController:updateSnapState',
  'SnapInterfaceController:createInterface',
  'SnapInterfaceController:getInterface',
  'SnapInterfaceController:resolveInterface',
  'SnapInterfaceController:updateInterface',
  'WebSocketService:close',
  'WebSocketService:getAll',
  'WebSocketService:open',
  'WebSocketService:sendMessage',
];

/**
 * Create the messenger of the hooks.
 *
 * @param root - The wallet's root messenger.
 * @returns A messenger that may call what the hooks need.
 */
export function createPlatformMessenger(root: RootMessenger): Platform['messenger'] {
  return createMessenger(root, 'Platform', { actions: ACTIONS });
}

/**
 * Make a hook of an action.
 *
 * @param platform - The wallet's parts.
 * @param action - The action's name.
 * @param bound - Arguments that come before those of the caller.
 * @returns The hook. The caller is MetaMask's own middleware, which has checked its
 * arguments.
 */
export function bindAction(
  platform: Pick<Platform, 'messenger'>,
  action: PlatformActions['type'],
  ...bound: unknown[]
): (...args: unknown[]) => unknown {
  const { messenger } = platform;
  // Hooks are looked up by name at run time, so their types meet nowhere.
  const call = messenger.call.bind(messenger) as (...args: unknown[]) => unknown;
  return (...args) => call(action, ...bound, ...args);
}
