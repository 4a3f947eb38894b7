// Attempts and the waits between them, and what ends them.
import { jest } from '@jest/globals';

import { NetworkError, TimeoutError } from '../../../src/client';
import { toRetry, withRetry } from '../../../src/client/retry';
import type { Retry, RetryPolicy } from '../../../src/client/retry';
import { errorOf } from '../../support/error-of';
import { createFakeTime } from '../../support/fake-time';
import type { FakeTime } from '../../support/fake-time';

const place = { label: 'It' };

const network = new NetworkError(place);

type Bench = { time: FakeTime; retry: Retry };

function setup(policy: Partial<RetryPolicy> = {}): Bench {
  const time = createFakeTime();
  return { time, retry: toRetry(policy, time) };
}

describe('withRetry', () => {
  it('gives the first success, and tells each attempt its number and its time', async () => {
    const { time, retry } = setup({ maxAttempts: 5, budgetMs: 10_000 });
    const seen: [number, number][] = [];
    const result = await withRetry(async (attempt, leftMs) => {
      seen.push([attempt, leftMs]);
      time.pass(1_000);
      if (attempt < 3) throw network;
      return Promise.resolve('well');
    }, retry);
    expect(result).toBe('well');
    expect(time.waits).toStrictEqual([125, 250]);
    expect(seen).toStrictEqual([
      [1, 10_000],
      [2, 10_000 - 1_125],
      [3, 10_000 - 2_375],
    ]);
  });

  it.each([
    ['the attempts are used up', { maxAttempts: 4 }, 4],
    ['there is one attempt', { maxAttempts: 1 }, 1],
    ['no policy is given', {}, 3],
    ['the time is used up', { maxAttempts: 100, budgetMs: 1_000 }, 4],
  ])('gives the last failure when %s', async (_what, policy, attempts) => {
    const { retry } = setup(policy);
    const run = jest.fn((): Promise<never> => Promise.reject(network));
    expect(await errorOf(() => withRetry(run, retry))).toBe(network);
    expect(run).toHaveBeenCalledTimes(attempts);
  });

  it('makes no attempt when the machine slept past the time', async () => {
    const { time, retry } = setup({ budgetMs: 1_000 });
    const sleep = async (): Promise<void> => Promise.resolve(time.pass(5_000));
    const run = jest.fn((): Promise<never> => Promise.reject(network));
    expect(await errorOf(() => withRetry(run, { ...retry, sleep }))).toBe(network);
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('waits by the clock and by chance where nothing is injected', async () => {
    const run = jest.fn((attempt: number) =>
      attempt === 1 ? Promise.reject(network) : Promise.resolve(attempt),
    );
    expect(await withRetry(run, toRetry())).toBe(2);
  });
});

describe('a signal', () => {
  const reason = new Error('Enough.');

  it('ends a wait at once', async () => {
    const { retry } = setup();
    const abort = new AbortController();
    const sleep = (): Promise<void> => {
      setImmediate(() => abort.abort(reason));
      return new Promise(() => undefined);
    };
    const run = jest.fn((): Promise<never> => Promise.reject(network));
    const error = await errorOf(() =>
      withRetry(run, { ...retry, sleep }, abort.signal),
    );
    expect(error).toBe(reason);
    expect(run).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['an error', reason],
    ['what would be tried again', network],
  ])('that was given during an attempt ends all: %s', async (_what, why) => {
    const { time, retry } = setup();
    const abort = new AbortController();
    const run = jest.fn((): Promise<never> => {
      abort.abort(why);
      return Promise.reject(new TimeoutError(place, 1));
    });
    expect(await errorOf(() => withRetry(run, retry, abort.signal))).toBe(why);
    expect(run).toHaveBeenCalledTimes(1);
    expect(time.waits).toStrictEqual([]);
  });

  it('that is not given is no longer listened to afterwards', async () => {
    const { retry } = setup();
    const { signal } = new AbortController();
    const add = jest.spyOn(signal, 'addEventListener');
    const remove = jest.spyOn(signal, 'removeEventListener');
    await errorOf(() => withRetry(() => Promise.reject(network), retry, signal));
    expect(add).toHaveBeenCalledTimes(2);
    expect(remove).toHaveBeenCalledTimes(2);
  });

  it('does not hide that a wait failed', async () => {
    const { retry } = setup();
    const sleep = (): Promise<void> => Promise.reject(reason);
    const { signal } = new AbortController();
    const run = (): Promise<never> => Promise.reject(network);
    const error = await errorOf(() => withRetry(run, { ...retry, sleep }, signal));
    expect(error).toBe(reason);
  });
});
