import { createChains } from '../../../src/chains/chain';
import type { Chains } from '../../../src/chains/chain';
import type { ChainRow } from '../../../src/state/chain-row';
import { openPrivateStore } from '../../../src/state/private-state';
import { plain, toOurs } from '../../fixtures/eth/user-operation';
import { createFakeNetwork, serving } from '../../support/fake-fetch';
import type { FakeNetwork } from '../../support/fake-fetch';
import { createFakeNode } from '../../support/fake-node';
import { createFakeLive } from '../../support/fake-socket';
import { createMemoryBackend } from '../../support/memory-backend';

const KEY = 'k3y-of-the-user-0123456789abcdef';

const ESTIMATE = {
  callGasLimit: '0x1',
  verificationGasLimit: '0x2',
  preVerificationGas: '0x3',
};

async function setup(row: ChainRow): Promise<{ chains: Chains; network: FakeNetwork }> {
  const store = openPrivateStore(createMemoryBackend());
  await store.update((state) => ({ ...state, chains: { 'eip155:1': row } }));
  const network = createFakeNetwork();
  const node = createFakeNode({ eth_estimateUserOperationGas: ESTIMATE });
  network.serve('https://bundler.example', serving(node));
  const { fetch } = network;
  const wallet = createFakeNode();
  const chains = createChains({
    isDevelopment: true,
    store,
    http: { fetch },
    live: createFakeLive(),
    requestWallet: wallet.request,
  });
  return { chains, network };
}

describe('the bundler of a chain', () => {
  const row = {
    rpcUrl: 'https://node.example',
    bundlerUrl: 'https://bundler.example/v2',
  };

  it('is asked with its key as the last segment of the path', async () => {
    const { chains, network } = await setup({ ...row, bundlerApiKey: KEY });
    const { bundler } = await chains.connect(1n);
    const estimate = bundler?.client.estimate(toOurs(plain, '0.6'), '0.6');
    expect(await estimate).toMatchObject({ callGasLimit: 1n, preVerificationGas: 3n });
    expect(network.sent[0]?.url).toBe(`https://bundler.example/v2/${KEY}`);
  });

  it('is not asked twice for a price by a method that it has not', async () => {
    const { chains, network } = await setup({ ...row, bundlerApiKey: KEY });
    const first = await chains.connect(1n);
    expect(await first.bundler?.client.findFloor()).toBeUndefined();
    const again = await chains.connect(1n);
    expect(await again.bundler?.client.findFloor()).toBeUndefined();
    expect(network.sent).toHaveLength(1);
  });

  it('has an address with the key for MetaMask and one without for dapps', async () => {
    const { chains } = await setup({ ...row, bundlerApiKey: KEY });
    expect((await chains.connect(1n)).bundler).toMatchObject({
      secretUrl: `https://bundler.example/v2/${KEY}`,
      publicUrl: 'https://bundler.example/v2',
    });
  });

  it('has a public address without a key that was pasted into the URL', async () => {
    const pasted = {
      ...row,
      bundlerUrl: `https://bundler.example/${KEY}?apikey=${KEY}`,
    };
    const { chains } = await setup(pasted);
    const { bundler } = await chains.connect(1n);
    expect(bundler?.publicUrl).not.toContain(KEY);
    expect(bundler?.secretUrl).toBe(pasted.bundlerUrl);
  });
});
