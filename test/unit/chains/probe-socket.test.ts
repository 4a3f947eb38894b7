import { errorOf, toWholeText } from '../../support/error-of';
import { settle } from '../../support/gate';
import { createProbeBench as setup, servers } from '../../support/probe-bench';
import type { ProbeBench } from '../../support/probe-bench';
import { refusalOf } from '../../support/refusal';

const KEY = 'k3y-of-the-user-0123456789abcdef';

const { wsUrl } = servers;

const openedBy = ({ sockets }: ProbeBench): [string, boolean][] =>
  sockets.opened.map(({ url, isClosed }) => [url, isClosed]);

describe('a socket that is to be configured', () => {
  it('must be the chain’s', async () => {
    const { probe, socketAnswers } = setup();
    await probe({ wsUrl });
    socketAnswers.eth_chainId = '0x5';
    expect(await refusalOf(probe({ wsUrl }))).toStrictEqual({
      code: -32602,
      message:
        'tollkeeper_setChain: params.wsUrl is the address of eip155:5, not of eip155:1. Nothing was saved.',
    });
  });

  it('must open, and is tried once', async () => {
    const { probe, sockets } = setup();
    sockets.behaviour.onOpen = () =>
      Promise.reject(new Error(`no way to wss://node.example/v3/${KEY}`));
    const error = await errorOf(() => probe({ wsUrl, apiKey: KEY }));
    expect(error).toMatchObject({
      code: -32002,
      message:
        'tollkeeper_setChain: params.wsUrl: eth_chainId at wss://node.example could not be reached. Check the address and the connection. Nothing was saved.',
    });
    expect(toWholeText(error)).not.toContain(KEY);
    expect(sockets.opened).toHaveLength(1);
  });

  it('must answer with a chain', async () => {
    const { probe, socketAnswers } = setup();
    socketAnswers.eth_chainId = 'hello';
    expect(await refusalOf(probe({ wsUrl }))).toMatchObject({
      code: -32002,
      message: expect.stringContaining(
        'params.wsUrl: eth_chainId at wss://node.example gave an invalid answer',
      ) as string,
    });
  });
});

describe('the socket that was probed', () => {
  it('is the one that the chain uses once it is configured', async () => {
    const bench = setup();
    await bench.probe({ wsUrl });
    await bench.store({ wsUrl });
    await bench.chains.closeUnused();
    const { node } = await bench.chains.connect(1n);
    await node.request('eth_chainId', []);
    expect(openedBy(bench)).toStrictEqual([[wsUrl, false]]);
  });

  it('is closed if the address was refused', async () => {
    const bench = setup();
    bench.socketAnswers.eth_chainId = '0x5';
    await errorOf(() => bench.probe({ wsUrl }));
    await bench.chains.closeUnused();
    expect(openedBy(bench)).toStrictEqual([[wsUrl, true]]);
    bench.socketAnswers.eth_chainId = '0x1';
    await bench.probe({ wsUrl });
    expect(openedBy(bench)).toStrictEqual([
      [wsUrl, true],
      [wsUrl, false],
    ]);
  });

  it('is the one that is open already, where an address has one', async () => {
    const bench = setup();
    await bench.store({ wsUrl });
    const { node } = await bench.chains.connect(1n);
    await node.request('eth_chainId', []);
    await bench.probe({ wsUrl });
    expect(openedBy(bench)).toStrictEqual([[wsUrl, false]]);
  });

  it('stays open while another call needs it', async () => {
    const bench = setup();
    const { onSend } = bench.sockets.behaviour;
    bench.sockets.behaviour.onSend = () => undefined;
    const probing = bench.probe({ wsUrl });
    await settle();
    await bench.chains.closeUnused();
    expect(openedBy(bench)).toStrictEqual([[wsUrl, false]]);
    bench.sockets.behaviour.onSend = onSend;
    await bench.probe({ wsUrl });
    const [first] = bench.sockets.last().sent;
    bench.sockets.last().receive({ id: first?.id, result: '0x1' });
    await probing;
    await bench.chains.closeUnused();
    expect(openedBy(bench)).toStrictEqual([[wsUrl, true]]);
  });
});
