// Announces many accounts to MetaMask, which asks its user about each one. That takes a while, so
// the home page shows the progress.
import type { KeyringAccount } from '@metamask/keyring-api';

import { LimitExceededError, TollkeeperError, UserRejectedError } from '../core/errors';
import type { Hex } from '../eth/hex';
import type { AccountRecord } from '../state/account-record';
import { toKeyringAccount } from './events';
import { suggestName } from './repository';

export const MAX_ANNOUNCED = 100;

export type UnacceptedAccount = { name: string; address: Hex };

export type Announced = {
  /** Includes accounts that MetaMask does not support; their options say `unlisted`. */
  accounts: KeyringAccount[];
  declined: UnacceptedAccount[];
  failed: (UnacceptedAccount & { code: number; message: string })[];
  /** Accounts that were not announced, because the run was cancelled or there are too many. */
  skipped: UnacceptedAccount[];
};

export async function announceAll(
  records: readonly AccountRecord[],
  announce: (record: AccountRecord) => Promise<AccountRecord>,
  { report, isCancelled }: ProgressPort,
): Promise<Announced> {
  const result: Announced = { accounts: [], declined: [], failed: [], skipped: [] };
  const total = Math.min(records.length, MAX_ANNOUNCED);
  for (const [done, record] of records.entries()) {
    report({ phase: 'announcing', done: Math.min(done, total), total });
    if (done >= total || isCancelled()) {
      result.skipped.push(toNotTaken(record));
      continue;
    }
    try {
      result.accounts.push(toKeyringAccount(await announce(record)));
    } catch (error) {
      if (!(error instanceof TollkeeperError)) throw error;
      if (error instanceof UserRejectedError) result.declined.push(toNotTaken(record));
      else result.failed.push(toFailed(record, error));
    }
  }
  return result;
}

export function toFailed(
  record: AccountRecord,
  { code, message }: TollkeeperError,
): Announced['failed'][number] {
  return { ...toNotTaken(record), code, message };
}

export function toNotTaken(record: AccountRecord): UnacceptedAccount {
  return { name: suggestName(record), address: record.address };
}

export type Progress = {
  phase: 'checking' | 'searching' | 'announcing';
  done: number;
  total: number;
};

export type ProgressPort = {
  report: (progress: Progress) => void;
  isCancelled: () => boolean;
};

export class ProgressTracker {
  #running: { progress: Progress; isCancelled: boolean } | undefined;

  /** @throws {LimitExceededError} If another run is in progress. */
  async run<Result>(work: (port: ProgressPort) => Promise<Result>): Promise<Result> {
    if (this.#running) {
      throw new LimitExceededError(
        "Accounts are already being restored. Tollkeeper's page in MetaMask shows the progress.",
      );
    }
    const progress: Progress = { phase: 'checking', done: 0, total: 0 };
    const own = { progress, isCancelled: false };
    this.#running = own;
    try {
      return await work({
        report: (news) => void (own.progress = news),
        isCancelled: () => own.isCancelled,
      });
    } finally {
      this.#running = undefined;
    }
  }

  find(): Progress | undefined {
    return this.#running?.progress;
  }

  /** Stops the run before the next account or the next step of the search. */
  cancel(): void {
    if (this.#running) this.#running.isCancelled = true;
  }
}
