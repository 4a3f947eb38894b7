// The world of a snap that runs in the test's process: its clock is Jest's, that of the
// wallet and of the snap alike, and every request to a server is told.
import type { World } from '../../dev/wallet/in-process-globals';

/** Create the world. */
export function createTestWorld(onRequest: () => void): World {
  return {
    time: {
      now: () => Date.now(),
      set: (run, ms) => setTimeout(run, ms),
      clear: (handle) => clearTimeout(handle as never),
      next: () => undefined,
      moveTo: () => undefined,
    },
    asking: { count: 0 },
    fetch: async (...args) => {
      onRequest();
      return fetch(...args);
    },
  };
}
