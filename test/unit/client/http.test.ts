// One exchange, against a real server that does what servers do on bad days.
import { fetchJson } from '../../../src/client/http';
import type { ExchangeOptions } from '../../../src/client/http';
import { failureOf } from '../../support/error-of';
import {
  answerJson,
  answerText,
  findDeadUrl,
  useHttpServers,
} from '../../support/http-server';
import type { Answer, HttpServer } from '../../support/http-server';

const serve = useHttpServers();

const limits: ExchangeOptions = { fetch, timeoutMs: 1_000, maxBytes: 1_000_000 };

type Bench = {
  server: HttpServer;
  ask: (options?: Partial<ExchangeOptions>, body?: string) => Promise<unknown>;
};

async function setup(answer: Answer): Promise<Bench> {
  const server = await serve(answer);
  const endpoint = {
    url: `${server.url}/way`,
    headers: { 'X-Own': 'a' },
    label: 'It',
    redact: String,
  };
  return {
    server,
    ask: (options, body) => fetchJson({ endpoint, body }, { ...limits, ...options }),
  };
}

describe('fetchJson', () => {
  it('gets without a body and posts JSON with one', async () => {
    const { server, ask } = await setup(answerJson({ a: [1, null] }));
    expect(await ask()).toStrictEqual({ a: [1, null] });
    await ask({}, '{"b":2}');
    const seen = server.arrived.map(({ method, path, body, headers }) => {
      return [method, path, body, headers['x-own'], headers['content-type']];
    });
    expect(seen).toStrictEqual([
      ['GET', '/way', '', 'a', undefined],
      ['POST', '/way', '{"b":2}', 'a', 'application/json'],
    ]);
  });

  it('reads an answer that comes in small pieces', async () => {
    const whole = Buffer.from(JSON.stringify({ text: 'é\u{1f600}' }));
    const { ask } = await setup((response) => {
      for (const byte of whole) response.write(Uint8Array.of(byte));
      response.end();
    });
    expect(await ask()).toStrictEqual({ text: 'é\u{1f600}' });
  });
});

describe('an answer that is no JSON', () => {
  it.each([
    ['is cut off', '{"a": [1, 2'],
    ['is empty', ''],
    ['is a page', '<!doctype html><title>tell-nobody</title>'],
    ['is two documents', '{}{}'],
  ])('%s', async (_what, text) => {
    const { ask } = await setup(answerText(text));
    expect(await failureOf(ask)).toStrictEqual({
      name: 'InvalidResponseError',
      code: -32002,
      message:
        'It gave an invalid answer: the body is not JSON. Check that it is the right server.',
      context: {},
    });
  });

  it('is no trouble with another status than 200', async () => {
    const { ask } = await setup((response) => response.writeHead(204).end());
    expect((await failureOf(ask)).name).toBe('InvalidResponseError');
  });
});

describe('a status that is no success', () => {
  it.each([
    [400, ''],
    [401, ' Check the API key and its secret.'],
    [402, ' The quota of the API key is used up.'],
    [403, ' The API key is not allowed to do this, or not from this origin.'],
    [404, ' Check the address and the chain id.'],
    [413, ' Send less at once.'],
    [500, ' Try again later.'],
    [503, ' Try again later.'],
  ])('is told: %s', async (status, advice) => {
    const { ask } = await setup(answerJson({ error: 'tell-nobody' }, status));
    expect(await failureOf(ask)).toStrictEqual({
      name: 'HttpStatusError',
      code: -32002,
      message: `It answered with HTTP status ${status}.${advice}`,
      context: { status },
    });
  });
});

describe('a rate limit', () => {
  const limited = (seconds: number): object => ({
    name: 'RateLimitError',
    code: -32005,
    message: `It is rate limited. Try again in ${seconds} s.`,
    context: { rate: { backoff_seconds: seconds } },
  });

  it.each([
    ['7', 7],
    ['0', 0],
    ['3600', 3600],
    // What is no number of seconds counts as absent.
    ['-5', 1],
    ['soon', 1],
  ])('of Retry-After %j is %i s', async (value, seconds) => {
    const { ask } = await setup(answerJson({}, 429, { 'Retry-After': value }));
    expect(await failureOf(ask)).toStrictEqual(limited(seconds));
  });

  it('without Retry-After is one second', async () => {
    const { ask } = await setup(answerJson({}, 429));
    expect(await failureOf(ask)).toStrictEqual(limited(1));
  });

  it('of a date lasts until that date', async () => {
    const date = new Date(Date.now() + 120_000).toUTCString();
    const { ask } = await setup(answerJson({}, 429, { 'Retry-After': date }));
    const { context } = await failureOf(ask);
    const { rate } = context as { rate: { backoff_seconds: number } };
    expect(rate.backoff_seconds).toBeGreaterThanOrEqual(115);
    expect(rate.backoff_seconds).toBeLessThanOrEqual(120);
    expect(Number.isInteger(rate.backoff_seconds)).toBe(true);
  });

  it('of a date in the past is over', async () => {
    const date = 'Wed, 21 Oct 2015 07:28:00 GMT';
    const { ask } = await setup(answerJson({}, 429, { 'Retry-After': date }));
    expect(await failureOf(ask)).toStrictEqual(limited(0));
  });
});

describe('a connection', () => {
  const LOST = {
    name: 'NetworkError',
    code: -32002,
    message: 'It could not be reached. Check the address and the connection.',
    context: {},
  };

  it('that is refused is told', async () => {
    const endpoint = {
      url: await findDeadUrl(),
      headers: {},
      label: 'It',
      redact: String,
    };
    expect(await failureOf(() => fetchJson({ endpoint }, limits))).toStrictEqual(LOST);
  });

  it.each<[string, Answer]>([
    ['before the headers', (response) => response.destroy()],
    [
      'within the body',
      (response) => response.writeHead(200, { 'Content-Length': '50' }).write('{"a":'),
    ],
  ])('that is dropped %s is told', async (when, answer) => {
    const { ask } = await setup((response, arrived) => {
      answer(response, arrived);
      if (when === 'within the body') setTimeout(() => response.destroy(), 10);
    });
    expect(await failureOf(() => ask({ timeoutMs: 2_000 }))).toStrictEqual(LOST);
  });
});
