// A promise that a test resolves, to keep something pending meanwhile.
import { createDeferredPromise } from '@metamask/utils';

/** Creates a closed gate: those who wait go on once it is opened. */
export function createGate() {
  const { promise: opened, resolve } = createDeferredPromise();
  return { opened, open: () => resolve() };
}

/** Lets everything that can go on without a timer go on. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
