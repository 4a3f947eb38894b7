// How often an origin may have servers asked: each question costs quota of the user's key.
import { LimitExceededError } from '../errors';

/** Most requests of an origin in a window. */
const LIMIT = 50;

const WINDOW_MS = 10_000;

/** Most origins that are remembered; beyond, all start anew. */
const MAX_ORIGINS = 1_000;

/** Counts a request; throws {LimitExceededError} if there were too many. */
export type RateLimit = (origin: string) => void;

/** Create a limit per origin. It lives as long as the worker, which is long enough. */
export function createRateLimit(now: () => number): RateLimit {
  const windows = new Map<string, { start: number; count: number }>();
  return (origin) => {
    const time = now();
    const known = windows.get(origin);
    const window =
      known && isOpen(known.start, time) ? known : { start: time, count: 0 };
    if (window.count >= LIMIT) {
      const seconds = Math.ceil((window.start + WINDOW_MS - time) / 1000);
      throw new LimitExceededError(
        `This origin made ${LIMIT} requests in ${WINDOW_MS / 1000} s; try again in ${seconds} s.`,
        { context: { rate: { backoff_seconds: seconds } } },
      );
    }
    if (windows.size >= MAX_ORIGINS && !known) windows.clear();
    windows.set(origin, { ...window, count: window.count + 1 });
  };
}

// A clock can be set back.
function isOpen(start: number, time: number): boolean {
  return time >= start && time - start < WINDOW_MS;
}
