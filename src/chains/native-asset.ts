// The coin that fees are paid in, chain by chain, as CAIP-19 names it.
import type { CaipAssetType } from '@metamask/utils';

import { ChainIdStruct, toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { findKnownChain } from '../eth/known-chains';
import { validate } from '../parse';

/** A chain's native asset. */
export type NativeAsset = {
  /** CAIP-19 asset type, such as `eip155:1/slip44:60`. */
  type: CaipAssetType;
  /** Symbol of the whole coin, which has 18 decimals. */
  unit: string;
};

const ETHER = { coinType: 60, unit: 'ETH' };

/**
 * Write a chain's native asset; on a chain that is not known here it is taken for ether.
 *
 * @see https://namespaces.chainagnostic.org/slip44/caip19
 */
export function toNativeAsset(chainId: ChainId): NativeAsset {
  const { coinType, unit } = findKnownChain(chainId) ?? ETHER;
  return { type: `${toCaip2(chainId)}/slip44:${coinType}`, unit };
}

/** Read which chain's native asset it is; undefined if it is none of an EVM chain. */
export function parseNativeAsset(assetType: string): ChainId | undefined {
  const [scope] = assetType.split('/', 1);
  const chain = validate(scope, ChainIdStruct);
  if (!('value' in chain)) return undefined;
  return toNativeAsset(chain.value).type === assetType ? chain.value : undefined;
}
