// The edges of the insight snap: what it uses of the platform and of the machine.
import type { Json } from '@metamask/utils';

import { ask } from './answered';
import { sharedEdges } from './shared-edges';
import type { SharedEdges } from './shared-edges';

export type InsightEdges = SharedEdges & {
  /** Loads the document of the settings; null if nothing was saved yet. */
  loadSettings: () => Promise<Json>;
  saveSettings: (settings: Json) => Promise<void>;
  /** Gets the language of the browser (BCP 47), which MetaMask starts with. */
  getLanguage: () => string;
};

export const insightEdges: InsightEdges = {
  ...sharedEdges,
  // In the clear, so that nothing asks a locked wallet's user to unlock.
  loadSettings: async () =>
    ask({ method: 'snap_getState', params: { encrypted: false } }),
  saveSettings: async (value) => {
    await ask({ method: 'snap_setState', params: { encrypted: false, value } });
  },
  // The permission for MetaMask's own language would be the sixth.
  getLanguage: () => Intl.DateTimeFormat().resolvedOptions().locale,
};
