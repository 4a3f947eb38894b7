// On which chains a smart account is deployed already.
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import type { Hex } from '../eth/hex';
import type { Chains } from './chain';

/** Whether there is code at an address; unknown if no node tells. */
export type Deployment = 'deployed' | 'absent' | 'unknown';

/** Fetch what stands at an address on each of the chains, by CAIP-2 id; never fails. */
export async function fetchDeployments(
  chains: Chains,
  address: Hex,
  chainIds: readonly ChainId[],
): Promise<Record<`eip155:${string}`, Deployment>> {
  const entries = await Promise.all(
    [...new Set(chainIds)].map(async (chainId): Promise<[string, Deployment]> => [
      toCaip2(chainId),
      await fetchDeployment(chains, address, chainId),
    ]),
  );
  return Object.fromEntries(entries);
}

async function fetchDeployment(
  chains: Chains,
  address: Hex,
  chainId: ChainId,
): Promise<Deployment> {
  try {
    const { node } = await chains.connect(chainId);
    const code = await node.request('eth_getCode', [address, 'latest']);
    return code === '0x' ? 'absent' : 'deployed';
  } catch {
    return 'unknown';
  }
}
