// How long servers may keep a request waiting: nine seconds in all, whichever servers of a chain are
// asked, and however often. After a pause in which none is asked, such as an open dialog, they have
// nine seconds again.
import { TimeoutError } from '../../packages/client/src';
import type { GasApi, Place, Transport } from '../../packages/client/src';
import { withTimeLimit } from '../../packages/client/src/abort';

/** Waits for a server as long as there is time left; `ask` gets a signal that comes then. Throws
 * `TimeoutError`, naming the server that did not answer and whether it may have carried the call out,
 * else whatever `ask` throws. */
export type ServerWait = <Result>(
  place: Place,
  ask: (signal: AbortSignal) => Promise<Result>,
) => Promise<Result>;

export const WAIT_MS = 9_000;

/** Shortest pause after which the time begins anew, in ms. */
const PAUSE_MS = 1_000;

/** Creates the wait for the servers of a chain; once for each request that connects to it. */
export function createServerWait(): ServerWait {
  let waiting = 0;
  let begun = 0;
  let ended = -Infinity;
  // What used the time up.
  let late: TimeoutError | undefined;
  return async (place, ask) => {
    const notDone = { ...place, mayBeDone: false };
    if (waiting === 0 && Date.now() - ended >= PAUSE_MS) {
      begun = Date.now();
      late = undefined;
    }
    // A clock can be set back.
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
