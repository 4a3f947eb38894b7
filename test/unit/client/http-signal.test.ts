// An exchange that is given up, and what a refusal says of when to come back.
import { fetchJson } from '../../../src/client/http';
import type { ExchangeOptions } from '../../../src/client/http';
import { errorOf, failureOf } from '../../support/error-of';
import { createGate } from '../../support/gate';
import { answerJson, answerText, useHttpServers } from '../../support/http-server';
import type { Answer, HttpServer } from '../../support/http-server';

const serve = useHttpServers();

const limits: ExchangeOptions = { fetch, timeoutMs: 1_000, maxBytes: 1_000_000 };

type Bench = {
  server: HttpServer;
  ask: (options?: Partial<ExchangeOptions>) => Promise<unknown>;
};

async function setup(answer: Answer): Promise<Bench> {
  const server = await serve(answer);
  const endpoint = { url: server.url, headers: {}, label: 'It', redact: String };
  const ask = (options = {}): Promise<unknown> =>
    fetchJson({ endpoint }, { ...limits, ...options });
  return { server, ask };
}

const reason = new Error('Enough.');

describe('a signal', () => {
  it('that was given before keeps the request back', async () => {
    const { server, ask } = await setup(answerJson({}));
    const signal = AbortSignal.abort(reason);
    expect(await errorOf(() => ask({ signal }))).toBe(reason);
    expect(server.arrived).toStrictEqual([]);
  });

  it.each<[string, (response: Parameters<Answer>[0]) => void]>([
    ['headers', () => undefined],
    ['the body', (response) => response.writeHead(200).write('{"a":')],
  ])('ends the wait for %s, and the connection', async (_what, begin) => {
    const [begun, closed] = [createGate(), createGate()];
    const { ask } = await setup((response) => {
      begin(response.on('close', closed.open));
      begun.open();
    });
    const abort = new AbortController();
    const given = errorOf(() => ask({ signal: abort.signal }));
    await begun.opened;
    abort.abort(reason);
    expect(await given).toBe(reason);
    await closed.opened;
  });

  it('that is not given changes nothing', async () => {
    const { ask } = await setup(answerJson({ a: 1 }));
    expect(await ask({ signal: new AbortController().signal })).toStrictEqual({ a: 1 });
  });

  it('that is given later changes nothing', async () => {
    const { ask } = await setup(answerText('no'));
    const abort = new AbortController();
    const error = await failureOf(() => ask({ signal: abort.signal }));
    abort.abort(reason);
    expect(error.name).toBe('InvalidResponseError');
  });
});

describe('a status 429 without Retry-After', () => {
  const limit = (seconds: unknown): object => ({
    jsonrpc: '2.0',
    id: 1,
    error: {
      code: -32005,
      message: 'Slow',
      data: { rate: { backoff_seconds: seconds } },
    },
  });

  it.each<[string, Answer, number]>([
    ['an error of JSON-RPC', answerJson(limit(30), 429), 30],
    ['an error for each call', answerJson([limit(7), limit(8)], 429), 7],
    ['a backoff of zero', answerJson(limit(0), 429), 0],
    ['a backoff that is none', answerJson(limit('soon'), 429), 1],
    ['an error without data', answerJson({ error: { code: -32005 } }, 429), 1],
    ['null', answerJson(null, 429), 1],
    ['no answers', answerJson([], 429), 1],
    ['a text', answerText('Too many requests', 429), 1],
    ['nothing', answerText('', 429), 1],
    ['too much', answerJson({ ...limit(30), pad: 'x'.repeat(20_000) }, 429), 1],
  ])('says in its body when to come back: %s', async (_what, answer, seconds) => {
    const { ask } = await setup(answer);
    expect(await failureOf(() => ask())).toStrictEqual({
      name: 'RateLimitError',
      code: -32005,
      message: `It is rate limited. Try again in ${seconds} s.`,
      context: { rate: { backoff_seconds: seconds } },
    });
  });

  it('and without an end times out', async () => {
    const { ask } = await setup((response) => response.writeHead(429).write('{'));
    expect((await failureOf(() => ask({ timeoutMs: 60 }))).name).toBe('TimeoutError');
  });
});

describe('an answer without a body', () => {
  it('is an invalid one', async () => {
    const bodiless = (): Promise<Response> => Promise.resolve(new Response(null));
    const { ask } = await setup(answerJson({}));
    const { name } = await failureOf(() => ask({ fetch: bodiless }));
    expect(name).toBe('InvalidResponseError');
  });
});
