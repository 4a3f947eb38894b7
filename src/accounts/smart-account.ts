// The contracts and the address of an ERC-4337 account that is to be created.
import type { ChainId } from '../eth/chain';
import { ChainIdStruct, toCaip2 } from '../eth/chain';
import {
  DEFAULT_ENTRY_POINT,
  entryPoints,
  isCanonicalFactory,
} from '../eth/entry-point';
import type { EntryPointVersion } from '../eth/entry-point';
import type { Hex } from '../eth/hex';
import { computeAccountAddress } from '../eth/smart-account';
import type { SmartAccountOrigin } from '../eth/smart-account';
import { parse } from '../parse';
import type { CreateAccountOptions } from './options';

/** What creating a smart account asks of its chain. */
export type SmartAccountServices = {
  /** Fetch the snap's own network in the wallet. */
  ownChain: () => Promise<ChainId>;
  /** Get the contracts that are configured for a chain. */
  contractsOf: (chainId: ChainId) => Promise<{
    entryPoint?: EntryPointVersion | undefined;
    factory?: Hex | undefined;
  }>;
  /** Ask a factory on a chain for the address that it will give an account. */
  fetchAccountAddress: (origin: SmartAccountOrigin, chainId: ChainId) => Promise<Hex>;
  /** Compare a computed address with what the factory says, where a node is there. */
  checkAccountAddress: (
    account: SmartAccountOrigin & { address: Hex },
    chainId: ChainId,
  ) => Promise<void>;
};

/** Where an account will be: its parameters, its address, its chains. */
export type SmartAccountPlace = SmartAccountOrigin & {
  address: Hex;
  scopes: `eip155:${string}`[];
};

/**
 * Decide the contracts, the address and the scopes of a new account: what the options
 * say, else what its first chain is configured for, else the canonical contracts.
 *
 * @throws {InvalidParamsError} If there is no such factory on the first chain.
 * @throws {UnavailableError} If the canonical factory contradicts the computed address.
 */
export async function placeSmartAccount(
  { scopes: wanted, salt = 0n, ...options }: CreateAccountOptions,
  owner: Hex,
  services: SmartAccountServices,
): Promise<SmartAccountPlace> {
  const scopes = wanted ?? [toCaip2(await services.ownChain())];
  const chainId = parse(scopes[0], ChainIdStruct, 'scope');
  const configured = await services.contractsOf(chainId);
  const entryPoint = options.entryPoint ?? configured.entryPoint ?? DEFAULT_ENTRY_POINT;
  const isConfigured = entryPoint === (configured.entryPoint ?? DEFAULT_ENTRY_POINT);
  const factory =
    options.factory ??
    (isConfigured ? configured.factory : undefined) ??
    entryPoints[entryPoint].factory;
  const origin = { entryPoint, factory: toLower(factory), owner, salt };
  const address = toLower(await findAddress(origin, chainId, services));
  return { ...origin, address, scopes };
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
