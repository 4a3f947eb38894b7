import { jest } from '@jest/globals';

import { pass, useFakeClock } from '../../../support/fake-clock';
import { createGate } from '../../../support/gate';
import { setupTopics } from '../../../support/socket-bench';

useFakeClock();

const SUBSCRIBE = 'eth_subscribe newHeads';

describe('a topic', () => {
  it('is subscribed to once for two listeners, and ended with the last', async () => {
    const { transport, asked, notify } = setupTopics();
    const heard: unknown[] = [];
    const stops = await Promise.all(
      ['a', 'b'].map(async (name) =>
        transport.subscribe('newHeads', (value) => void heard.push([name, value])),
      ),
    );
    notify('0x1', 7);
    await stops[0]?.();
    await stops[0]?.();
    notify('0x1', 8);
    await stops[1]?.();
    notify('0x1', 9);
    await pass(0);
    expect(heard).toStrictEqual([
      ['a', 7],
      ['b', 7],
      ['b', 8],
    ]);
    // The last one came after the end.
    expect(asked().slice(0, 2)).toStrictEqual([SUBSCRIBE, 'eth_unsubscribe 0x1']);
  });

  it('is told twice to a listener that listens twice', async () => {
    const { transport, notify } = setupTopics();
    const heard: unknown[] = [];
    const listener = (value: unknown): void => void heard.push(value);
    const stop = await transport.subscribe('newHeads', listener);
    await transport.subscribe('newHeads', listener);
    notify('0x1', 1);
    await stop();
    notify('0x1', 2);
    expect(heard).toStrictEqual([1, 1, 2]);
  });

  it('goes on when a listener throws, and so do calls', async () => {
    const { transport, notify, ask } = setupTopics();
    const heard: unknown[] = [];
    await transport.subscribe('newHeads', () => {
      throw new Error('At once.');
    });
    await transport.subscribe('newHeads', () => Promise.reject(new Error('Later.')));
    await transport.subscribe('newHeads', (value) => void heard.push(value));
    notify('0x1', 1);
    notify('0x1', 2);
    expect(heard).toStrictEqual([1, 2]);
    expect(await ask('a')).toBe(true);
  });

  it('keeps whoever passes the message on until its listeners are done', async () => {
    const { sockets, transport } = setupTopics();
    const gate = createGate();
    await transport.subscribe('newHeads', async () => gate.opened);
    const params = { subscription: '0x1', result: 'block' };
    const told = sockets.last().deliver({ method: 'eth_subscription', params });
    const isDone = jest.fn();
    void told.then(isDone);
    await pass(1_000);
    expect(isDone).not.toHaveBeenCalled();
    gate.open();
    await told;
  });

  it('may be named by a number', async () => {
    const { sockets, transport, notify } = setupTopics();
    sockets.behaviour.onSend = ({ receive }, { id }) =>
      void Promise.resolve().then(() => receive({ id, result: 12 }));
    const heard: unknown[] = [];
    await transport.subscribe('newHeads', (value) => void heard.push(value));
    notify(12, 'block');
    expect(heard).toStrictEqual(['block']);
  });

  it('that the server refuses is nobody listening to', async () => {
    const { sockets, transport, tell, asked } = setupTopics();
    sockets.behaviour.onSend = ({ receive }, { id }) =>
      void Promise.resolve().then(() =>
        receive({ id, error: { code: -32601, message: 'no such method' } }),
      );
    const listen = async (): Promise<string> =>
      tell(transport.subscribe('newHeads', () => undefined));
    expect(await Promise.all([listen(), listen()])).toStrictEqual(
      Array(2).fill(
        'RpcError: eth_subscribe at wss://node.example/ws failed: no such method.',
      ),
    );
    sockets.last().drop();
    await pass(60_000);
    expect(asked()).toStrictEqual([SUBSCRIBE]);
  });

  it('cannot be listened to where no socket opens', async () => {
    const { sockets, transport, tell } = setupTopics();
    sockets.behaviour.onOpen = () => Promise.reject(new Error('refused'));
    expect(await tell(transport.subscribe('newHeads', () => undefined))).toBe(
      'NetworkError: wss://node.example/ws could not be reached. Check the address and the connection.',
    );
    await pass(60_000);
    expect(sockets.opened).toHaveLength(1);
  });
});

describe('leaving while the server is asked', () => {
  it('fails when the connection is closed', async () => {
    const { sockets, transport, asked } = setupTopics();
    sockets.behaviour.onSend = () => undefined;
    const abandoned = transport.subscribe('newHeads', () => undefined);
    await pass(0);
    await Promise.all([
      transport.close(),
      expect(abandoned).rejects.toThrow('was given up'),
    ]);
    expect(asked()).toStrictEqual([SUBSCRIBE]);
  });

  it('ends the subscription when it comes', async () => {
    const { sockets, transport, asked } = setupTopics();
    const stop = await transport.subscribe('newHeads', () => undefined);
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

describe('a notification of nobody', () => {
  it('is ended at the server: it was subscribed to before a snap was stopped', async () => {
    const { ask, asked, notify } = setupTopics();
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
    const { sockets, ask, asked, notify } = setupTopics();
    await ask('a');
    sockets.behaviour.onSend = ({ receive }, { id }) =>
      void Promise.resolve().then(() => receive({ id, error: { message: 'no' } }));
    notify('0xold', 1);
    await pass(60_000);
    expect(asked()).toHaveLength(2);
  });

  it('may be the one that is being started', async () => {
    const { sockets, transport, asked, notify } = setupTopics();
    const { onSend } = sockets.behaviour;
    sockets.behaviour.onSend = (socket, request) => {
      notify('0x1', 'early');
      onSend(socket, request);
    };
    await transport.subscribe('newHeads', () => undefined);
    expect(asked()).toStrictEqual([SUBSCRIBE]);
  });
});
