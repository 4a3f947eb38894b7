import { createHttpTransport, createRpcEndpoint } from '../../../../src/client';
import type { Transport } from '../../../../src/client';
import { useHttpServers } from '../../../support/http-server';
import type { Answer, HttpServer } from '../../../support/http-server';
import {
  answerEach,
  answerRequests,
  bodiesOf,
  echo,
  toRequests,
} from '../../../support/json-rpc';

const KEY = '7238211010344719ad14a89db874158c';

const serve = useHttpServers();

type Bench = {
  server: HttpServer;
  transport: Transport;
  ask: (method: string) => Promise<unknown>;
  askAll: (methods: string[]) => Promise<string[]>;
};

async function setup(answer: Answer, apiKey?: string): Promise<Bench> {
  const server = await serve(answer);
  const endpoint = { ...createRpcEndpoint(server.url, apiKey), label: 'It' };
  const transport = createHttpTransport(endpoint, { fetch });
  const ask = (method: string): Promise<unknown> =>
    transport.request({ method, params: [], idempotent: true });
  const askAll = async (methods: string[]): Promise<string[]> => {
    const settled = await Promise.allSettled(methods.map(ask));
    return settled.map((each) =>
      each.status === 'fulfilled'
        ? JSON.stringify(each.value)
        : (each.reason as Error).message,
    );
  };
  return { server, transport, ask, askAll };
}

describe('a call', () => {
  it('goes alone as an object, with the key in the path', async () => {
    const one = answerRequests(([request]) => request && echo(request));
    const { server, transport } = await setup(one, KEY);
    const call = { method: 'eth_getCode', params: ['0xab', 'latest'] };
    expect(await transport.request(call)).toStrictEqual(['eth_getCode', '0xab']);
    expect(bodiesOf(server)).toStrictEqual([{ jsonrpc: '2.0', id: 1, ...call }]);
    expect(server.arrived[0]).toMatchObject({ method: 'POST', path: `/v3/${KEY}` });
    expect(server.arrived[0]?.headers['content-type']).toBe('application/json');
  });

  it('takes a single answer that comes in an array', async () => {
    const { ask } = await setup(answerEach);
    expect(await ask('a')).toStrictEqual(['a', null]);
  });

  it.each([null, false, 0, '', [], {}])(
    'gives the result %j as it came',
    async (result) => {
      const { ask } = await setup(
        answerRequests(([each]) => ({ id: each?.id, result })),
      );
      expect(await ask('a')).toStrictEqual(result);
    },
  );

  it('has an id of its own each time', async () => {
    const { server, ask, askAll } = await setup(answerEach);
    await ask('a');
    await askAll(['b', 'c']);
    await ask('d');
    const ids = server.arrived.flatMap(toRequests).map(({ id }) => id);
    expect(ids).toStrictEqual([1, 2, 3, 4]);
  });
});

describe('calls of one tick', () => {
  it('go as one array', async () => {
    const { server, askAll } = await setup(answerEach);
    expect(await askAll(['a', 'b', 'c'])).toStrictEqual([
      '["a",null]',
      '["b",null]',
      '["c",null]',
    ]);
    expect(bodiesOf(server)).toStrictEqual([
      [
        { jsonrpc: '2.0', id: 1, method: 'a', params: [] },
        { jsonrpc: '2.0', id: 2, method: 'b', params: [] },
        { jsonrpc: '2.0', id: 3, method: 'c', params: [] },
      ],
    ]);
  });

  it('go by a thousand', async () => {
    const { server, askAll } = await setup(answerEach);
    const methods = Array.from({ length: 2_001 }, (_each, index) => `m${index}`);
    const expected = methods.map((method) => `["${method}",null]`);
    expect(await askAll(methods)).toStrictEqual(expected);
    const sizes = server.arrived.map((each) => toRequests(each).length);
    expect(sizes.sort()).toStrictEqual([1, 1_000, 1_000]);
  });

  it('get each its own answer when the order is another', async () => {
    const { askAll } = await setup(
      answerRequests((requests) => [...requests].reverse().map(echo)),
    );
    expect(await askAll(['a', 'b', 'c'])).toStrictEqual([
      '["a",null]',
      '["b",null]',
      '["c",null]',
    ]);
  });
});

describe('one bad answer in a batch harms no other call', () => {
  const invalid = (reason: string): string =>
    `b at It gave an invalid answer: ${reason} Check that it is the right server.`;
  const NONE = invalid('it has no answer for this call.');
  const TWICE = invalid('it answered this call more than once.');
  const NEITHER = invalid('it has neither a result nor an error.');

  it.each<[string, (answer: object, id: number) => unknown[], string]>([
    ['is missing', () => [], NONE],
    ['comes twice', (answer) => [answer, answer], TWICE],
    ['comes with another id', (answer) => [{ ...answer, id: 99 }], NONE],
    ['comes with its id as a text', (answer, id) => [{ ...answer, id: `${id}` }], NONE],
    ['comes with a fraction for an id', (answer) => [{ ...answer, id: 2.5 }], NONE],
    ['comes without an id', (answer) => [{ ...answer, id: undefined }], NONE],
    [
      'has an id that cannot be written as text',
      (answer) => [{ ...answer, id: { toString: 1 } }],
      NONE,
    ],
    ['is null', () => [null], NONE],
    ['is a text', () => ['b'], NONE],
    ['says nothing', (_answer, id) => [{ jsonrpc: '2.0', id }], NEITHER],
    [
      'is an error',
      (_answer, id) => [{ id, error: { code: 3, message: 'reverted' } }],
      'b at It failed: reverted.',
    ],
    [
      'is a result and an error',
      (answer, id) => [{ ...answer, id, error: { code: 3, message: 'reverted' } }],
      'b at It failed: reverted.',
    ],
    [
      'is an error without an id',
      () => [{ id: null, error: { code: -32600, message: 'Invalid Request' } }],
      NONE,
    ],
  ])('when it %s', async (_what, spoil, message) => {
    const { askAll } = await setup(
      answerRequests((requests) =>
        requests.flatMap((request) =>
          request.method === 'b' ? spoil(echo(request), request.id) : [echo(request)],
        ),
      ),
    );
    expect(await askAll(['a', 'b', 'c'])).toStrictEqual([
      '["a",null]',
      message,
      '["c",null]',
    ]);
  });

  it('when answers to nobody come too', async () => {
    const { askAll } = await setup(
      answerRequests((requests) => [
        { id: 77, result: 'foreign' },
        ...requests.map(echo),
        { id: -1, error: { code: 1, message: 'foreign' } },
      ]),
    );
    expect(await askAll(['a', 'b'])).toStrictEqual(['["a",null]', '["b",null]']);
  });
});
