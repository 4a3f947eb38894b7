// How much an origin may have servers asked: each question costs quota of the user's key.
// Look-ups and signatures have separate budgets, so that a library that polls does not prevent a
// signature.
import { LimitExceededError, toRetryAfter } from '../core/errors';

/** Most units of an origin in a window. A full batch of calls and some more fit in. */
export const LIMITS = { read: 150, sign: 120 };

const NAMES = {
  read: 'look-ups',
  sign: 'requests to sign or send (each call counts)',
};

export const WINDOW_MS = 10_000;

/** Most origins that are remembered; beyond, all start anew. */
const MAX_ORIGINS = 1_000;

/**
 * Charges an origin's budget.
 *
 * @param units - What the request can cause; 1 by default.
 * @throws {LimitExceededError} If that is more than is left. Nothing is charged then.
 */
export type RateLimit = (
  origin: string,
  budget: keyof typeof LIMITS,
  units?: number,
) => void;

type Window = { start: number; read: number; sign: number };

/** Creates a limit per origin. It lives as long as the worker, which is long enough. */
export function createRateLimit(now: () => number): RateLimit {
  const windows = new Map<string, Window>();
  return (origin, budget, units = 1) => {
    const time = now();
    const known = windows.get(origin);
    // A clock can be set back.
    const isOpen = known && time >= known.start && time - known.start < WINDOW_MS;
    const window = isOpen ? known : { start: time, read: 0, sign: 0 };
    const used = window[budget] + units;
    if (used > LIMITS[budget]) {
      const seconds = Math.ceil((window.start + WINDOW_MS - time) / 1000);
      throw new LimitExceededError(
        `An origin may make ${LIMITS[budget]} ${NAMES[budget]} in ${WINDOW_MS / 1000} s; ` +
          `try again in ${seconds} s.`,
        { context: toRetryAfter(seconds) },
      );
    }
    if (windows.size >= MAX_ORIGINS && !known) windows.clear();
    windows.set(origin, { ...window, [budget]: used });
  };
}
