// What keyring_updateAccount may change of an account: the chains of a smart account.
import type { KeyringAccount } from '@metamask/keyring-api';

import { InvalidParamsError } from '../errors';
import { isSameJson } from '../same-json';
import { parse } from '../schema/parse';
import { ScopesStruct } from '../state/account-record';
import type { AccountRecord } from '../state/account-record';
import { toKeyringAccount } from './keyring-account';

const ROOT = 'keyring_updateAccount: params.account';

/**
 * Apply an update to an account.
 *
 * @param update - The account as it shall be.
 * @throws {InvalidParamsError} Naming the field that must not change.
 */
export function applyUpdate(
  record: AccountRecord,
  update: KeyringAccount,
): AccountRecord {
  const current = toKeyringAccount(record);
  for (const field of ['type', 'address', 'methods', 'options'] as const) {
    if (!isSameJson(current[field], update[field])) {
      throw new InvalidParamsError(`${ROOT}.${field} cannot be changed.`);
    }
  }
  const scopes = parse(update.scopes, ScopesStruct, `${ROOT}.scopes`);
  if (isSameJson(current.scopes, scopes)) return record;
  if (record.type === 'eip155:eoa' || scopes.includes('eip155:0')) {
    throw new InvalidParamsError(
      `${ROOT}.scopes cannot be changed to ${scopes.join(', ')}.`,
    );
  }
  return { ...record, scopes };
}
