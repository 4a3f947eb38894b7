// A batch that fails as a whole: every call of it learns why, and the next one is fine.
import { createHttpTransport } from '../../../../src/client';
import { failureOf } from '../../../support/error-of';
import type { Failure } from '../../../support/error-of';
import { answerJson, answerText, useHttpServers } from '../../../support/http-server';
import type { Answer } from '../../../support/http-server';
import { answerEach } from '../../../support/json-rpc';

const serve = useHttpServers();

/** A transport to a server that answers badly once, then well. */
async function setup(answer: Answer): Promise<{
  askAll: (...methods: string[]) => Promise<Failure[]>;
  ask: () => unknown;
}> {
  const answers = [answer];
  const { url } = await serve((...args) => (answers.pop() ?? answerEach)(...args));
  const endpoint = { url, headers: {}, label: 'It', redact: String };
  const transport = createHttpTransport(endpoint, { fetch, timeoutMs: 1_000 });
  const ask = (method = 'z'): Promise<unknown> =>
    transport.request({ method, params: [] });
  return {
    ask,
    askAll: (...methods) =>
      Promise.all(methods.map((method) => failureOf(() => ask(method)))),
  };
}

const UNKNOWN =
  'Whether it was carried out is not known: look before you send it again.';

const NONE = `at It gave an invalid answer: it has no answer for this call. ${UNKNOWN}`;

describe('a batch', () => {
  it.each<[string, Answer, string]>([
    [
      'a status',
      answerJson({}, 500),
      `at It answered with HTTP status 500. ${UNKNOWN}`,
    ],
    [
      'a rate limit',
      answerJson({}, 429, { 'Retry-After': '2' }),
      'at It is rate limited. Try again in 2 s.',
    ],
    [
      'half a document',
      answerText('[{"id":1'),
      `at It gave an invalid answer: the body is not JSON. ${UNKNOWN}`,
    ],
    ['silence', () => undefined, `at It did not answer within 1000 ms. ${UNKNOWN}`],
    [
      'a lost connection',
      (response) => response.destroy(),
      `at It could not be reached. ${UNKNOWN}`,
    ],
  ])('answered with %s fails for all its calls', async (_what, answer, message) => {
    const { ask, askAll } = await setup(answer);
    const failures = await askAll('a', 'b');
    expect(failures.map((each) => each.message)).toStrictEqual([
      `a ${message}`,
      `b ${message}`,
    ]);
    expect(await ask()).toStrictEqual(['z', null]);
  });

  it('answered with one error for all of it gives that error to all', async () => {
    const error = { code: -32600, message: 'Batches are not served', data: { max: 0 } };
    const { ask, askAll } = await setup(answerJson({ id: null, error }));
    const failures = await askAll('a', 'b');
    expect(failures).toMatchObject([
      { name: 'RpcError', code: -32600, context: { data: { max: 0 } } },
      { name: 'RpcError', code: -32600, context: { data: { max: 0 } } },
    ]);
    const messages = failures.map(({ message }) => message);
    expect(messages.join()).toMatch(/(?:Batches are not served.*){2}/u);
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
  ])('answered with %s tells each call so', async (_what, body) => {
    const { ask, askAll } = await setup(answerJson(body));
    const failures = await askAll('a', 'b');
    expect(failures).toMatchObject([
      { name: 'InvalidResponseError', code: -32002, message: `a ${NONE}` },
      { name: 'InvalidResponseError', code: -32002, message: `b ${NONE}` },
    ]);
    expect(await ask()).toStrictEqual(['z', null]);
  });

  it('answered with one object serves the call of its id only', async () => {
    const { askAll, ask } = await setup(answerJson({ id: 7, result: 'x' }));
    const failures = await askAll('a', 'b');
    expect(failures.map(({ message }) => message)).toStrictEqual([
      `a ${NONE}`,
      `b ${NONE}`,
    ]);
    expect(await ask()).toStrictEqual(['z', null]);
  });
});
