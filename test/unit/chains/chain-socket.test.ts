import { createChains } from '../../../src/chains/chain';
import type { Chains } from '../../../src/chains/chain';
import type { ChainRow } from '../../../src/state/chain-row';
import { openPrivateStore } from '../../../src/state/private-state';
import { createFakeNetwork, serving } from '../../support/fake-fetch';
import type { FakeNetwork } from '../../support/fake-fetch';
import { createFakeNode } from '../../support/fake-node';
import { createFakeLive, createFakeSockets } from '../../support/fake-socket';
import type { FakeSockets } from '../../support/fake-socket';
import { createMemoryBackend } from '../../support/memory-backend';

type Bench = {
  chains: Chains;
  network: FakeNetwork;
  sockets: FakeSockets;
  configure: (row: ChainRow) => Promise<unknown>;
};

/** A node that says 0x11 by HTTP, and 0x22 by a socket. */
async function setup(row: ChainRow): Promise<Bench> {
  const store = openPrivateStore(createMemoryBackend());
  const configure = async (chain: ChainRow): Promise<unknown> =>
    store.update((state) => ({ ...state, chains: { 'eip155:1': chain } }));
  await configure(row);
  const network = createFakeNetwork();
  network.serve(
    'https://node.example',
    serving(createFakeNode({ eth_gasPrice: '0x11' })),
  );
  const sockets = createFakeSockets();
  sockets.behaviour.onSend = ({ receive }, { id }) =>
    void Promise.resolve().then(() => receive({ id, result: '0x22' }));
  const chains = createChains({
    isDevelopment: true,
    store,
    http: { fetch: network.fetch },
    live: createFakeLive(sockets),
    requestWallet: createFakeNode({ eth_chainId: '0x7' }).request,
  });
  return { chains, network, sockets, configure };
}

const BOTH = { rpcUrl: 'https://node.example', wsUrl: 'wss://node.example' };

describe('a chain with a socket', () => {
  it('is asked over it', async () => {
    const { chains, network } = await setup(BOTH);
    const { node } = await chains.connect(1n);
    expect(await node.request('eth_gasPrice', [])).toBe('0x22');
    expect(network.sent).toStrictEqual([]);
  });

  it('is asked over it where there is no HTTP', async () => {
    const { chains } = await setup({ wsUrl: BOTH.wsUrl });
    const { node } = await chains.connect(1n);
    expect(await node.request('eth_gasPrice', [])).toBe('0x22');
  });

  it('is asked by HTTP while the socket is gone', async () => {
    const { chains, sockets, network } = await setup(BOTH);
    sockets.behaviour.onOpen = () => Promise.reject(new Error('refused'));
    const { node } = await chains.connect(1n);
    expect(await node.request('eth_gasPrice', [])).toBe('0x11');
    expect(await node.request('eth_gasPrice', [])).toBe('0x11');
    // After a failure it is left alone for a while.
    expect(sockets.opened).toHaveLength(1);
    expect(network.sent).toHaveLength(2);
  });

  it('knows of no head unless it is watched', async () => {
    const { chains, configure } = await setup(BOTH);
    expect((await chains.connect(1n)).head?.()).toBeUndefined();
    await configure({ rpcUrl: BOTH.rpcUrl });
    expect((await chains.connect(1n)).head).toBeUndefined();
  });

  it('loses it once it is configured no more', async () => {
    const { chains, sockets, configure } = await setup(BOTH);
    const { node } = await chains.connect(1n);
    await node.request('eth_gasPrice', []);
    await chains.closeUnused();
    expect(sockets.last().isClosed).toBe(false);
    await configure({ rpcUrl: BOTH.rpcUrl });
    await chains.closeUnused();
    expect(sockets.last().isClosed).toBe(true);
    // Who still holds the chain as it was goes on by HTTP.
    expect(await node.request('eth_gasPrice', [])).toBe('0x11');
    expect(sockets.opened).toHaveLength(1);
  });
});
