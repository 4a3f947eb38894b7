// Keeps the snap's own network in the public document. A document that is not valid is left as it is,
// and does without this.
import type { PublicStore } from '../state/public-state';
import type { OwnNetwork } from './wallet-node';

/** Creates access to the network that is kept. */
export function createOwnNetwork(store: PublicStore): OwnNetwork {
  return {
    find: async () =>
      store.read().then(
        ({ network }) => network,
        () => undefined,
      ),
    keep: async (network) => {
      const kept = store.update((state) => ({ ...state, network }));
      await kept.catch(() => undefined);
    },
  };
}
