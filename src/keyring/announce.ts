// Announcing many accounts to MetaMask, which asks its user about each: one that is declined
// or fails does not keep the others from being asked about.
import type { KeyringAccount } from '@metamask/keyring-api';
import type { Hex } from '@metamask/utils';

import { suggestName } from '../accounts/record';
import { TollkeeperError, UserRejectedError } from '../errors';
import type { AccountRecord } from '../state/account-record';
import { toKeyringAccount } from './keyring-account';
import type { ProgressPort } from './progress';

/** An account that MetaMask did not take. */
export type NotTaken = { name: string; address: Hex };

/** What became of the accounts. */
export type Announced = {
  /** Those that MetaMask holds now. */
  accounts: KeyringAccount[];
  /** Those that the user declined. */
  declined: NotTaken[];
  failed: (NotTaken & { code: number; message: string })[];
  /** Those that were not asked about: the work was cancelled, or they are too many. */
  skipped: NotTaken[];
};

/** Most accounts that one piece of work asks about. */
export const MAX_ANNOUNCED = 100;

/** Tells MetaMask of one account; answers with it as it is stored, or throws. */
export type Announce = (record: AccountRecord) => Promise<AccountRecord>;

/** Announce accounts one after another. */
export async function announceAll(
  records: readonly AccountRecord[],
  announce: Announce,
  { report, isCancelled }: ProgressPort,
): Promise<Announced> {
  const result: Announced = { accounts: [], declined: [], failed: [], skipped: [] };
  const total = Math.min(records.length, MAX_ANNOUNCED);
  for (const [done, record] of records.entries()) {
    report({ phase: 'announcing', done: Math.min(done, total), total });
    if (done >= total || isCancelled()) result.skipped.push(toNotTaken(record));
    else await tellOf(record, announce, result);
  }
  return result;
}

async function tellOf(
  record: AccountRecord,
  announce: Announce,
  result: Announced,
): Promise<void> {
  try {
    result.accounts.push(toKeyringAccount(await announce(record)));
  } catch (error) {
    if (!(error instanceof TollkeeperError)) throw error;
    if (error instanceof UserRejectedError) result.declined.push(toNotTaken(record));
    else result.failed.push(toFailed(record, error));
  }
}

/** Tell why an account was not taken. */
export function toFailed(
  record: AccountRecord,
  { code, message }: TollkeeperError,
): Announced['failed'][number] {
  return { ...toNotTaken(record), code, message };
}

/** Tells which account was not taken. */
export function toNotTaken(record: AccountRecord): NotTaken {
  return { name: suggestName(record), address: record.address };
}
