// One HTTP exchange with a JSON answer, and its options. The time limit covers headers and body,
// and the body's size is checked as it streams in, so no server can block the client or fill its
// memory.
import { define, optional, type } from '@metamask/superstruct';
import { bytesToString, concatBytes } from '@metamask/utils';

import { TollkeeperError } from '../../../src/core/errors';
import { matches, parse } from '../../../src/schema/parse';
import { callable, integerBetween } from '../../../src/schema/structs';
import { startDeadline } from './abort';
import { redactError } from './endpoint';
import type { Endpoint } from './endpoint';
import {
  BodyTooLargeError,
  HttpStatusError,
  invalidAnswer,
  NetworkError,
  NOWHERE,
  RateLimitError,
  TimeoutError,
} from './errors';
import type { RpcFailure } from './errors';
import { MAX_TIMER_MS, toRetry } from './retry';
import type { Retry, RetryOptions } from './retry';

export type HttpOptions = RetryOptions & {
  fetch: typeof globalThis.fetch;
  /** Time limit of one attempt, headers and body together, in ms. 15,000 by default. */
  timeoutMs?: number | undefined;
  /** Longest accepted response in bytes. 10,000,000 by default. */
  maxBytes?: number | undefined;
  /** Maximum JSON-RPC calls per batch. 1,000 by default. A batch that is too large for the server
   * is sent in halves. Servers that refuse batches get single calls. */
  batchLimit?: number | undefined;
};

export type CompleteOptions = {
  fetch: typeof globalThis.fetch;
  timeoutMs: number;
  maxBytes: number;
  batchLimit: number;
  retry: Retry;
};

type Exchange = Pick<CompleteOptions, 'fetch' | 'timeoutMs' | 'maxBytes'> & {
  endpoint: Endpoint;
  /** JSON text to POST; without it the request is a GET. */
  body?: string;
  /** Aborts the exchange, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
};

export const DEFAULT_TIMEOUT_MS = 15_000;
export const DEFAULT_MAX_BYTES = 10_000_000;

/** Redirects are not followed, because requests are meant for the configured server. Answers are
 * not cached, because a cache would store the address and its key on disk. */
const PRIVATE = { redirect: 'manual', cache: 'no-store' } as const;

export const limitFields = {
  timeoutMs: optional(integerBetween(1, MAX_TIMER_MS)),
  maxBytes: optional(integerBetween(1, Number.MAX_SAFE_INTEGER)),
  batchLimit: optional(integerBetween(1, 10_000)),
};

const OptionsStruct = type({
  fetch: callable<typeof globalThis.fetch>(),
  ...limitFields,
});

const RateStruct = type({
  rate: type({
    backoff_seconds: define<number>(
      'a number of seconds',
      (value) => Number.isFinite(value) && Number(value) >= 0,
    ),
  }),
});

/** Validates options and adds defaults; throws `InvalidParamsError` naming an invalid option. */
export function completeOptions(options: HttpOptions): CompleteOptions {
  const {
    fetch,
    timeoutMs = DEFAULT_TIMEOUT_MS,
    maxBytes = DEFAULT_MAX_BYTES,
    batchLimit = 1_000,
  } = parse(options, OptionsStruct, 'options');
  return { fetch, timeoutMs, maxBytes, batchLimit, retry: toRetry(options) };
}

/** A response: its status and its JSON value, undefined if the body is not JSON. */
export type Reply = {
  status: number;
  isOk: boolean;
  /** Seconds to wait before the next request, from `Retry-After`. */
  retryAfterSeconds: number | undefined;
  value: unknown;
};

/** Throws `RateLimitError`, `HttpStatusError` or `InvalidResponseError` unless a response succeeded
 * with a JSON body. */
export function assertJson({ status, isOk, retryAfterSeconds, value }: Reply): void {
  if (status === 429) {
    // JSON-RPC servers put the back-off into the body; in a batch, into each response.
    const [first] = [value].flat() as [{ error?: RpcFailure } | undefined];
    const seconds = retryAfterSeconds ?? toBackoff(first?.error?.data);
    throw new RateLimitError(NOWHERE, seconds);
  }
  if (!isOk) throw new HttpStatusError(NOWHERE, status, retryAfterSeconds);
  if (value === undefined) throw invalidAnswer('the body is not JSON.');
}

/** Sends a request and reads the response, whatever its status. Errors do not name the server. */
export async function fetchReply(exchange: Exchange): Promise<Reply> {
  const { endpoint, body, fetch, timeoutMs, maxBytes, signal } = exchange;
  const { url, headers, redact } = endpoint;
  const post = body !== undefined && {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body,
  };
  const deadline = startDeadline(timeoutMs, signal);
  const request = { method: 'GET', headers, ...post, ...PRIVATE };
  try {
    deadline.signal.throwIfAborted();
    const response = await fetch(url, { ...request, signal: deadline.signal });
    const { status, ok: isOk } = response;
    const retryAfterSeconds = findRetryAfter(response.headers.get('Retry-After'));
    // A gateway's error page may exceed the limit.
    const text = await readBody(response, maxBytes).catch((error: unknown) => {
      if (isOk || !(error instanceof BodyTooLargeError)) throw error;
      return '';
    });
    return { status, isOk, retryAfterSeconds, value: findJson(text) };
  } catch (cause) {
    signal?.throwIfAborted();
    if (deadline.signal.aborted) throw new TimeoutError(NOWHERE, timeoutMs);
    if (cause instanceof TollkeeperError) throw cause;
    throw new NetworkError(NOWHERE, { cause: redactError(cause, redact) });
  } finally {
    // Aborts the download of an unread body.
    deadline.clear();
  }
}

/** Gets the back-off in seconds from an error's data; one second if there is none. */
export function toBackoff(data: unknown): number {
  return matches(data, RateStruct) ? data.rate.backoff_seconds : 1;
}

/** Parses a Retry-After header (RFC 9110), a number or a date, into seconds. Undefined if it is
 * missing or malformed. */
export function findRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/u.test(header)) return Number(header);
  // All date formats begin with a weekday; Date.parse guesses at any other string.
  if (!/^[a-z]{3,9},? .*\d\d:\d\d:\d\d/iu.test(header)) return undefined;
  // HTTP dates are always in GMT, although the oldest format does not say so.
  const date = Date.parse(header.endsWith(' GMT') ? header : `${header} GMT`);
  if (Number.isNaN(date)) return undefined;
  return Math.max(Math.ceil((date - Date.now()) / 1000), 0);
}

async function readBody(response: Response, maxBytes: number): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return bytesToString(concatBytes(chunks));
    length += value.length;
    if (length > maxBytes) throw new BodyTooLargeError(NOWHERE, maxBytes);
    chunks.push(value);
  }
}

export function findJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
