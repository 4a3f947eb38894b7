// The record of an account, made of what the account is; nothing is stored.
import { stringToBytes } from '@metamask/utils';
import { v4 as uuid } from 'uuid';

import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { keccak256, toQuantity } from '../eth/hex';
import type { Hex } from '../eth/hex';
import type { AccountRecord, KeySource } from '../state/account-record';
import type { SmartAccountPlace } from './smart-account';

// An account's id: a UUIDv4 made of what the account is, so that the same account gets
// the same id again after the snap was removed or lost its state.

/** What an id is made of. */
export type AccountIdentity =
  | Pick<AccountRecord & { type: 'eip155:eoa' }, 'type' | 'address'>
  | Pick<
      AccountRecord & { type: 'eip155:erc4337' },
      'type' | 'address' | 'owner' | 'entryPoint' | 'factory' | 'salt'
    >;

/** Derive the id of an account from its type, address and contract parameters. */
export function deriveAccountId(identity: AccountIdentity): string {
  const parts =
    identity.type === 'eip155:eoa'
      ? [identity.type, identity.address]
      : [
          identity.type,
          identity.address,
          identity.owner,
          identity.entryPoint,
          identity.factory,
          identity.salt,
        ];
  const digest = keccak256(stringToBytes(parts.join('|').toLowerCase()));
  return uuid({ random: digest.slice(0, 16) });
}

// What we call an account, until its user calls it something else.

/** Suggest a name: `Tollkeeper 1`, `Tollkeeper Smart 1`, `Tollkeeper (imported)`. */
export function suggestName({ type, key }: AccountRecord): string {
  const kind = type === 'eip155:eoa' ? 'Tollkeeper' : 'Tollkeeper Smart';
  return key.kind === 'derived' ? `${kind} ${key.index + 1}` : `${kind} (imported)`;
}

// The chains that an account serves.

/** Get the CAIP-2 chains of an account; `eip155:0` stands for every EVM chain. */
export function scopesOf(record: AccountRecord): `eip155:${string}`[] {
  return record.type === 'eip155:eoa' ? ['eip155:0'] : record.scopes;
}

/** Tell whether an account serves a chain. */
export function serves(record: AccountRecord, chainId: ChainId): boolean {
  const scopes = scopesOf(record);
  return scopes.includes('eip155:0') || scopes.includes(toCaip2(chainId));
}

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
