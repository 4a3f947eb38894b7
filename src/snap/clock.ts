// Time, so that everything above can be given another one in tests.

/** A clock in milliseconds since 1970, and a way to wait. */
export type Clock = {
  now: () => number;
  /** Wait; only within a request, since timers stop with the snap. */
  sleep: (ms: number) => Promise<void>;
};

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};
