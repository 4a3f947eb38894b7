// Creates the accounts of a range of indices and announces them to MetaMask, which asks its user
// about each. That takes long, so callers can follow the progress.
import type { KeyringAccount } from '@metamask/keyring-api';
import { exactOptional } from '@metamask/superstruct';

import { LimitExceededError, TollkeeperError, UserRejectedError } from '../core/errors';
import type { Hex } from '../eth/hex';
import { parse, parseObjectParams } from '../schema/parse';
import { integerBetween, paramObject } from '../schema/structs';
import { AccountIndexStruct } from '../state/account-record';
import type { AccountRecord } from '../state/account-record';
import type { AccountQuestions, Agreement } from './agreement';
import {
  CreateAccountOptionsStruct,
  createMaker,
  parseCreateAccountOptions,
} from './create';
import type { CreateServices } from './create';
import { toKeyringAccount } from './events';
import { suggestName, toDerivedKey } from './repository';

/** Most accounts per run that MetaMask's user is asked about. */
export const MAX_ANNOUNCED = 100;

const ROOT = 'tollkeeper_createAccounts: params';

const {
  type,
  entropySource,
  scopes,
  implementation,
  entryPoint,
  factory,
  salt,
  unlisted,
} = CreateAccountOptionsStruct.schema;

/** A range of indices, and the options of keyring_createAccount that are not specific to one
 * account. */
export const RangeStruct = paramObject({
  from: exactOptional(AccountIndexStruct),
  count: integerBetween(1, MAX_ANNOUNCED),
  type,
  entropySource,
  scopes,
  implementation,
  entryPoint,
  factory,
  salt,
  unlisted,
});

type RangeParts = Omit<CreateServices, 'renewKey'> & {
  agreement: Agreement;
  questions: AccountQuestions;
};

/**
 * Creates the accounts of a range of indices. Existing accounts are announced again.
 *
 * @param params - `[{ from?, count, …options }]` or the object alone; the options are those of
 *   keyring_createAccount without `index` and `privateKey`.
 * @throws {InvalidParamsError} If an option is malformed; nothing is created then.
 */
export async function createAccounts(
  params: unknown,
  services: RangeParts,
  progress: ProgressPort,
): Promise<Announced> {
  const { from = 0, count, ...rest } = parseObjectParams(params, RangeStruct, ROOT);
  parse(from + count - 1, AccountIndexStruct, `${ROOT}: the last index`);
  const options = parseCreateAccountOptions(rest, ROOT);
  progress.report({ phase: 'checking', done: 0, total: count });
  const { renewKey } = services.agreement;
  const make = await createMaker(options, { ...services, renewKey });
  // In parallel: each may wait for a node to check a smart account's address.
  const records = await Promise.all(
    Array.from({ length: count }, async (_, offset) =>
      make(toDerivedKey(from + offset, options.entropySource)),
    ),
  );
  return announceAll(
    records,
    async (record) => services.agreement.add(record, services.questions, options),
    progress,
  );
}

/** An account that MetaMask did not accept. */
export type NotTaken = { name: string; address: Hex };

export type Announced = {
  /** Accounts that MetaMask holds now, and accounts it does not support, whose options say
   * `unlisted`. */
  accounts: KeyringAccount[];
  declined: NotTaken[];
  failed: (NotTaken & { code: number; message: string })[];
  /** Accounts that MetaMask was not asked about: the run was cancelled, or there are too many. */
  skipped: NotTaken[];
};

/** Announces accounts one after another; `announce` returns the stored account. */
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

export function toNotTaken(record: AccountRecord): NotTaken {
  return { name: suggestName(record), address: record.address };
}

/** Progress; during `announcing`, MetaMask asks its user about each account. */
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
        'Accounts are already being created or restored; see tollkeeper_getProgress.',
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

  /** Finds the progress; undefined if nothing runs. */
  find(): Progress | undefined {
    return this.#running?.progress;
  }

  /** Cancels before the next account; returns whether anything was running. */
  cancel(): boolean {
    if (this.#running) this.#running.isCancelled = true;
    return this.#running !== undefined;
  }
}
