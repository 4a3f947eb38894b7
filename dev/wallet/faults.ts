// Ready-made hooks that make the platform fail under the snap.
import { createDeferredPromise } from '@metamask/utils';

import type { SnapCallHook } from './options';

/** Make the next call of a method fail. */
export function failOnce(
  method: string,
  error: Error = new Error(`${method} was made to fail.`),
): SnapCallHook {
  let isSpent = false;
  return (call) => {
    if (isSpent || call.method !== method) return;
    isSpent = true;
    throw error;
  };
}

/** A call that waits, and its release. */
export type Hang = {
  hook: SnapCallHook;
  /** Resolves when the call has come. */
  reached: Promise<void>;
  /** Let the call go on. */
  release: () => void;
};

/** Make the next call of a method wait until it is released. */
export function hangOnce(method: string): Hang {
  const reached = createDeferredPromise();
  const released = createDeferredPromise();
  let isSpent = false;
  return {
    async hook(call) {
      if (isSpent || call.method !== method) return;
      isSpent = true;
      reached.resolve();
      await released.promise;
    },
    reached: reached.promise,
    release: released.resolve,
  };
}
