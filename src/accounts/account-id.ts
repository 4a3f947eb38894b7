// An account's id: a UUIDv4 made of what the account is, so that the same account gets
// the same id again after the snap was removed or lost its state.
import { stringToBytes } from '@metamask/utils';
import { v4 as uuid } from 'uuid';

import { keccak256 } from '../eth/hex';
import type { AccountRecord } from '../state/account-record';

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
