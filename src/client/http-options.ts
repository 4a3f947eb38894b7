// What a caller may set about HTTP requests: checked once, completed with defaults.
import { optional, type } from '@metamask/superstruct';

import { parse } from '../parse';
import { integerBetween, named } from '../structs';
import type { ExchangeOptions, HttpOptions } from './http';
import { MAX_TIMER_MS, toRetry } from './retry';
import type { Retry } from './retry';

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
