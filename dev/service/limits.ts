// How much may be asked: a token bucket for the rate, a count for the day. Both belong to
// this instance and its one key; several instances limit each for itself.
import { codes, ServiceFailure } from './failure';
import type { Limits } from './options';

/** Counts requests; throws a {@link ServiceFailure} (429, 402) if there were too many. */
export type Spend = (requests: number) => void;

const DAY_MS = 86_400_000;

/** Create the limits of one service. */
export function createSpend(
  { ratePerSecond, burst, perDay }: Pick<Limits, 'ratePerSecond' | 'burst' | 'perDay'>,
  now: () => number,
): Spend {
  const spendRate = createBucket(ratePerSecond, burst || ratePerSecond, now);
  const spendDay = createDayCount(perDay, now);
  return (requests) => {
    spendRate(requests);
    spendDay(requests);
  };
}

// What costs more than the bucket holds is let through when it is full, and owed: it could
// never be asked otherwise.
function createBucket(perSecond: number, size: number, now: () => number): Spend {
  if (perSecond === 0) return () => undefined;
  let tokens = size;
  let filledAt = now();
  return (requests) => {
    const time = now();
    // A clock can be set back.
    const seconds = Math.max(time - filledAt, 0) / 1000;
    tokens = Math.min(size, tokens + seconds * perSecond);
    filledAt = time;
    const missing = Math.min(requests, size) - tokens;
    if (missing > 0) {
      throw limitFailure(429, 'Too many requests', Math.ceil(missing / perSecond));
    }
    tokens -= requests;
  };
}

function createDayCount(limit: number, now: () => number): Spend {
  if (limit === 0) return () => undefined;
  let day = 0;
  let spent = 0;
  return (requests) => {
    const time = now();
    const today = Math.floor(time / DAY_MS);
    if (today !== day) [day, spent] = [today, 0];
    if (spent + requests > limit) {
      const seconds = Math.ceil(((today + 1) * DAY_MS - time) / 1000);
      throw limitFailure(402, 'The daily quota is used up', seconds);
    }
    spent += requests;
  };
}

function limitFailure(status: number, what: string, seconds: number): ServiceFailure {
  const error = {
    code: codes.limited,
    message: `${what}; try again in ${seconds} s.`,
    data: { rate: { backoff_seconds: seconds } },
  };
  return new ServiceFailure(status, error, { 'Retry-After': String(seconds) });
}
