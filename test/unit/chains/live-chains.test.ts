import { createLiveChains } from '../../../src/chains/live-chains';
import type { LiveChains } from '../../../src/chains/live-chains';
import type { ChainId } from '../../../src/eth/chain';
import { createFakeSockets, toAppSockets } from '../../support/fake-socket';
import type { FakeSockets } from '../../support/fake-socket';
import { settle } from '../../support/gate';

const URL = 'wss://node.example';

const HEAD = { number: '0x10', hash: `0x${'ab'.repeat(32)}`, timestamp: '0x1' };

type Bench = {
  live: LiveChains;
  sockets: FakeSockets;
  heads: ChainId[];
  kept: string[][];
  mine: (number: string) => void;
};

/** Sockets whose server gives every subscription the name 0x1. */
function setup(): Bench {
  const sockets = createFakeSockets();
  sockets.behaviour.onSend = ({ receive }, { id }) =>
    void Promise.resolve().then(() => receive({ id, result: '0x1' }));
  const heads: ChainId[] = [];
  const kept: string[][] = [];
  const live = createLiveChains({
    openSocket: toAppSockets(sockets).open,
    closeOthers: async (urls) => {
      kept.push([...urls]);
      return Promise.resolve();
    },
    onHead: (chainId) => heads.push(chainId),
    epoch: () => 0,
  });
  const mine = (number: string): void =>
    sockets.last().receive({
      method: 'eth_subscription',
      params: { subscription: '0x1', result: { ...HEAD, number } },
    });
  return { live, sockets, heads, kept, mine };
}

const methodsOf = ({ opened }: FakeSockets): string[] =>
  opened.flatMap(({ sent }) => sent.map(({ method }) => method));

describe("a chain's socket", () => {
  it('is there if one is configured, and the same each time', () => {
    const { live } = setup();
    expect(live.connect(1n, { rpcUrl: 'https://node.example' })).toBeUndefined();
    const transport = live.connect(1n, { wsUrl: URL, apiKey: 'key' });
    expect(transport?.label).toBe(URL);
    expect(live.connect(1n, { wsUrl: URL, apiKey: 'key' })).toBe(transport);
    expect(live.connect(2n, { wsUrl: `${URL}/2` })).not.toBe(transport);
  });

  it.each([
    ['address', { wsUrl: `${URL}/2`, apiKey: 'key' }],
    ['key', { wsUrl: URL, apiKey: 'other' }],
    ['absence', {}],
  ])('is closed when another %s is configured', async (_what, row) => {
    const { live, sockets } = setup();
    const former = live.connect(1n, { wsUrl: URL, apiKey: 'key' });
    await former?.request({ method: 'a', params: [] });
    expect(live.connect(1n, row)).not.toBe(former);
    await settle();
    expect(sockets.opened.map(({ isClosed }) => isClosed)).toStrictEqual([true]);
  });

  it('is closed when it is wanted no more', async () => {
    const { live, sockets, kept } = setup();
    const rows = [{ wsUrl: URL }, { wsUrl: `${URL}/2`, apiKey: 'key' }, {}];
    for (const [index, row] of rows.entries()) {
      await live.connect(BigInt(index), row)?.request({ method: 'a', params: [] });
    }
    await live.keepOnly(rows.slice(1));
    expect(sockets.opened.map(({ isClosed }) => isClosed)).toStrictEqual([true, false]);
    expect(kept).toStrictEqual([[`${URL}/2/v3/key`]]);
    expect(live.connect(1n, rows[1] ?? {})?.isResting()).toBe(false);
  });
});

describe('the newest block of a chain', () => {
  it('is told while the chain is watched', async () => {
    const { live, mine, heads } = setup();
    live.connect(5n, { wsUrl: URL });
    expect(live.findHead(5n)).toBeUndefined();
    await live.watch(5n);
    expect(live.findHead(5n)).toBeUndefined();
    mine('0x10');
    expect(live.findHead(5n)).toBe(16n);
    expect(heads).toStrictEqual([5n]);
    await live.unwatch(5n);
    expect(live.findHead(5n)).toBeUndefined();
  });

  it('is subscribed to once, however often the chain is watched', async () => {
    const { live, sockets } = setup();
    live.connect(5n, { wsUrl: URL });
    await Promise.all([live.watch(5n), live.watch(5n)]);
    await live.watch(5n);
    expect(methodsOf(sockets)).toStrictEqual(['eth_subscribe']);
    await Promise.all([live.unwatch(5n), live.unwatch(5n)]);
    expect(methodsOf(sockets)).toStrictEqual(['eth_subscribe', 'eth_unsubscribe']);
  });

  it('is not told of a chain that is watched no more before it was watched', async () => {
    const { live, sockets } = setup();
    live.connect(5n, { wsUrl: URL });
    await Promise.all([live.watch(5n), live.unwatch(5n)]);
    expect(methodsOf(sockets)).toStrictEqual(['eth_subscribe', 'eth_unsubscribe']);
    await live.watch(5n);
    expect(methodsOf(sockets)).toHaveLength(3);
  });

  it('is watched later if the server does not take the subscription now', async () => {
    const { live, sockets, mine } = setup();
    const { onSend } = sockets.behaviour;
    sockets.behaviour.onSend = ({ receive }, { id }) =>
      void Promise.resolve().then(() => receive({ id, error: { message: 'no' } }));
    live.connect(5n, { wsUrl: URL });
    await live.watch(5n);
    sockets.behaviour.onSend = onSend;
    await live.watch(5n);
    mine('0x11');
    expect(live.findHead(5n)).toBe(17n);
  });

  it('is not waited for while the socket rests after a failure', async () => {
    const { live, sockets } = setup();
    sockets.behaviour.onOpen = async () => Promise.reject(new Error('It is down.'));
    const transport = live.connect(5n, { wsUrl: URL });
    await live.watch(5n);
    expect(transport?.isResting()).toBe(true);
    await live.watch(5n);
    expect(sockets.opened).toHaveLength(1);
    expect(live.findHead(5n)).toBeUndefined();
  });

  it('is nothing for a chain that is not connected', async () => {
    const { live, sockets } = setup();
    await live.watch(1n);
    await live.unwatch(1n);
    expect(live.findHead(1n)).toBeUndefined();
    expect(sockets.opened).toStrictEqual([]);
  });
});
