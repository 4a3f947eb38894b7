// Which session of the client it is. Kept in the clear: the client starts locked.
import { PlatformError, TollkeeperError } from '../errors';
import type { PublicStore } from './public-state';

/** The client's sessions. */
export type ClientSession = {
  /** Get the number of this session. */
  current: () => Promise<number>;
  /** Count a new one: the client has started anew. */
  begin: () => Promise<void>;
};

/** Create access to the number of the client's session. */
export function createClientSession(store: PublicStore): ClientSession {
  return {
    current: async () => {
      try {
        // After one that is just being begun, which a read would overtake.
        return (await store.update((state) => state)).session;
      } catch (error) {
        // A document that is not valid stays so: every session is taken for the first then.
        const isOurs = !(error instanceof PlatformError);
        if (isOurs && error instanceof TollkeeperError) return 0;
        throw error;
      }
    },
    begin: async () => {
      await store.update((state) => ({ ...state, session: state.session + 1 }));
    },
  };
}
