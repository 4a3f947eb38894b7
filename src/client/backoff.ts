// How long a server that limits us wants to be left alone: by the Retry-After header
// (RFC 9110), or by the data of its JSON-RPC error. Servers send nonsense, too.
import { type } from '@metamask/superstruct';

import { matches } from '../parse';
import { named } from '../structs';

/** Seconds where the server does not say. */
export const DEFAULT_BACKOFF_SECONDS = 1;

const RateStruct = type({
  rate: type({
    backoff_seconds: named<number>(
      'a number of seconds',
      (value) => Number.isFinite(value) && Number(value) >= 0,
    ),
  }),
});

/** Find the seconds in the data of a JSON-RPC error with the code -32005. */
export function findBackoff(data: unknown): number | undefined {
  return matches(data, RateStruct) ? data.rate.backoff_seconds : undefined;
}

/** Find the seconds in a Retry-After header: it holds a number of them, or a date. */
export function findRetryAfter(
  header: string | null,
  now = Date.now(),
): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/u.test(header)) return Number(header);
  // All three forms of a date begin with the day of the week. What Date makes of other
  // texts is a guess.
  if (!/^[a-z]{3,9},? .*\d\d:\d\d:\d\d/iu.test(header)) return undefined;
  // The oldest form does not say that it is in GMT, which a date here always is.
  const date = Date.parse(header.endsWith(' GMT') ? header : `${header} GMT`);
  if (Number.isNaN(date)) return undefined;
  return Math.max(Math.ceil((date - now) / 1000), 0);
}
