// The edges of the insight snap: everything it needs from the platform and the machine.
import type { Json } from '@metamask/utils';

import { ask } from './answered';
import { sharedEdges } from './shared-edges';
import type { SharedEdges } from './shared-edges';

export type InsightEdges = SharedEdges & {
  /** Null if nothing was saved yet. */
  loadSettings: () => Promise<Json>;
  saveSettings: (settings: Json) => Promise<void>;
  /** The browser's language (BCP 47), which is also MetaMask's initial language. */
  getLanguage: () => string;
};

export const insightEdges: InsightEdges = {
  ...sharedEdges,
  // The settings are unencrypted, so a locked wallet does not ask the user to unlock it.
  loadSettings: async () =>
    ask({ method: 'snap_getState', params: { encrypted: false } }),
  saveSettings: async (value) => {
    await ask({ method: 'snap_setState', params: { encrypted: false, value } });
  },
  // MetaMask's own language would need another permission.
  getLanguage: () => Intl.DateTimeFormat().resolvedOptions().locale,
};
