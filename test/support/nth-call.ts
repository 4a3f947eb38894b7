// Meeting the n-th platform call of the snap: to make it fail, or to hold it until the snap
// is stopped.
import { createDeferredPromise } from '@metamask/utils';

import type { SnapCallHook } from '../../dev/wallet/options';

/** Which call of the snap: the n-th of a method, from 1 on. */
export type NthCall = { method: string; nth: number };

/** A hook, and whether the call has come. */
export type Meeting = { hook: SnapCallHook; isMet: () => boolean };

/** Act before the n-th call; if that throws, the call fails with it. */
export function meetNth(
  { method, nth }: NthCall,
  act: (call: Parameters<SnapCallHook>[0]) => void | Promise<void>,
): Meeting {
  let count = 0;
  return {
    hook: async (call) => {
      if (call.method !== method) return;
      count += 1;
      if (count === nth) await act(call);
    },
    isMet: () => count >= nth,
  };
}

/** Hold the n-th call for ever, as one that the snap does not live to see answered. */
export function holdNth(call: NthCall): { hook: SnapCallHook; reached: Promise<void> } {
  const { promise: reached, resolve } = createDeferredPromise();
  const { hook } = meetNth(call, async () => {
    resolve();
    await new Promise(() => undefined);
  });
  return { hook, reached };
}
