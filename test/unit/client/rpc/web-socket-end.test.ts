import { pass, useFakeClock } from '../../../support/fake-clock';
import { createGate } from '../../../support/gate';
import { setupSocket } from '../../../support/socket-bench';

useFakeClock();

const AT = 'wss://node.example/ws';

describe('a signal', () => {
  const reason = new Error('Enough.');

  it('keeps a call from being made', async () => {
    const { sockets, ask } = setupSocket();
    await expect(ask('a', AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(sockets.opened).toHaveLength(0);
  });

  it('gives a call up while the socket opens', async () => {
    const { sockets, ask } = setupSocket();
    const gate = createGate();
    sockets.behaviour.onOpen = () => gate.opened;
    const abort = new AbortController();
    const call = ask('a', abort.signal);
    await pass(10);
    abort.abort(reason);
    await expect(call).rejects.toBe(reason);
    gate.open();
    await pass(0);
    expect(sockets.last().sent).toStrictEqual([]);
  });

  it('gives a call up while it waits, and no other', async () => {
    const { sockets, ask, send } = setupSocket();
    const abort = new AbortController();
    const calls = [ask('a', abort.signal), send(abort.signal)];
    const other = ask('b');
    await pass(0);
    abort.abort(reason);
    for (const call of calls) await expect(call).rejects.toBe(reason);
    sockets.last().answer('late', 'a');
    sockets.last().answer('B', 'b');
    expect(await other).toBe('B');
  });

  it('gives a call up between two attempts', async () => {
    const { sockets, ask } = setupSocket();
    const abort = new AbortController();
    const call = ask('a', abort.signal);
    await pass(0);
    sockets.last().drop();
    await pass(10);
    abort.abort(reason);
    await expect(call).rejects.toBe(reason);
    await pass(5_000);
    expect(sockets.opened).toHaveLength(1);
  });
});

describe('closing', () => {
  const GIVEN_UP = (method: string): string =>
    `UnavailableError: ${method} at ${AT} was given up: the connection was closed.`;

  it('fails what waits, once and for all', async () => {
    const { sockets, ask, send, tell, transport } = setupSocket();
    const calls = [tell(ask('a')), tell(send())];
    await pass(0);
    await transport.close();
    expect(await Promise.all(calls)).toStrictEqual([
      GIVEN_UP('a'),
      `${GIVEN_UP('eth_sendRawTransaction')} Whether it was carried out is not known: look before you send it again.`,
    ]);
    await pass(60_000);
    expect(sockets.opened).toHaveLength(1);
    expect(sockets.last().isClosed).toBe(true);
  });

  it('gives a socket up that is opening', async () => {
    const { sockets, ask, tell, transport } = setupSocket();
    const gate = createGate();
    sockets.behaviour.onOpen = () => gate.opened;
    const call = tell(ask('a'));
    await pass(0);
    await transport.close();
    expect(await call).toBe(GIVEN_UP('a'));
    gate.open();
    await pass(0);
    expect(sockets.last()).toMatchObject({ isClosed: true, sent: [] });
  });

  it('gives up what waits for a pause to end', async () => {
    const { sockets, ask, tell, transport } = setupSocket();
    const call = tell(ask('a'));
    await pass(0);
    sockets.last().drop();
    await pass(300);
    await transport.close();
    await pass(1_000);
    expect(await call).toBe(`${GIVEN_UP('a')} It was tried 2 times.`);
    expect(sockets.opened).toHaveLength(1);
  });

  it('is for good', async () => {
    const { sockets, ask, tell, transport } = setupSocket();
    await transport.close();
    await transport.close();
    expect(await tell(ask('a'))).toBe(GIVEN_UP('a'));
    expect(await tell(transport.subscribe('newHeads', () => undefined))).toBe(
      `UnavailableError: ${AT} was given up: the connection was closed.`,
    );
    expect(transport.isResting()).toBe(true);
    expect(sockets.opened).toHaveLength(0);
  });
});
