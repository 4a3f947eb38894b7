// Topics over a socket, over its losses too; and the newest block from one of them.
import { watchHeads } from '../../../packages/client/src/rpc/heads';
import type { Heads } from '../../../packages/client/src/rpc/heads';
import { pass, useFakeClock } from '../../support/fake-clock';
import { createGate } from '../../support/gate';
import { answerTopic, setupTopics } from '../../support/socket-bench';

useFakeClock();

const SUBSCRIBE = 'eth_subscribe newHeads';

type Bench = ReturnType<typeof setup>;

function setup() {
  const bench = setupTopics();
  const heard: unknown[] = [];
  const { transport, sockets } = bench;
  return {
    ...bench,
    heard,
    /** Listens, and keeps the notifications. */
    listen: async () => transport.subscribe((value) => void heard.push(value)),
    /** Lets the server answer everything so. */
    answerWith: (answer: object) => {
      sockets.behaviour.onSend = ({ receive }, { id }) =>
        void Promise.resolve().then(() => receive({ id, ...answer }));
    },
  };
}

const idOf = ({ transport }: Bench) => transport.findSubscription()?.id;

describe('a topic', () => {
  it('is subscribed to once for two listeners, and ended with the last', async () => {
    const { listen, asked, notify, heard } = setup();
    const stops = await Promise.all([listen(), listen()]);
    notify('0x1', 7);
    await stops[0]?.();
    await stops[0]?.();
    notify('0x1', 8);
    await stops[1]?.();
    notify('0x1', 9);
    await pass(0);
    expect(heard).toStrictEqual([7, 7, 8]);
    // The last one came after the end.
    expect(asked().slice(0, 2)).toStrictEqual([SUBSCRIBE, 'eth_unsubscribe 0x1']);
  });

  it('notifies a listener twice that listens twice', async () => {
    const { transport, notify } = setup();
    const heard: unknown[] = [];
    const listener = (value: unknown): void => void heard.push(value);
    const stop = await transport.subscribe(listener);
    await transport.subscribe(listener);
    notify('0x1', 1);
    await stop();
    notify('0x1', 2);
    expect(heard).toStrictEqual([1, 1, 2]);
  });

  it('goes on when a listener throws, and so do calls', async () => {
    const { transport, listen, notify, ask, heard } = setup();
    await transport.subscribe(() => {
      throw new Error('At once.');
    });
    await transport.subscribe(() => Promise.reject(new Error('Later.')));
    await listen();
    notify('0x1', 1);
    notify('0x1', 2);
    expect(heard).toStrictEqual([1, 2]);
    expect(await ask('a')).toBe(true);
  });

  it('delivers a message until its listeners are done', async () => {
    const { sockets, transport } = setup();
    const gate = createGate();
    await transport.subscribe(async () => gate.opened);
    const params = { subscription: '0x1', result: 'block' };
    let isDone = false;
    const delivered = sockets.last().deliver({ method: 'eth_subscription', params });
    void delivered.then(() => (isDone = true));
    await pass(1_000);
    expect(isDone).toBe(false);
    gate.open();
    await delivered;
  });

  it('may be named by a number', async () => {
    const { answerWith, listen, notify, heard } = setup();
    answerWith({ result: 12 });
    await listen();
    notify(12, 'block');
    expect(heard).toStrictEqual(['block']);
  });

  it('has no listeners if the server refuses it', async () => {
    const { sockets, answerWith, listen, outcomeOf, asked } = setup();
    answerWith({ error: { code: -32601, message: 'no such method' } });
    const refused =
      'RpcError: eth_subscribe at wss://node.example/ws failed: no such method.';
    expect(await Promise.all([outcomeOf(listen()), outcomeOf(listen())])).toStrictEqual(
      [refused, refused],
    );
    sockets.last().drop();
    await pass(60_000);
    expect(asked()).toStrictEqual([SUBSCRIBE]);
  });

  it('cannot be listened to where no socket opens', async () => {
    const { sockets, listen, outcomeOf } = setup();
    sockets.behaviour.onOpen = () => Promise.reject(new Error('refused'));
    expect(await outcomeOf(listen())).toBe(
      'NetworkError: wss://node.example/ws could not be reached. Check the address and the connection.',
    );
    await pass(60_000);
    expect(sockets.opened).toHaveLength(1);
  });
});

describe('leaving while the server is asked', () => {
  it('fails when the connection is closed, or lost', async () => {
    for (const leave of ['close', 'drop']) {
      const { sockets, transport, listen, outcomeOf, asked } = setup();
      sockets.behaviour.onSend = () => undefined;
      const call = outcomeOf(listen());
      await pass(0);
      if (leave === 'drop') sockets.last().drop();
      else await transport.close();
      expect(await call).toMatch(/^(?:Network|Unavailable)Error: eth_subscribe at/u);
      expect(asked()).toStrictEqual([SUBSCRIBE]);
    }
  });

  it('ends the subscription when it comes', async () => {
    const { sockets, listen, asked } = setup();
    const stop = await listen();
    const gate = createGate();
    const { onSend } = sockets.behaviour;
    sockets.behaviour.onSend = (socket, request) =>
      void gate.opened.then(() => onSend(socket, request));
    sockets.last().drop();
    await pass(1_000);
    await stop();
    gate.open();
    await pass(0);
    expect(asked()).toStrictEqual([SUBSCRIBE, SUBSCRIBE, 'eth_unsubscribe 0x2']);
  });
});

describe('a notification of an unknown subscription', () => {
  it('is ended at the server: it was subscribed to before a snap was stopped', async () => {
    const { ask, asked, notify } = setup();
    await ask('a');
    notify('0xold', 1);
    notify('0xold', 2);
    await pass(0);
    expect(asked().slice(1)).toStrictEqual(['eth_unsubscribe 0xold']);
    notify('0xother', 3);
    await pass(0);
    expect(asked().slice(2)).toStrictEqual(['eth_unsubscribe 0xother']);
  });

  it('is left alone when the server does not know it', async () => {
    const { ask, asked, notify, answerWith } = setup();
    await ask('a');
    answerWith({ error: { message: 'no' } });
    notify('0xold', 1);
    await pass(60_000);
    expect(asked()).toHaveLength(2);
  });

  it('may be the one that is being started', async () => {
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

describe('a subscription that is lost', () => {
  it('is taken up again on a new connection, under its new name', async () => {
    const bench = setup();
    const { sockets, asked, notify, heard } = bench;
    await bench.listen();
    expect(idOf(bench)).toBe('0x1');
    sockets.last().drop();
    expect(idOf(bench)).toBeUndefined();
    await pass(1_000);
    expect(idOf(bench)).toBe('0x2');
    notify('0x2', 'block');
    expect(heard).toStrictEqual(['block']);
    expect([asked(), sockets.opened.length]).toStrictEqual([[SUBSCRIBE, SUBSCRIBE], 2]);
  });

  it('is asked for again, at longer intervals, until the server gives it', async () => {
    const bench = setup();
    const { sockets, asked } = bench;
    await bench.listen();
    const { onSend } = sockets.behaviour;
    bench.answerWith({ error: { message: 'busy' } });
    sockets.behaviour.onOpen = () => Promise.reject(new Error('down'));
    sockets.last().drop();
    await pass(5_000);
    expect(sockets.opened.length).toBeGreaterThan(2);
    sockets.behaviour.onOpen = () => Promise.resolve();
    await pass(60_000);
    // Two on each connection at most, and not one every half second.
    expect(asked().length).toBeLessThan(12);
    sockets.behaviour.onSend = onSend;
    await pass(30_000);
    expect(idOf(bench)).toBe('0x2');
  });

  it('is taken up by the next call, if nothing went on meanwhile', async () => {
    const bench = setup();
    await bench.listen();
    bench.sockets.last().drop();
    await pass(376);
    bench.sockets.last().drop();
    expect(await Promise.all([bench.ask('a'), pass(2_000)])).toHaveProperty('0', true);
    expect(idOf(bench)).toBeDefined();
  });

  it('is not requested again without listeners', async () => {
    const { sockets, listen, asked } = setup();
    const stop = await listen();
    sockets.last().drop();
    await stop();
    await pass(60_000);
    expect([asked(), sockets.opened.length]).toStrictEqual([[SUBSCRIBE], 1]);
  });

  it('just after the server gave it is taken up again', async () => {
    const bench = setup();
    const { sockets } = bench;
    const { onSend } = sockets.behaviour;
    sockets.behaviour.onSend = (socket, request) =>
      void Promise.resolve().then(() => {
        answerTopic(socket, request, () => '0x1');
        socket.drop();
      });
    const listening = bench.listen();
    await pass(0);
    expect(idOf(bench)).toBeUndefined();
    sockets.behaviour.onSend = onSend;
    await pass(2_000);
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

  it('needs no listener', async () => {
    const { transport, notify } = setup();
    const { latest } = await watchHeads(transport);
    notify('0x1', HEAD);
    expect(latest()).toMatchObject(HEAD);
  });

  it.each([null, 'x', [], {}, { ...HEAD, number: 16 }, { ...HEAD, hash: '0x' }])(
    'is not taken from %j',
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
    // By the same name: servers count from one on every connection.
    sockets.behaviour.onSend = (socket, request) =>
      void Promise.resolve().then(() => answerTopic(socket, request, () => '0x1'));
    await pass(1_000);
    expect(latest()).toBeUndefined();
    notify('0x1', HEAD);
    expect(latest()).toMatchObject(HEAD);
  });

  it('is unknown without notifications for a minute, and after the end', async () => {
    const { latest, notify, stop, asked } = await watch();
    notify('0x1', HEAD);
    await pass(59_999);
    expect(latest()).toMatchObject(HEAD);
    await pass(1);
    expect(latest()).toBeUndefined();
    notify('0x1', HEAD);
    await stop();
    expect(latest()).toBeUndefined();
    expect(asked()).toStrictEqual([SUBSCRIBE, 'eth_unsubscribe 0x1']);
  });
});
