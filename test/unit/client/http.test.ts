// HTTP exchanges with servers that misbehave as real servers do.
import { gzipSync } from 'node:zlib';

import { jest } from '@jest/globals';

import {
  createBundlerEndpoint,
  createGasApi,
  createGasEndpoint,
  createHttpTransport,
  createRpcEndpoint,
  InvalidResponseError,
  TimeoutError,
} from '../../../packages/client/src';
import type { HttpOptions } from '../../../packages/client/src';
import { errorOf, failureOf } from '../../support/error-of';
import { createFakeNetwork, silent } from '../../support/fake-fetch';
import { createGate } from '../../support/gate';
import { answerJson, answerText, useHttpServers } from '../../support/http-server';
import type { Answer } from '../../support/http-server';
import { answerEach, bodiesOf } from '../../support/json-rpc';

const KEY = '7238211010344719ad14a89db874158c';

const serve = useHttpServers();

const retry = { maxAttempts: 1 };

function askAt(url: string, options: Partial<HttpOptions> = {}, signal?: AbortSignal) {
  const endpoint = { ...createRpcEndpoint(url), label: 'It' };
  const transport = createHttpTransport(endpoint, { fetch, retry, ...options });
  return transport.request({ method: 'a', params: [], idempotent: true, signal });
}

async function setup(answer: Answer) {
  const { url } = await serve(answer);
  return async (options?: Partial<HttpOptions>, signal?: AbortSignal) =>
    askAt(url, options, signal);
}

const receive = async (response: Response): Promise<unknown> =>
  askAt('http://a.example', { fetch: async () => Promise.resolve(response) });

const failure = (name: string, reason: string, context = {}): object => ({
  name,
  code: name === 'RateLimitError' ? -32005 : -32002,
  message: `a at It ${reason}`,
  context,
});

describe('an HTTP exchange', () => {
  it('posts JSON to the URL that contains the API key', async () => {
    const server = await serve(answerEach);
    const endpoint = createRpcEndpoint(`${server.url}/way`, KEY);
    const call = { method: 'eth_getCode', params: ['0xab', 'latest'] };
    const transport = createHttpTransport(endpoint, { fetch });
    expect(await transport.request(call)).toStrictEqual(['eth_getCode', '0xab']);
    expect(bodiesOf(server)).toStrictEqual([{ jsonrpc: '2.0', id: 1, ...call }]);
    const [arrived] = server.arrived;
    expect(arrived).toMatchObject({ method: 'POST', path: `/way/v3/${KEY}` });
    expect(arrived?.headers['content-type']).toBe('application/json');
  });

  it('reads an answer that arrives byte by byte', async () => {
    const ask = await setup((response) => {
      const whole = Buffer.from('{"id":1,"result":"é\u{1f600}"}');
      for (const byte of whole) response.write(Uint8Array.of(byte));
      response.end();
    });
    expect(await ask()).toBe('é\u{1f600}');
  });

  it.each<[string, Answer]>([
    ['is cut off', answerText('{"a": [1, 2')],
    ['is empty', answerText('')],
    ['is an HTML page', answerText('<!doctype html><title>top-secret</title>')],
    ['is two JSON documents', answerText('{}{}')],
    ['has status 204', (response) => response.writeHead(204).end()],
  ])('fails if the answer %s', async (_what, answer) => {
    const ask = await setup(answer);
    const reason =
      'gave an invalid answer: the body is not JSON. Check that it is the right server.';
    expect(await failureOf(ask)).toStrictEqual(failure('InvalidResponseError', reason));
  });

  it('fails if the answer has no body', async () => {
    await expect(receive(new Response(null))).rejects.toThrow(InvalidResponseError);
  });

  it.each([
    [400, ''],
    [401, ' Check the API key and its secret.'],
    [402, ' The quota of the API key is used up.'],
    [403, ' The API key is not allowed to do this, or not from this origin.'],
    [404, ' Check the address and the chain id.'],
    [413, ' Send less in one request.'],
    [418, ''],
    [499, ''],
    [500, ' Try again later.'],
    [599, ' Try again later.'],
  ])('reports HTTP status %i', async (status, advice) => {
    const response = Response.json({ error: 'top-secret' }, { status });
    expect(await failureOf(async () => receive(response))).toStrictEqual(
      failure('HttpStatusError', `answered with HTTP status ${status}.${advice}`, {
        status,
      }),
    );
  });

  it.each<[string, Answer]>([
    ['before the headers', (response) => response.destroy()],
    [
      'during the body',
      (response) => {
        response.writeHead(200, { 'Content-Length': '50' });
        response.write('{"a":', () => response.destroy());
      },
    ],
  ])('fails if the connection is dropped %s', async (_when, answer) => {
    const ask = await setup(answer);
    const reason = 'could not be reached. Check the address and the connection.';
    expect(await failureOf(ask)).toStrictEqual(failure('NetworkError', reason));
  });
});

describe('an empty error', () => {
  it.each([[null], [{}], [''], [false]])(
    'does not hide a result: %j',
    async (error) => {
      const ask = await setup(answerJson({ id: 1, result: '0x1', error }));
      expect(await ask()).toBe('0x1');
    },
  );

  it.each([[{}], [''], [false]])('is an error without a result: %j', async (error) => {
    const ask = await setup(answerJson({ id: 1, error }));
    expect(await errorOf(ask)).toMatchObject({ name: 'RpcError' });
  });
});

describe('a rate-limit error', () => {
  const NOW = Date.UTC(2015, 9, 21, 7, 28, 0);

  afterEach(() => {
    jest.restoreAllMocks();
  });

  const limited = async (body: unknown, init: ResponseInit = {}): Promise<unknown> => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const response = new Response(text, { status: 429, ...init });
    const { name, code, context } = await failureOf(async () => receive(response));
    expect({ name, code }).toStrictEqual({ name: 'RateLimitError', code: -32005 });
    return (context as { rate: { backoff_seconds: number } }).rate.backoff_seconds;
  };

  it('says when to retry', async () => {
    const ask = await setup(answerJson({}, 429, { 'Retry-After': '7' }));
    const reason = 'is rate limited. Try again in 7 s.';
    expect(await failureOf(ask)).toStrictEqual(
      failure('RateLimitError', reason, {
        retryAfter: 7,
        rate: { backoff_seconds: 7 },
      }),
    );
  });

  it.each<[string, number]>([
    ['0', 0],
    ['3600', 3_600],
    // Seconds, not a year.
    ['2015', 2_015],
    ['007', 7],
    ['999999999', 999_999_999],
    ['Wed, 21 Oct 2015 07:28:30 GMT', 30],
    // The two obsolete date formats of RFC 9110.
    ['Wednesday, 21-Oct-15 07:28:30 GMT', 30],
    ['Wed Oct 21 07:28:30 2015', 30],
    // Times that have passed.
    ['Wed, 21 Oct 2015 07:28:00 GMT', 0],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 0],
    // Invalid values mean one second.
    ...[
      '',
      '-5',
      '1.5',
      '1e3',
      '0x10',
      'soon',
      'soon 5',
      '1000000000',
      '2099-10-21T07:28:00Z',
      'Wed, 99 Oct 2015 99:99:99 GMT',
      'Wed, 21 Foo 2015 07:28:30 GMT',
    ].map((header): [string, number] => [header, 1]),
  ])('turns Retry-After %j into a backoff of %i s', async (header, seconds) => {
    jest.spyOn(Date, 'now').mockReturnValue(NOW);
    expect(await limited({}, { headers: { 'Retry-After': header } })).toBe(seconds);
  });

  it('rounds a Retry-After date up to a whole second', async () => {
    jest.spyOn(Date, 'now').mockReturnValue(NOW - 1);
    const headers = { 'Retry-After': 'Wed, 21 Oct 2015 07:28:30 GMT' };
    expect(await limited({}, { headers })).toBe(31);
  });

  const data = (seconds: unknown): object => ({
    error: { code: -32005, data: { rate: { backoff_seconds: seconds, more: 1 } } },
  });

  it.each<[string, unknown, number]>([
    ['a JSON-RPC error', data(30), 30],
    ['one error per call', [data(7), data(8)], 7],
    ['a fraction', data(0.5), 0.5],
    ['zero', data(0), 0],
    ['a string', data('30'), 1],
    ['a negative number', data(-1), 1],
    ['a numeric overflow', '{"error":{"data":{"rate":{"backoff_seconds":1e999}}}}', 1],
    ['null', data(null), 1],
    ['no rate', { error: { data: {} } }, 1],
    ['a null rate', { error: { data: { rate: null } } }, 1],
    ['string data', { error: { data: '30' } }, 1],
    ['no data', { error: { code: -32005 } }, 1],
    ['no error', null, 1],
    ['no answers', [], 1],
    ['plain text', 'Too many requests', 1],
    ['an empty body', '', 1],
    ['a backoff in a large body', { ...data(30), pad: 'x'.repeat(20_000) }, 30],
    ['a body over the size limit', { ...data(30), pad: 'x'.repeat(10_000_000) }, 1],
  ])('takes the backoff from the body, else 1 s: %s', async (_what, body, seconds) => {
    expect(await limited(body)).toBe(seconds);
  });

  it('becomes a timeout if the body never ends', async () => {
    const ask = await setup((response) => response.writeHead(429).write('{'));
    await expect(ask({ timeoutMs: 60 })).rejects.toThrow(TimeoutError);
  });
});

describe('the time limit', () => {
  it.each<[string, Answer]>([
    ['the wait for headers', () => undefined],
    ['a body that stalls', (response) => response.write('{"a":')],
    [
      'a body that trickles forever',
      (response) => {
        const timer = setInterval(() => response.write(' '), 10);
        response.on('close', () => clearInterval(timer));
      },
    ],
  ])('covers %s, and closes the connection', async (_what, answer) => {
    const closed = createGate();
    let hasArrived = false;
    const ask = await setup((response, arrived) => {
      hasArrived = true;
      answer(response.on('close', closed.open), arrived);
    });
    const reason = 'did not answer within 60 ms. Try again later.';
    // On a busy machine the time limit can pass before the request arrives.
    while (!hasArrived) {
      expect(await failureOf(() => ask({ timeoutMs: 60 }))).toStrictEqual(
        failure('TimeoutError', reason),
      );
    }
    await closed.opened;
  });

  it('is 15 s by default', async () => {
    jest.useFakeTimers();
    const network = createFakeNetwork();
    network.serve('http://a.example', silent);
    const asked = failureOf(async () => askAt('http://a.example', network));
    await jest.advanceTimersByTimeAsync(15_000);
    jest.useRealTimers();
    expect((await asked).message).toContain('did not answer within 15000 ms.');
  });
});

describe('the size limit', () => {
  const text = (length: number) => `{"id":1,"result":"${'x'.repeat(length - 20)}"}`;

  it('accepts an answer that just fits', async () => {
    const ask = await setup(answerText(text(100)));
    expect(await ask({ maxBytes: 100 })).toHaveLength(80);
  });

  it.each<[string, Answer]>([
    ['a body with a Content-Length', answerText(text(101))],
    [
      'a body with few characters but too many bytes',
      answerText(`"${'é'.repeat(60)}"`),
    ],
    [
      'an endless body',
      (response) => {
        const timer = setInterval(() => response.write('x'.repeat(60)), 5);
        response.on('close', () => clearInterval(timer));
      },
    ],
    [
      'a small body that decompresses into a large one',
      (response) => {
        response.writeHead(200, { 'Content-Encoding': 'gzip' });
        response.end(gzipSync(text(1_000_000)));
      },
    ],
  ])('refuses %s', async (_what, answer) => {
    const ask = await setup(answer);
    const reason = 'answered with more than 100 bytes. Ask for less in one request.';
    expect(await failureOf(() => ask({ maxBytes: 100 }))).toStrictEqual(
      failure('BodyTooLargeError', reason),
    );
  });

  it('is 10 MB by default', async () => {
    expect(await receive(new Response(text(10_000_000)))).toHaveLength(9_999_980);
    await expect(receive(new Response(text(10_000_001)))).rejects.toThrow(
      'answered with more than 10000000 bytes.',
    );
  });

  it.each<[string, number]>([
    ['the rest of a body that is too large', 200],
    ['the body of an HTTP error', 500],
  ])('closes the connection without reading %s', async (_what, status) => {
    const closed = createGate();
    const ask = await setup((response) => {
      response.on('close', closed.open).writeHead(status).write('x'.repeat(101));
    });
    await failureOf(() => ask({ maxBytes: 100 }));
    await closed.opened;
  });
});

describe('an abort signal', () => {
  const reason = new Error('Enough.');

  it.each<[string, (response: Parameters<Answer>[0]) => void]>([
    ['headers', () => undefined],
    ['the body', (response) => response.writeHead(200).write('{"a":')],
  ])('ends the wait for %s, and closes the connection', async (_what, begin) => {
    const [begun, closed] = [createGate(), createGate()];
    const ask = await setup((response) => {
      begin(response.on('close', closed.open));
      begun.open();
    });
    const abort = new AbortController();
    const given = errorOf(() => ask({}, abort.signal));
    await begun.opened;
    abort.abort(reason);
    expect(await given).toBe(reason);
    await closed.opened;
  });
});

describe('a redirect', () => {
  const explanation =
    'answered with a redirect, which is not followed. Use the address it redirects to.';

  it.each([301, 302, 303, 307, 308])(
    'is not followed with status %i',
    async (status) => {
      const second = await serve(answerJson({ id: 1, result: '0x1' }));
      const first = await serve((response, { path }) => {
        response.writeHead(status, { Location: `${second.url}${path}` }).end();
      });
      const options = { fetch, retry };
      const bundler = createHttpTransport(
        createBundlerEndpoint(first.url, KEY),
        options,
      );
      const gas = createGasApi(
        createGasEndpoint({ gasBaseUrl: first.url, apiKey: KEY }),
        options,
      );
      const requests = [
        () => bundler.request({ method: 'eth_sendUserOperation', params: [] }),
        () => gas.suggestedGasFees(1n),
      ];
      for (const ask of requests) {
        const { name, message, context } = await failureOf(ask);
        expect([name, context]).toStrictEqual(['HttpStatusError', { status }]);
        expect(message).toContain(explanation);
      }
      expect([first.arrived.length, second.arrived.length]).toStrictEqual([2, 0]);
    },
  );

  it('is reported if the browser hides its status', async () => {
    const opaque = { ok: false, status: 0, headers: new Headers() } as Response;
    expect(await failureOf(async () => receive(opaque))).toStrictEqual(
      failure('HttpStatusError', explanation, { status: 0 }),
    );
  });
});

it('keeps answers out of the browser cache', async () => {
  const seen: (RequestInit | undefined)[] = [];
  const recordingFetch: typeof fetch = (_url, request) => {
    seen.push(request);
    return Promise.resolve(Response.json({ id: 1, result: 1 }));
  };
  await askAt('http://a.example', { fetch: recordingFetch });
  expect(seen).toMatchObject([{ cache: 'no-store', redirect: 'manual' }]);
});
