// The record of an account, made of what the account is; nothing is stored.
import { toQuantity } from '../eth/hex';
import type { Hex } from '../eth/hex';
import type { AccountRecord, KeySource } from '../state/account-record';
import { deriveAccountId } from './account-id';
import type { SmartAccountPlace } from './smart-account';

/** Make the source of a derived key. */
export function toDerivedKey(
  index: number,
  entropySource: string | undefined,
): KeySource {
  return {
    kind: 'derived',
    index,
    ...(entropySource === undefined ? {} : { entropySource }),
  };
}

/** Make the record of an EOA. */
export function makeEoa(address: Hex, key: KeySource): AccountRecord {
  const identity = { type: 'eip155:eoa', address } as const;
  return { ...identity, id: deriveAccountId(identity), key };
}

/** Make the record of a smart account. */
export function makeSmartAccount(
  { scopes, salt, address, owner, entryPoint, factory }: SmartAccountPlace,
  key: KeySource,
): AccountRecord {
  const identity = {
    type: 'eip155:erc4337',
    address,
    owner,
    entryPoint,
    factory,
    salt: toQuantity(salt),
  } as const;
  return { ...identity, id: deriveAccountId(identity), key, scopes };
}
