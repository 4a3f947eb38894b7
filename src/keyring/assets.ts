// What MetaMask may ask about an account beside itself: native assets of the chains
// that are reached, and which address a dapp's request is for.
import type { CaipAssetType } from '@metamask/keyring-api';

import { serves } from '../accounts/record';
import type { AccountRepository } from '../accounts/repository';
import { toNativeAsset } from '../chains/addresses';
import type { Chains } from '../chains/chain';
import { ChainIdStruct, toCaip2 } from '../eth/chain';
import { findMethod } from '../methods';
import type { RouteServices } from '../methods';
import { parse } from '../schema/parse';
import type { AccountRecord } from '../state/account-record';

/** What finding assets needs. */
export type AssetServices = {
  chains: Chains;
  repository: Pick<AccountRepository, 'findByAddress'>;
  findSent: RouteServices['findSent'];
};

/** A request whose account is to be found: CAIP-2 scope, method and params. */
export type UnresolvedRequest = {
  scope: string;
  request: { method: string; params?: unknown };
};

/** List the native assets (CAIP-19) of the chains that an account serves and that we reach. */
export async function listAssets(
  account: AccountRecord,
  { chains }: Pick<AssetServices, 'chains'>,
): Promise<CaipAssetType[]> {
  const reached = await chains.list();
  return reached
    .filter((chainId) => serves(account, chainId))
    .map((chainId) => toNativeAsset(chainId).type);
}

/**
 * Find the account that a request names in its params, as a CAIP-10 account.
 *
 * @returns Null if it names none, or none of ours that serves the chain.
 * @throws {InvalidParamsError} If the params are not those of the method.
 */
export async function resolveAddress(
  { scope, request }: UnresolvedRequest,
  { repository, findSent }: Pick<AssetServices, 'repository' | 'findSent'>,
): Promise<{ address: `${string}:${string}:${string}` } | null> {
  const root = 'keyring_resolveAccountAddress: params.scope';
  const chainId = parse(scope, ChainIdStruct, root);
  const method = findMethod(request.method);
  const found = method?.findAddresses(request.params ?? [], { findSent });
  for (const address of (await found) ?? []) {
    const account = await repository.findByAddress(address);
    if (account && serves(account, chainId)) {
      return { address: `${toCaip2(chainId)}:${account.address}` };
    }
  }
  return null;
}
