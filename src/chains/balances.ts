// What an address has of its chains' native coins, as keyring_getAccountBalances answers.
import type { CaipAssetType } from '@metamask/utils';

import type { ChainId } from '../eth/chain';
import { toDecimal } from '../eth/decimal';
import type { Hex } from '../eth/hex';
import { parse } from '../parse';
import { converted, list } from '../structs';
import type { Chains } from './chain';
import { parseNativeAsset, toNativeAsset } from './native-asset';

/** An amount of whole coins, exactly, as a decimal string. */
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

/**
 * Fetch the balances of an address, at the latest block of each chain.
 *
 * @param assets - Native assets (CAIP-19). Each is answered once; those of chains that
 * cannot be asked now are left out.
 * @throws {InvalidParamsError} If one is another asset, naming its position.
 * @throws The first failure, if there are assets and no chain of them can be asked.
 */
export async function fetchBalances(
  chains: Chains,
  address: Hex,
  assets: readonly string[],
): Promise<Record<CaipAssetType, Balance>> {
  const wanted = new Set(parse(assets, NativeAssetsStruct, 'params.assets'));
  const fetched = await Promise.allSettled(
    [...wanted].map(async (chainId) => fetchBalance(chains, address, chainId)),
  );
  const entries = fetched.flatMap((each) =>
    each.status === 'fulfilled' ? [each.value] : [],
  );
  const failed = fetched.find((each) => each.status === 'rejected');
  if (failed && entries.length === 0) throw failed.reason;
  return Object.fromEntries(entries);
}

async function fetchBalance(
  chains: Chains,
  address: Hex,
  chainId: ChainId,
): Promise<[CaipAssetType, Balance]> {
  const { node } = await chains.connect(chainId);
  const wei = BigInt(await node.request('eth_getBalance', [address, 'latest']));
  const { type, unit } = toNativeAsset(chainId);
  return [type, { amount: toDecimal(wei, DECIMALS), unit }];
}
