// The contracts and the address of an ERC-4337 account that is to be created.
import type { Chains } from '../chains/chain';
import {
  checkAccountAddress,
  fetchAccountAddress,
  fetchNewestEntryPoint,
} from '../chains/contracts';
import { InvalidParamsError } from '../errors';
import { ChainIdStruct, toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import type { Hex } from '../eth/hex';
import { computeAccountAddress } from '../eth/smart-account';
import type { SmartAccountOrigin } from '../eth/smart-account';
import { entryPoints, isCanonicalFactory } from '../eth/user-operation';
import { parse } from '../schema/parse';
import type { CreateAccountOptions } from './options';
import type { SmartAccountPlace } from './record';

/** The contracts and the chains of an account, which are chosen before its owner. */
export type SmartAccountPlan = Omit<SmartAccountOrigin, 'owner'> & {
  scopes: `eip155:${string}`[];
};

/**
 * Choose the contracts and the chains of a new account: what the options say, else what its
 * first chain is configured for, else the canonical contracts of the newest EntryPoint that
 * the chain's bundler serves.
 *
 * @throws {InvalidParamsError} If nothing says which EntryPoint a factory is for.
 */
export async function planSmartAccount(
  { scopes: wanted, salt = 0n, ...options }: CreateAccountOptions,
  chains: Chains,
): Promise<SmartAccountPlan> {
  const scopes = wanted ?? [toCaip2(await chains.own())];
  const chainId = firstChain(scopes);
  const configured = await chains.row(chainId);
  const named = options.entryPoint ?? configured.entryPoint;
  if (named === undefined && options.factory !== undefined) {
    throw new InvalidParamsError(
      'options.factory needs options.entryPoint, which says which EntryPoint it is for.',
    );
  }
  const entryPoint = named ?? (await fetchNewestEntryPoint(chains, chainId));
  const isConfigured = entryPoint === configured.entryPoint;
  const factory =
    options.factory ??
    (isConfigured ? configured.factory : undefined) ??
    entryPoints[entryPoint].factory;
  return { entryPoint, factory: toLower(factory), salt, scopes };
}

/**
 * Find the address that an owner's account will have.
 *
 * @throws {InvalidParamsError} If there is no such factory on the first chain.
 * @throws {UnavailableError} If the canonical factory contradicts the computed address.
 */
export async function placeSmartAccount(
  plan: SmartAccountPlan,
  owner: Hex,
  chains: Chains,
): Promise<SmartAccountPlace> {
  const { scopes, ...contracts } = plan;
  const origin = { ...contracts, owner };
  const address = await findAddress(origin, firstChain(scopes), chains);
  return { ...origin, address: toLower(address), scopes };
}

function firstChain(scopes: SmartAccountPlan['scopes']): ChainId {
  return parse(scopes[0], ChainIdStruct, 'scope');
}

// Only the canonical factory's proxy is known here; another one has to be asked.
async function findAddress(
  origin: SmartAccountOrigin,
  chainId: ChainId,
  chains: Chains,
): Promise<Hex> {
  if (!isCanonicalFactory(origin.entryPoint, origin.factory)) {
    return fetchAccountAddress(chains, origin, chainId);
  }
  const address = computeAccountAddress(origin);
  await checkAccountAddress(chains, { ...origin, address }, chainId);
  return address;
}

function toLower(address: Hex): Hex {
  return address.toLowerCase() as Hex;
}
