// Holding the n-th platform call of the snap until the snap is stopped.
import { createDeferredPromise } from '@metamask/utils';

import type { SnapCallHook } from '../../dev/wallet/options';

/** Holds the n-th call of a method for ever, as one that the snap does not live to see answered. */
export function holdNth({ method, nth }: { method: string; nth: number }) {
  const { promise: reached, resolve } = createDeferredPromise();
  let count = 0;
  const hook: SnapCallHook = async (call) => {
    if (call.method !== method || (count += 1) !== nth) return;
    resolve();
    await new Promise(() => undefined);
  };
  return { hook, reached };
}
