// EIP-7702 authorizations of our accounts, and the contracts that accounts may delegate to.
import type { EntryPointVersion } from './entry-points';
import { isSameAddress, withQuantities, ZERO_ADDRESS } from './hex';
import type { Hex } from './hex';
import type { Authorization } from './payload';

export type Implementation = {
  name: string;
  entryPoint: EntryPointVersion;
  address: Hex;
  /** keccak256 of its deployed code. */
  codeHash: Hex;
};

/** The offered contracts, newest first. Both let only the account itself and their EntryPoint make
 * calls. */
export const implementations: readonly Implementation[] = [
  {
    name: 'Simple7702Account',
    entryPoint: '0.9',
    address: '0xa46cc63eBF4Bd77888AA327837d20b23A63a56B5',
    codeHash: '0xc443c078781889c491bf2b29230504c029e910018b6be8ee67f4e36422b9d8cb',
  },
  {
    name: 'Simple7702Account',
    entryPoint: '0.8',
    address: '0xe6Cae83BdE06E4c305530e199D7217f42808555B',
    codeHash: '0xcc7b633aef4b2543cb8f37522adf1a401f910f0f6b2430c1eecc11f401ccfcf3',
  },
];

export function findImplementation(address: Hex): Implementation | undefined {
  return implementations.find((each) => isSameAddress(each.address, address));
}

/** Returns whether an authorization is our own and unsigned, with zeros as its signature. `r` is
 * never zero in a caller's authorization. */
export function isOwnAuthorization({ r }: { r?: bigint }): boolean {
  return r === 0n;
}

/** Converts an authorization into the form of nodes: every quantity as minimal hex. */
export function toAuthorizationJson({
  authority: _authority,
  ...authorization
}: Authorization): Record<Exclude<keyof Authorization, 'authority'>, Hex> {
  return withQuantities(authorization) as ReturnType<typeof toAuthorizationJson>;
}

/** Returns whether an authorization may be signed: it is for one chain, and for an offered contract
 * or the zero address, which revokes. */
export function isOffered({ chainId, address }: Authorization): boolean {
  const isKnown =
    isSameAddress(address, ZERO_ADDRESS) || findImplementation(address) !== undefined;
  return isKnown && chainId !== 0n;
}
