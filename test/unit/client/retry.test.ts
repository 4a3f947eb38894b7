// Retries of JSON-RPC calls and gas API requests: which requests, when, and for how long.
import { jest } from '@jest/globals';

import {
  createClient,
  createGasApi,
  createGasEndpoint,
} from '../../../packages/client/src';
import type { HttpOptions } from '../../../packages/client/src';
import { gasAnswer } from '../../fixtures/client/gas-answer';
import { errorOf, failureOf } from '../../support/error-of';
import {
  answering,
  unreachableServer,
  createFakeNetwork,
  inTurn,
  silent,
} from '../../support/fake-fetch';
import type { FakeNetwork, Server } from '../../support/fake-fetch';
import { createFakeTime } from '../../support/fake-time';
import type { FakeTime } from '../../support/fake-time';
import {
  createRpcBench,
  answeringWith,
  repeatableCalls,
  correctResult,
  answerCorrectly,
  unrepeatableCalls,
} from '../../support/rpc-bench';

const UNKNOWN = 'It may have been carried out: check before you send it again.';

const limited = (seconds?: unknown): Server =>
  answeringWith((requests) =>
    requests.map(({ id }) => ({
      id,
      error: {
        code: -32005,
        message: 'Slow',
        data: { rate: { backoff_seconds: seconds } },
      },
    })),
  );

const status = (code: number, seconds?: string) => () =>
  new Response('', {
    status: code,
    headers: seconds === undefined ? {} : { 'Retry-After': seconds },
  });

describe('temporary failures', () => {
  it.each<[string, Server, number]>([
    ['a lost connection', unreachableServer, 125],
    ...[408, 425, 500, 502, 503, 504, 520, 521, 524, 530].map(
      (code): [string, Server, number] => [`status ${code}`, status(code), 125],
    ),
    ['status 503 with Retry-After', status(503, '2'), 2_125],
    [
      'status 503 with a generic error',
      answeringWith(() => ({ id: null, error: { code: -32000, message: 'No' } }), 503),
      125,
    ],
    [
      'a gateway error for the whole request',
      answeringWith(() => ({
        id: null,
        error: { code: -32000, message: 'Bad gateway' },
      })),
      125,
    ],
    ['status 429', status(429), 1_125],
    ['status 429 with Retry-After', status(429, '7'), 7_125],
    ['-32005', limited(), 1_125],
    ['-32005 with a backoff', limited(7), 7_125],
    ['-32005 with a backoff of zero', limited(0), 125],
    ['-32005 with an invalid backoff', limited('soon'), 1_125],
    [
      '-32005 for the whole request',
      answeringWith(() => ({ id: null, error: { code: -32005, message: 'Slow' } })),
      1_125,
    ],
  ])('are retried: %s', async (_what, server, wait) => {
    const { askAll, sent, time } = createRpcBench([server, correctResult]);
    expect(await askAll(repeatableCalls('a', 'b'))).toStrictEqual(
      ['a', 'b'].map(answerCorrectly),
    );
    expect(sent()).toStrictEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
    expect(time.waits).toStrictEqual([wait]);
  });

  it('include timeouts', async () => {
    const { askAll, time } = createRpcBench([silent, correctResult], { timeoutMs: 10 });
    expect(await askAll(repeatableCalls('a'))).toStrictEqual([answerCorrectly('a')]);
    expect(time.waits).toStrictEqual([125]);
  });

  it('are retried even if each is of a different kind', async () => {
    const { askAll, time } = createRpcBench([
      unreachableServer,
      limited(),
      correctResult,
    ]);
    expect(await askAll(repeatableCalls('a'))).toStrictEqual([answerCorrectly('a')]);
    expect(time.waits).toStrictEqual([125, 1_250]);
  });

  it.each<[string, Server]>([
    ...[400, 401, 402, 403, 404, 405, 410, 413, 415, 422, 501, 505].map(
      (code): [string, Server] => [`status ${code}`, status(code)],
    ),
    ['status 403 with Retry-After', status(403, '1')],
    ['a body over the size limit', () => new Response('x'.repeat(10_001))],
    ['an invalid answer', () => new Response('no')],
    [
      'an error response to the call',
      answeringWith(([each]) => ({
        id: each?.id,
        error: { code: -32000, message: 'No' },
      })),
    ],
  ])('do not include %s', async (_what, server) => {
    const { askAll, sent } = createRpcBench([server, correctResult], {
      maxBytes: 10_000,
    });
    expect(await askAll(repeatableCalls('a'))).toStrictEqual([
      expect.stringContaining('a at It '),
    ]);
    expect(sent()).toHaveLength(1);
  });
});

describe('the wait between attempts', () => {
  it.each([
    [0, [125, 250, 500, 1_000, 2_000, 2_500, 2_500]],
    [0.5, [188, 375, 750, 1_500, 3_000, 3_750, 3_750]],
    [0.999_999, [250, 500, 1_000, 2_000, 4_000, 5_000, 5_000]],
  ])('doubles up to five seconds, with random jitter: %p', async (random, waits) => {
    const time = createFakeTime(random);
    const retry = { maxAttempts: 8, budgetMs: 60_000 };
    const { askAll, sent } = createRpcBench([unreachableServer], {
      services: time,
      retry,
    });
    await askAll(repeatableCalls('a'));
    expect(time.waits).toStrictEqual(waits);
    expect(sent()).toHaveLength(8);
  });

  it.each([
    [874, [125]],
    [875, []],
  ])('does not start if it would use up the budget: after %i ms', async (ms, waits) => {
    const time = createFakeTime();
    const slow: Server = (request) => {
      time.advance(ms);
      return unreachableServer(request);
    };
    const retry = { budgetMs: 1_000 };
    const { askAll } = createRpcBench([slow, correctResult], { services: time, retry });
    await askAll(repeatableCalls('a'));
    expect(time.waits).toStrictEqual(waits);
  });

  it.each([
    ['28', [28_125]],
    ['30', []],
  ])(
    'does not start if it would exceed half a minute: %s s',
    async (seconds, waits) => {
      const { askAll, time } = createRpcBench([status(429, seconds), correctResult]);
      await askAll(repeatableCalls('a'));
      expect(time.waits).toStrictEqual(waits);
    },
  );

  it('uses the system clock by default', async () => {
    jest.useFakeTimers();
    const chance = jest.spyOn(Math, 'random').mockReturnValue(0);
    const { fetch, sent } = networkOf(unreachableServer);
    const client = createClient({ chainId: 1, rpcUrl: 'https://a.example', fetch });
    const failing = errorOf(() => client.request('eth_chainId', []));
    await jest.advanceTimersByTimeAsync(124);
    expect(sent).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1 + 250);
    expect(sent).toHaveLength(3);
    expect((await failing).message).toContain('tried 3 times');
    chance.mockRestore();
    jest.useRealTimers();
  });
});

function networkOf(...servers: Server[]): FakeNetwork {
  const network = createFakeNetwork();
  network.serve('https://', inTurn(...servers));
  return network;
}

/** Sets up JSON-RPC calls or gas API requests, which share the retry policy. */
type Setup = (
  servers: Server[],
  options?: Partial<HttpOptions>,
) => {
  time: FakeTime;
  ask: (signal?: AbortSignal) => Promise<unknown>;
  sent: () => unknown[];
};

const setups: [name: string, setup: Setup, right: Server][] = [
  [
    'a',
    (servers, options) => {
      const { transport, time, sent } = createRpcBench(servers, options);
      const call = { method: 'a', params: [], idempotent: true };
      return {
        time,
        sent,
        ask: async (signal) => transport.request({ ...call, signal }),
      };
    },
    correctResult,
  ],
  [
    'suggestedGasFees',
    (servers, options) => {
      const [{ fetch, sent }, time] = [networkOf(...servers), createFakeTime()];
      const api = createGasApi(
        { ...createGasEndpoint({ gasBaseUrl: 'https://a.example' }), label: 'It' },
        { fetch, services: time, ...options },
      );
      const ask = async (signal?: AbortSignal) => api.suggestedGasFees(1n, { signal });
      return { time, ask, sent: () => sent };
    },
    answering(gasAnswer),
  ],
];

describe.each(setups)('attempts of %s', (name, setup, success) => {
  const reason = new Error('Enough.');

  it('end with the first that succeeds', async () => {
    const { ask, time } = setup([unreachableServer, answering(null, 503), success]);
    expect(await ask()).toBeDefined();
    expect(time.waits).toStrictEqual([125, 250]);
  });

  it.each<[string, HttpOptions['retry'], number]>([
    ['three by default', {}, 3],
    ['four, if that many are allowed', { maxAttempts: 4 }, 4],
    ['as many as the time allows', { maxAttempts: 100, budgetMs: 1_000 }, 4],
  ])('are %s, and counted in the error', async (_what, retry, attempts) => {
    const { ask, sent } = setup([unreachableServer], { retry });
    const { message, context } = await failureOf(ask);
    expect(message).toBe(
      `${name} at It could not be reached. It was tried ${attempts} times. ` +
        'Check the address and the connection.',
    );
    expect(context).toStrictEqual({ attempts });
    expect(sent()).toHaveLength(attempts);
  });

  it('are not counted in the error if only one is allowed', async () => {
    const { ask } = setup([unreachableServer], { retry: { maxAttempts: 1 } });
    expect((await failureOf(ask)).message).not.toContain('tried');
  });

  it('end if the machine slept past the time limit', async () => {
    const time = createFakeTime();
    const services = {
      ...time,
      sleep: async () => Promise.resolve(time.advance(30_000)),
    };
    const { ask, sent } = setup([unreachableServer], { services });
    expect((await failureOf(ask)).message).not.toContain('tried');
    expect(sent()).toHaveLength(1);
  });

  it('share one time budget', async () => {
    const time = createFakeTime();
    const slow: Server = (request) => {
      time.advance(900);
      return unreachableServer(request);
    };
    const retry = { budgetMs: 1_060 };
    const { ask } = setup([slow, silent], { services: time, retry });
    await expect(ask()).rejects.toThrow(
      'did not answer within 35 ms. It was tried 2 times.',
    );
  });

  it('do not start if the signal is already aborted', async () => {
    const { ask, sent } = setup([success]);
    expect(await errorOf(() => ask(AbortSignal.abort(reason)))).toBe(reason);
    expect(sent()).toStrictEqual([]);
  });

  it('end when the signal aborts during a wait', async () => {
    const abort = new AbortController();
    const sleep = (): Promise<void> => {
      setImmediate(() => abort.abort(reason));
      return new Promise(() => undefined);
    };
    const { ask, sent } = setup([unreachableServer], {
      services: { ...createFakeTime(), sleep },
    });
    expect(await errorOf(() => ask(abort.signal))).toBe(reason);
    expect(sent()).toHaveLength(1);
  });

  it('end when the signal aborts during an attempt, even with a temporary failure as its reason', async () => {
    const abort = new AbortController();
    const why = await errorOf(setup([unreachableServer]).ask);
    const server: Server = () => {
      abort.abort(why);
      return new Response('', { status: 503 });
    };
    const { ask, sent, time } = setup([server]);
    expect(await errorOf(() => ask(abort.signal))).toBe(why);
    expect([sent().length, time.waits]).toStrictEqual([1, []]);
  });
});

describe('a non-idempotent call', () => {
  it.each<[string, Server, string]>([
    ['a lost connection', unreachableServer, `could not be reached. ${UNKNOWN}`],
    ['a server error status', status(502), `answered with HTTP status 502. ${UNKNOWN}`],
    ['status 400', status(400), 'answered with HTTP status 400.'],
    ['a rate limit', status(429), 'is rate limited. Try again in 1 s.'],
    ['-32005', limited(), 'is rate limited. Try again in 1 s.'],
    [
      'an empty list of answers',
      answeringWith(() => []),
      `gave an invalid answer: it has no answer for this call. ${UNKNOWN}`,
    ],
    [
      'an HTML page',
      () => new Response('<html>'),
      `gave an invalid answer: the body is not JSON. ${UNKNOWN}`,
    ],
    [
      'an error response',
      answeringWith(([each]) => ({
        id: each?.id,
        error: { code: -32000, message: 'nonce' },
      })),
      'failed: nonce.',
    ],
  ])('is sent once, whatever happens: %s', async (_what, server, message) => {
    const { askAll, sent, time } = createRpcBench([server, correctResult]);
    expect(await askAll([unrepeatableCalls('a')])).toStrictEqual([
      `a at It ${message}`,
    ]);
    expect(sent()).toStrictEqual([['a']]);
    expect(time.waits).toStrictEqual([]);
  });

  it('is any call that is not marked as idempotent', async () => {
    const { transport, sent } = createRpcBench([unreachableServer, correctResult]);
    await expect(transport.request({ method: 'a', params: [] })).rejects.toMatchObject({
      message: expect.stringContaining(UNKNOWN) as string,
      context: { mayBeDone: true },
    });
    expect(sent()).toStrictEqual([['a']]);
  });
});
