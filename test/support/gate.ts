// A promise that a test resolves, to keep something pending.
import { createDeferredPromise } from '@metamask/utils';

export function createGate() {
  const { promise: opened, resolve } = createDeferredPromise();
  return { opened, open: () => resolve() };
}

/** Runs everything that can proceed without a timer. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
