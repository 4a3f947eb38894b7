// What is tried again, when, and for how long.
import {
  BodyTooLargeError,
  HttpStatusError,
  InvalidResponseError,
  NetworkError,
  RateLimitError,
  RpcError,
  TimeoutError,
} from '../../../src/client';
import { findDelay, toRetry } from '../../../src/client/retry';
import type { Retry, RetryPolicy } from '../../../src/client/retry';
import { createFakeTime } from '../../support/fake-time';

const place = { label: 'It' };

const network = new NetworkError(place);

/** Half of the first wait: chance is zero. */
const FIRST = 125;

function setup(policy: Partial<RetryPolicy> = {}): { retry: Retry } {
  return { retry: toRetry(policy, createFakeTime()) };
}

describe('another attempt', () => {
  it.each<[string, unknown, number]>([
    ['a lost connection', network, FIRST],
    ['a timeout', new TimeoutError(place, 10), FIRST],
    ['a rate limit', new RateLimitError(place, 7), 7_000 + FIRST],
    ['a rate limit without a backoff', new RateLimitError(place, 0), FIRST],
    ...[408, 425, 500, 502, 503, 504].map((status): [string, unknown, number] => [
      `status ${status}`,
      new HttpStatusError(place, status),
      FIRST,
    ]),
    ['a status with Retry-After', new HttpStatusError(place, 503, 4), 4_000 + FIRST],
  ])('comes after %s', (_what, error, delay) => {
    const { retry } = setup();
    expect(findDelay(error, { attempts: 1, elapsedMs: 0 }, retry)).toBe(delay);
  });

  it.each<[string, unknown]>([
    ...[400, 401, 402, 403, 404, 405, 410, 413, 415, 422, 501, 505].map(
      (status): [string, unknown] => [
        `status ${status}`,
        new HttpStatusError(place, status),
      ],
    ),
    ['a status with Retry-After', new HttpStatusError(place, 403, 1)],
    ['a large body', new BodyTooLargeError(place, 10)],
    ['an invalid answer', new InvalidResponseError(place, 'it is none.')],
    ['an error of the server', new RpcError(place, { code: -32000, message: 'No' })],
    ['a revert', new RpcError(place, { code: 3, message: 'reverted' })],
    ['a fault of ours', new TypeError('It is not a function.')],
    ['an abort', new DOMException('It was aborted.', 'AbortError')],
    ['undefined', undefined],
  ])('does not come after %s', (_what, error) => {
    const { retry } = setup();
    const tries = { attempts: 1, elapsedMs: 0 };
    expect(findDelay(error, tries, retry)).toBeUndefined();
  });
});

describe('the wait', () => {
  it.each([
    [1, 125, 250],
    [2, 250, 500],
    [3, 500, 1_000],
    [5, 2_000, 4_000],
    [6, 2_500, 5_000],
    [60, 2_500, 5_000],
  ])('before attempt %i + 1 is from %i to %i ms', (attempts, least, most) => {
    const tries = { attempts, elapsedMs: 0 };
    const policy = { maxAttempts: 100, budgetMs: 60_000 };
    const waits = [0, 0.5, 0.999_999].map((random) =>
      findDelay(network, tries, { ...policy, random: () => random }),
    );
    expect(waits).toStrictEqual([least, Math.round((least + most) / 2), most]);
  });

  it.each([
    ['fits the time that is left', 874, FIRST],
    ['would use all of it up', 875, undefined],
  ])('%s: %i ms are gone', (_what, elapsedMs, delay) => {
    const { retry } = setup({ budgetMs: 1_000 });
    expect(findDelay(network, { attempts: 1, elapsedMs }, retry)).toBe(delay);
  });

  it('is not begun where the server wants more time than there is', () => {
    const { retry } = setup({ budgetMs: 60_000 });
    const error = new RateLimitError(place, 60);
    expect(findDelay(error, { attempts: 1, elapsedMs: 0 }, retry)).toBeUndefined();
  });
});
