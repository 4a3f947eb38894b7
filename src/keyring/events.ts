// Telling MetaMask about accounts, so that the snap and MetaMask agree. MetaMask asks its
// user about each new account, and fails a second announcement while one waits: they go
// one after another, in a queue that nothing else waits for.
import { KeyringEvent } from '@metamask/keyring-api';
import { isObject } from '@metamask/utils';
import type { Json } from '@metamask/utils';
import { Mutex } from 'async-mutex';

import { InvalidParamsError, UnavailableError, UserRejectedError } from '../errors';
import type { AccountRecord } from '../state/account-record';
import { suggestName, toKeyringAccount } from './keyring-account';

/** Emits an event to MetaMask (`snap_manageAccounts`). */
export type EmitKeyringEvent = (
  event: `${KeyringEvent}`,
  params: Record<string, Json>,
) => Promise<void>;

/** Tells MetaMask what happened; each throws if MetaMask did not take it. */
export type KeyringEvents = {
  /** @throws {UserRejectedError} If the user declined the account. */
  created: (
    record: AccountRecord,
    correlation?: { correlationId: string },
  ) => Promise<void>;
  updated: (record: AccountRecord) => Promise<void>;
  deleted: (id: string) => Promise<void>;
};

/** Create the announcer of account events. */
export function createKeyringEvents(emit: EmitKeyringEvent): KeyringEvents {
  const announcements = new Mutex();
  return {
    created: async (record, metamask) =>
      announcements.runExclusive(async () =>
        tell(
          emit(KeyringEvent.AccountCreated, {
            account: toKeyringAccount(record),
            accountNameSuggestion: suggestName(record),
            ...(metamask === undefined ? {} : { metamask }),
          }),
        ),
      ),
    updated: async (record) =>
      tell(
        emit(KeyringEvent.AccountUpdated, {
          account: toKeyringAccount(record),
        }),
      ),
    deleted: async (id) => tell(emit(KeyringEvent.AccountDeleted, { id })),
  };
}

async function tell(emitted: Promise<void>): Promise<void> {
  try {
    await emitted;
  } catch (cause) {
    throw toError(cause);
  }
}

// MetaMask has no codes for these: its words are all there is to tell them apart.
function toError(cause: unknown): Error {
  const message = isObject(cause) && 'message' in cause ? String(cause.message) : '';
  if (/denied|rejected|declined/iu.test(message)) {
    return new UserRejectedError('The user declined it in MetaMask.', { cause });
  }
  if (/already exists/iu.test(message)) {
    return new InvalidParamsError(
      'MetaMask holds an account with this address already.',
      {
        cause,
      },
    );
  }
  return new UnavailableError('MetaMask did not take the change of the account.', {
    cause,
  });
}
