// A batch that fails as a whole: every call of it learns why, and the next one is fine.
import { createHttpTransport } from '../../../../src/client';
import { failureOf } from '../../../support/error-of';
import type { Failure } from '../../../support/error-of';
import { answerJson, answerText, useHttpServers } from '../../../support/http-server';
import type { Answer } from '../../../support/http-server';
import { answerEach } from '../../../support/json-rpc';

const serve = useHttpServers();

type Bench = {
  askAll: (...methods: string[]) => Promise<Failure[]>;
  ask: () => unknown;
  /** The server answers well from now on. */
  mend: () => void;
};

/** A transport to a server that answers badly until it is mended; each call is tried once. */
async function setup(answer: Answer): Promise<Bench> {
  let current = answer;
  const { url } = await serve((...args) => current(...args));
  const endpoint = { url, headers: {}, label: 'It', redact: String };
  const retry = { maxAttempts: 1 };
  const transport = createHttpTransport(endpoint, { fetch, timeoutMs: 1_000, retry });
  const ask = (method = 'z'): Promise<unknown> =>
    transport.request({ method, params: [], idempotent: true });
  return {
    ask,
    askAll: (...methods) =>
      Promise.all(methods.map((method) => failureOf(() => ask(method)))),
    mend: () => {
      current = answerEach;
    },
  };
}

const NONE =
  'at It gave an invalid answer: it has no answer for this call. ' +
  'Check that it is the right server.';

describe('a batch', () => {
  it.each<[string, Answer, string]>([
    [
      'a status',
      answerJson({}, 500),
      'at It answered with HTTP status 500. Try again later.',
    ],
    [
      'a rate limit',
      answerJson({}, 429, { 'Retry-After': '2' }),
      'at It is rate limited. Try again in 2 s.',
    ],
    [
      'half a document',
      answerText('[{"id":1'),
      'at It gave an invalid answer: the body is not JSON. Check that it is the right server.',
    ],
    [
      'silence',
      () => undefined,
      'at It did not answer within 1000 ms. Try again later.',
    ],
    [
      'a lost connection',
      (response) => response.destroy(),
      'at It could not be reached. Check the address and the connection.',
    ],
  ])('answered with %s fails for all its calls', async (_what, answer, message) => {
    const { ask, askAll, mend } = await setup(answer);
    const failures = await askAll('a', 'b');
    expect(failures.map((each) => each.message)).toStrictEqual([
      `a ${message}`,
      `b ${message}`,
    ]);
    mend();
    expect(await ask()).toStrictEqual(['z', null]);
  });

  it('answered with one error for all of it gives that error to all', async () => {
    const error = { code: -32600, message: 'Not today', data: { max: 0 } };
    const { ask, askAll, mend } = await setup(answerJson({ id: null, error }));
    const failures = await askAll('a', 'b');
    expect(failures).toMatchObject([
      { name: 'RpcError', code: -32600, context: { data: { max: 0 } } },
      { name: 'RpcError', code: -32600, context: { data: { max: 0 } } },
    ]);
    const messages = failures.map(({ message }) => message);
    expect(messages.join()).toMatch(/(?:Not today.*){2}/u);
    mend();
    expect(await ask()).toStrictEqual(['z', null]);
  });

  it.each([
    ['an empty array', []],
    ['an empty object', {}],
    ['null', null],
    ['a number', 7],
    ['a text', 'ok'],
    ['an array of arrays', [[{ id: 1, result: 1 }]]],
    ['an object of answers', { 0: { id: 1, result: 1 } }],
    ['the answer to another call', { id: 7, result: 'x' }],
  ])('answered with %s tells each call so', async (_what, body) => {
    const { ask, askAll, mend } = await setup(answerJson(body));
    const failures = await askAll('a', 'b');
    expect(failures).toMatchObject([
      { name: 'InvalidResponseError', code: -32002, message: `a ${NONE}` },
      { name: 'InvalidResponseError', code: -32002, message: `b ${NONE}` },
    ]);
    mend();
    expect(await ask()).toStrictEqual(['z', null]);
  });
});
