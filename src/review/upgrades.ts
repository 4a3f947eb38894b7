// Finds proxies whose code was replaced after their descriptor was published.
import type { NodeClient } from '../../packages/client/src';
import { larger, toQuantity } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { tryBriefly } from './ask';
import type { Pending } from './ask';
import { listCalls } from './effects';
import type { CallEffect } from './effects';

/** The version of the descriptors' package, and its publication time in s since 1970. */
export const DESCRIPTOR_RELEASE = { version: '0.20.1', at: 1_788_283_404n };

/** Upgraded(address) and BeaconUpgraded(address) (EIP-1967). */
const TOPICS: Hex[] = [
  '0xbc7cd75a20ee27fd9adebab32041f755214dbc6bffa90cc0225b39da2e5c2d3b',
  '0x1cf3b03a6cf19fa2baba4df148e9dcabedea7f8a5c07840e207e5c089be95d3e',
];

/** Number of recent blocks whose average block time is measured. */
const SAMPLE_BLOCKS = 10_000n;

/** Percentage of the estimated blocks since publication to search. Block times vary, and upgrades
 * before publication must not be reported. */
const SEARCHED_PERCENT = 95n;

/** Finds the described contracts with upgrade events; none if a query fails or is late, for example
 * because the node limits the block range of log queries. */
export function findUpgrades(
  describing: Promise<readonly CallEffect[]>,
  node: NodeClient,
): Pending<readonly Hex[]> {
  let found: readonly Hex[] = [];
  const search = async (): Promise<void> => {
    const described = listCalls(await describing).flatMap(({ to, description }) =>
      to && description ? [to] : [],
    );
    const contracts = [...new Set(described)];
    if (contracts.length === 0) return;
    const isUpgraded = await tryBriefly(async (signal) => {
      const range = await findRange(node, signal);
      if (!range) return [];
      return Promise.all(
        contracts.map(async (address) => {
          const filter = { address, topics: [TOPICS], ...range };
          const logs = await node.request('eth_getLogs', [filter], { signal });
          return logs.length > 0;
        }),
      );
    });
    found = contracts.filter((_address, index) => isUpgraded?.[index]);
  };
  const searched = search().catch(() => undefined);
  return { now: () => found, pending: () => searched };
}

async function findRange(
  node: NodeClient,
  signal: AbortSignal,
): Promise<{ fromBlock: Hex; toBlock: Hex } | undefined> {
  const read = async (
    block: Hex | 'latest',
  ): Promise<[number: bigint, time: bigint]> => {
    const found = await node.request('eth_getBlockByNumber', [block, false], {
      signal,
    });
    return [BigInt(found?.number ?? 0), BigInt(found?.timestamp ?? 0)];
  };
  const [newest, now] = await read('latest');
  const [older, then] = await read(toQuantity(larger(newest - SAMPLE_BLOCKS, 0n)));
  const age = now - DESCRIPTOR_RELEASE.at;
  if (age <= 0n || now <= then) return undefined;
  const blocks = (age * (newest - older)) / (now - then);
  const from = larger(newest - (blocks * SEARCHED_PERCENT) / 100n, 0n);
  return { fromBlock: toQuantity(from), toBlock: toQuantity(newest) };
}
