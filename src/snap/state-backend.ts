// The wallet's storage for the snap: one document encrypted, one in the clear.
import type { Json } from '@metamask/utils';

import { answered, answeredUnlocked } from './answered';

/** Loads and saves a whole document; null if nothing was saved yet. */
type Backend = {
  load: () => Promise<Json>;
  save: (document: Json) => Promise<void>;
  stretch: () => number;
};

/**
 * Create access to one of the two documents.
 *
 * @param encrypted - Whether it is the encrypted one, which asks a locked wallet's user
 * to unlock.
 * @param stretch - The number of the stretch of entry points that run.
 */
export function createStateBackend(encrypted: boolean, stretch: () => number): Backend {
  const wait = encrypted ? answeredUnlocked : answered;
  return {
    stretch,
    load: async () => {
      const method = 'snap_getState';
      return wait(method, snap.request({ method, params: { encrypted } }));
    },
    save: async (value) => {
      const method = 'snap_setState';
      await wait(method, snap.request({ method, params: { encrypted, value } }));
    },
  };
}
