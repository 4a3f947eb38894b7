// The record of an account, made of what the account is; nothing is stored here.
import { stringToBytes } from '@metamask/utils';
import { v4 as uuid } from 'uuid';

import { UnavailableError } from '../errors';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { keccak256, toLower, toQuantity } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { canonicalContracts, computeAccountAddress } from '../eth/smart-account';
import type { ProxyCode, SmartAccountOrigin } from '../eth/smart-account';
import type { EntryPointVersion } from '../eth/user-operation';
import type { SharedEdges } from '../platform/shared-edges';
import type { AccountRecord, KeySource, SmartRecord } from '../state/account-record';
import { fetchKeyAddress } from './keys';
import type { GetEntropy } from './keys';
import { kindOf } from './kinds/kinds';

/** Where a smart account is: its parameters, its address, its chains (CAIP-2). */
export type SmartAccountPlace = SmartAccountOrigin & {
  address: Hex;
  scopes: SmartRecord['scopes'];
};

/** An account that an index can have, of which nothing is stored. */
export type Candidate = {
  address: Hex;
  index: number;
  isSmart: boolean;
  /** @param scopes - Chains of a smart account, CAIP-2; an EOA serves all. */
  toRecord: (scopes: SmartRecord['scopes']) => AccountRecord;
};

export function makeEoa(address: Hex, key: KeySource): AccountRecord {
  const identity = { type: 'eip155:eoa', address } as const;
  return { ...identity, id: deriveAccountId(identity), key };
}

export function makeSmartAccount(
  place: SmartAccountPlace,
  key: KeySource,
): AccountRecord {
  const { scopes, ...rest } = place;
  const salt = toQuantity(place.salt);
  const identity = { type: 'eip155:erc4337', ...rest, salt } as const;
  return { ...identity, id: deriveAccountId(identity), key, scopes };
}

export function toDerivedKey(
  index: number,
  entropySource: string | undefined,
): KeySource {
  return {
    kind: 'derived',
    index,
    ...(entropySource !== undefined && { entropySource }),
  };
}

/** The file of the creation code by which addresses of smart accounts are computed: it is not in the
 * bundle, since few workers need it. */
export const PROXIES = 'src/accounts/proxies.json';

/** Reads the creation code; throws `UnavailableError` if its file is missing. */
export async function readProxyCode(
  readFile: SharedEdges['readFile'],
): Promise<ProxyCode> {
  const file = await readFile(PROXIES);
  if (file !== null) return JSON.parse(file) as ProxyCode;
  throw new UnavailableError(`${PROXIES} is missing: install Tollkeeper anew.`);
}

/** Derives the accounts that an index can have: its EOA, the SimpleAccount of each EntryPoint and
 * the Safe, at their canonical factories with salt zero. */
export async function deriveCandidates(
  { index, entropySource }: { index: number; entropySource?: string | undefined },
  {
    getEntropy,
    readFile,
  }: { getEntropy: GetEntropy; readFile: SharedEdges['readFile'] },
): Promise<Candidate[]> {
  const key = toDerivedKey(index, entropySource);
  const proxies = await readProxyCode(readFile);
  const smart = canonicalContracts.map(async (contract): Promise<Candidate> => {
    const owner = await fetchKeyAddress({ ...key, ...contract }, getEntropy);
    const factory = toLower(contract.factory);
    const origin = { ...contract, factory, owner, salt: 0n };
    const address = toLower(computeAccountAddress(origin, proxies));
    const toRecord: Candidate['toRecord'] = (scopes) =>
      makeSmartAccount({ ...origin, address, scopes }, key);
    return { address, index, isSmart: true, toRecord };
  });
  const [address, ...others] = await Promise.all([
    fetchKeyAddress(key, getEntropy),
    ...smart,
  ]);
  const eoa = makeEoa(address, key);
  return [{ address, index, isSmart: false, toRecord: () => eoa }, ...others];
}

/** Derives the id of an account: a UUIDv4 of its type, its address and the contract parameters of a
 * smart account, so that a restored account gets the same id. */
export function deriveAccountId(identity: {
  type: AccountRecord['type'];
  address: Hex;
  owner?: Hex;
  entryPoint?: EntryPointVersion;
  factory?: Hex;
  salt?: Hex;
}): string {
  const { type, address, owner, entryPoint, factory, salt } = identity;
  const own = type === 'eip155:eoa' ? [] : [owner, entryPoint, factory, salt];
  const text = [type, address, ...own].join('|').toLowerCase();
  return uuid({ random: keccak256(stringToBytes(text)).slice(0, 16) });
}

/** Suggests a name until the user chooses one: `Tollkeeper 1`, `Tollkeeper Smart 1`,
 * `Tollkeeper Safe 1`, `Tollkeeper (imported)`. */
export function suggestName(record: AccountRecord): string {
  const { key } = record;
  const kind = `Tollkeeper${kindOf(record).label}`;
  return key.kind === 'derived' ? `${kind} ${key.index + 1}` : `${kind} (imported)`;
}

export function withListing(record: AccountRecord, isListed: boolean): AccountRecord {
  if (!isListed) return { ...record, unlisted: true };
  const listed = { ...record };
  delete listed.unlisted;
  return listed;
}

/** Gets the CAIP-2 chains of an account; `eip155:0` means every EVM chain. */
export function scopesOf(record: AccountRecord): SmartRecord['scopes'] {
  return kindOf(record).scopes;
}

export function serves(record: AccountRecord, chainId: ChainId): boolean {
  const scopes = scopesOf(record);
  return scopes.includes('eip155:0') || scopes.includes(toCaip2(chainId));
}
