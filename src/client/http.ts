// One HTTP exchange with a JSON answer. The time limit covers headers and body, and the
// body is counted while it streams in, so that no server can hold us or fill our memory.
import { optional, type } from '@metamask/superstruct';
import { bytesToString, concatBytes } from '@metamask/utils';

import { TollkeeperError } from '../errors';
import { matches, parse } from '../schema/parse';
import { integerBetween, named } from '../schema/structs';
import type { Endpoint } from './endpoint';
import {
  BodyTooLargeError,
  HttpStatusError,
  InvalidResponseError,
  NetworkError,
  RateLimitError,
  TimeoutError,
} from './errors';
import type { Place } from './errors';
import { redactError } from './redact';
import { MAX_TIMER_MS, toRetry } from './retry';
import type { Retry, RetryPolicy, RetryServices } from './retry';

// How long a server that limits us wants to be left alone: by the Retry-After header
// (RFC 9110), or by the data of its JSON-RPC error. Servers send nonsense, too.

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

// What a caller may set about HTTP requests: checked once, completed with defaults.

/** Limit of one exchange in ms where none is given. */
export const DEFAULT_TIMEOUT_MS = 15_000;

/** Longest answer in bytes where no limit is given. */
export const DEFAULT_MAX_BYTES = 10_000_000;

const DEFAULT_BATCH_LIMIT = 1_000;

/** The options, complete. */
export type CompleteOptions = Omit<ExchangeOptions, 'signal'> & {
  retry: Retry;
  batchLimit: number;
};

const FetchStruct = named<typeof globalThis.fetch>(
  'a function',
  (value) => typeof value === 'function',
);

const OptionsStruct = type({
  fetch: FetchStruct,
  timeoutMs: optional(integerBetween(1, MAX_TIMER_MS)),
  maxBytes: optional(integerBetween(1, Number.MAX_SAFE_INTEGER)),
  batchLimit: optional(integerBetween(1, 10_000)),
});

/**
 * Check and complete options.
 *
 * @throws {InvalidParamsError} Naming the option that is out of its bounds.
 */
export function completeOptions(options: HttpOptions): CompleteOptions {
  const given = parse(options, OptionsStruct, 'options');
  const {
    fetch,
    timeoutMs = DEFAULT_TIMEOUT_MS,
    maxBytes = DEFAULT_MAX_BYTES,
    batchLimit = DEFAULT_BATCH_LIMIT,
  } = given;
  const retry = toRetry(options.retry, options.services);
  return { fetch, timeoutMs, maxBytes, batchLimit, retry };
}

/** How one exchange is made. */
export type ExchangeOptions = {
  fetch: typeof globalThis.fetch;
  /** Milliseconds for headers and body together. */
  timeoutMs: number;
  /** Longest answer in bytes. */
  maxBytes: number;
  /** Ends the exchange; it then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
};

/** How requests are sent; all but `fetch` has a default. */
export type HttpOptions = {
  fetch: typeof globalThis.fetch;
  /** Milliseconds for headers and body of one attempt: 15 s by default. */
  timeoutMs?: number | undefined;
  /** Longest answer in bytes: 10 MB by default. */
  maxBytes?: number | undefined;
  /** Three attempts within 30 s by default. */
  retry?: Partial<RetryPolicy> | undefined;
  services?: Partial<RetryServices> | undefined;
  /** Most JSON-RPC calls in a batch: 1,000 by default; a server's 413 lowers it. With 1, each call
   * goes alone, which is also what happens with a server that turns out to refuse arrays. */
  batchLimit?: number | undefined;
};

/** Redirects are not followed: what is sent is for the server that was configured, and its
 * answer need not stay on the disk, where a cache would keep the address with its key. */
const PRIVATE = { redirect: 'manual', cache: 'no-store' } as const;

/** Status of a server that wants to be asked later. */
const LIMITED = 429;

/** Longest body of a refusal that is read, in bytes. */
const MAX_REFUSAL_BYTES = 10_000;

/** What is sent where; errors name the endpoint by its label. */
export type Sending = {
  endpoint: Endpoint;
  /** JSON text to POST; without it the request is a GET. */
  body?: string | undefined;
};

/**
 * Send a request and read its JSON answer.
 *
 * @throws {NetworkError | TimeoutError | HttpStatusError | RateLimitError |
 * BodyTooLargeError | InvalidResponseError} What went wrong on the way.
 */
export async function fetchJson(
  sending: Sending,
  options: ExchangeOptions,
): Promise<unknown> {
  const { timeoutMs, signal } = options;
  const abort = new AbortController();
  const stop = (): void => abort.abort();
  const limit: { timer?: ReturnType<typeof setTimeout>; isOver?: boolean } = {};
  limit.timer = setTimeout(() => {
    limit.isOver = true;
    stop();
  }, timeoutMs);
  signal?.addEventListener('abort', stop);
  const tellWhy = (error: unknown): never => {
    // A body that was not read to its end is not wanted any more.
    stop();
    signal?.throwIfAborted();
    if (limit.isOver) throw new TimeoutError(sending.endpoint, timeoutMs);
    throw error;
  };
  try {
    signal?.throwIfAborted();
    const text = await exchange(sending, options, abort.signal).catch(tellWhy);
    return toJson(text, sending.endpoint);
  } finally {
    clearTimeout(limit.timer);
    signal?.removeEventListener('abort', stop);
  }
}

async function exchange(
  { endpoint, body }: Sending,
  { fetch, maxBytes }: ExchangeOptions,
  signal: AbortSignal,
): Promise<string> {
  const { url, headers } = endpoint;
  const request: RequestInit =
    body === undefined
      ? { method: 'GET', headers }
      : {
          method: 'POST',
          headers: { ...headers, 'Content-Type': 'application/json' },
          body,
        };
  try {
    const response = await fetch(url, { ...request, ...PRIVATE, signal });
    if (!response.ok) throw await toRefusal(response, endpoint);
    return await readBody(response, maxBytes, endpoint);
  } catch (cause) {
    if (cause instanceof TollkeeperError) throw cause;
    throw new NetworkError(endpoint, { cause: redactError(cause, endpoint.redact) });
  }
}

async function toRefusal(response: Response, place: Place): Promise<TollkeeperError> {
  const { status, headers } = response;
  const seconds = findRetryAfter(headers.get('Retry-After'));
  return status === LIMITED
    ? new RateLimitError(place, seconds ?? (await readBackoff(response, place)))
    : new HttpStatusError(place, status, seconds);
}

// JSON-RPC servers say it in the body, to a batch in each answer.
async function readBackoff(response: Response, place: Place): Promise<number> {
  try {
    const body = JSON.parse(
      await readBody(response, MAX_REFUSAL_BYTES, place),
    ) as unknown;
    const [first] = [body].flat() as [{ error: { data: unknown } }];
    return findBackoff(first.error.data) ?? DEFAULT_BACKOFF_SECONDS;
  } catch {
    return DEFAULT_BACKOFF_SECONDS;
  }
}

async function readBody(
  response: Response,
  maxBytes: number,
  place: Place,
): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return bytesToString(join(chunks));
    length += value.length;
    if (length > maxBytes) throw new BodyTooLargeError(place, maxBytes);
    chunks.push(value);
  }
}

function join(chunks: readonly Uint8Array[]): Uint8Array {
  const [only, ...others] = chunks;
  return only && others.length === 0 ? only : concatBytes([...chunks]);
}

function toJson(text: string, place: Place): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidResponseError(place, 'the body is not JSON.');
  }
}
