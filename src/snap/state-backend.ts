// The wallet's storage for the snap: one document encrypted, one in the clear.
import type { Json } from '@metamask/utils';

/** Loads and saves a whole document; null if nothing was saved yet. */
type Backend = {
  load: () => Promise<Json>;
  save: (document: Json) => Promise<void>;
};

/**
 * Create access to one of the two documents.
 *
 * @param encrypted - Whether it is the encrypted one, which asks a locked wallet's user
 * to unlock.
 */
export function createStateBackend(encrypted: boolean): Backend {
  return {
    load: () => snap.request({ method: 'snap_getState', params: { encrypted } }),
    save: async (value) => {
      await snap.request({ method: 'snap_setState', params: { encrypted, value } });
    },
  };
}
