// The MetaMask controllers around the SnapController: approvals, interfaces, background
// events and WebSockets, each with what MetaMask lets it call and hear.
import { ApprovalController } from '@metamask/approval-controller';
import {
  CronjobController,
  SnapInterfaceController,
  WebSocketService,
} from '@metamask/snaps-controllers';
import { DIALOG_APPROVAL_TYPES } from '@metamask/snaps-rpc-methods';

import { createMessenger, type RootMessenger } from './messenger';
import { ensureWebSocket } from './web-socket';

type MessengerOf<Controller extends new (options: never) => unknown> =
  ConstructorParameters<Controller>[0] extends { messenger: infer Messenger }
    ? Messenger
    : never;

/** The controllers around the SnapController. */
export type Controllers = {
  approvals: ApprovalController;
  interfaces: SnapInterfaceController;
  cronjobs: CronjobController;
};

const SNAP_EVENTS = [
  'SnapController:snapInstalled',
  'SnapController:snapUninstalled',
  'SnapController:snapUpdated',
];

/**
 * Create the controllers. The WebSocket service is reached by its actions only.
 *
 * @param root - The wallet's root messenger.
 * @param events - Persisted background events, if any.
 * @returns The controllers.
 */
export function createControllers(
  root: RootMessenger,
  events?: CronjobController['state'],
): Controllers {
  const approvals = new ApprovalController({
    messenger: createMessenger<MessengerOf<typeof ApprovalController>>(
      root,
      'ApprovalController',
    ),
    // The person watches the controller's state.
    showApprovalRequest: () => undefined,
    // MetaMask queues custom dialogs; a second one of another type fails at once.
    typesExcludedFromRateLimiting: [DIALOG_APPROVAL_TYPES.default],
  });
  const interfaces = new SnapInterfaceController({
    messenger: createMessenger<MessengerOf<typeof SnapInterfaceController>>(
      root,
      'SnapInterfaceController',
      {
        actions: [
          'AccountsController:getAccountByAddress',
          'AccountsController:getSelectedMultichainAccount',
          'AccountsController:listMultichainAccounts',
          'ApprovalController:acceptRequest',
          'ApprovalController:hasRequest',
          'MultichainAssetsController:getState',
          'PermissionController:hasPermission',
          'PhishingController:testOrigin',
          'SnapController:get',
        ],
        events: ['NotificationServicesController:notificationsListUpdated'],
      },
    ),
  });
  ensureWebSocket();
  new WebSocketService({
    messenger: createMessenger<MessengerOf<typeof WebSocketService>>(
      root,
      'WebSocketService',
      { actions: ['SnapController:handleRequest'], events: SNAP_EVENTS },
    ),
  });
  return { approvals, interfaces, cronjobs: createCronjobs(root, events) };
}

function createCronjobs(
  root: RootMessenger,
  events: CronjobController['state'] | undefined,
): CronjobController {
  const cronjobs = new CronjobController({
    messenger: createMessenger<MessengerOf<typeof CronjobController>>(
      root,
      'CronjobController',
      {
        actions: [
          'PermissionController:getPermissions',
          'SnapController:handleRequest',
        ],
        events: [
          ...SNAP_EVENTS,
          'SnapController:snapDisabled',
          'SnapController:snapEnabled',
        ],
      },
    ),
    stateManager: { getInitialState: () => events, set: () => undefined },
  });
  cronjobs.init();
  return cronjobs;
}
