// Methods that the servers of chains lack, kept in the public document for a day, so that no
// request waits again for a server to say so. Nothing here fails: an entry that cannot be read or
// written is asked for again.
import type { AbsentMethods } from '../../packages/client/src';
import { ABSENT_MS } from '../../packages/client/src/rpc/rpc-client';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { MAX_ABSENCES } from '../state/public-state';
import type { Absence, PublicStore } from '../state/public-state';

export type AbsenceMemory = {
  /** Reads the stored entries; to be awaited before {@link AbsenceMemory.at} is relied on. */
  load: () => Promise<void>;
  /** Gets what a server of a chain lacks: the configured node, MetaMask's node, or the bundler. */
  at: (chainId: ChainId, server: Absence['server']) => AbsentMethods;
  /** Forgets everything, for when other servers are configured. */
  forget: () => Promise<void>;
};

/** Creates the memory; one a worker. */
export function createAbsenceMemory(
  store: PublicStore,
  now: () => number,
): AbsenceMemory {
  let known: readonly Absence[] = [];
  const isRecent = ({ at }: Absence): boolean => Math.abs(now() - at) < ABSENT_MS;
  // Servers lack several methods at a time: those that are found during a write are written together.
  let found: readonly Absence[] = [];
  const keepFound = async (): Promise<void> => {
    const kept = store.update((state) => {
      const all = found;
      found = [];
      if (all.length === 0) return state;
      const before = state.absent?.filter(isRecent) ?? [];
      return { ...state, absent: withAll(before, all) };
    });
    await kept.catch(() => undefined);
  };
  const load = async (): Promise<void> => {
    const state = await store.read().catch(() => undefined);
    if (state) known = state.absent ?? [];
  };
  return {
    load,
    at: (chainId, server) => {
      const chain = toCaip2(chainId);
      return {
        has: (method) =>
          known.some(
            (each) =>
              each.chain === chain &&
              each.server === server &&
              each.method === method &&
              isRecent(each),
          ),
        add: async (method) => {
          const absence = { chain, server, method, at: now() };
          known = withAll(known, [absence]);
          found = [...found, absence];
          await keepFound();
        },
      };
    },
    forget: async () => {
      await load();
      if (known.length === 0) return;
      known = [];
      const kept = store.update((state) => ({ ...state, absent: [] }));
      await kept.catch(() => undefined);
    },
  };
}

function withAll(before: readonly Absence[], found: readonly Absence[]): Absence[] {
  return [...before, ...found].slice(-MAX_ABSENCES);
}
