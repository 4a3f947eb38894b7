// Options that cannot be meant are refused when a client is made, not when it is used.
import { createGasApi, createHttpTransport } from '../../../src/client';
import type { Endpoint, HttpOptions } from '../../../src/client';
import { completeOptions } from '../../../src/client/http-options';
import { failureOf } from '../../support/error-of';

const endpoint: Endpoint = {
  url: 'https://node.example',
  headers: {},
  label: 'https://node.example',
  redact: String,
};

const TIMER = 'an integer from 1 to 2147483647';

const bad: [options: unknown, message: string][] = [
  [undefined, 'options is missing: it must be an object.'],
  [null, 'options must be an object.'],
  [7, 'options must be an object.'],
  [{}, 'options.fetch is missing: it must be a function.'],
  [{ fetch: 'fetch' }, 'options.fetch must be a function.'],
  ...[0, -1, 0.5, NaN, Infinity, 2 ** 31, '10', null].map(
    (timeoutMs): [unknown, string] => [
      { fetch, timeoutMs },
      `options.timeoutMs must be ${TIMER}.`,
    ],
  ),
  ...[0, -1, 1.5, NaN, Infinity, '1'].map((maxBytes): [unknown, string] => [
    { fetch, maxBytes },
    'options.maxBytes must be an integer from 1 to 9007199254740991.',
  ]),
  ...[0, -1, 1.5, NaN, Infinity, 10_001, '1'].map((batchLimit): [unknown, string] => [
    { fetch, batchLimit },
    'options.batchLimit must be an integer from 1 to 10000.',
  ]),
  ...[0, -1, 1.5, NaN, Infinity, 101, '3'].map((maxAttempts): [unknown, string] => [
    { fetch, retry: { maxAttempts } },
    'options.retry.maxAttempts must be an integer from 1 to 100.',
  ]),
  ...[0, -1, 1.5, NaN, Infinity, 2 ** 31].map((budgetMs): [unknown, string] => [
    { fetch, retry: { budgetMs } },
    `options.retry.budgetMs must be ${TIMER}.`,
  ]),
  [{ fetch, retry: null }, 'options.retry must be an object.'],
  [{ fetch, retry: 3 }, 'options.retry must be an object.'],
];

describe.each<[string, (options: HttpOptions) => unknown]>([
  ['createHttpTransport', (options) => createHttpTransport(endpoint, options)],
  ['createGasApi', (options) => createGasApi(endpoint, options)],
])('%s', (_name, create) => {
  it.each(bad)('refuses %p', async (options, message) => {
    expect(await failureOf(() => create(options as never))).toMatchObject({
      name: 'InvalidParamsError',
      code: -32602,
      message,
    });
  });

  it('takes others beside its own', () => {
    const options = { fetch, chainId: 1n, timeoutMs: 1, retry: { maxAttempts: 1 } };
    expect(() => create(options)).not.toThrow();
  });
});

describe('options that are left out', () => {
  const defaults = { timeoutMs: 15_000, maxBytes: 10_000_000, batchLimit: 1_000 };

  it.each<[string, HttpOptions]>([
    ['at all', { fetch }],
    [
      'as undefined',
      {
        fetch,
        timeoutMs: undefined,
        maxBytes: undefined,
        batchLimit: undefined,
        retry: undefined,
        services: undefined,
      },
    ],
    ['within the policy', { fetch, retry: { maxAttempts: undefined } as object }],
  ])('have defaults: %s', (_what, options) => {
    expect(completeOptions(options)).toMatchObject({
      ...defaults,
      fetch,
      retry: { maxAttempts: 3, budgetMs: 30_000 },
    });
  });

  it('leave those alone that are given', () => {
    const given = { timeoutMs: 1, maxBytes: 2, batchLimit: 3 };
    const retry = { maxAttempts: 4, budgetMs: 5 };
    expect(completeOptions({ fetch, ...given, retry })).toMatchObject({
      ...given,
      retry,
    });
  });
});
