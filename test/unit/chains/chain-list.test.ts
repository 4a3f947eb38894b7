import { createChains } from '../../../src/chains/chain';
import type { Chains } from '../../../src/chains/chain';
import { openPrivateStore } from '../../../src/state/private-state';
import type { PrivateState } from '../../../src/state/private-state';
import { createFakeNode, refuses } from '../../support/fake-node';
import type { FakeNode, NodeAnswers } from '../../support/fake-node';
import { createFakeLive } from '../../support/fake-socket';
import { createMemoryBackend } from '../../support/memory-backend';

const rpcUrl = 'https://node.example';
const wsUrl = 'wss://node.example';

/** A wallet on chain 7 and configured chains. */
async function setup(
  rows: PrivateState['chains'],
  answers: NodeAnswers = { eth_chainId: '0x7' },
): Promise<{ chains: Chains; wallet: FakeNode }> {
  const store = openPrivateStore(createMemoryBackend());
  await store.update((state) => ({ ...state, chains: rows }));
  const wallet = createFakeNode(answers);
  const chains = createChains({
    isDevelopment: true,
    store,
    http: { fetch },
    live: createFakeLive(),
    requestWallet: wallet.request,
  });
  return { chains, wallet };
}

describe('the list of chains', () => {
  it("is the snap's own network, then those that have a node, each once", async () => {
    const { chains } = await setup({
      'eip155:9': { rpcUrl },
      'eip155:7': { rpcUrl, wsUrl },
      'eip155:2': { wsUrl },
      'eip155:3': { gasBaseUrl: 'https://gas.example' },
      'eip155:4': {},
    });
    expect(await chains.list()).toStrictEqual([7n, 9n, 2n]);
  });

  it('asks the wallet each time, since the user may change it', async () => {
    const { chains, wallet } = await setup({});
    expect(await chains.list()).toStrictEqual([7n]);
    wallet.answers.eth_chainId = '0x8';
    expect(await chains.list()).toStrictEqual([8n]);
  });

  it.each([
    ['refuses', refuses({ code: 4900, message: 'disconnected' })],
    ['answers with something else', 'seven'],
  ])('is that of the configured ones where the wallet %s', async (_what, answer) => {
    const { chains } = await setup({ 'eip155:1': { rpcUrl } }, { eth_chainId: answer });
    expect(await chains.list()).toStrictEqual([1n]);
  });

  it('is empty where there is nothing', async () => {
    const { chains } = await setup({}, {});
    expect(await chains.list()).toStrictEqual([]);
  });
});
