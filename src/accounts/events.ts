// MetaMask's side of accounts: their form (keyring-api's KeyringAccount), the events sent to
// MetaMask (Account Management API), and our errors for its refusals.
import { KeyringEvent } from '@metamask/keyring-api';
import type { KeyringAccount } from '@metamask/keyring-api';
import { AccountSelector } from '@metamask/snaps-sdk/jsx';
import { isObject } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import { NotFoundError, UnavailableError, UserRejectedError } from '../core/errors';
import type { Hex } from '../eth/hex';
import type { Interfaces } from '../platform/shared-edges';
import { listAccountMethods } from '../routes';
import type { AccountRecord, KeySource } from '../state/account-record';
import { HeldElsewhereError } from './create';
import { kindOf } from './kinds/kinds';
import { withListing } from './repository';

/** Converts an account to the form of the Account Management API, without secrets. */
export function toKeyringAccount(record: AccountRecord): KeyringAccount {
  const { scopes, options } = kindOf(record);
  return {
    id: record.id,
    type: record.type,
    address: record.address,
    scopes,
    options: {
      ...keyOptions(record.key),
      ...options,
      ...(record.unlisted && { unlisted: true }),
    },
    methods: listAccountMethods(record),
  };
}

function keyOptions(key: KeySource): Record<string, Json> {
  if (key.kind === 'imported') return { entropy: { type: 'private-key' } };
  const { index, entropySource } = key;
  return {
    entropy: { type: 'custom' },
    index,
    ...(entropySource !== undefined && { entropySource }),
  };
}

export type EmitKeyringEvent = (
  event: `${KeyringEvent}`,
  params: Record<string, Json>,
) => Promise<void>;

/** MetaMask's id for the creation it requested, repeated in the event. */
export type Correlation = { correlationId: string };

/**
 * Sends account events to MetaMask. Any method but `assertFree` can throw these errors.
 *
 * @throws {NotFoundError} If MetaMask does not know the account or the request.
 * @throws {UnsupportedAccountError} If MetaMask does not support the account.
 * @throws {UnansweredError} If it is unknown whether MetaMask accepted the event.
 */
export type KeyringEvents = {
  /**
   * Announces an account that {@link KeyringEvents.assertFree} found to be free.
   *
   * @throws {UserRejectedError} If the user declined the account.
   * @throws {HeldElsewhereError} If MetaMask holds its address elsewhere.
   * @throws {AlreadyAskingError} If MetaMask is already asking about an account.
   */
  created: (record: AccountRecord, correlation?: Correlation) => Promise<void>;
  updated: (record: AccountRecord) => Promise<void>;
  /** @throws {HeldElsewhereError} If MetaMask holds its address in another account. */
  assertFree: (record: AccountRecord) => Promise<void>;
  /** @throws {UserRejectedError} If the user keeps the account. */
  deleted: (id: string) => Promise<void>;
  approved: (id: string, result: Json) => Promise<void>;
  rejected: (id: string) => Promise<void>;
};

/** MetaMask is already asking its user about an account, possibly this one. */
export class AlreadyAskingError extends UnavailableError {}

/** MetaMask does not know the account's type or one of its methods, has no keyring for snaps or for
 * this snap, or does not let this snap use the keyring. */
export class UnsupportedAccountError extends UnavailableError {}

export class UnansweredError extends UnavailableError {}

export function createKeyringEvents(
  emit: EmitKeyringEvent,
  interfaces: Interfaces,
  nameOf: (record: AccountRecord) => Promise<string>,
): KeyringEvents {
  const emitChecked: EmitKeyringEvent = async (event, params) =>
    emit(event, params).catch((cause: unknown) => {
      throw toError(cause);
    });
  // Recent versions of MetaMask accept an address that another keyring holds, notice this when
  // saving their keyrings, and then drop the snap's keyring with all its accounts.
  const assertFree: KeyringEvents['assertFree'] = async ({ id, address }) => {
    const holder = await findHolder(address, interfaces).catch(() => undefined);
    if (holder !== undefined && holder !== id) throw toHeldElsewhere(address);
  };
  return {
    created: async (record, metamask) =>
      emitChecked(KeyringEvent.AccountCreated, {
        account: toListedAccount(record),
        accountNameSuggestion: await nameOf(record),
        ...(metamask !== undefined && { metamask }),
      }),
    assertFree,
    updated: async (record) =>
      emitChecked(KeyringEvent.AccountUpdated, { account: toListedAccount(record) }),
    deleted: async (id) => emitChecked(KeyringEvent.AccountDeleted, { id }),
    approved: async (id, result) =>
      emitChecked(KeyringEvent.RequestApproved, { id, result }),
    rejected: async (id) => emitChecked(KeyringEvent.RequestRejected, { id }),
  };
}

/** Finds the id of the account, in any of MetaMask's keyrings, that has the given address. The
 * value of an account selector contains the id, even if no user sees the selector. */
async function findHolder(
  address: Hex,
  { create, fetchValues }: Interfaces,
): Promise<string | undefined> {
  const value = `eip155:1:${address}` as const;
  const selector = AccountSelector({ name: 'account', value });
  const { account } = await fetchValues(await create(selector));
  if (!isObject(account)) return undefined;
  // For an unknown address, MetaMask selects another account. The addresses are CAIP-10.
  type Selected = { accountId: string; addresses: string[] };
  const { accountId, addresses } = account as Selected;
  const isFound = addresses.some((each) => each.toLowerCase().endsWith(address));
  return isFound ? accountId : undefined;
}

function toListedAccount(record: AccountRecord): KeyringAccount {
  return toKeyringAccount(withListing(record, true));
}

type Refusal = [
  sign: number | RegExp,
  toError: (cause: unknown, match: readonly string[]) => Error,
];

const toRejected: Refusal[1] = (cause) =>
  new UserRejectedError('The user declined it in MetaMask.', { cause });

const toUnsupported: Refusal[1] = (cause) =>
  new UnsupportedAccountError('MetaMask does not support such accounts.', { cause });

const refusals: readonly Refusal[] = [
  [4001, toRejected],
  // The permission or the method is missing.
  [4100, toUnsupported],
  [-32601, toUnsupported],
  [
    /already pending/iu,
    (cause) =>
      new AlreadyAskingError(
        'MetaMask is already asking about an account; answer that, then try again.',
        { cause },
      ),
  ],
  [
    /(?:address '(0x[0-9a-f]{40})' )?already exists/iu,
    (cause, [, address]) => toHeldElsewhere(address, cause),
  ],
  [/denied|rejected|declined/iu, toRejected],
  // MetaMask rejects the account type or a method.
  [
    /^At path: (?:params\.account|type|methods)\b|^Unknown account type|^Cannot \w+ generic/u,
    toUnsupported,
  ],
  // MetaMask has no keyring for the snap, or does not let the snap use it.
  [
    /no keyringBuilder found|unknown snap keyring|does not support v1|^Cannot delegate keyring/iu,
    toUnsupported,
  ],
  [
    /^(?:account|request) '[^']*' not found/iu,
    (cause) =>
      new NotFoundError('MetaMask does not know this account or request.', { cause }),
  ],
];

function toHeldElsewhere(address = 'of this one', cause?: unknown): HeldElsewhereError {
  return new HeldElsewhereError(
    `MetaMask already holds an account with the address ${address}, outside of Tollkeeper.`,
    { cause },
  );
}

function toError(cause: unknown): Error {
  const { code, message } = isObject(cause) ? cause : {};
  const words = typeof message === 'string' ? message : '';
  for (const [sign, toRefusal] of refusals) {
    const isCode = typeof sign === 'number';
    const match = isCode ? code === sign && [] : sign.exec(words);
    if (match) return toRefusal(cause, match);
  }
  return new UnansweredError('MetaMask did not accept the change.', { cause });
}
