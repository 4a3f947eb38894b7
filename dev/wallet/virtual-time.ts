// A clock for a snap that runs in this process: it stands still until somebody moves it, and
// a day passes as fast as what happens in it.

type Timer = { due: number; run: () => void };

/** A clock, and the timers that it rings. */
export type VirtualTime = {
  /** Milliseconds since 1970. */
  now: () => number;
  set: (run: () => void, ms: number) => object;
  clear: (handle: object) => void;
  /** When the next timer is due; undefined if none is set. */
  next: () => number | undefined;
  /** Move on to a time, and ring every timer that is due until then, in order. */
  moveTo: (time: number) => void;
};

/**
 * Create a clock.
 *
 * @param start - Where it stands, in milliseconds since 1970.
 * @returns The clock.
 */
export function createVirtualTime(start = Date.now()): VirtualTime {
  const timers = new Map<object, Timer>();
  let time = start;
  const findNext = (): [object, Timer] | undefined =>
    [...timers].sort(([, one], [, other]) => one.due - other.due)[0];

  return {
    now: () => time,
    set: (run, ms) => {
      const handle = Object.freeze({});
      timers.set(handle, { due: time + Math.max(0, ms), run });
      return handle;
    },
    clear: (handle) => void timers.delete(handle),
    next: () => findNext()?.[1].due,
    moveTo: (until) => {
      for (;;) {
        const [handle, timer] = findNext() ?? [];
        if (!handle || !timer || timer.due > until) break;
        timers.delete(handle);
        time = Math.max(time, timer.due);
        timer.run();
      }
      time = Math.max(time, until);
    },
  };
}
