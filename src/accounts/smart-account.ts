// The contracts and the address of an ERC-4337 account that is to be created.
import { InvalidParamsError } from '../errors';
import { ChainIdStruct, toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import type { Hex } from '../eth/hex';
import { computeAccountAddress } from '../eth/smart-account';
import type { SmartAccountOrigin } from '../eth/smart-account';
import { entryPoints, isCanonicalFactory } from '../eth/user-operation';
import type { EntryPointVersion } from '../eth/user-operation';
import { parse } from '../schema/parse';
import type { CreateAccountOptions } from './options';
import type { SmartAccountPlace } from './record';

/** What creating a smart account asks of its chain. */
export type SmartAccountServices = {
  /** Fetch the snap's own network in the wallet. */
  ownChain: () => Promise<ChainId>;
  /** Get the contracts that are configured for a chain. */
  contractsOf: (chainId: ChainId) => Promise<{
    entryPoint?: EntryPointVersion | undefined;
    factory?: Hex | undefined;
  }>;
  /** Find the newest EntryPoint that a chain's bundler serves. */
  newestEntryPoint: (chainId: ChainId) => Promise<EntryPointVersion>;
  /** Ask a factory on a chain for the address that it will give an account. */
  fetchAccountAddress: (origin: SmartAccountOrigin, chainId: ChainId) => Promise<Hex>;
  /** Compare a computed address with what the factory says, where a node is there. */
  checkAccountAddress: (
    account: SmartAccountOrigin & { address: Hex },
    chainId: ChainId,
  ) => Promise<void>;
};

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
  services: Pick<SmartAccountServices, 'ownChain' | 'contractsOf' | 'newestEntryPoint'>,
): Promise<SmartAccountPlan> {
  const scopes = wanted ?? [toCaip2(await services.ownChain())];
  const chainId = firstChain(scopes);
  const configured = await services.contractsOf(chainId);
  const named = options.entryPoint ?? configured.entryPoint;
  if (named === undefined && options.factory !== undefined) {
    throw new InvalidParamsError(
      'options.factory needs options.entryPoint, which says which EntryPoint it is for.',
    );
  }
  const entryPoint = named ?? (await services.newestEntryPoint(chainId));
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
  services: SmartAccountServices,
): Promise<SmartAccountPlace> {
  const { scopes, ...contracts } = plan;
  const origin = { ...contracts, owner };
  const address = await findAddress(origin, firstChain(scopes), services);
  return { ...origin, address: toLower(address), scopes };
}

function firstChain(scopes: SmartAccountPlan['scopes']): ChainId {
  return parse(scopes[0], ChainIdStruct, 'scope');
}

// Only the canonical factory's proxy is known here; another one has to be asked.
async function findAddress(
  origin: SmartAccountOrigin,
  chainId: ChainId,
  services: SmartAccountServices,
): Promise<Hex> {
  if (!isCanonicalFactory(origin.entryPoint, origin.factory)) {
    return services.fetchAccountAddress(origin, chainId);
  }
  const address = computeAccountAddress(origin);
  await services.checkAccountAddress({ ...origin, address }, chainId);
  return address;
}

function toLower(address: Hex): Hex {
  return address.toLowerCase() as Hex;
}
