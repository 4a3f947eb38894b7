// Which addresses were used, and on which chains: how accounts that were made before are
// found again.
import type { NodeClient } from '../client';
import type { ChainId } from '../eth/chain';
import type { Hex } from '../eth/hex';
import type { Chains } from './chain';

/** What is known of the use of addresses. */
export type Usage = {
  /** The chains where an address is used, by address in lower case; no others are here. */
  used: Map<Hex, ChainId[]>;
  /** The chains that did not tell everything: more may be used there. */
  unreachable: ChainId[];
};

/** What one chain tells. */
type Findings = { chainId: ChainId; used: ReadonlySet<Hex>; isComplete: boolean };

/** Tells a quantity from zero. */
const isPositive = (quantity: Hex): boolean => BigInt(quantity) > 0n;

/**
 * Fetch where addresses are used: where they have sent a transaction, have coins, or have
 * code, at the latest block. Every chain that has a node is asked; what a chain tells
 * before it fails counts.
 *
 * @param chains - The chains.
 * @param addresses - The addresses.
 * @param unasked - Chains that are not asked.
 */
export async function fetchUsage(
  chains: Chains,
  addresses: readonly Hex[],
  unasked: ReadonlySet<ChainId> = new Set(),
): Promise<Usage> {
  const wanted = [...new Set(addresses.map(toLower))];
  const listed = await chains.list();
  const findings = await Promise.all(
    listed
      .filter((chainId) => !unasked.has(chainId))
      .map(async (chainId) => search(chains, wanted, chainId)),
  );
  const rows = wanted.map((address): [Hex, ChainId[]] => [
    address,
    toChainIds(findings.filter(({ used }) => used.has(address))),
  ]);
  return {
    used: new Map(rows.filter(([, chainIds]) => chainIds.length > 0)),
    unreachable: toChainIds(findings.filter(({ isComplete }) => !isComplete)),
  };
}

async function search(
  chains: Chains,
  addresses: readonly Hex[],
  chainId: ChainId,
): Promise<Findings> {
  try {
    const { node } = await chains.connect(chainId);
    // Begun in one tick, so that all calls go as one batch.
    const found = await Promise.all(addresses.map(async (each) => look(node, each)));
    return {
      chainId,
      used: new Set(addresses.filter((_address, index) => found[index]?.isUsed)),
      isComplete: found.every(({ isComplete }) => isComplete),
    };
  } catch {
    return { chainId, used: new Set(), isComplete: false };
  }
}

async function look(
  node: NodeClient,
  address: Hex,
): Promise<{ isUsed: boolean; isComplete: boolean }> {
  const signs = await Promise.allSettled([
    node.request('eth_getTransactionCount', [address, 'latest']).then(isPositive),
    node.request('eth_getBalance', [address, 'latest']).then(isPositive),
    node.request('eth_getCode', [address, 'latest']).then((code) => code !== '0x'),
  ]);
  return {
    isUsed: signs.some((sign) => sign.status === 'fulfilled' && sign.value),
    isComplete: signs.every(({ status }) => status === 'fulfilled'),
  };
}

function toChainIds(findings: readonly Findings[]): ChainId[] {
  return findings.map(({ chainId }) => chainId);
}

function toLower(address: Hex): Hex {
  return address.toLowerCase() as Hex;
}
