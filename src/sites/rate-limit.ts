// Limits the server requests that an origin may cause, since each costs quota of the user's key.
// Lookups and signatures have separate budgets, so a polling library does not prevent a signature.
import { LimitExceededError, toRetryContext } from '../core/errors';

/** Maximum units of an origin per window. A full batch of calls fits, with room to spare. */
export const LIMITS = { read: 150, sign: 120 };

const NAMES = {
  read: 'look-ups',
  sign: 'requests to sign or send (each call counts)',
};

export const WINDOW_MS = 10_000;

/** Maximum origins to remember. One more resets all budgets. */
const MAX_ORIGINS = 1_000;

/**
 * Charges an origin's budget.
 *
 * @param units - The cost of the request; 1 by default.
 * @throws {LimitExceededError} If the cost exceeds the rest of the budget; nothing is charged.
 */
export type RateLimit = (
  origin: string,
  budget: keyof typeof LIMITS,
  units?: number,
) => void;

type Window = { start: number; read: number; sign: number };

/** Creates the limit. Budgets last as long as the worker. */
export function createRateLimit(now: () => number): RateLimit {
  const windows = new Map<string, Window>();
  return (origin, budget, units = 1) => {
    const time = now();
    const known = windows.get(origin);
    // The clock can be set back.
    const isOpen = known && time >= known.start && time - known.start < WINDOW_MS;
    const window = isOpen ? known : { start: time, read: 0, sign: 0 };
    const used = window[budget] + units;
    if (used > LIMITS[budget]) {
      const seconds = Math.ceil((window.start + WINDOW_MS - time) / 1000);
      throw new LimitExceededError(
        `An origin may make ${LIMITS[budget]} ${NAMES[budget]} in ${WINDOW_MS / 1000} s; ` +
          `try again in ${seconds} s.`,
        { context: toRetryContext(seconds) },
      );
    }
    if (windows.size >= MAX_ORIGINS && !known) windows.clear();
    windows.set(origin, { ...window, [budget]: used });
  };
}
