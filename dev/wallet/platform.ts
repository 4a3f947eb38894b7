// What the hooks of MetaMask's methods stand on: one object that each wallet builds
// once and every origin's engine shares.
import type { ApprovalControllerActions } from '@metamask/approval-controller';
import type { SnapKeyring } from '@metamask/eth-snap-keyring';
import { mnemonicPhraseToBytes, mnemonicToSeed } from '@metamask/key-tree';
import type { Messenger } from '@metamask/messenger';
import type {
  PermissionController,
  SubjectMetadataController,
} from '@metamask/permission-controller';
import { rpcErrors } from '@metamask/rpc-errors';
import type {
  CronjobControllerActions,
  SnapControllerActions,
  SnapInterfaceControllerActions,
  WebSocketServiceActions,
} from '@metamask/snaps-controllers';
import type { EntropySource } from '@metamask/snaps-sdk';
import type { Json } from '@metamask/utils';

import { createMessenger, type RootMessenger, words } from './base';

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

export function createPlatformMessenger(root: RootMessenger): Platform['messenger'] {
  return createMessenger(root, 'Platform', {
    actions: words(`
      ApprovalController:addRequest CronjobController:cancel CronjobController:get
      CronjobController:schedule SnapController:clearSnapState SnapController:get
      SnapController:getAll SnapController:getFile SnapController:getPermitted
      SnapController:getSnapState SnapController:handleRequest SnapController:install
      SnapController:updateSnapState SnapInterfaceController:createInterface
      SnapInterfaceController:getInterface SnapInterfaceController:resolveInterface
      SnapInterfaceController:updateInterface WebSocketService:close
      WebSocketService:getAll WebSocketService:open WebSocketService:sendMessage
    `),
  });
}

/**
 * Make a hook of an action.
 *
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

// The wallet's lock: what waits for the password, and who is told.

/** Whether the user has entered the password. */
export type Lock = {
  isLocked(): boolean;
  lock(): void;
  unlock(): void;
  /** Resolves once the wallet is unlocked. */
  untilUnlocked(): Promise<void>;
};

/**
 * Create the lock of a wallet, open.
 *
 * @param root - The wallet's root messenger; controllers hear of `lock` through it.
 */
export function createLock(root: RootMessenger): Lock {
  const messenger = createMessenger<
    Messenger<
      'KeyringController',
      never,
      { type: 'KeyringController:lock'; payload: [] }
    >
  >(root, 'KeyringController');
  let waiting: (() => void)[] | undefined;

  return {
    isLocked: () => waiting !== undefined,
    lock() {
      waiting ??= [];
      messenger.publish('KeyringController:lock');
    },
    unlock() {
      const released = waiting ?? [];
      waiting = undefined;
      for (const release of released) release();
    },
    untilUnlocked: () =>
      new Promise((resolve) => {
        if (waiting) waiting.push(resolve);
        else resolve();
      }),
  };
}

// The Secret Recovery Phrases that the wallet holds, as its packages ask for them:
// by entropy source, the first being the primary one.

/** The development phrase of anvil and most other tools. Never holds value. */
export const DEFAULT_MNEMONIC =
  'test test test test test test test test test test test junk';

/** The wallet's phrases behind MetaMask's hooks. */
type Secrets = {
  getMnemonic(source?: string): Promise<Uint8Array>;
  getMnemonicSeed(source?: string): Promise<Uint8Array>;
  getEntropySources(): EntropySource[];
};

/**
 * Create the hooks over a list of phrases.
 *
 * @returns Hooks that throw, as MetaMask does, for an unknown source.
 */
export function createSecrets(mnemonics: [string, ...string[]]): Secrets {
  const sources = mnemonics.map((mnemonic, index) => ({
    mnemonic,
    id: `entropy-source-${index + 1}`,
  }));
  // The derivation costs milliseconds, and every state write asks for it anew.
  const seeds = new Map<string, Promise<Uint8Array>>();
  const find = (source = sources[0]?.id): string => {
    const found = sources.find(({ id }) => id === source);
    if (!found) throw new Error(`Entropy source with ID "${source}" not found.`);
    return found.mnemonic;
  };
  return {
    getMnemonic: (source) =>
      Promise.resolve().then(() => mnemonicPhraseToBytes(find(source))),
    async getMnemonicSeed(source) {
      const mnemonic = find(source);
      const seed = seeds.get(mnemonic) ?? mnemonicToSeed(mnemonic);
      seeds.set(mnemonic, seed);
      return await seed;
    },
    getEntropySources: () =>
      sources.map(({ id }, index) => ({
        id,
        name: `Secret Recovery Phrase ${index + 1}`,
        type: 'mnemonic',
        primary: index === 0,
      })),
  };
}

// What snap_notify showed, within MetaMask's limits.

/** A notification as the snap sent it. */
export type Notification = { type: string; message: string; [field: string]: Json };

/** The notifications shown, with the hooks that show them. */
type Notifications = {
  readonly shown: Notification[];
  showInApp(snapId: string, notification: Notification): Promise<null>;
  showNative(snapId: string, notification: Notification): Promise<null>;
};

const MINUTE = 60_000;

/**
 * Create an empty tray.
 *
 * @returns Hooks that throw -32005 above 5 in-app notifications a minute or 2 native
 * ones in five.
 */
export function createNotifications(now: () => number = Date.now): Notifications {
  const shown: Notification[] = [];

  function createLimit(type: string, limit: { count: number; window: number }) {
    let times: number[] = [];
    return (_snapId: string, notification: Notification) => {
      times = times.filter((time) => time > now() - limit.window);
      if (times.length >= limit.count) {
        throw rpcErrors.limitExceeded({
          message: `"${type}" is currently rate-limited. Please try again later.`,
        });
      }
      times.push(now());
      shown.push(notification);
      return Promise.resolve(null);
    };
  }

  return {
    shown,
    showInApp: createLimit('showInAppNotification', { count: 5, window: MINUTE }),
    showNative: createLimit('showNativeNotification', { count: 2, window: 5 * MINUTE }),
  };
}
