// Which accounts this worker is changing now. What an earlier worker left unsettled is
// settled by asking MetaMask; what is in flight here has its own end.
import { Mutex } from '../mutex';

/** Knows the accounts that are being changed. */
export type InFlight = {
  /** Whether an account is being changed now. */
  has: (id: string) => boolean;
  /** Note that no question about an account is open that an earlier worker has asked. */
  clear: (id: string) => void;
  /** Whether that is known; what is noted of the account is this worker's own then. */
  isClear: (id: string) => boolean;
  /** Change an account, once no settling is under way that could meet it. */
  during: <Result>(id: string, change: () => Promise<Result>) => Promise<Result>;
  /** Remember a removal that could not even be noted, to be settled like a note. */
  recall: (id: string) => void;
  /** Forget such a removal. */
  forget: (id: string) => void;
  /** List such removals. */
  listRecalled: () => string[];
  /** Settle what is not in flight; one after another. */
  settling: (settle: () => Promise<void>) => Promise<void>;
};

/** Create an empty list of changes. */
export function createInFlight(): InFlight {
  const counts = new Map<string, number>();
  const clear = new Set<string>();
  const recalled = new Set<string>();
  const settling = new Mutex();
  const count = (id: string): number => counts.get(id) ?? 0;
  return {
    has: (id) => count(id) > 0,
    clear: (id) => void clear.add(id),
    isClear: (id) => clear.has(id),
    during: async (id, change) => {
      // A removal is re-entrant, so that an account can be in flight twice.
      counts.set(id, count(id) + 1);
      try {
        await settling.waitForUnlock();
        return await change();
      } finally {
        counts.set(id, count(id) - 1);
      }
    },
    recall: (id) => void recalled.add(id),
    forget: (id) => void recalled.delete(id),
    listRecalled: () => [...recalled],
    settling: async (settle) => settling.runExclusive(settle),
  };
}
