// Chain data about addresses: native balances, code, and whether an address was ever used, which
// decides which accounts are restored.
import type { CaipAssetType } from '@metamask/utils';

import type { NodeClient } from '../../packages/client/src';
import { findChainId, findKnownChain, toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { toLower } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { toDecimal } from '../eth/units';
import { parse } from '../schema/parse';
import { converted, list } from '../schema/structs';
import type { Chains } from './chain';

/** Returns a chain's native asset: its CAIP-19 type, such as `eip155:1/slip44:60`, and the
 * currency's symbol. Unknown chains are assumed to use ether.
 * @see https://namespaces.chainagnostic.org/slip44/caip19 */
export function toNativeAsset(chainId: ChainId): { type: CaipAssetType; unit: string } {
  const { coinType = 60, unit = 'ETH' } = findKnownChain(chainId) ?? {};
  return { type: `${toCaip2(chainId)}/slip44:${coinType}`, unit };
}

function parseNativeAsset(assetType: string): ChainId | undefined {
  const [scope] = assetType.split('/', 1);
  const chainId = findChainId(scope);
  if (chainId === undefined) return undefined;
  return toNativeAsset(chainId).type === assetType ? chainId : undefined;
}

/** An exact amount of the native currency, as a decimal string. */
export type Balance = { amount: string; unit: string };

const DECIMALS = 18;

const NativeAssetsStruct = list(
  converted<ChainId>(
    "an EVM chain's native asset, such as eip155:1/slip44:60",
    (value) => typeof value === 'bigint',
    (value) => (typeof value === 'string' ? parseNativeAsset(value) : undefined),
  ),
  { max: 1_000 },
);

/** Fetches an address's balances of native assets (CAIP-19) at each chain's latest block.
 * Unreachable chains are omitted. Throws `InvalidParamsError` for any other asset, naming
 * its position, or the first failure if no chain is reachable. */
export async function fetchBalances(
  chains: Chains,
  address: Hex,
  assets: readonly string[],
): Promise<Record<CaipAssetType, Balance>> {
  const wanted = new Set(parse(assets, NativeAssetsStruct, 'params.assets'));
  const fetched = await Promise.allSettled(
    [...wanted].map(async (chainId) => {
      const { node } = await chains.connect(chainId);
      const wei = BigInt(await node.request('eth_getBalance', [address, 'latest']));
      const { type, unit } = toNativeAsset(chainId);
      return [type, { amount: toDecimal(wei, DECIMALS), unit }] as const;
    }),
  );
  const entries = fetched.flatMap((each) =>
    each.status === 'fulfilled' ? [each.value] : [],
  );
  const failed = fetched.find((each) => each.status === 'rejected');
  if (failed && entries.length === 0) throw failed.reason;
  return Object.fromEntries(entries);
}

/** `unknown` if no node answers. */
export type Deployment = 'deployed' | 'absent' | 'unknown';

/** The result is keyed by CAIP-2 id. Never rejects. */
export async function fetchDeployments(
  chains: Chains,
  address: Hex,
  chainIds: readonly ChainId[],
): Promise<Record<`eip155:${string}`, Deployment>> {
  const fetchDeployment = async (chainId: ChainId): Promise<[string, Deployment]> => {
    const scope = toCaip2(chainId);
    try {
      const { node } = await chains.connect(chainId);
      const code = await node.request('eth_getCode', [address, 'latest']);
      return [scope, code === '0x' ? 'absent' : 'deployed'];
    } catch {
      return [scope, 'unknown'];
    }
  };
  return Object.fromEntries(
    await Promise.all([...new Set(chainIds)].map(fetchDeployment)),
  );
}

export type Usage = {
  /** The chains where an address is used, by address in lower case. Unused addresses are absent. */
  used: Map<Hex, ChainId[]>;
  /** Chains with incomplete answers, where more accounts may be used. */
  unreachable: ChainId[];
};

type Findings = { chainId: ChainId; used: ReadonlySet<Hex>; isComplete: boolean };

const isPositive = (quantity: Hex): boolean => BigInt(quantity) > 0n;

/** Finds the chains where addresses are used: they have sent a transaction, or have a balance or
 * code at the latest block. Queries every chain that has a node, except `excluded`. If a chain
 * fails, its earlier answers still count. */
export async function fetchUsage(
  chains: Chains,
  addresses: readonly Hex[],
  excluded: ReadonlySet<ChainId>,
): Promise<Usage> {
  const wanted = [...new Set(addresses.map(toLower))];
  const asked = (await chains.list()).filter((chainId) => !excluded.has(chainId));
  const findings = await Promise.all(
    asked.map(async (chainId) => search(chains, wanted, chainId)),
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
    // Started in one tick, so all calls share a batch.
    const found = await Promise.all(
      addresses.map(async (each) => checkAddress(node, each)),
    );
    return {
      chainId,
      used: new Set(addresses.filter((_address, index) => found[index]?.isUsed)),
      isComplete: found.every(({ isComplete }) => isComplete),
    };
  } catch {
    return { chainId, used: new Set(), isComplete: false };
  }
}

async function checkAddress(
  node: NodeClient,
  address: Hex,
): Promise<{ isUsed: boolean; isComplete: boolean }> {
  const checks = await Promise.allSettled([
    node.request('eth_getTransactionCount', [address, 'latest']).then(isPositive),
    node.request('eth_getBalance', [address, 'latest']).then(isPositive),
    node.request('eth_getCode', [address, 'latest']).then((code) => code !== '0x'),
  ]);
  return {
    isUsed: checks.some((check) => check.status === 'fulfilled' && check.value),
    isComplete: checks.every(({ status }) => status === 'fulfilled'),
  };
}

function toChainIds(findings: readonly Findings[]): ChainId[] {
  return findings.map(({ chainId }) => chainId);
}
