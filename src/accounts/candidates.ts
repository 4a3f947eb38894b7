// Accounts that an index can have without anything being stored of them: its EOA, and the
// smart account of each EntryPoint at the canonical factory with salt zero.
import { entryPoints } from '../eth/entry-point';
import type { EntryPointVersion } from '../eth/entry-point';
import type { Hex } from '../eth/hex';
import { computeAccountAddress } from '../eth/smart-account';
import type { AccountRecord, KeySource } from '../state/account-record';
import { deriveAccountId } from './account-id';
import type { GetEntropy } from './derive';
import { fetchKeyAddress } from './signer';

/** An account that may have existed; a smart one needs chains to become a record. */
export type Candidate = {
  address: Hex;
  index: number;
  isSmart: boolean;
  /** @param scopes - Chains of a smart account, CAIP-2; an EOA serves all. */
  toRecord: (scopes: `eip155:${string}`[]) => AccountRecord;
};

/** Derive the candidates of an index. */
export async function deriveCandidates(
  { index, entropySource }: { index: number; entropySource?: string | undefined },
  getEntropy: GetEntropy,
): Promise<Candidate[]> {
  const key: KeySource = {
    kind: 'derived',
    index,
    ...(entropySource === undefined ? {} : { entropySource }),
  };
  const owner = await fetchKeyAddress(key, getEntropy);
  const versions = Object.keys(entryPoints) as EntryPointVersion[];
  return [
    toEoa(key, index, owner),
    ...versions.map((version) => toSmart({ key, index }, owner, version)),
  ];
}

function toEoa(key: KeySource, index: number, address: Hex): Candidate {
  const identity = { type: 'eip155:eoa', address } as const;
  const record = { ...identity, id: deriveAccountId(identity), key };
  return { address, index, isSmart: false, toRecord: () => record };
}

function toSmart(
  { key, index }: { key: KeySource; index: number },
  owner: Hex,
  entryPoint: EntryPointVersion,
): Candidate {
  const factory = entryPoints[entryPoint].factory.toLowerCase() as Hex;
  const origin = { entryPoint, factory, owner, salt: 0n };
  const address = computeAccountAddress(origin).toLowerCase() as Hex;
  const identity = {
    type: 'eip155:erc4337',
    address,
    owner,
    entryPoint,
    factory,
    salt: '0x0',
  } as const;
  const id = deriveAccountId(identity);
  return {
    address,
    index,
    isSmart: true,
    toRecord: (scopes) => ({ ...identity, id, key, scopes }),
  };
}
