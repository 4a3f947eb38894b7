// Accounts that an index can have without anything being stored of them: its EOA, and the
// smart account of each EntryPoint at the canonical factory with salt zero.
import type { Hex } from '../eth/hex';
import { computeAccountAddress } from '../eth/smart-account';
import { entryPoints, entryPointVersions } from '../eth/user-operation';
import type { EntryPointVersion } from '../eth/user-operation';
import type { AccountRecord } from '../state/account-record';
import type { GetEntropy } from './derive';
import { makeEoa, makeSmartAccount, toDerivedKey } from './record';
import { fetchKeyAddress } from './signer';
import type { SmartAccountPlace } from './smart-account';

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
  const key = toDerivedKey(index, entropySource);
  const smart = entryPointVersions.map(async (entryPoint): Promise<Candidate> => {
    const owner = await fetchKeyAddress({ ...key, entryPoint }, getEntropy);
    const place = toCanonicalPlace(owner, entryPoint);
    const toRecord: Candidate['toRecord'] = (scopes) =>
      makeSmartAccount({ ...place, scopes }, key);
    return { address: place.address, index, isSmart: true, toRecord };
  });
  const [address, ...others] = await Promise.all([
    fetchKeyAddress(key, getEntropy),
    ...smart,
  ]);
  const eoa = makeEoa(address, key);
  return [{ address, index, isSmart: false, toRecord: () => eoa }, ...others];
}

function toCanonicalPlace(
  owner: Hex,
  entryPoint: EntryPointVersion,
): Omit<SmartAccountPlace, 'scopes'> {
  const factory = entryPoints[entryPoint].factory.toLowerCase() as Hex;
  const origin = { entryPoint, factory, owner, salt: 0n };
  const address = computeAccountAddress(origin).toLowerCase() as Hex;
  return { ...origin, address };
}
