import { failureOf, toWholeText } from '../../../support/error-of';
import { pass, useFakeClock } from '../../../support/fake-clock';
import { KEY, setupSocket } from '../../../support/socket-bench';

useFakeClock();

const AT = 'wss://node.example/ws';

describe('a message that is too long', () => {
  const long = 'x'.repeat(1_000);
  const TOO_LONG = (method: string): string =>
    `BodyTooLargeError: ${method} at ${AT} answered with more than 500 bytes. Ask for less at once.`;

  it('fails only the call that it answers', async () => {
    const { sockets, ask, tell } = setupSocket({ maxBytes: 500 });
    const calls = ['a', 'b'].map(async (method) => tell(ask(method)));
    await pass(0);
    sockets.last().answer(long, 'a');
    sockets.last().answer('B', 'b');
    expect(await Promise.all(calls)).toStrictEqual([TOO_LONG('a'), '"B"']);
  });

  it('fails nobody if it is a notification or answers nobody', async () => {
    const { sockets, ask } = setupSocket({ maxBytes: 500 });
    const call = ask('a');
    await pass(0);
    const { receive, answer } = sockets.last();
    receive({ jsonrpc: '2.0', method: 'eth_subscription', params: long });
    receive({ jsonrpc: '2.0', id: 12, result: long });
    answer('A');
    expect(await call).toBe('A');
  });

  it('fails all that wait for an answer if it may be for any of them', async () => {
    const { sockets, ask, send, tell } = setupSocket({ maxBytes: 500 });
    const calls = [tell(ask('a')), tell(send())];
    await pass(0);
    sockets.last().receive([{ id: 1, result: long }]);
    expect(await Promise.all(calls)).toStrictEqual([
      TOO_LONG('a'),
      `BodyTooLargeError: eth_sendRawTransaction at ${AT} answered with more than 500 bytes. Whether it was carried out is not known: look before you send it again.`,
    ]);
  });

  it('fails no call that is not sent yet', async () => {
    const { sockets, ask, tell } = setupSocket({ maxBytes: 500 });
    const sent = tell(ask('a'));
    await pass(0);
    const later = tell(ask('b'));
    sockets.last().receive([{ id: 1, result: long }]);
    await pass(0);
    sockets.last().answer('B', 'b');
    expect(await Promise.all([sent, later])).toStrictEqual([TOO_LONG('a'), '"B"']);
  });
});

describe('an answer that does not come', () => {
  it('fails its call after the time limit, after as many attempts', async () => {
    const { sockets, ask, tell } = setupSocket({ timeoutMs: 2_000 });
    const call = tell(ask('eth_chainId'));
    await pass(20_000);
    expect(await call).toBe(
      `TimeoutError: eth_chainId at ${AT} did not answer within 2000 ms. It was tried 3 times. Try again later.`,
    );
    // Each over another socket, since nothing was heard over the last one.
    expect(sockets.opened.map(({ isClosed }) => isClosed)).toStrictEqual(
      Array(3).fill(true),
    );
  });

  it('fails a call that must not be repeated once, and says what is not known', async () => {
    const { sockets, send } = setupSocket();
    const call = send();
    await pass(15_000);
    expect(await failureOf(async () => call)).toStrictEqual({
      name: 'TimeoutError',
      code: -32002,
      message: `eth_sendRawTransaction at ${AT} did not answer within 15000 ms. Whether it was carried out is not known: look before you send it again.`,
      context: { mayBeDone: true },
    });
    await pass(60_000);
    expect(sockets.opened.flatMap(({ sent }) => sent)).toHaveLength(1);
  });

  it('leaves a socket alone that told something else meanwhile', async () => {
    const { sockets, ask, tell } = setupSocket({ retry: { maxAttempts: 1 } });
    const silent = tell(ask('a'));
    const other = tell(ask('b'));
    await pass(1_000);
    sockets.last().answer('B', 'b');
    await pass(14_000);
    expect(await silent).toMatch(/^TimeoutError/u);
    expect(await other).toBe('"B"');
    expect(sockets.last().isClosed).toBe(false);
  });

  it('leaves the time budget of all attempts at that', async () => {
    const { ask } = setupSocket({ retry: { budgetMs: 3_000 }, timeoutMs: 2_000 });
    const call = failureOf(async () => ask('a'));
    await pass(3_000);
    expect((await call).message).toMatch(/within \d{3} ms\. It was tried 2 times/u);
  });

  it('shows no key, whatever the socket says', async () => {
    const { sockets, ask } = setupSocket({ retry: { maxAttempts: 1 } });
    sockets.behaviour.onOpen = async ({ url }) => {
      await Promise.resolve();
      throw new Error(`${url} already exists.`);
    };
    const error = await ask('a').catch((thrown: unknown) => thrown);
    expect(toWholeText(error)).toContain('already exists');
    expect(toWholeText(error)).not.toContain(KEY);
  });
});
