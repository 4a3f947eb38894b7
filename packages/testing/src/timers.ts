// Timers that keep Node running only while a request is answered.

/** Timers of a wallet. */
type Timers = {
  sleep: (ms: number) => Promise<void>;
  /** Runs something later; what it throws is dropped. */
  later: (ms: number, run: () => Promise<unknown>) => void;
  /** Answers a request. */
  during: <Result>(run: () => Promise<Result>) => Promise<Result>;
};

/** In a page a timer is a number. */
type Timer = { ref?: () => void; unref?: () => void };

/** Creates timers; none runs. */
export function createTimers(): Timers {
  const waiting = new Set<Timer>();
  let running = 0;
  const start = (ms: number, run: () => void): void => {
    const timer = setTimeout(() => {
      waiting.delete(timer);
      run();
    }, ms) as Timer;
    waiting.add(timer);
    if (running === 0) timer.unref?.();
  };
  return {
    sleep: async (ms) => new Promise((resolve) => start(ms, resolve)),
    later: (ms, run) => start(ms, () => void run().catch(() => undefined)),
    during: async (run) => {
      running += 1;
      for (const timer of waiting) timer.ref?.();
      try {
        return await run();
      } finally {
        running -= 1;
        if (running === 0) for (const timer of waiting) timer.unref?.();
      }
    },
  };
}
