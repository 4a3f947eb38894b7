// Answers that are made to break the client: they harm no other call, and take no time.
import type { Server } from '../../../support/fake-fetch';
import { echo, toRequests } from '../../../support/json-rpc';
import { createRpcBench, making, readsOf, rightly } from '../../../support/rpc-bench';

const NO = { code: -32000, message: 'No' };

/** A server that answers the call `bad` by a text that stands for its answer. */
const answeringBad =
  (make: (id: number) => string): Server =>
  ({ body = '' }) => {
    const answers = toRequests({ body }).map((request) =>
      request.method === 'bad' ? make(request.id) : JSON.stringify(echo(request)),
    );
    return new Response(`[${answers.join(',')}]`);
  };

const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

const withData = (id: number, data: string): string =>
  `{"id":${id},"error":{"code":-32000,"message":"No","data":${data}}}`;

describe('an answer', () => {
  it.each<[string, (id: number) => string, unknown]>([
    [
      'with data deeper than a stack',
      (id) => withData(id, deep),
      'bad at It failed: No.',
    ],
    [
      'with much data',
      (id) => withData(id, `"${'x'.repeat(20_000)}"`),
      'bad at It failed: No.',
    ],
    [
      'with an error deeper than a stack',
      (id) => `{"id":${id},"error":${deep}}`,
      'bad at It gave an invalid answer: it has no answer for this call. ' +
        'Check that it is the right server.',
    ],
    [
      'with an id deeper than a stack',
      () => `{"id":${deep},"result":1}`,
      'bad at It gave an invalid answer: it has no answer for this call. ' +
        'Check that it is the right server.',
    ],
    [
      'that comes very often',
      (id) => Array(10_000).fill(`{"id":${id},"result":1}`).join(','),
      'bad at It gave an invalid answer: it answered this call more than once. ' +
        'Check that it is the right server.',
    ],
    [
      'with a backoff beyond all numbers',
      (id) =>
        `{"id":${id},"error":{"code":-32005,"message":"","data":{"rate":{"backoff_seconds":1e999}}}}`,
      'bad at It is rate limited. Try again in 1 s.',
    ],
  ])('%s harms its own call only', async (_what, make, message) => {
    const retry = { maxAttempts: 1 };
    const { askAll } = createRpcBench([answeringBad(make)], { retry });
    expect(await askAll(readsOf('a', 'bad', 'b'))).toStrictEqual([
      rightly('a'),
      message,
      rightly('b'),
    ]);
  });

  it('in a response of more answers than any batch has is not read', async () => {
    const answer = `{"id":1,"error":{"code":-32000,"message":"No"}}`;
    const server: Server = () =>
      new Response(`[${Array(200_000).fill(answer).join(',')}]`);
    const retry = { maxAttempts: 1 };
    const { askAll } = createRpcBench([server], { retry });
    expect(await askAll(readsOf('a'))).toStrictEqual([
      'a at It gave an invalid answer: it has too many answers. ' +
        'Check that it is the right server.',
    ]);
  });

  it('with an error for the whole request is told to each caller', async () => {
    const { askAll } = createRpcBench([making(() => ({ id: null, error: NO }))]);
    expect(await askAll(readsOf('a', 'b'))).toStrictEqual([
      'a at It failed: No.',
      'b at It failed: No.',
    ]);
  });
});

describe('params', () => {
  const circular: unknown[] = [];
  circular.push(circular);

  it.each<[string, unknown]>([
    ['a bigint', [1n]],
    ['themselves', circular],
  ])('that hold %s are refused, and harm no other call', async (_what, params) => {
    const { transport, askAll, sent } = createRpcBench([
      making((all) => all.map(echo)),
    ]);
    const refused = transport.request({ method: 'bad', params: params as never });
    const others = askAll(readsOf('a'));
    await expect(refused).rejects.toMatchObject({
      name: 'InvalidParamsError',
      code: -32602,
      message: 'bad: params cannot be written as JSON.',
    });
    expect(await others).toStrictEqual([rightly('a')]);
    expect(sent()).toStrictEqual([['a']]);
  });
});
