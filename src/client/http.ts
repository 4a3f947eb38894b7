// One HTTP exchange with a JSON answer. The time limit covers headers and body, and the
// body is counted while it streams in, so that no server can hold us or fill our memory.
import { concatBytes, bytesToString } from '@metamask/utils';

import { TollkeeperError } from '../errors';
import type { Endpoint } from './endpoint';
import {
  BodyTooLargeError,
  HttpStatusError,
  InvalidResponseError,
  NetworkError,
  RateLimitError,
  TimeoutError,
} from './errors';

/** How requests are sent; the limits have defaults. */
export type HttpOptions = {
  fetch: typeof globalThis.fetch;
  /** Milliseconds for the whole exchange. */
  timeoutMs?: number | undefined;
  /** Longest answer in bytes. */
  maxBytes?: number | undefined;
};

const DEFAULT_TIMEOUT_MS = 15_000;
const DEFAULT_MAX_BYTES = 10_000_000;
const DEFAULT_BACKOFF_SECONDS = 1;

/**
 * Send a request and read its JSON answer.
 *
 * @param endpoint - Where to; its label names it in errors.
 * @param body - JSON text to POST; without it the request is a GET.
 * @throws {NetworkError | TimeoutError | HttpStatusError | RateLimitError |
 * BodyTooLargeError | InvalidResponseError} What went wrong on the way.
 */
export async function fetchJson(
  endpoint: Endpoint,
  options: HttpOptions,
  body?: string,
): Promise<unknown> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), timeoutMs);
  try {
    return toJson(
      await exchange(endpoint, { ...options, signal: abort.signal }, body),
      endpoint,
    );
  } catch (error) {
    if (abort.signal.aborted) throw new TimeoutError(endpoint.label, timeoutMs);
    throw error;
  } finally {
    clearTimeout(timer);
    // A body that was not read to its end is not wanted any more.
    abort.abort();
  }
}

type ExchangeOptions = HttpOptions & { signal: AbortSignal };

async function exchange(
  endpoint: Endpoint,
  options: ExchangeOptions,
  body?: string,
): Promise<string> {
  const { label, url, headers } = endpoint;
  const { fetch, signal, maxBytes = DEFAULT_MAX_BYTES } = options;
  const request: RequestInit =
    body === undefined
      ? { method: 'GET', headers }
      : {
          method: 'POST',
          headers: { ...headers, 'Content-Type': 'application/json' },
          body,
        };
  try {
    const response = await fetch(url, { ...request, signal });
    assertSuccess(response, label);
    return await readBody(response, maxBytes, label);
  } catch (cause) {
    if (cause instanceof TollkeeperError) throw cause;
    throw new NetworkError(label, { cause });
  }
}

function assertSuccess(response: Response, label: string): void {
  if (response.ok) return;
  if (response.status !== 429) throw new HttpStatusError(label, response.status);
  throw new RateLimitError(label, toSeconds(response.headers.get('Retry-After')));
}

// Seconds or a date (RFC 9110); servers send neither, and nonsense, too.
function toSeconds(retryAfter: string | null): number {
  if (retryAfter === null) return DEFAULT_BACKOFF_SECONDS;
  if (/^\d{1,9}$/u.test(retryAfter)) return Number(retryAfter);
  // A date has words in it; what Date makes of a mere number is a year.
  const date = /[a-z]{3}/iu.test(retryAfter) ? Date.parse(retryAfter) : NaN;
  if (Number.isNaN(date)) return DEFAULT_BACKOFF_SECONDS;
  return Math.max(Math.ceil((date - Date.now()) / 1000), 0);
}

async function readBody(
  response: Response,
  maxBytes: number,
  label: string,
): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return bytesToString(concatBytes(chunks));
    length += value.length;
    if (length > maxBytes) throw new BodyTooLargeError(label, maxBytes);
    chunks.push(value);
  }
}

function toJson(text: string, { label }: Endpoint): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidResponseError(label, 'the body is not JSON.');
  }
}
