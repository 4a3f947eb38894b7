// Limits each key to a number of requests per window of a few seconds, and per day (UTC).
import { toLimited } from './json-rpc';
import type { ApiKey } from './keys';
import type { Metrics } from './metrics';
import type { Limits } from './options';
import type { Store } from './store';

/** Counts a key's requests; rejects with a ServiceFailure (429, 402) above a limit. */
export type Spend = (key: ApiKey, requests: number) => Promise<void>;

const DAY_MS = 86_400_000;

/** `scope` separates the counts of services that share one Redis. */
type RateLimits = Limits & { scope: string };

export function createSpend(
  limits: RateLimits,
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
    for (const [index, window] of windows.entries()) {
      const { name, id, limit } = window;
      const { consumedPoints = 0, msBeforeNext = 0 } = counts[index] ?? {};
      if (consumedPoints <= limit) continue;
      if (name === 'rate' && consumedPoints === requests) {
        // A batch above the limit is accepted as a window's only request, but extends the window.
        const seconds = Math.ceil((requests * window.seconds) / limit);
        await counter.set(id, requests, seconds);
        continue;
      }
      metrics.limited.inc({ key: key.name, limit: name }, requests);
      const day = windows.find((each) => each.name === 'day');
      if (day) await counter.reward(day.id, requests, { customDuration: day.seconds });
      const seconds = Math.max(1, Math.ceil(msBeforeNext / 1_000));
      const message = `${window.refusal}; try again in ${seconds} s.`;
      throw toLimited(window.status, message, seconds);
    }
  };
}

function toWindows({ name, ...own }: ApiKey, limits: RateLimits) {
  const now = Date.now();
  const day = Math.floor(now / DAY_MS);
  const windows = [
    {
      name: 'rate',
      id: `${limits.scope}:rate:${name}`,
      limit: (own.rate ?? limits.ratePerSecond) * limits.rateSeconds,
      seconds: limits.rateSeconds,
      status: 429,
      refusal: 'Too many requests',
    },
    {
      name: 'day',
      // One counter per day, so none has to expire at an exact second.
      id: `${limits.scope}:day:${day}:${name}`,
      limit: own.dailyLimit ?? limits.perDay,
      seconds: Math.ceil(((day + 1) * DAY_MS - now) / 1_000),
      status: 402,
      refusal: 'The daily quota is used up',
    },
  ];
  return windows.filter(({ limit }) => limit > 0);
}
