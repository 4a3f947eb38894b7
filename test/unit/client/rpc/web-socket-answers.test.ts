import { failureOf } from '../../../support/error-of';
import { pass, useFakeClock } from '../../../support/fake-clock';
import { echoing } from '../../../support/fake-socket';
import { KEY, setupSocket } from '../../../support/socket-bench';

useFakeClock();

const AT = 'wss://node.example/ws';

describe('a call over a socket', () => {
  it('goes out as JSON-RPC to the address with the key', async () => {
    const { sockets, transport } = setupSocket();
    sockets.behaviour.onSend = (socket, request) =>
      void Promise.resolve().then(() => echoing(socket, request));
    const call = { method: 'eth_getCode', params: ['0xab', 'latest'] };
    expect(await transport.request(call)).toBe('eth_getCode');
    expect(sockets.opened.map(({ url }) => url)).toStrictEqual([`${AT}/v3/${KEY}`]);
    expect(sockets.last().sent).toStrictEqual([
      { jsonrpc: '2.0', id: 2 ** 49 + 1, ...call },
    ]);
  });

  it('shares one socket with others, and has an id of its own', async () => {
    const { sockets, ask, tell } = setupSocket();
    const all = Promise.all(['a', 'b', 'c'].map(async (method) => tell(ask(method))));
    await pass(0);
    expect(sockets.opened).toHaveLength(1);
    const ids = sockets.last().sent.map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    for (const method of ['c', 'a', 'b']) sockets.last().answer(method, method);
    expect(await all).toStrictEqual(['"a"', '"b"', '"c"']);
  });

  it('begins its ids elsewhere in every worker', () => {
    const ids = [0, 0.25, 0.999].map((chance) => {
      const { sockets, ask } = setupSocket({ services: { random: () => chance } });
      void ask('a');
      return pass(0).then(() => sockets.last().sent[0]?.id);
    });
    return expect(Promise.all(ids)).resolves.toStrictEqual([
      1,
      2 ** 48 + 1,
      Math.floor(0.999 * 2 ** 50) + 1,
    ]);
  });

  it.each([null, false, 0, '', [], {}])('gets %j as it came', async (result) => {
    const { sockets, ask } = setupSocket();
    const call = ask('a');
    await pass(0);
    sockets.last().answer(result);
    expect(await call).toStrictEqual(result);
  });

  it("gets the server's error, without the key that it quotes", async () => {
    const { sockets, ask } = setupSocket();
    const call = ask('eth_call');
    await pass(0);
    const { id } = sockets.last().sent[0] ?? {};
    const error = { code: 3, message: `reverted at ${KEY}`, data: '0x' };
    sockets.last().receive({ id, error });
    expect(await failureOf(async () => call)).toStrictEqual({
      name: 'RpcError',
      code: 3,
      message: `eth_call at ${AT} failed: reverted at [redacted].`,
      context: { data: '0x' },
    });
  });

  it('is written before a socket is opened', async () => {
    const { sockets, transport } = setupSocket();
    const params: never = [1n] as never;
    const failure = await failureOf(async () =>
      transport.request({ method: 'a', params }),
    );
    expect(failure).toMatchObject({
      code: -32602,
      message: 'a: params cannot be written as JSON.',
    });
    expect(sockets.opened).toHaveLength(0);
  });
});

describe('a message that is no good harms nobody', () => {
  const foreign = { jsonrpc: '2.0', result: 'foreign' };
  it.each<[string, unknown]>([
    ['with another id', { ...foreign, id: 7 }],
    ['with an id as text', { ...foreign, id: '1' }],
    ['without an id', foreign],
    ['that is an error without an id', { id: null, error: { message: 'no' } }],
    ['that is no JSON', '{"id":'],
    ['that is empty', ''],
    ['that is null', 'null'],
    ['that is a number', '1'],
    ['that is an empty array', []],
    ['of an array of junk', [null, 1, [], {}]],
    ['that is an unknown notification', { method: 'eth_subscription', params: 1 }],
  ])('%s', async (_what, message) => {
    const { sockets, ask } = setupSocket({ services: { random: () => 0 } });
    const calls = [ask('a'), ask('b')];
    await pass(0);
    sockets.last().receive(message);
    sockets.last().answer('A', 'a');
    sockets.last().answer('B', 'b');
    expect(await Promise.all(calls)).toStrictEqual(['A', 'B']);
  });
});

describe('answers', () => {
  it('are taken from an array, each for its own call', async () => {
    const { sockets, ask, tell } = setupSocket();
    const calls = ['a', 'b', 'c'].map(async (method) => tell(ask(method)));
    await pass(0);
    const { sent, receive } = sockets.last();
    const [a, b, c] = sent.map(({ id }) => ({ id, result: id }));
    receive([b, a, { ...c, result: 1 }, { ...c, result: 2 }]);
    expect(await Promise.all(calls)).toStrictEqual([
      String(a?.id),
      String(b?.id),
      'InvalidResponseError: c at wss://node.example/ws gave an invalid answer: it ' +
        'answered this call more than once. Check that it is the right server.',
    ]);
  });

  it('count once', async () => {
    const { sockets, ask } = setupSocket();
    const call = ask('a');
    await pass(0);
    sockets.last().answer('first');
    sockets.last().answer('second');
    expect(await call).toBe('first');
  });

  it('that say nothing are invalid', async () => {
    const { sockets, ask, tell } = setupSocket();
    const call = tell(ask('a'));
    await pass(0);
    sockets.last().receive({ id: sockets.last().sent[0]?.id });
    expect(await call).toMatch(/it has neither a result nor an error\./u);
  });
});
