// The WebSocket transport (connections, calls and subscriptions), and following the newest block.
import { createNodeClient, createSocketOpener } from '../../../packages/client/src';
import { followHeads, watchHeads } from '../../../packages/client/src/rpc/heads';
import type { Heads } from '../../../packages/client/src/rpc/heads';
import { errorOf, failureOf, toWholeText } from '../../support/error-of';
import { advance, useFakeClock } from '../../support/fake-clock';
import { echoing } from '../../support/fake-socket';
import { createGate } from '../../support/gate';
import {
  answerSubscription,
  KEY,
  setupSocket,
  setupSubscriptions,
} from '../../support/socket-bench';
import type { SocketBench } from '../../support/socket-bench';

useFakeClock();

const LABEL = 'wss://node.example/ws';
const SEND = 'eth_sendRawTransaction';
const OUTCOME_UNKNOWN = 'It may have been carried out: check before you send it again.';

const unreachable = (method: string, more = ''): string =>
  `NetworkError: ${method} at ${LABEL} could not be reached.${more} ` +
  'Check the address and the connection.';

const tooLong = (method: string, advice = 'Ask for less in one request.'): string =>
  `BodyTooLargeError: ${method} at ${LABEL} answered with more than 500 bytes. ${advice}`;

const givenUp = (method: string, more = ''): string =>
  `UnavailableError: ${method} at ${LABEL} was given up: the connection was closed.${more}`;

function answerAll({ sockets }: SocketBench): void {
  sockets.behaviour.onSend = (socket, request) =>
    void Promise.resolve().then(() => echoing(socket, request));
}

const NOT_AN_ERROR = 'refused' as unknown as Error;

const throwGone = (): never => {
  throw new Error('gone');
};

describe('a call over a socket', () => {
  it('is sent as JSON-RPC to the URL that contains the API key', async () => {
    const bench = setupSocket();
    answerAll(bench);
    const call = { method: 'eth_getCode', params: ['0xab', 'latest'] };
    expect(await bench.transport.request(call)).toBe('eth_getCode');
    expect(bench.sockets.opened.map(({ url }) => url)).toStrictEqual([
      `${LABEL}/v3/${KEY}`,
    ]);
    const [sent] = bench.sockets.last().sent;
    expect(sent).toStrictEqual({ jsonrpc: '2.0', id: 2 ** 49 + 1, ...call });
  });

  it('has an id above a random base, so that ids differ between workers', async () => {
    const { sockets, ask } = setupSocket({ services: { random: () => 0.999 } });
    void ask('a');
    await advance(0);
    expect(sockets.last().sent[0]?.id).toBe(Math.floor(0.999 * 2 ** 50) + 1);
  });

  it('shares a socket with other calls, and gets its own answer unchanged', async () => {
    const { sockets, ask } = setupSocket();
    const results = [null, false, 0, '', [], {}];
    const calls = results.map(async (_result, index) => ask(`m${index}`));
    await advance(0);
    expect(sockets.opened).toHaveLength(1);
    results
      .map((result, index) => () => sockets.last().answer(result, `m${index}`))
      .reverse()
      .forEach((answer) => answer());
    sockets.last().answer('again', 'm0');
    expect(await Promise.all(calls)).toStrictEqual(results);
  });

  it("fails with the server's error, redacting a quoted key", async () => {
    const { sockets, ask } = setupSocket();
    const call = failureOf(async () => ask('eth_call'));
    await advance(0);
    const error = { code: 3, message: `reverted at ${KEY}`, data: '0x' };
    sockets.last().receive({ id: sockets.last().sent[0]?.id, error });
    expect(await call).toStrictEqual({
      name: 'RpcError',
      code: 3,
      message: `eth_call at ${LABEL} failed: reverted at [redacted].`,
      context: { data: '0x' },
    });
  });

  it('is serialized before a socket is opened', async () => {
    const { sockets, transport } = setupSocket();
    const call = { method: 'a', params: [1n] as never };
    expect(await failureOf(async () => transport.request(call))).toMatchObject({
      message: 'a: params cannot be written as JSON.',
    });
    expect(sockets.opened).toHaveLength(0);
  });
});

describe('a message', () => {
  it.each<[string, unknown]>([
    ['has a different id', { id: 7, result: 'foreign' }],
    ['has its id as a string', { id: '1', result: 'foreign' }],
    ['has no id', { result: 'foreign' }],
    ['is an error without an id', { id: null, error: { message: 'no' } }],
    ['is not JSON', '{"id":'],
    ['is empty', ''],
    ['is null', 'null'],
    ['is a number', '1'],
    ['is an array of junk', [null, 1, [], {}]],
    ['is an unknown notification', { method: 'eth_subscription', params: 1 }],
    ['is a notification that is too long', { method: 'x', params: 'x'.repeat(500) }],
    ['is too long and answers no request', { id: 12, result: 'x'.repeat(500) }],
  ])('is harmless if it %s', async (_what, message) => {
    const { sockets, ask } = setupSocket({
      services: { random: () => 0 },
      maxBytes: 500,
    });
    const calls = [ask('a'), ask('b')];
    await advance(0);
    sockets.last().receive(message);
    sockets.last().answer('A', 'a');
    sockets.last().answer('B', 'b');
    expect(await Promise.all(calls)).toStrictEqual(['A', 'B']);
  });

  it('may be an array of answers to several calls', async () => {
    const { sockets, ask, outcomeOf } = setupSocket();
    const calls = ['a', 'b', 'c', 'd'].map(async (method) => outcomeOf(ask(method)));
    await advance(0);
    const { sent, receive } = sockets.last();
    const [a, b, c, d] = sent.map(({ id, method }) => ({ id, result: method }));
    receive([b, a, c, { ...c, result: 2 }, { id: d?.id }]);
    expect(await Promise.all(calls)).toStrictEqual([
      '"a"',
      '"b"',
      expect.stringContaining('it answered this call more than once.'),
      expect.stringContaining('it has neither a result nor an error.'),
    ]);
  });

  it('fails the call that it answers if it is too long', async () => {
    const { sockets, ask, outcomeOf } = setupSocket({ maxBytes: 500 });
    const calls = ['a', 'b'].map(async (method) => outcomeOf(ask(method)));
    await advance(0);
    sockets.last().answer('x'.repeat(500), 'a');
    sockets.last().answer('x'.repeat(400), 'b');
    expect(await Promise.all(calls)).toStrictEqual([
      tooLong('a'),
      JSON.stringify('x'.repeat(400)),
    ]);
  });

  it('fails all open calls if it is too long and may answer any of them', async () => {
    const { sockets, ask, send, outcomeOf } = setupSocket({ maxBytes: 500 });
    const calls = [outcomeOf(ask('a')), outcomeOf(send())];
    await advance(0);
    calls.push(outcomeOf(ask('later')));
    sockets.last().receive([{ id: 1, result: 'x'.repeat(500) }]);
    await advance(0);
    sockets.last().answer('L', 'later');
    expect(await Promise.all(calls)).toStrictEqual([
      tooLong('a'),
      tooLong(SEND, OUTCOME_UNKNOWN),
      '"L"',
    ]);
  });
});

describe('a missing answer', () => {
  it('fails its call after the time limit of its last attempt', async () => {
    const { sockets, ask, outcomeOf } = setupSocket({ timeoutMs: 2_000 });
    const call = outcomeOf(ask('a'));
    await advance(20_000);
    expect(await call).toBe(
      `TimeoutError: a at ${LABEL} did not answer within 2000 ms. It was tried 3 times. Try again later.`,
    );
    // Each attempt opens another socket, because the previous one was silent.
    expect(sockets.opened.map(({ isClosed }) => isClosed)).toStrictEqual([
      true,
      true,
      true,
    ]);
  });

  it('fails a non-idempotent call after one attempt, with an unknown outcome', async () => {
    const { sockets, send } = setupSocket();
    const call = failureOf(async () => send());
    await advance(15_000);
    expect(await call).toMatchObject({
      message: `${SEND} at ${LABEL} did not answer within 15000 ms. ${OUTCOME_UNKNOWN}`,
      context: { mayBeDone: true },
    });
    await advance(60_000);
    expect(sockets.opened.flatMap(({ sent }) => sent)).toHaveLength(1);
  });

  it('does not close a socket that received something else in the meantime', async () => {
    const { sockets, ask, outcomeOf } = setupSocket({ retry: { maxAttempts: 1 } });
    const calls = [outcomeOf(ask('a')), outcomeOf(ask('b'))];
    await advance(1_000);
    sockets.last().answer('B', 'b');
    await advance(14_000);
    const timeout = expect.stringMatching(/^TimeoutError/u) as string;
    expect(await Promise.all(calls)).toStrictEqual([timeout, '"B"']);
    expect(sockets.last().isClosed).toBe(false);
  });

  it('does not close a socket that another call is waiting on', async () => {
    const { sockets, send, transport, outcomeOf } = setupSocket();
    const listening = outcomeOf(transport.subscribe('newHeads', () => undefined));
    await advance(10_000);
    const sending = outcomeOf(send());
    await advance(5_000);
    expect(await listening).toMatch(/^TimeoutError: eth_subscribe/u);
    sockets.last().answer('0xhash', SEND);
    expect(await sending).toBe('"0xhash"');
  });

  it('does not extend the time budget for all attempts', async () => {
    const { ask } = setupSocket({ retry: { budgetMs: 3_000 }, timeoutMs: 2_000 });
    const call = failureOf(async () => ask('a'));
    await advance(3_000);
    expect((await call).message).toMatch(/within \d{3} ms\. It was tried 2 times/u);
  });
});

describe('a socket that breaks', () => {
  it('is replaced for idempotent calls, and its late messages are ignored', async () => {
    const { sockets, ask } = setupSocket();
    const call = ask('a');
    await advance(0);
    const [first] = sockets.opened;
    first?.drop();
    await advance(1_000);
    first?.receive({ id: sockets.last().sent[0]?.id, result: 'late' });
    first?.drop();
    sockets.last().answer('in time');
    expect(await call).toBe('in time');
    expect(sockets.opened).toHaveLength(2);
  });

  it('fails non-idempotent calls, and never sends them again', async () => {
    const { sockets, send, outcomeOf } = setupSocket();
    const call = outcomeOf(send());
    await advance(0);
    sockets.last().drop();
    expect(await call).toBe(
      `NetworkError: ${SEND} at ${LABEL} could not be reached. ${OUTCOME_UNKNOWN}`,
    );
    await advance(60_000);
    expect(sockets.opened).toHaveLength(1);
  });

  it('is reopened after a longer pause each time it closes immediately', async () => {
    const retry = { maxAttempts: 1, budgetMs: 90_000 };
    const { sockets, ask } = setupSocket({ retry, timeoutMs: 60_000 });
    const opened: number[] = [];
    sockets.behaviour.onOpen = () => {
      opened.push(Date.now());
      return Promise.resolve();
    };
    sockets.behaviour.onSend = (socket) => socket.drop();
    for (let count = 1; count <= 9; count += 1) {
      void ask('a');
      while (opened.length < count) await advance(125);
    }
    const waits = opened.slice(1).map((at, index) => at - (opened[index] ?? 0));
    expect(waits).toStrictEqual([375, 750, 1500, 3000, 6000, 12000, 22500, 22500]);
  });

  it('is reopened immediately if it received a message and was open for a while', async () => {
    const bench = setupSocket();
    answerAll(bench);
    await Promise.all([bench.ask('a'), advance(0)]);
    bench.sockets.last().drop();
    await advance(500);
    await Promise.all([bench.ask('b'), advance(0)]);
    expect(bench.sockets.opened).toHaveLength(2);
  });

  it('is closed if sending throws, and idempotent calls use another one', async () => {
    const { sockets, ask, send, outcomeOf } = setupSocket();
    sockets.behaviour.onSend = throwGone;
    const calls = [outcomeOf(send()), outcomeOf(ask('a'))];
    await advance(0);
    expect(await calls[0]).toBe(unreachable(SEND));
    expect(sockets.last().isClosed).toBe(true);
    sockets.behaviour.onSend = () => undefined;
    await advance(1_000);
    sockets.last().answer('A');
    expect(await calls[1]).toBe('"A"');
    expect(sockets.opened).toHaveLength(2);
  });
});

describe('a socket that fails to open, or opens late', () => {
  it('fails idempotent calls after all attempts and others after one, and redacts the key', async () => {
    const { sockets, ask, send, outcomeOf } = setupSocket();
    sockets.behaviour.onOpen = ({ url }) => Promise.reject(new Error(`${url} exists.`));
    const calls = [outcomeOf(ask('a')), outcomeOf(send())];
    const text = errorOf(async () => send()).then(toWholeText);
    await advance(10_000);
    expect(await Promise.all(calls)).toStrictEqual([
      unreachable('a', ' It was tried 3 times.'),
      unreachable(SEND),
    ]);
    expect(sockets.opened).toHaveLength(3);
    expect(await text).toContain(`${LABEL}/v3/[redacted] exists.`);
    expect(await text).not.toContain(KEY);
  });

  it.each<[string, SocketBench['sockets']['behaviour']['onOpen']]>([
    ['if it rejects without an Error', () => Promise.reject(NOT_AN_ERROR)],
    [
      'if it also reports its close',
      (socket) => Promise.reject(new Error('closed')).finally(() => socket.drop()),
    ],
  ])('fails a call %s', async (_why, onOpen) => {
    const { sockets, send, outcomeOf } = setupSocket();
    sockets.behaviour.onOpen = onOpen;
    const call = outcomeOf(send());
    await advance(0);
    expect(await call).toBe(unreachable(SEND));
  });

  it('fails a call, and pauses the transport, if it closes before it reports that it is open', async () => {
    const { sockets, send, outcomeOf, transport } = setupSocket();
    sockets.behaviour.onOpen = (socket) => Promise.resolve(socket.drop());
    sockets.behaviour.onSend = throwGone;
    const call = outcomeOf(send());
    await advance(0);
    expect(await call).toBe(unreachable(SEND));
    expect(transport.isUnavailable()).toBe(true);
    await advance(375);
    expect(transport.isUnavailable()).toBe(false);
  });

  it('is given five seconds, and closed if it opens later', async () => {
    const { sockets, send, outcomeOf } = setupSocket();
    const gate = createGate();
    const seen: unknown[] = [];
    sockets.behaviour.onOpen = async (_socket, signal) => {
      signal.addEventListener('abort', () => seen.push(signal.reason));
      return gate.opened;
    };
    const call = outcomeOf(send());
    await advance(4_999);
    expect([sockets.last().isClosed, seen]).toStrictEqual([false, []]);
    await advance(1);
    expect(await call).toBe(unreachable(SEND));
    expect(seen).toStrictEqual([new Error('The socket did not open in time.')]);
    gate.open();
    await advance(0);
    expect(sockets.last()).toMatchObject({ isClosed: true, sent: [] });
  });

  it('is not given more time than an answer', async () => {
    const { sockets, send, outcomeOf } = setupSocket({ timeoutMs: 1_000 });
    sockets.behaviour.onOpen = async (_socket, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('given up')));
      });
    const call = outcomeOf(send());
    await advance(1_000);
    expect(await call).toMatch(/^(?:Network|Timeout)Error.*(?:connection|later)\.$/u);
  });

  it('is replaced if its opening stalled while the snap was suspended', async () => {
    // A snap without open requests is suspended: neither timers nor promises advance.
    const time = { now: 0 };
    const { sockets, ask } = setupSocket({ services: { now: () => time.now } });
    sockets.behaviour.onOpen = () => new Promise(() => undefined);
    void ask('a');
    await advance(0);
    sockets.behaviour.onOpen = () => Promise.resolve();
    time.now = 5_001;
    const call = ask('b');
    await advance(4_000);
    sockets.last().answer('B', 'b');
    expect(await call).toBe('B');
    expect(sockets.opened).toHaveLength(2);
  });

  it('is shared by all waiting calls', async () => {
    const bench = setupSocket();
    const gate = createGate();
    bench.sockets.behaviour.onOpen = () => gate.opened;
    answerAll(bench);
    const calls = [bench.ask('a'), bench.ask('b')];
    await advance(1_000);
    calls.push(bench.ask('c'));
    gate.open();
    expect(await Promise.all(calls)).toStrictEqual(['a', 'b', 'c']);
    expect(bench.sockets.opened).toHaveLength(1);
  });
});

describe('an abort signal', () => {
  const reason = new Error('Enough.');

  it('prevents a call if it is already aborted', async () => {
    const { sockets, ask } = setupSocket();
    expect(await errorOf(async () => ask('a', AbortSignal.abort(reason)))).toBe(reason);
    expect(sockets.opened).toHaveLength(0);
  });

  it('cancels a call while the socket opens', async () => {
    const { sockets, ask } = setupSocket();
    const gate = createGate();
    sockets.behaviour.onOpen = () => gate.opened;
    const abort = new AbortController();
    const call = errorOf(async () => ask('a', abort.signal));
    await advance(10);
    abort.abort(reason);
    expect(await call).toBe(reason);
    gate.open();
    await advance(0);
    expect(sockets.last().sent).toStrictEqual([]);
  });

  it('cancels a waiting call, and no other', async () => {
    const { sockets, ask, send } = setupSocket();
    const abort = new AbortController();
    const calls = [ask('a', abort.signal), send(abort.signal)];
    const other = ask('b');
    await advance(0);
    abort.abort(reason);
    for (const call of calls) expect(await errorOf(async () => call)).toBe(reason);
    sockets.last().answer('late', 'a');
    sockets.last().answer('B', 'b');
    expect(await other).toBe('B');
  });

  it('cancels a call between two attempts', async () => {
    const { sockets, ask } = setupSocket();
    const abort = new AbortController();
    const call = ask('a', abort.signal);
    await advance(0);
    sockets.last().drop();
    await advance(10);
    abort.abort(reason);
    expect(await errorOf(async () => call)).toBe(reason);
    await advance(5_000);
    expect(sockets.opened).toHaveLength(1);
  });
});

describe('closing', () => {
  it('fails waiting and later calls for good', async () => {
    const { sockets, ask, send, outcomeOf, transport } = setupSocket();
    const calls = [outcomeOf(ask('a')), outcomeOf(send())];
    await advance(0);
    await transport.close();
    expect(await Promise.all(calls)).toStrictEqual([
      givenUp('a'),
      givenUp(SEND, ` ${OUTCOME_UNKNOWN}`),
    ]);
    expect(sockets.last().isClosed).toBe(true);
    await advance(60_000);
    await transport.close();
    expect(await outcomeOf(ask('a'))).toBe(givenUp('a'));
    expect(await outcomeOf(transport.subscribe('newHeads', () => undefined))).toBe(
      `UnavailableError: ${LABEL} was given up: the connection was closed.`,
    );
    expect(transport.isUnavailable()).toBe(true);
    expect(sockets.opened).toHaveLength(1);
  });

  it('aborts a socket that is opening', async () => {
    const { sockets, ask, outcomeOf, transport } = setupSocket();
    const gate = createGate();
    sockets.behaviour.onOpen = () => gate.opened;
    const call = outcomeOf(ask('a'));
    await advance(0);
    await transport.close();
    expect(await call).toBe(givenUp('a'));
    gate.open();
    await advance(0);
    expect(sockets.last()).toMatchObject({ isClosed: true, sent: [] });
  });

  it('opens no socket for a call made just before', async () => {
    const { sockets, ask, outcomeOf, transport } = setupSocket();
    const call = outcomeOf(ask('a'));
    await transport.close();
    expect(await call).toBe(givenUp('a'));
    await advance(1_000);
    expect(sockets.opened).toStrictEqual([]);
  });

  it('fails calls that wait for their next attempt', async () => {
    const { sockets, ask, outcomeOf, transport } = setupSocket();
    const call = outcomeOf(ask('a'));
    await advance(0);
    sockets.last().drop();
    await advance(300);
    await transport.close();
    await advance(1_000);
    expect(await call).toBe(givenUp('a', ' It was tried 2 times.'));
    expect(sockets.opened).toHaveLength(1);
  });
});

/** A WebSocket whose events the test dispatches. */
class ManualSocket extends EventTarget {
  static last: ManualSocket;
  binaryType: BinaryType = 'blob';
  readyState: WebSocket['readyState'] = 0;
  closes = 0;
  readonly sent: unknown[] = [];

  constructor(url: string) {
    super();
    if (!url.startsWith('ws')) throw new SyntaxError('Invalid URL.');
    ManualSocket.last = this;
  }

  send(data: unknown): void {
    this.sent.push(data);
  }

  close(): void {
    this.closes += 1;
  }

  dispatch(type: string, data?: unknown): void {
    const states: Record<string, WebSocket['readyState']> = { open: 1, close: 3 };
    this.readyState = states[type] ?? this.readyState;
    this.dispatchEvent(Object.assign(new Event(type), { data }));
  }
}

describe('a platform socket', () => {
  const setup = (url = 'ws://node.example') => {
    const [heard, abort]: [string[], AbortController] = [[], new AbortController()];
    const onMessage = async (text: string) => Promise.resolve(void heard.push(text));
    const events = { onMessage, onClose: () => heard.push('closed') };
    const opening = createSocketOpener(ManualSocket)(url, events, abort.signal);
    return { opening, heard, abort };
  };

  it('passes on text, bytes and the close event', async () => {
    const { opening, heard } = setup();
    const { last } = ManualSocket;
    last.dispatch('open');
    last.dispatch('message', 'early');
    await opening;
    last.dispatch('message', new TextEncoder().encode('ä').buffer);
    last.dispatch('message', new Uint8Array([0xff]).buffer);
    last.dispatch('close');
    expect(heard).toStrictEqual(['early', 'ä', '\ufffd', 'closed']);
    expect(last.binaryType).toBe('arraybuffer');
  });

  it('sends while it is open, and throws once it is closed', async () => {
    const { opening } = setup();
    const { last } = ManualSocket;
    last.dispatch('open');
    const { send, close } = await opening;
    await send('text');
    expect(last.sent).toStrictEqual(['text']);
    await close();
    expect(last.closes).toBe(1);
    last.dispatch('close');
    expect((await errorOf(async () => send('late'))).message).toBe(
      'The socket is closed.',
    );
  });

  it.each([
    ['error', 'The socket did not open.'],
    ['close', 'The socket closed before it opened.'],
  ])('fails to open after the %s event', async (type, message) => {
    const { opening, heard } = setup();
    ManualSocket.last.dispatch(type);
    ManualSocket.last.dispatch('close');
    expect((await errorOf(async () => opening)).message).toBe(message);
    expect(heard).toStrictEqual([]);
  });

  it('is closed if its opening is aborted, and refuses an invalid URL', async () => {
    const { opening, abort } = setup();
    abort.abort();
    expect(ManualSocket.last.closes).toBe(1);
    ManualSocket.last.dispatch('close');
    await expect(opening).rejects.toThrow('closed before it opened');
    await expect(setup('http://node.example').opening).rejects.toThrow('Invalid URL.');
  });
});

const SUBSCRIBE = 'eth_subscribe newHeads';

type Bench = ReturnType<typeof setup>;

function setup() {
  const bench = setupSubscriptions();
  const heard: unknown[] = [];
  const { transport, sockets } = bench;
  return {
    ...bench,
    heard,
    listen: async () =>
      transport.subscribe('newHeads', (value) => void heard.push(value)),
    answerWith: (answer: object) => {
      sockets.behaviour.onSend = ({ receive }, { id }) =>
        void Promise.resolve().then(() => receive({ id, ...answer }));
    },
  };
}

const idOf = ({ transport }: Bench) => transport.findSubscription('newHeads')?.id;

describe('a topic', () => {
  it('has one subscription for two listeners, which ends when the last one stops', async () => {
    const { listen, asked, notify, heard } = setup();
    const stops = await Promise.all([listen(), listen()]);
    notify('0x1', 7);
    await stops[0]?.();
    await stops[0]?.();
    notify('0x1', 8);
    await stops[1]?.();
    notify('0x1', 9);
    await advance(0);
    expect(heard).toStrictEqual([7, 7, 8]);
    // The last notification comes after the end, and makes the client unsubscribe once more.
    expect(asked().slice(0, 2)).toStrictEqual([SUBSCRIBE, 'eth_unsubscribe 0x1']);
  });

  it('notifies a listener twice if it listens twice', async () => {
    const { transport, notify } = setup();
    const heard: unknown[] = [];
    const listener = (value: unknown): void => void heard.push(value);
    const stop = await transport.subscribe('newHeads', listener);
    await transport.subscribe('newHeads', listener);
    notify('0x1', 1);
    await stop();
    notify('0x1', 2);
    expect(heard).toStrictEqual([1, 1, 2]);
  });

  it('keeps delivering when a listener throws, and calls keep working', async () => {
    const { transport, listen, notify, ask, heard } = setup();
    await transport.subscribe('newHeads', () => {
      throw new Error('At once.');
    });
    await transport.subscribe('newHeads', () => Promise.reject(new Error('Later.')));
    await listen();
    notify('0x1', 1);
    notify('0x1', 2);
    expect(heard).toStrictEqual([1, 2]);
    expect(await ask('a')).toBe(true);
  });

  it('counts a message as delivered once its asynchronous listeners are done', async () => {
    const { sockets, transport } = setup();
    const gate = createGate();
    await transport.subscribe('newHeads', async () => gate.opened);
    const params = { subscription: '0x1', result: 'block' };
    let isDone = false;
    const delivered = sockets.last().deliver({ method: 'eth_subscription', params });
    void delivered.then(() => (isDone = true));
    await advance(1_000);
    expect(isDone).toBe(false);
    gate.open();
    await delivered;
  });

  it('may have a number as its subscription id', async () => {
    const { answerWith, listen, notify, heard } = setup();
    answerWith({ result: 12 });
    await listen();
    notify(12, 'block');
    expect(heard).toStrictEqual(['block']);
  });

  it('is not requested again if the server refuses it', async () => {
    const { sockets, answerWith, listen, outcomeOf, asked } = setup();
    answerWith({ error: { code: -32601, message: 'no such method' } });
    const refused = `RpcError: eth_subscribe at ${LABEL} failed: no such method.`;
    expect(await Promise.all([outcomeOf(listen()), outcomeOf(listen())])).toStrictEqual(
      [refused, refused],
    );
    sockets.last().drop();
    await advance(60_000);
    expect(asked()).toStrictEqual([SUBSCRIBE]);
  });

  it('fails if no socket opens, and is not requested again', async () => {
    const { sockets, listen, outcomeOf } = setup();
    sockets.behaviour.onOpen = () => Promise.reject(new Error('refused'));
    expect(await outcomeOf(listen())).toBe(
      `NetworkError: ${LABEL} could not be reached. Check the address and the connection.`,
    );
    await advance(60_000);
    expect(sockets.opened).toHaveLength(1);
  });
});

describe('a subscription that is not yet confirmed', () => {
  it('fails when the connection is closed or lost', async () => {
    for (const event of ['close', 'drop']) {
      const { sockets, transport, listen, outcomeOf, asked } = setup();
      sockets.behaviour.onSend = () => undefined;
      const call = outcomeOf(listen());
      await advance(0);
      if (event === 'drop') sockets.last().drop();
      else await transport.close();
      expect(await call).toMatch(/^(?:Network|Unavailable)Error: eth_subscribe at/u);
      expect(asked()).toStrictEqual([SUBSCRIBE]);
    }
  });

  it('is ended once the server confirms it, if its listener has stopped', async () => {
    const { sockets, listen, asked } = setup();
    const stop = await listen();
    const gate = createGate();
    const { onSend } = sockets.behaviour;
    sockets.behaviour.onSend = (socket, request) =>
      void gate.opened.then(() => onSend(socket, request));
    sockets.last().drop();
    await advance(1_000);
    await stop();
    gate.open();
    await advance(0);
    expect(asked()).toStrictEqual([SUBSCRIBE, SUBSCRIBE, 'eth_unsubscribe 0x2']);
  });
});

describe('a notification from an unknown subscription', () => {
  it('ends that subscription, which an earlier worker has left behind', async () => {
    const { ask, asked, notify } = setup();
    await ask('a');
    notify('0xold', 1);
    notify('0xold', 2);
    await advance(0);
    expect(asked().slice(1)).toStrictEqual(['eth_unsubscribe 0xold']);
    notify('0xother', 3);
    await advance(0);
    expect(asked().slice(2)).toStrictEqual(['eth_unsubscribe 0xother']);
  });

  it('is ignored if the server does not know the subscription either', async () => {
    const { ask, asked, notify, answerWith } = setup();
    await ask('a');
    answerWith({ error: { message: 'no' } });
    notify('0xold', 1);
    await advance(60_000);
    expect(asked()).toHaveLength(2);
  });

  it('may belong to a subscription that is being started', async () => {
    const { sockets, listen, asked, notify } = setup();
    const { onSend } = sockets.behaviour;
    sockets.behaviour.onSend = (socket, request) => {
      notify('0x1', 'early');
      onSend(socket, request);
    };
    await listen();
    expect(asked()).toStrictEqual([SUBSCRIBE]);
  });
});

describe('a lost subscription', () => {
  it('is renewed on a new connection, under its new id', async () => {
    const bench = setup();
    const { sockets, asked, notify, heard } = bench;
    await bench.listen();
    expect(idOf(bench)).toBe('0x1');
    sockets.last().drop();
    expect(idOf(bench)).toBeUndefined();
    await advance(1_000);
    expect(idOf(bench)).toBe('0x2');
    notify('0x2', 'block');
    expect(heard).toStrictEqual(['block']);
    expect([asked(), sockets.opened.length]).toStrictEqual([[SUBSCRIBE, SUBSCRIBE], 2]);
  });

  it('is requested again, at longer intervals, until the server confirms it', async () => {
    const bench = setup();
    const { sockets, asked } = bench;
    await bench.listen();
    const { onSend } = sockets.behaviour;
    bench.answerWith({ error: { message: 'busy' } });
    sockets.behaviour.onOpen = () => Promise.reject(new Error('down'));
    sockets.last().drop();
    await advance(5_000);
    expect(sockets.opened.length).toBeGreaterThan(2);
    sockets.behaviour.onOpen = () => Promise.resolve();
    await advance(60_000);
    // At most two requests per connection, rather than one every half second.
    expect(asked().length).toBeLessThan(12);
    sockets.behaviour.onSend = onSend;
    await advance(30_000);
    expect(idOf(bench)).toBe('0x2');
  });

  it('is renewed by the next call if the new connection breaks as well', async () => {
    const bench = setup();
    await bench.listen();
    bench.sockets.last().drop();
    await advance(376);
    bench.sockets.last().drop();
    expect(await Promise.all([bench.ask('a'), advance(2_000)])).toHaveProperty(
      '0',
      true,
    );
    expect(idOf(bench)).toBeDefined();
  });

  it('is not requested again without listeners', async () => {
    const { sockets, listen, asked } = setup();
    const stop = await listen();
    sockets.last().drop();
    await stop();
    await advance(60_000);
    expect([asked(), sockets.opened.length]).toStrictEqual([[SUBSCRIBE], 1]);
  });

  it('is renewed if it was lost just after it was confirmed', async () => {
    const bench = setup();
    const { sockets } = bench;
    const { onSend } = sockets.behaviour;
    sockets.behaviour.onSend = (socket, request) =>
      void Promise.resolve().then(() => {
        answerSubscription(socket, request, () => '0x1');
        socket.drop();
      });
    const listening = bench.listen();
    await advance(0);
    expect(idOf(bench)).toBeUndefined();
    sockets.behaviour.onSend = onSend;
    await advance(2_000);
    await listening;
    expect(idOf(bench)).toBeDefined();
  });
});

describe('the newest block', () => {
  const HEAD = { number: '0x10', hash: `0x${'ab'.repeat(32)}`, timestamp: '0x1' };

  async function watch(): Promise<Bench & Heads> {
    const bench = setup();
    const heads = await watchHeads(bench.transport, (head) => bench.heard.push(head));
    return { ...bench, ...heads };
  }

  it('is the last one reported', async () => {
    const { latest, notify, heard } = await watch();
    expect(latest()).toBeUndefined();
    notify('0x1', { ...HEAD, extra: 'of some chain' });
    expect(latest()).toMatchObject(HEAD);
    notify('0x1', { ...HEAD, number: '0x011' });
    expect(latest()).toStrictEqual({ ...HEAD, number: '0x11' });
    expect(heard).toMatchObject([HEAD, { number: '0x11' }]);
  });

  it.each([null, 'x', [], {}, { ...HEAD, number: 16 }, { ...HEAD, hash: '0x' }])(
    'is not read from %j',
    async (value) => {
      const { latest, notify, heard } = await watch();
      notify('0x1', value);
      expect([latest(), heard]).toStrictEqual([undefined, []]);
    },
  );

  it('is unknown while the subscription is lost, and until the next notification', async () => {
    const { latest, notify, sockets } = await watch();
    notify('0x1', HEAD);
    sockets.last().drop();
    expect(latest()).toBeUndefined();
    // Uses the same id, because servers count from one on every connection.
    sockets.behaviour.onSend = (socket, request) =>
      void Promise.resolve().then(() =>
        answerSubscription(socket, request, () => '0x1'),
      );
    await advance(1_000);
    expect(latest()).toBeUndefined();
    notify('0x1', HEAD);
    expect(latest()).toMatchObject(HEAD);
  });

  it('is unknown after a minute without notifications, and after watching has stopped', async () => {
    const { latest, notify, stop, asked } = await watch();
    notify('0x1', HEAD);
    await advance(59_999);
    expect(latest()).toMatchObject(HEAD);
    await advance(1);
    expect(latest()).toBeUndefined();
    notify('0x1', HEAD);
    await stop();
    expect(latest()).toBeUndefined();
    expect(asked()).toStrictEqual([SUBSCRIBE, 'eth_unsubscribe 0x1']);
  });
});

describe('a followed chain', () => {
  /**
   * Sets up a node on which the test mines blocks, and a socket that gives `answer` to every
   * request, or none.
   */
  function setupFollowed(answer?: object) {
    const bench = setup();
    let [number, asked] = [1, 0];
    if (answer) bench.answerWith(answer);
    else bench.sockets.behaviour.onSend = () => undefined;
    const head = (): object => ({
      number: `0x${number}`,
      hash: `0x${String(number).padStart(64, '0')}`,
      timestamp: '0x1',
    });
    const node = createNodeClient({
      label: 'It',
      request: async () => {
        asked += 1;
        if (number === 3) throw new Error('away');
        return Promise.resolve(number === 5 ? null : head());
      },
    });
    const follow = async (onHead: () => void = () => undefined) =>
      followHeads(bench.transport, node, (each) => {
        bench.heard.push(Number(each.number));
        onHead();
      });
    return { ...bench, follow, head, asked: () => asked, mine: () => (number += 1) };
  }

  it.each<[string, object | undefined]>([
    ['never answered', undefined],
    ['refused', { error: { code: -32601, message: 'no subscription' } }],
    ['refused for now', { error: { code: 429, message: 'too many requests' } }],
    ['answered, and nothing is reported', { result: '0x1' }],
  ])(
    'is polled for its newest block if the subscription is %s',
    async (_how, answer) => {
      const { follow, heard, mine } = setupFollowed(answer);
      const following = follow();
      await advance(4_000);
      expect(heard).toStrictEqual([1]);
      mine();
      await advance(20_000);
      const stop = await following;
      expect(heard).toStrictEqual([1, 2]);
      mine();
      await advance(4_000);
      mine();
      await advance(4_000);
      mine();
      await advance(4_000);
      expect(heard).toStrictEqual([1, 2, 4]);
      await stop();
      mine();
      await advance(60_000);
      expect(heard).toStrictEqual([1, 2, 4]);
    },
  );

  it('is polled only while the subscription reports no blocks', async () => {
    const { follow, heard, mine, notify, head, asked } = setupFollowed({
      result: '0x1',
    });
    const stop = await follow(() => {
      throw new Error('The listener fails.');
    });
    notify('0x1', head());
    notify('0x1', head());
    await advance(29_000);
    expect([heard, asked()]).toStrictEqual([[1], 0]);
    mine();
    await advance(4_000);
    expect(heard).toStrictEqual([1, 2]);
    await stop();
  });

  it('is subscribed to again a minute after the subscription was refused', async () => {
    const { follow, answerWith, heard, notify, head, asked } = setupFollowed({
      error: { code: -32601, message: 'no subscription' },
    });
    const stop = await follow();
    await advance(59_000);
    answerWith({ result: '0x1' });
    await advance(5_000);
    const before = asked();
    notify('0x1', head());
    await advance(20_000);
    expect([heard, asked() - before]).toStrictEqual([[1], 0]);
    await stop();
  });

  it('ends a subscription that is confirmed after following has stopped', async () => {
    const { follow, answerWith, sockets } = setupFollowed({
      error: { code: -32601, message: 'no subscription' },
    });
    const stop = await follow();
    sockets.behaviour.onSend = () => undefined;
    await advance(60_000);
    await stop();
    answerWith({ result: true });
    sockets.last().answer('0x1', 'eth_subscribe');
    await advance(0);
    expect(sockets.last().sent.at(-1)).toMatchObject({
      method: 'eth_unsubscribe',
      params: ['0x1'],
    });
  });

  it('fails if no socket opens', async () => {
    const { follow, sockets, asked } = setupFollowed();
    sockets.behaviour.onOpen = throwGone;
    await expect(follow()).rejects.toThrow('could not be reached');
    await advance(60_000);
    expect(asked()).toBe(0);
  });
});
