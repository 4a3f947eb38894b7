// Smart accounts: their counterfactual addresses and their deployment.
import { hexToBytes } from '@metamask/utils';

import { encodeArguments, encodeCall } from './abi';
import { computeCreate2Address, computeCreateAddress } from './create-address';
import { concatHex, isSameAddress, toPaddedHex } from './hex';
import type { Hex } from './hex';
import {
  computeSafeAddress,
  encodeSafeCreation,
  SAFE_ENTRY_POINT,
  SAFE_FACTORY,
} from './safe';
import { entryPoints, entryPointVersions } from './user-operation';
import type { EntryPointVersion } from './user-operation';

/**
 * Creation code of the proxies that the canonical factories deploy, without the constructor's
 * arguments: an ERC-1967 proxy (OpenZeppelin, MIT) for each version's SimpleAccountFactory, and
 * SafeProxy (Safe, LGPL-3.0). An account's address is a hash over it, so with it the address is
 * computed without trusting a node. The tests compare it with what the factories deploy.
 */
export type ProxyCode = Record<EntryPointVersion | 'safe', Hex>;

/** The contract of accounts, a SimpleAccount or a Safe, and its factory. */
type AccountContract = {
  implementation?: 'safe';
  entryPoint: EntryPointVersion;
  factory: Hex;
};

/** The parameters by which a factory creates an account. */
export type SmartAccountOrigin = AccountContract & { owner: Hex; salt: bigint };

/** The contracts of the accounts that an owner can have without naming any: a SimpleAccount of each
 * EntryPoint, and a Safe. */
export const canonicalContracts: readonly AccountContract[] = [
  ...entryPointVersions.map((entryPoint) => ({
    entryPoint,
    factory: entryPoints[entryPoint].factory,
  })),
  { implementation: 'safe', entryPoint: SAFE_ENTRY_POINT, factory: SAFE_FACTORY },
];

/** Returns whether a factory is the canonical one for its contract and EntryPoint. */
export function isCanonical(contract: AccountContract): boolean {
  const { implementation, entryPoint, factory } = contract;
  return canonicalContracts.some(
    (each) =>
      each.implementation === implementation &&
      each.entryPoint === entryPoint &&
      isSameAddress(each.factory, factory),
  );
}

/**
 * Computes the address that the factory will give an account (CREATE2), without a node.
 *
 * @param origin - Of a SimpleAccount, its factory must be the SimpleAccountFactory of that
 * version: the code is that of the first contract that it created.
 */
export function computeAccountAddress(
  origin: SmartAccountOrigin,
  proxies: ProxyCode,
): Hex {
  if (origin.implementation === 'safe') return computeSafeAddress(origin, proxies.safe);
  const factory = hexToBytes(origin.factory);
  const implementation = computeCreateAddress(origin.factory, 1n);
  const initialize = encodeCall('initialize(address)', [origin.owner]);
  const initCode = concatHex(
    proxies[origin.entryPoint],
    encodeArguments(['address', 'bytes'], [implementation, initialize]),
  );
  const salt = hexToBytes(toPaddedHex(origin.salt, 32));
  return computeCreate2Address(factory, salt, hexToBytes(initCode));
}

/** Encodes the call to its factory that deploys an account. */
export function encodeCreation(origin: SmartAccountOrigin): Hex {
  const { implementation, owner, salt } = origin;
  return implementation === 'safe'
    ? encodeSafeCreation({ owner, salt })
    : encodeCall('createAccount(address,uint256)', [owner, salt]);
}

/** Encodes an account's deployment: the factory's address and its call. */
export function encodeInitCode(origin: SmartAccountOrigin): Hex {
  return concatHex(origin.factory, encodeCreation(origin));
}

/** Ends a signature that says how its account is deployed. */
const UNDEPLOYED_SUFFIX: Hex = `0x${'6492'.repeat(16)}`;

/**
 * Writes the signature of an account that has no code yet, with its deployment, which verifiers
 * carry out before they ask the contract.
 *
 * @see https://eips.ethereum.org/EIPS/eip-6492
 */
export function wrapUndeployed(signature: Hex, origin: SmartAccountOrigin): Hex {
  const parts = [origin.factory, encodeCreation(origin), signature];
  return concatHex(
    encodeArguments(['address', 'bytes', 'bytes'], parts),
    UNDEPLOYED_SUFFIX,
  );
}
