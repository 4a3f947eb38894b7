// How much each key may ask: so many requests in a window of seconds, and so many on a day (UTC).
import { codes, ServiceFailure } from './json-rpc';
import type { ApiKey } from './keys';
import type { Metrics } from './metrics';
import type { Limits } from './options';
import type { Store } from './store';

/** Counts requests of a key; rejects with a {@link ServiceFailure} (429, 402) if there were too many. */
export type Spend = (key: ApiKey, requests: number) => Promise<void>;

/** A limit, as it is for a key at this moment. */
type Window = {
  name: 'rate' | 'day';
  id: string;
  limit: number;
  seconds: number;
  status: 429 | 402;
  refusal: string;
};

const DAY_MS = 86_400_000;

/** Creates the limits of one service. */
export function createSpend(
  limits: Pick<Limits, 'ratePerSecond' | 'rateSeconds' | 'perDay'>,
  { counter, metrics }: { counter: Store['counter']; metrics: Metrics },
): Spend {
  return async (key, requests) => {
    metrics.counted.inc({ key: key.name }, requests);
    const windows = toWindows(key, limits);
    if (windows.length === 0) return;
    const counts = await Promise.all(
      windows.map(async ({ id, seconds }) =>
        counter.penalty(id, requests, { customDuration: seconds }),
      ),
    );
    for (const [index, { name, id, limit, ...window }] of windows.entries()) {
      const { consumedPoints = 0, msBeforeNext = 0 } = counts[index] ?? {};
      if (consumedPoints <= limit) continue;
      if (name === 'rate' && consumedPoints === requests) {
        // A batch for which no window has room comes alone, in a window that lasts accordingly.
        const seconds = Math.ceil((requests * window.seconds) / limit);
        await counter.set(id, requests, seconds);
        continue;
      }
      metrics.limited.inc({ key: key.name, limit: name }, requests);
      const day = windows.find((each) => each.name === 'day');
      if (day) await counter.reward(day.id, requests, { customDuration: day.seconds });
      throw toFailure(window, Math.max(1, Math.ceil(msBeforeNext / 1_000)));
    }
  };
}

function toWindows(
  { name, ...own }: ApiKey,
  limits: Pick<Limits, 'ratePerSecond' | 'rateSeconds' | 'perDay'>,
): Window[] {
  const now = Date.now();
  const day = Math.floor(now / DAY_MS);
  const windows: Window[] = [
    {
      name: 'rate',
      id: `rate:${name}`,
      limit: (own.ratePerSecond ?? limits.ratePerSecond) * limits.rateSeconds,
      seconds: limits.rateSeconds,
      status: 429,
      refusal: 'Too many requests',
    },
    {
      name: 'day',
      // A count for each day: none has to end on the second.
      id: `day:${day}:${name}`,
      limit: own.perDay ?? limits.perDay,
      seconds: Math.ceil(((day + 1) * DAY_MS - now) / 1_000),
      status: 402,
      refusal: 'The daily quota is used up',
    },
  ];
  return windows.filter(({ limit }) => limit > 0);
}

function toFailure(
  { status, refusal }: Pick<Window, 'status' | 'refusal'>,
  seconds: number,
): ServiceFailure {
  const error = {
    code: codes.limited,
    message: `${refusal}; try again in ${seconds} s.`,
    data: { rate: { backoff_seconds: seconds } },
  };
  return new ServiceFailure(status, error, { 'Retry-After': String(seconds) });
}
