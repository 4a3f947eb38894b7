import { createChains } from '../../../src/chains/chain';
import type { Chains } from '../../../src/chains/chain';
import type { ChainRow } from '../../../src/state/chain-row';
import { openPrivateStore } from '../../../src/state/private-state';
import { errorOf, toWholeText } from '../../support/error-of';
import { answering, createFakeNetwork, serving } from '../../support/fake-fetch';
import type { FakeNetwork } from '../../support/fake-fetch';
import { createFakeNode } from '../../support/fake-node';
import type { FakeNode } from '../../support/fake-node';
import { createFakeLive } from '../../support/fake-socket';
import { createMemoryBackend } from '../../support/memory-backend';
import { refusalOf } from '../../support/refusal';

const KEY = 'k3y-of-the-user-0123456789abcdef';

type Bench = { chains: Chains; wallet: FakeNode; network: FakeNetwork };

/** A wallet on chain 7, and a server for every address at node.example and others. */
async function setup(
  row: ChainRow = {},
  scope = 'eip155:1' as const,
  maxAttempts = 1,
): Promise<Bench> {
  const store = openPrivateStore(createMemoryBackend());
  await store.update((state) => ({ ...state, chains: { [scope]: row } }));
  const wallet = createFakeNode({ eth_chainId: '0x7', eth_gasPrice: '0x77' });
  const network = createFakeNetwork();
  const node = createFakeNode({ eth_gasPrice: '0x11' });
  network.serve('https://node.example', serving(node));
  const { fetch } = network;
  const chains = createChains({
    isDevelopment: true,
    store,
    http: { fetch, retry: { maxAttempts } },
    live: createFakeLive(),
    requestWallet: wallet.request,
  });
  return { chains, wallet, network };
}

describe("the snap's own network", () => {
  it('is the one that the wallet tells', async () => {
    const { chains } = await setup();
    expect(await chains.own()).toBe(7n);
  });

  it('is asked for each time, since the user may change it', async () => {
    const { chains, wallet } = await setup();
    await chains.own();
    wallet.answers.eth_chainId = '0x8';
    expect(await chains.own()).toBe(8n);
  });

  it('is refused if the wallet answers with something else', async () => {
    const { chains, wallet } = await setup();
    wallet.answers.eth_chainId = 'seven';
    expect(await refusalOf(chains.own())).toStrictEqual({
      code: -32002,
      message:
        "eth_chainId at the wallet's node gave an invalid answer: result must be a hex quantity. Check that it is the right server.",
    });
  });
});

describe('the row of a chain', () => {
  it('is what was configured, and empty where nothing was', async () => {
    const { chains } = await setup({ rpcUrl: 'https://node.example' });
    expect(await chains.row(1n)).toStrictEqual({ rpcUrl: 'https://node.example' });
    expect(await chains.row(2n)).toStrictEqual({});
  });
});

describe('the node of a chain', () => {
  it.each([
    [{ rpcUrl: 'https://node.example' }, 'https://node.example'],
    [{ rpcUrl: 'https://node.example/' }, 'https://node.example/'],
    [{ rpcUrl: 'https://node.example/a/b?x=1' }, 'https://node.example/a/b?x=1'],
    [{ rpcUrl: 'https://node.example', apiKey: KEY }, `https://node.example/v3/${KEY}`],
    [
      { rpcUrl: 'https://node.example/', apiKey: KEY },
      `https://node.example/v3/${KEY}`,
    ],
    [
      { rpcUrl: 'https://node.example', apiKey: 'a/b?c' },
      'https://node.example/v3/a%2Fb%3Fc',
    ],
  ])('of %j is asked at %s', async (row, url) => {
    const { chains, network, wallet } = await setup(row);
    const { node, id } = await chains.connect(1n);
    expect(id).toBe(1n);
    expect(await node.request('eth_gasPrice', [])).toBe('0x11');
    expect(network.sent.map((request) => request.url)).toStrictEqual([url]);
    expect(wallet.calls).toStrictEqual([]);
  });

  it('is named without the key', async () => {
    const { chains } = await setup({
      rpcUrl: `https://gone.example/${KEY}`,
      apiKey: KEY,
    });
    const { node } = await chains.connect(1n);
    expect(node.label).toBe('https://gone.example/[redacted]');
    const error = await errorOf(() => node.request('eth_gasPrice', []));
    expect(error.message).toBe(
      'eth_gasPrice at https://gone.example/[redacted] could not be reached. ' +
        'Check the address and the connection.',
    );
    expect(toWholeText(error)).not.toContain(KEY);
  });

  it("is the wallet's for its own network where none is configured", async () => {
    const { chains, network } = await setup({ rpcUrl: 'https://node.example' });
    const { node } = await chains.connect(7n);
    expect(await node.request('eth_gasPrice', [])).toBe('0x77');
    expect(network.sent).toStrictEqual([]);
  });

  it("is never the wallet's for another network", async () => {
    const { chains, wallet } = await setup({ gasBaseUrl: 'https://gas.example' });
    expect(await refusalOf(chains.connect(1n))).toStrictEqual({
      code: -32002,
      message:
        "No node is configured for eip155:1, and it is not the snap's own network in the " +
        'wallet. Configure one with tollkeeper_setChain.',
    });
    expect(wallet.calls.map(({ method }) => method)).toStrictEqual(['eth_chainId']);
  });
});

describe('what is not configured', () => {
  it('is not there', async () => {
    const { chains } = await setup({ rpcUrl: 'https://node.example' });
    expect(Object.keys(await chains.connect(1n)).sort()).toStrictEqual(['id', 'node']);
  });
});

describe('the gas API of a chain', () => {
  it.each([
    [{}, 'https://gas.example/networks/1/suggestedGasFees', undefined],
    [
      { apiKey: KEY, apiKeySecret: 'secret' },
      'https://gas.example/networks/1/suggestedGasFees',
      `Basic ${btoa(`${KEY}:secret`)}`,
    ],
    [
      { apiKey: KEY },
      'https://gas.example/networks/1/suggestedGasFees',
      `Basic ${btoa(`${KEY}:`)}`,
    ],
    [
      { apiKey: KEY, gasAuth: 'path' as const },
      `https://gas.example/v3/${KEY}/networks/1/suggestedGasFees`,
      undefined,
    ],
  ])('is asked with the credentials %j', async (credentials, url, authorization) => {
    const row = {
      rpcUrl: 'https://node.example',
      gasBaseUrl: 'https://gas.example',
      ...credentials,
    };
    const { chains, network } = await setup(row);
    const { gas } = await chains.connect(1n);
    const error = await errorOf(() => gas?.suggestedGasFees(1n));
    expect(toWholeText(error)).not.toContain(KEY);
    expect(network.sent).toMatchObject([{ method: 'GET', url }]);
    expect(network.sent[0]?.headers.authorization).toBe(authorization);
  });

  it('is asked once where it is down: the fee history serves as well, at once', async () => {
    const row = { rpcUrl: 'https://node.example', gasBaseUrl: 'https://gas.example' };
    const { chains, network } = await setup(row, 'eip155:1', 2);
    network.serve('https://gas.example', answering({}, 503));
    const { gas } = await chains.connect(1n);
    await errorOf(() => gas?.suggestedGasFees(1n));
    expect(network.sent).toHaveLength(1);
  });
});
