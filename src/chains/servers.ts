// Limits the time that a chain's servers may delay a request, and remembers the methods they lack.
import { TimeoutError } from '../../packages/client/src';
import type {
  AbsentMethods,
  GasApi,
  Place,
  Transport,
} from '../../packages/client/src';
import { withTimeLimit } from '../../packages/client/src/abort';
import { ABSENT_MS } from '../../packages/client/src/rpc/rpc-client';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { MAX_ABSENCES } from '../state/public-state';
import type { Absence, PublicStore } from '../state/public-state';

/** Waits for a server while time is left; the signal aborts when the time is up. Throws
 * `TimeoutError`, naming the server that was late and whether it may have executed this call, or
 * else `ask`'s errors. */
export type ServerWait = <Result>(
  place: Place,
  ask: (signal: AbortSignal) => Promise<Result>,
) => Promise<Result>;

export const WAIT_MS = 9_000;

/** A pause of at least this length between server calls resets the time, in ms. */
const PAUSE_MS = 1_000;

/** Call it once for each request that connects to the chain. */
export function createServerWait(): ServerWait {
  let waiting = 0;
  let begun = 0;
  let ended = -Infinity;
  let late: TimeoutError | undefined;
  return async (place, ask) => {
    const notDone = { ...place, mayBeDone: false };
    if (waiting === 0 && Date.now() - ended >= PAUSE_MS) {
      begun = Date.now();
      late = undefined;
    }
    // Clocks can be set back.
    const leftMs = Math.min(begun + WAIT_MS - Date.now(), WAIT_MS);
    if (leftMs <= 0) throw late ?? new TimeoutError(notDone, WAIT_MS);
    waiting += 1;
    try {
      return await withTimeLimit(ask, leftMs, () => {
        late ??= new TimeoutError(notDone, leftMs);
        return new TimeoutError(place, leftMs);
      });
    } finally {
      waiting -= 1;
      ended = Date.now();
    }
  };
}

export function limitTransport(transport: Transport, wait: ServerWait): Transport {
  const { label } = transport;
  return {
    label,
    request: async (call) => {
      const { method, idempotent = false } = call;
      const place = { label: `${method} at ${label}`, mayBeDone: !idempotent };
      return wait(place, async (signal) =>
        transport.request({ ...call, signal: call.signal ?? signal }),
      );
    },
  };
}

export function limitGasApi(gas: GasApi, label: string, wait: ServerWait): GasApi {
  return {
    suggestedGasFees: async (chainId) =>
      wait({ label }, async (signal) => gas.suggestedGasFees(chainId, { signal })),
    baseFeePercentile: async (chainId) =>
      wait({ label }, async (signal) => gas.baseFeePercentile(chainId, { signal })),
  };
}

/** Methods that servers lack, kept in the public document for a day, so that requests need not try
 * them again. Never fails: without a readable entry, the request is sent again. */
export type AbsenceMemory = {
  /** Reads the stored entries; await it before using {@link AbsenceMemory.at}. */
  load: () => Promise<void>;
  /** Gets the methods that a server of a chain lacks: the configured node, MetaMask's node, or the
   * bundler. Call it for each connection: after {@link AbsenceMemory.forget}, an earlier
   * result adds nothing. */
  at: (chainId: ChainId, server: Absence['server']) => AbsentMethods;
  /** Forgets everything, because other servers are configured. */
  forget: () => Promise<void>;
};

/** Call it once per worker. */
export function createAbsenceMemory(
  store: PublicStore,
  now: () => number,
): AbsenceMemory {
  let known: readonly Absence[] = [];
  const isRecent = ({ at }: Absence): boolean => Math.abs(now() - at) < ABSENT_MS;
  // Servers often lack several methods, so methods found during a write share the next write.
  let found: readonly Absence[] = [];
  let era = 0;
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
      const since = era;
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
          // A late answer may come from a server that has been replaced.
          if (since !== era) return;
          const absence = { chain, server, method, at: now() };
          known = withAll(known, [absence]);
          found = [...found, absence];
          await keepFound();
        },
      };
    },
    forget: async () => {
      era += 1;
      await load();
      const isEmpty = known.length === 0 && found.length === 0;
      known = [];
      found = [];
      if (isEmpty) return;
      const kept = store.update((state) => ({ ...state, absent: [] }));
      await kept.catch(() => undefined);
    },
  };
}

function withAll(before: readonly Absence[], found: readonly Absence[]): Absence[] {
  return [...before, ...found].slice(-MAX_ABSENCES);
}
