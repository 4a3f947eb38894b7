import { pass, useFakeClock } from '../../../support/fake-clock';
import { answerTopic, setupTopics } from '../../../support/socket-bench';

useFakeClock();

const SUBSCRIBE = 'eth_subscribe newHeads';

describe('a subscription that is lost', () => {
  it('is taken up again on a new connection, under its new name', async () => {
    const { sockets, transport, asked, notify } = setupTopics();
    const heard: unknown[] = [];
    await transport.subscribe('newHeads', (value) => void heard.push(value));
    const first = transport.findSubscription('newHeads');
    expect(first).toStrictEqual({ id: '0x1' });
    sockets.last().drop();
    expect(transport.findSubscription('newHeads')).toBeUndefined();
    await pass(1_000);
    expect(sockets.opened).toHaveLength(2);
    expect(transport.findSubscription('newHeads')).toStrictEqual({ id: '0x2' });
    notify('0x2', 'block');
    expect(heard).toStrictEqual(['block']);
    expect(asked()).toStrictEqual([SUBSCRIBE, SUBSCRIBE]);
  });

  it('is asked for again, at longer intervals, until the server gives it', async () => {
    const { sockets, transport, asked } = setupTopics();
    await transport.subscribe('newHeads', () => undefined);
    const { onSend } = sockets.behaviour;
    sockets.behaviour.onSend = ({ receive }, { id }) =>
      void Promise.resolve().then(() => receive({ id, error: { message: 'busy' } }));
    sockets.last().drop();
    await pass(60_000);
    // Two on each connection at most, and not one every half second.
    expect(asked().length).toBeLessThan(12);
    sockets.behaviour.onSend = onSend;
    await pass(30_000);
    expect(transport.findSubscription('newHeads')).toStrictEqual({ id: '0x2' });
    expect(sockets.opened).toHaveLength(2);
  });

  it('is taken up by the next call, if nothing went on meanwhile', async () => {
    // As in a snap between two requests: waits never end.
    const { sockets, transport, ask } = setupTopics();
    await transport.subscribe('newHeads', () => undefined);
    sockets.behaviour.onOpen = () => Promise.resolve();
    sockets.last().drop();
    await pass(376);
    sockets.last().drop();
    expect(await Promise.all([ask('a'), pass(2_000)])).toHaveProperty('0', true);
    expect(transport.findSubscription('newHeads')).toBeDefined();
  });

  it('is not asked for again once nobody listens', async () => {
    const { sockets, transport, asked } = setupTopics();
    const stop = await transport.subscribe('newHeads', () => undefined);
    sockets.last().drop();
    await stop();
    await pass(60_000);
    expect(sockets.opened).toHaveLength(1);
    expect(asked()).toStrictEqual([SUBSCRIBE]);
  });

  it('while the server is asked for it fails for who asked', async () => {
    const { sockets, transport, tell } = setupTopics();
    sockets.behaviour.onSend = () => undefined;
    const call = tell(transport.subscribe('newHeads', () => undefined));
    await pass(0);
    sockets.last().drop();
    expect(await call).toMatch(/^NetworkError: eth_subscribe at/u);
  });

  it('just after the server gave it is taken up again', async () => {
    const { sockets, transport } = setupTopics();
    const { onSend } = sockets.behaviour;
    sockets.behaviour.onSend = (socket, request) =>
      void Promise.resolve().then(() => {
        answerTopic(socket, request, () => '0x1');
        socket.drop();
      });
    const listening = transport.subscribe('newHeads', () => undefined);
    await pass(0);
    expect(transport.findSubscription('newHeads')).toBeUndefined();
    sockets.behaviour.onSend = onSend;
    await pass(2_000);
    await listening;
    expect(transport.findSubscription('newHeads')).toBeDefined();
  });
});
