// The stretches of time in which entry points run. When the last one that runs ends, the
// platform drops what is still pending: a promise of its own never settles then, nor does what
// waits for it. Whoever holds a lock, or shares its work, asks here whether it is still alive.

/** The entry points that run. */
export type Evaluations = {
  /** Run an entry point. */
  during: <Result>(run: () => Promise<Result>) => Promise<Result>;
  /** The number of this stretch: what was pending in an earlier one is dead. */
  current: () => number;
};

/** Create the count of entry points; one a worker. */
export function createEvaluations(): Evaluations {
  let running = 0;
  let stretch = 0;
  return {
    during: async (run) => {
      running += 1;
      try {
        return await run();
      } finally {
        running -= 1;
        if (running === 0) stretch += 1;
      }
    },
    current: () => stretch,
  };
}
