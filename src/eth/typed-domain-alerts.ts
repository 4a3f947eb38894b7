// What is remarkable about whom typed data are for: chain, contract, site.
import { matches, validate } from '../schema/parse';
import { ChainIdStruct } from './chain';
import type { ChainId } from './chain';
import { findQuantity, isSameAddress, NodeAddressStruct } from './hex';
import type { Hex } from './hex';
import type { SigningContext } from './message-alerts';
import { ZERO_ADDRESS } from './operation-cost';
import { hostOf } from './origin';
import type { TypedData } from './typed-data';
import type { Shape } from './typed-shape';
import { valuesAt } from './typed-tree';

/** What is remarkable about whom typed data are for. */
export type DomainAlert =
  /** It names no chain, so that it is valid on every one. */
  | { kind: 'everyChain' }
  | { kind: 'foreignChain'; chainId: ChainId }
  /** `isKnown`: it is of a shape that contracts take. */
  | { kind: 'noContract'; isKnown: boolean }
  /** Likewise; some sites, which check it themselves, write it for none. */
  | { kind: 'zeroContract'; isKnown: boolean }
  /** Its contract is an account of the user's. */
  | { kind: 'ownContract'; address: Hex }
  | { kind: 'noCode'; address: Hex }
  | { kind: 'signInDomain'; domain: string };

/** Who is asked by whom, and what was found out beside the document. */
export type TypedContext = SigningContext & {
  /** Addresses of the document's contracts that have no code. */
  withoutCode?: readonly Hex[];
};

/** What holds of all typed data of version 1, which have no domain. */
export const ENTRY_ALERTS: readonly DomainAlert[] = [
  { kind: 'everyChain' },
  { kind: 'noContract', isKnown: true },
];

/** Find what is remarkable about the domain, the worst first. */
export function findDomainAlerts(
  { domain }: TypedData,
  { chains, own, withoutCode = [] }: TypedContext,
  shape: Shape | undefined,
): DomainAlert[] {
  const chain = findQuantity(domain.chainId) === 0n ? undefined : domain.chainId;
  const chainId = chain === undefined ? undefined : validate(chain, ChainIdStruct);
  const isForeign =
    chains && chainId && 'value' in chainId && !chains.includes(chainId.value);
  const alerts: DomainAlert[] = [
    ...(chain === undefined ? [{ kind: 'everyChain' } as const] : []),
    ...(isForeign ? [{ kind: 'foreignChain', chainId: chainId.value } as const] : []),
  ];
  const address = domain.verifyingContract;
  const isKnown = shape !== undefined;
  if (!matches(address, NodeAddressStruct)) {
    return [...alerts, { kind: 'noContract', isKnown }];
  }
  if (isSameAddress(address, ZERO_ADDRESS)) {
    return [...alerts, { kind: 'zeroContract', isKnown }];
  }
  if (includes(own, address)) return [...alerts, { kind: 'ownContract', address }];
  return includes(withoutCode, address)
    ? [...alerts, { kind: 'noCode', address }]
    : alerts;
}

/** Find whether a sign-in is one to another site than the one that asks. */
export function findSignInAlerts(
  { message }: TypedData,
  origin: string,
): DomainAlert[] {
  const own = /^https?:/u.test(origin) ? hostOf(origin) : undefined;
  const named = ['domain', 'website', 'host', 'uri']
    .flatMap((name) => valuesAt(message, name))
    .filter((each): each is string => typeof each === 'string')
    .find((each) => /^(?:https?:\/\/)?[^\s/]+\.[^\s/]+/u.test(each));
  if (own === undefined || named === undefined) return [];
  const host = hostOf(named.includes('://') ? named : `https://${named}`);
  return host === undefined || host === own
    ? []
    : [{ kind: 'signInDomain', domain: named }];
}

/** Tell whether an address is one of some, whatever its case. */
export function includes(addresses: readonly Hex[], address: Hex): boolean {
  return addresses.some((each) => isSameAddress(each, address));
}
