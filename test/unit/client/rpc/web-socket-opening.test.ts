import { pass, useFakeClock } from '../../../support/fake-clock';
import { echoing } from '../../../support/fake-socket';
import { createGate } from '../../../support/gate';
import { setupSocket } from '../../../support/socket-bench';

useFakeClock();

const AT = 'wss://node.example/ws';

const UNREACHABLE = (method: string): string =>
  `NetworkError: ${method} at ${AT} could not be reached. Check the address and the connection.`;

describe('a socket that does not open', () => {
  it('fails its calls after all attempts, unsafe ones after one', async () => {
    const { sockets, ask, send, tell } = setupSocket();
    sockets.behaviour.onOpen = () => Promise.reject(new Error('refused'));
    const calls = [tell(ask('a')), tell(send())];
    await pass(10_000);
    expect(await Promise.all(calls)).toStrictEqual([
      `NetworkError: a at ${AT} could not be reached. It was tried 3 times. Check the address and the connection.`,
      UNREACHABLE('eth_sendRawTransaction'),
    ]);
    expect(sockets.opened).toHaveLength(3);
  });

  it('may fail with something that is no error', async () => {
    const { sockets, send, tell } = setupSocket();
    const reason = 'refused' as unknown as Error;
    sockets.behaviour.onOpen = () => Promise.reject(reason);
    expect(await tell(send())).toBe(UNREACHABLE('eth_sendRawTransaction'));
  });

  it('is not waited for longer than five seconds', async () => {
    const { sockets, send, tell } = setupSocket();
    const gate = createGate();
    sockets.behaviour.onOpen = () => gate.opened;
    const call = tell(send());
    await pass(4_999);
    expect(sockets.last().isClosed).toBe(false);
    await pass(1);
    expect(await call).toBe(UNREACHABLE('eth_sendRawTransaction'));
    // When it opens after all, nobody wants it.
    gate.open();
    await pass(0);
    expect(sockets.last()).toMatchObject({ isClosed: true, sent: [] });
  });

  it('may be given up by whoever opens it', async () => {
    const { sockets, send, tell } = setupSocket({ timeoutMs: 1_000 });
    const seen: unknown[] = [];
    sockets.behaviour.onOpen = (_socket, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          seen.push(signal.reason);
          reject(new Error('given up'));
        });
      });
    const call = tell(send());
    await pass(1_000);
    expect(await call).toMatch(/^(?:Network|Timeout)Error.*(?:connection|later)\.$/u);
    expect(seen).toStrictEqual([new Error('The socket did not open in time.')]);
  });

  it('is opened anew when the opening stood still with all that was under way', async () => {
    // As in a snap whose requests have all ended: neither timers nor promises go on.
    const time = { now: 0 };
    const { sockets, ask } = setupSocket({ services: { now: () => time.now } });
    sockets.behaviour.onOpen = () => new Promise(() => undefined);
    void ask('a');
    await pass(0);
    sockets.behaviour.onOpen = () => Promise.resolve();
    time.now = 5_001;
    const call = ask('b');
    await pass(4_000);
    sockets.last().answer('B', 'b');
    expect(await call).toBe('B');
    expect(sockets.opened).toHaveLength(2);
  });

  it('is waited for by many together', async () => {
    const { sockets, ask } = setupSocket();
    const gate = createGate();
    sockets.behaviour.onOpen = () => gate.opened;
    const calls = [ask('a'), ask('b')];
    await pass(1_000);
    calls.push(ask('c'));
    sockets.behaviour.onSend = (socket, request) =>
      void Promise.resolve().then(() => echoing(socket, request));
    gate.open();
    expect(await Promise.all(calls)).toStrictEqual(['a', 'b', 'c']);
    expect(sockets.opened).toHaveLength(1);
  });

  it('fails its calls when it breaks while it opens', async () => {
    const { sockets, send, tell } = setupSocket();
    sockets.behaviour.onOpen = async (socket) => {
      socket.drop();
      return Promise.reject(new Error('closed'));
    };
    const call = tell(send());
    await pass(0);
    expect(await call).toBe(UNREACHABLE('eth_sendRawTransaction'));
  });

  it('is of no use when it breaks before its opening is told', async () => {
    const { sockets, send, tell, transport } = setupSocket();
    sockets.behaviour.onOpen = async (socket) => {
      socket.drop();
      return Promise.resolve();
    };
    sockets.behaviour.onSend = () => {
      throw new Error('closed');
    };
    const call = tell(send());
    await pass(0);
    expect(await call).toBe(UNREACHABLE('eth_sendRawTransaction'));
    expect(transport.isResting()).toBe(true);
  });
});
