// Chains with a node each, for what asks several of them at once.
import { createChains } from '../../src/chains/chain';
import type { Chains } from '../../src/chains/chain';
import { openPrivateStore } from '../../src/state/private-state';
import { createFakeNetwork, serving } from './fake-fetch';
import type { FakeNetwork } from './fake-fetch';
import { createFakeNode } from './fake-node';
import type { FakeNode } from './fake-node';
import { createFakeLive } from './fake-socket';
import { createMemoryBackend } from './memory-backend';

/** Chains, and what stands behind them. */
export type ChainBench = {
  chains: Chains;
  network: FakeNetwork;
  /** The wallet's provider; without answers, it fails whatever it is asked. */
  wallet: FakeNode;
};

/** Get the address of a chain's node. */
export function urlOf(chainId: number): string {
  return `https://node-${chainId}.example`;
}

/**
 * Configure chains.
 *
 * @param nodes - The node of each by chain id; one that is undefined is not reachable.
 */
export async function createChainBench(
  nodes: Record<number, FakeNode | undefined>,
  wallet = createFakeNode(),
): Promise<ChainBench> {
  const store = openPrivateStore(createMemoryBackend());
  const network = createFakeNetwork();
  const rows = Object.entries(nodes).map(([id, node]) => {
    const rpcUrl = urlOf(Number(id));
    if (node) network.serve(rpcUrl, serving(node));
    return [`eip155:${id}`, { rpcUrl }];
  });
  const configured = Object.fromEntries(rows) as Record<string, { rpcUrl: string }>;
  await store.update((state) => ({ ...state, chains: configured }));
  const chains = createChains({
    isDevelopment: true,
    store,
    http: { fetch: network.fetch, retry: { maxAttempts: 1 } },
    live: createFakeLive(),
    requestWallet: wallet.request,
  });
  return { chains, network, wallet };
}
