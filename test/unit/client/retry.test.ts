// Which requests are repeated, when, and for how long: by calls of JSON-RPC and of the gas API alike.
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
  breaking,
  createFakeNetwork,
  inTurn,
  silent,
} from '../../support/fake-fetch';
import type { FakeNetwork, Server } from '../../support/fake-fetch';
import { createFakeTime } from '../../support/fake-time';
import type { FakeTime } from '../../support/fake-time';
import {
  createRpcBench,
  making,
  readsOf,
  right,
  rightly,
  sendsOf,
} from '../../support/rpc-bench';

const UNKNOWN = 'It may have been carried out: check before you send it again.';

const limited = (seconds?: unknown): Server =>
  making((requests) =>
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

describe('a temporary failure', () => {
  it.each<[string, Server, number]>([
    ['a lost connection', breaking, 125],
    ...[408, 425, 500, 502, 503, 504].map((code): [string, Server, number] => [
      `status ${code}`,
      status(code),
      125,
    ]),
    ...[520, 521, 524, 530].map((code): [string, Server, number] => [
      `status ${code}`,
      status(code),
      125,
    ]),
    ['status 503 with Retry-After', status(503, '2'), 2_125],
    [
      'status 503 with an error that says no more',
      making(() => ({ id: null, error: { code: -32000, message: 'No' } }), 503),
      125,
    ],
    [
      'an error of a gateway for the whole request',
      making(() => ({ id: null, error: { code: -32000, message: 'Bad gateway' } })),
      125,
    ],
    ['status 429', status(429), 1_125],
    ['status 429 with Retry-After', status(429, '7'), 7_125],
    ['-32005', limited(), 1_125],
    ['-32005 with a backoff', limited(7), 7_125],
    ['-32005 with a backoff of zero', limited(0), 125],
    ['-32005 with nonsense', limited('soon'), 1_125],
    [
      '-32005 for the whole request',
      making(() => ({ id: null, error: { code: -32005, message: 'Slow' } })),
      1_125,
    ],
  ])('is hidden from the caller: %s', async (_what, server, wait) => {
    const { askAll, sent, time } = createRpcBench([server, right]);
    expect(await askAll(readsOf('a', 'b'))).toStrictEqual(['a', 'b'].map(rightly));
    expect(sent()).toStrictEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
    expect(time.waits).toStrictEqual([wait]);
  });

  it('may be silence', async () => {
    const { askAll, time } = createRpcBench([silent, right], { timeoutMs: 10 });
    expect(await askAll(readsOf('a'))).toStrictEqual([rightly('a')]);
    expect(time.waits).toStrictEqual([125]);
  });

  it('may be followed by another kind', async () => {
    const { askAll, time } = createRpcBench([breaking, limited(), right]);
    expect(await askAll(readsOf('a'))).toStrictEqual([rightly('a')]);
    expect(time.waits).toStrictEqual([125, 1_250]);
  });

  it.each<[string, Server]>([
    ...[400, 401, 402, 403, 404, 405, 410, 413, 415, 422, 501, 505].map(
      (code): [string, Server] => [`status ${code}`, status(code)],
    ),
    ['status 403 with Retry-After', status(403, '1')],
    ['a large body', () => new Response('x'.repeat(10_001))],
    ['an invalid answer', () => new Response('no')],
    [
      'an error of the server',
      making(([each]) => ({ id: each?.id, error: { code: -32000, message: 'No' } })),
    ],
  ])('is not %s', async (_what, server) => {
    const { askAll, sent } = createRpcBench([server, right], { maxBytes: 10_000 });
    expect(await askAll(readsOf('a'))).toStrictEqual([
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
  ])(
    'doubles up to five seconds, and is randomly shortened: %p',
    async (random, waits) => {
      const time = createFakeTime(random);
      const retry = { maxAttempts: 8, budgetMs: 60_000 };
      const { askAll, sent } = createRpcBench([breaking], { services: time, retry });
      await askAll(readsOf('a'));
      expect(time.waits).toStrictEqual(waits);
      expect(sent()).toHaveLength(8);
    },
  );

  it.each([
    ['fits the time that is left', 874, [125]],
    ['would use up the rest', 875, []],
  ])('%s: after %i ms', async (_what, ms, waits) => {
    const time = createFakeTime();
    const slow: Server = (request) => {
      time.advance(ms);
      return breaking(request);
    };
    const retry = { budgetMs: 1_000 };
    const { askAll } = createRpcBench([slow, right], { services: time, retry });
    await askAll(readsOf('a'));
    expect(time.waits).toStrictEqual(waits);
  });

  it.each([
    ['28', [28_125]],
    ['30', []],
  ])(
    'is skipped if the server asks for more than half a minute: %s s',
    async (seconds, waits) => {
      const { askAll, time } = createRpcBench([status(429, seconds), right]);
      await askAll(readsOf('a'));
      expect(time.waits).toStrictEqual(waits);
    },
  );

  it("uses the machine's clock by default", async () => {
    jest.useFakeTimers();
    const chance = jest.spyOn(Math, 'random').mockReturnValue(0);
    const { fetch, sent } = networkOf(breaking);
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

/** A way to ask: what both of them do is held together. */
type Way = (
  servers: Server[],
  options?: Partial<HttpOptions>,
) => {
  time: FakeTime;
  ask: (signal?: AbortSignal) => Promise<unknown>;
  /** What was sent so far. */
  sent: () => unknown[];
};

const ways: [name: string, way: Way, right: Server][] = [
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
    right,
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

describe.each(ways)('attempts of %s', (name, way, well) => {
  const reason = new Error('Enough.');

  it('end with the first that succeeds', async () => {
    const { ask, time } = way([breaking, answering(null, 503), well]);
    expect(await ask()).toBeDefined();
    expect(time.waits).toStrictEqual([125, 250]);
  });

  it.each<[string, HttpOptions['retry'], number]>([
    ['three', {}, 3],
    ['four, if that many are allowed', { maxAttempts: 4 }, 4],
    ['as many as the time allows', { maxAttempts: 100, budgetMs: 1_000 }, 4],
  ])('are %s, and counted', async (_what, retry, attempts) => {
    const { ask, sent } = way([breaking], { retry });
    const { message, context } = await failureOf(ask);
    expect(message).toBe(
      `${name} at It could not be reached. It was tried ${attempts} times. ` +
        'Check the address and the connection.',
    );
    expect(context).toStrictEqual({ attempts });
    expect(sent()).toHaveLength(attempts);
  });

  it('are not counted if there is one', async () => {
    const { ask } = way([breaking], { retry: { maxAttempts: 1 } });
    expect((await failureOf(ask)).message).not.toContain('tried');
  });

  it('end if the machine slept past the time limit', async () => {
    const time = createFakeTime();
    const services = {
      ...time,
      sleep: async () => Promise.resolve(time.advance(30_000)),
    };
    const { ask, sent } = way([breaking], { services });
    expect((await failureOf(ask)).message).not.toContain('tried');
    expect(sent()).toHaveLength(1);
  });

  it('have the time that earlier ones left', async () => {
    const time = createFakeTime();
    const slow: Server = (request) => {
      time.advance(900);
      return breaking(request);
    };
    const retry = { budgetMs: 1_060 };
    const { ask } = way([slow, silent], { services: time, retry });
    await expect(ask()).rejects.toThrow(
      'did not answer within 35 ms. It was tried 2 times.',
    );
  });

  it('do not start after a signal', async () => {
    const { ask, sent } = way([well]);
    expect(await errorOf(() => ask(AbortSignal.abort(reason)))).toBe(reason);
    expect(sent()).toStrictEqual([]);
  });

  it('end at a signal, as waits do', async () => {
    const abort = new AbortController();
    const sleep = (): Promise<void> => {
      setImmediate(() => abort.abort(reason));
      return new Promise(() => undefined);
    };
    const { ask, sent } = way([breaking], {
      services: { ...createFakeTime(), sleep },
    });
    expect(await errorOf(() => ask(abort.signal))).toBe(reason);
    expect(sent()).toHaveLength(1);
  });

  it('end at a signal that comes meanwhile, whatever its reason', async () => {
    const abort = new AbortController();
    const why = await errorOf(way([breaking]).ask);
    const server: Server = () => {
      abort.abort(why);
      return new Response('', { status: 503 });
    };
    const { ask, sent, time } = way([server]);
    expect(await errorOf(() => ask(abort.signal))).toBe(why);
    expect([sent().length, time.waits]).toStrictEqual([1, []]);
  });
});

describe('a call that must not be repeated', () => {
  it.each<[string, Server, string]>([
    ['a lost connection', breaking, `could not be reached. ${UNKNOWN}`],
    [
      'a status of the server',
      status(502),
      `answered with HTTP status 502. ${UNKNOWN}`,
    ],
    ['a refusal', status(400), 'answered with HTTP status 400.'],
    ['a rate limit', status(429), 'is rate limited. Try again in 1 s.'],
    ['-32005', limited(), 'is rate limited. Try again in 1 s.'],
    [
      'an answer without a request',
      making(() => []),
      `gave an invalid answer: it has no answer for this call. ${UNKNOWN}`,
    ],
    [
      'a page',
      () => new Response('<html>'),
      `gave an invalid answer: the body is not JSON. ${UNKNOWN}`,
    ],
    [
      'an error of the server',
      making(([each]) => ({ id: each?.id, error: { code: -32000, message: 'nonce' } })),
      'failed: nonce.',
    ],
  ])('is sent once, whatever happens: %s', async (_what, server, message) => {
    const { askAll, sent, time } = createRpcBench([server, right]);
    expect(await askAll([sendsOf('a')])).toStrictEqual([`a at It ${message}`]);
    expect(sent()).toStrictEqual([['a']]);
    expect(time.waits).toStrictEqual([]);
  });

  it('is the default', async () => {
    const { transport, sent } = createRpcBench([breaking, right]);
    await expect(transport.request({ method: 'a', params: [] })).rejects.toMatchObject({
      message: expect.stringContaining(UNKNOWN) as string,
      context: { mayBeDone: true },
    });
    expect(sent()).toStrictEqual([['a']]);
  });
});
