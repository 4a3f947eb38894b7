import { pass, useFakeClock } from '../../../support/fake-clock';
import { echoing } from '../../../support/fake-socket';
import { setupSocket } from '../../../support/socket-bench';
import type { SocketBench } from '../../../support/socket-bench';

useFakeClock();

const AT = 'wss://node.example/ws';

const UNREACHABLE = (method: string): string =>
  `NetworkError: ${method} at ${AT} could not be reached. Check the address and the connection.`;

const UNKNOWN =
  `NetworkError: eth_sendRawTransaction at ${AT} could not be reached. ` +
  'Whether it was carried out is not known: look before you send it again.';

/** A transport whose sockets answer everything. */
function setupEcho(): SocketBench {
  const bench = setupSocket();
  bench.sockets.behaviour.onSend = (socket, request) =>
    void Promise.resolve().then(() => echoing(socket, request));
  return bench;
}

describe('a socket that breaks', () => {
  it('is opened again for calls that may be repeated', async () => {
    const { sockets, ask } = setupSocket();
    const call = ask('a');
    await pass(0);
    sockets.last().drop();
    await pass(1_000);
    expect(sockets.opened).toHaveLength(2);
    sockets.last().answer('A');
    expect(await call).toBe('A');
  });

  it('fails calls that must not be repeated, and never sends them again', async () => {
    const { sockets, send, tell } = setupSocket();
    const call = tell(send());
    await pass(0);
    sockets.last().drop();
    expect(await call).toBe(UNKNOWN);
    await pass(60_000);
    expect(sockets.opened).toHaveLength(1);
  });

  it('is heard no more', async () => {
    const { sockets, ask } = setupSocket();
    const call = ask('a');
    await pass(0);
    const [first] = sockets.opened;
    first?.drop();
    await pass(1_000);
    const [request] = sockets.last().sent;
    first?.receive({ id: request?.id, result: 'late' });
    first?.drop();
    sockets.last().answer('in time');
    expect(await call).toBe('in time');
  });

  it('is left alone for longer each time that it closes at once', async () => {
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
      while (opened.length < count) await pass(125);
    }
    const waits = opened.slice(1).map((at, index) => at - (opened[index] ?? 0));
    expect(waits).toStrictEqual([375, 750, 1500, 3000, 6000, 12000, 22500, 22500]);
  });

  it('is opened at once after a message was heard and some time passed', async () => {
    const { sockets, ask } = setupEcho();
    await Promise.all([ask('a'), pass(0)]);
    sockets.last().drop();
    await pass(500);
    await Promise.all([ask('b'), pass(0)]);
    expect(sockets.opened).toHaveLength(2);
  });
});

describe('a send that fails', () => {
  it('gives the socket up; the call goes out over another one', async () => {
    const { sockets, ask } = setupSocket();
    sockets.behaviour.onSend = () => {
      throw new Error('gone');
    };
    const call = ask('a');
    await pass(0);
    expect(sockets.last().isClosed).toBe(true);
    sockets.behaviour.onSend = () => undefined;
    await pass(1_000);
    sockets.last().answer('A');
    expect(await call).toBe('A');
    expect(sockets.opened).toHaveLength(2);
  });

  it('tells that a call which must not be repeated was not carried out', async () => {
    const { sockets, send, tell } = setupSocket();
    sockets.behaviour.onSend = () => {
      throw new Error('gone');
    };
    const call = tell(send());
    await pass(0);
    expect(await call).toBe(UNREACHABLE('eth_sendRawTransaction'));
  });
});
