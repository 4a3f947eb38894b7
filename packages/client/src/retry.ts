// Decides whether and when to retry a failed request. Only transient failures are retried, and only
// for calls that may be repeated.
import { optional, type } from '@metamask/superstruct';

import { parse } from '../../../src/schema/parse';
import { integerBetween } from '../../../src/schema/structs';
import { unlessAborted } from './abort';
import { ClientError } from './errors';
import { consequences } from './reading';

export type RetryPolicy = {
  /** Maximum attempts, including the first, but not splits of a refused batch. 3 by default. */
  maxAttempts: number;
  /** Time for all attempts and the waits between them, in ms. 30,000 by default. */
  budgetMs: number;
};

/** Clock, timer and random numbers, which tests can replace. */
export type RetryServices = {
  /** Returns the current time in ms. */
  now: () => number;
  sleep: (ms: number) => Promise<void>;
  /** Returns a number of at least 0 and below 1. */
  random: () => number;
};

export type RetryOptions = {
  retry?: { [Name in keyof RetryPolicy]?: RetryPolicy[Name] | undefined } | undefined;
  services?:
    { [Name in keyof RetryServices]?: RetryServices[Name] | undefined } | undefined;
};

export type Retry = RetryPolicy & RetryServices;

export type Progress = { attempts: number; start: number };

/** Longest delay that a timer supports, in ms: 24 days. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Pauses double up to a maximum, in ms. */
type Backoff = { firstMs: number; maxMs: number };

const DELAYS: Backoff = { firstMs: 250, maxMs: 5_000 };

export const policyFields = {
  maxAttempts: optional(integerBetween(1, 100)),
  budgetMs: optional(integerBetween(1, MAX_TIMER_MS)),
};

/** Adds defaults to options; throws `InvalidParamsError` if an option of `retry` is invalid. */
export function toRetry({ retry = {}, services = {} }: RetryOptions): Retry {
  const checked = parse(retry, type(policyFields), 'options.retry');
  const { maxAttempts = 3, budgetMs = 30_000 } = checked;
  const {
    now = () => Date.now(),
    sleep = async (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    random = () => Math.random(),
  } = services;
  return { maxAttempts, budgetMs, now, sleep, random };
}

/** Runs a function until it succeeds; if it fails for good or exhausts the policy, throws the last
 * failure. `run` gets the attempt number, counted from 1, and the time left in ms. The signal also
 * ends a wait between attempts. */
export async function withRetry<Result>(
  run: (attempt: number, leftMs: number) => Promise<Result>,
  retry: Retry,
  signal?: AbortSignal,
): Promise<Result> {
  const start = retry.now();
  for (let attempts = 1; ; attempts += 1) {
    const progress = { attempts, start };
    try {
      return await run(attempts, toLeftMs(progress, retry));
    } catch (error) {
      signal?.throwIfAborted();
      const delay = findDelay(error, progress, retry);
      if (delay === undefined) throw error;
      await unlessAborted(retry.sleep(delay), signal);
      // The machine may have slept longer than requested.
      if (toLeftMs(progress, retry) <= 0) throw error;
    }
  }
}

export function toLeftMs({ start }: Progress, { budgetMs, now }: Retry): number {
  return budgetMs - (now() - start);
}

/** Computes the delay before the next attempt in ms; undefined if there must not be another. */
export function findDelay(
  error: unknown,
  progress: Progress,
  retry: Retry,
): number | undefined {
  const { attempts } = progress;
  if (attempts >= retry.maxAttempts) return undefined;
  if (!(error instanceof ClientError)) return undefined;
  if (!consequences[error.kind].isRepeated) return undefined;
  const pause = toPause(DELAYS, attempts - 1, retry.random());
  const delay = error.pauseSeconds * 1000 + pause;
  return delay < toLeftMs(progress, retry) ? Math.round(delay) : undefined;
}

/** Computes the pause in ms after a number of earlier failures. A random number from 0 to 1
 * shortens it by up to half, so clients that failed together do not retry together. */
export function toPause(backoff: Backoff, failures: number, random: number): number {
  const longest = Math.min(backoff.firstMs * 2 ** failures, backoff.maxMs);
  return longest * (0.5 + random / 2);
}
