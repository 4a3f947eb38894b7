// MetaMask's permission system with the permissions of snaps, and the hooks behind
// the methods that a permission guards (snap_dialog, snap_manageAccounts, …).
import {
  PermissionController,
  SubjectMetadataController,
} from '@metamask/permission-controller';
import {
  buildSnapEndowmentSpecifications,
  buildSnapRestrictedMethodSpecifications,
  caveatSpecifications,
  endowmentCaveatSpecifications,
} from '@metamask/snaps-rpc-methods';

import { CHAIN_METHODS, WALLET_METHODS } from './chain';
import { createMessenger, type RootMessenger } from './messenger';
import type { Notification } from './notifications';
import { bindAction, type Platform } from './platform';

type SubjectMessenger = ConstructorParameters<
  typeof SubjectMetadataController
>[0]['messenger'];
type PermissionMessenger = ConstructorParameters<
  typeof PermissionController
>[0]['messenger'];

/** Persisted state of both controllers. */
export type PermissionState = {
  subjects?: SubjectMetadataController['state'];
  permissions?: PermissionController['state'];
};

/**
 * Create MetaMask's controllers of subjects and permissions.
 *
 * @param root - The wallet's root messenger.
 * @param getPlatform - What the hooks stand on, asked for when a method is called.
 * @param state - Persisted state, if any.
 * @returns Both controllers.
 */
export function createPermissions(
  root: RootMessenger,
  getPlatform: () => Platform,
  state: PermissionState,
): { subjects: SubjectMetadataController; permissions: PermissionController } {
  const permissions = new PermissionController({
    messenger: createMessenger<PermissionMessenger>(root, 'PermissionController', {
      actions: [
        'ApprovalController:acceptRequest',
        'ApprovalController:addRequest',
        'ApprovalController:hasRequest',
        'ApprovalController:rejectRequest',
        'SnapController:getPermitted',
        'SnapController:install',
        'SubjectMetadataController:getSubjectMetadata',
      ],
    }),
    caveatSpecifications: { ...caveatSpecifications, ...endowmentCaveatSpecifications },
    permissionSpecifications: {
      ...buildSnapEndowmentSpecifications([]),
      ...buildSnapRestrictedMethodSpecifications([], createHooks(getPlatform)),
    },
    unrestrictedMethods: [...CHAIN_METHODS, ...WALLET_METHODS],
    ...(state.permissions && { state: state.permissions }),
  });
  // Drops subjects without permissions at once, so it needs them before.
  const subjects = new SubjectMetadataController({
    messenger: createMessenger<SubjectMessenger>(root, 'SubjectMetadataController', {
      actions: ['PermissionController:hasPermissions'],
    }),
    subjectCacheLimit: 100,
    ...(state.subjects && { state: state.subjects }),
  });
  return { subjects, permissions };
}

/** The wallet's settings as `snap_getPreferences` shows them. */
const PREFERENCES = {
  locale: 'en',
  currency: 'usd',
  hideBalances: false,
  useSecurityAlerts: true,
  useExternalPricingData: true,
  simulateOnChainActions: true,
  useTokenDetection: true,
  batchCheckBalances: true,
  displayNftMedia: true,
  useNftDetection: true,
  showTestnets: true,
};

function createHooks(getPlatform: () => Platform): Record<string, unknown> {
  const bind =
    (action: Parameters<typeof bindAction>[1]) =>
    (...args: unknown[]) =>
      bindAction(getPlatform(), action)(...args);
  return {
    getPreferences: () => PREFERENCES,
    getUnlockPromise: () => getPlatform().lock.untilUnlocked(),
    getMnemonic: (source?: string) => getPlatform().secrets.getMnemonic(source),
    getMnemonicSeed: (source?: string) => getPlatform().secrets.getMnemonicSeed(source),
    getClientCryptography: () => ({}),
    getSnapKeyring: () => Promise.resolve(getPlatform().keyring),
    clearSnapState: bind('SnapController:clearSnapState'),
    getSnapState: bind('SnapController:getSnapState'),
    updateSnapState: bind('SnapController:updateSnapState'),
    getSnap: bind('SnapController:get'),
    handleSnapRpcRequest: bind('SnapController:handleRequest'),
    createInterface: bind('SnapInterfaceController:createInterface'),
    getInterface: bind('SnapInterfaceController:getInterface'),
    requestUserApproval: (request: unknown) =>
      bind('ApprovalController:addRequest')(request, true),
    showInAppNotification: (snapId: string, notification: Notification) =>
      getPlatform().notifications.showInApp(snapId, notification),
    showNativeNotification: (snapId: string, notification: Notification) =>
      getPlatform().notifications.showNative(snapId, notification),
    isOnPhishingList: () => false,
    maybeUpdatePhishingList: () => Promise.resolve(),
  };
}
