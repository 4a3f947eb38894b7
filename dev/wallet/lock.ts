// The wallet's lock: what waits for the password, and who is told.
import type { Messenger } from '@metamask/messenger';

import { createMessenger, type RootMessenger } from './messenger';

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
 * @returns The lock.
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
