// What a site may see: eth_requestAccounts asks once, wallet_requestPermissions anew.
import { object, tuple } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

import { suggestName } from '../accounts/record';
import type { AccountRepository } from '../accounts/repository';
import { NotFoundError, UserRejectedError } from '../errors';
import { parse } from '../schema/parse';
import type { AccountRecord } from '../state/account-record';
import { ConnectConfirmation } from '../ui/access';
import type { AccountChoice } from '../ui/access';
import type { Consent } from './consent';
import type { Grants } from './grants';

/** What asking for accounts needs. */
export type AccountsRequestServices = {
  grants: Grants;
  repository: AccountRepository;
  consent: Consent;
};

/** A permission as EIP-2255 writes it. */
export type AccountsPermission = {
  parentCapability: 'eth_accounts';
  caveats: [{ type: 'restrictReturnedAccounts'; value: string[] }];
};

/** The params of asking for a permission and of giving it back: the one that there is. */
export const AccountsPermissionStruct = tuple([object({ eth_accounts: object() })]);

/**
 * Answer `eth_requestAccounts`: the granted addresses; asks the user if there are none.
 *
 * @throws {NotFoundError} If there is no account to grant.
 * @throws {UserRejectedError} If the user refuses or chooses none.
 */
export async function requestAccounts(
  origin: string,
  services: AccountsRequestServices,
): Promise<string[]> {
  const granted = await services.grants.list(origin);
  const records = granted.length > 0 ? granted : await askForAccounts(origin, services);
  return records.map(({ address }) => address);
}

/**
 * Answer `wallet_requestPermissions`: asks the user anew, whatever was granted before.
 *
 * @param params - `[{ eth_accounts: {} }]`, the one permission there is.
 * @throws What {@link requestAccounts} throws; what was granted before stays then.
 * @see https://eips.ethereum.org/EIPS/eip-2255
 */
export async function requestPermissions(
  { origin, params }: { origin: string; params: Json },
  services: AccountsRequestServices,
): Promise<AccountsPermission[]> {
  parse(params, AccountsPermissionStruct, 'wallet_requestPermissions: params');
  return toPermissions(await askForAccounts(origin, services));
}

/** Answer `wallet_getPermissions`: what was granted to the origin itself (EIP-2255). */
export async function getPermissions(
  origin: string,
  { grants }: Pick<AccountsRequestServices, 'grants'>,
): Promise<AccountsPermission[]> {
  const granted = await grants.list(origin);
  return granted.length > 0 ? toPermissions(granted) : [];
}

/** Answer `wallet_revokePermissions`: forgets what was granted to the origin itself. */
export async function revokePermissions(
  { origin, params }: { origin: string; params: Json },
  { grants }: Pick<AccountsRequestServices, 'grants'>,
): Promise<null> {
  parse(params, AccountsPermissionStruct, 'wallet_revokePermissions: params');
  // Writes nothing where nothing was granted: any site may ask for it, as often as it likes.
  await grants.revoke(origin);
  return null;
}

function toPermissions(records: readonly AccountRecord[]): AccountsPermission[] {
  const value = records.map(({ address }) => address);
  const caveat = { type: 'restrictReturnedAccounts', value } as const;
  return [{ parentCapability: 'eth_accounts', caveats: [caveat] }];
}

async function askForAccounts(
  origin: string,
  { grants, repository, consent }: AccountsRequestServices,
): Promise<AccountRecord[]> {
  const records = await repository.list();
  if (records.length === 0) {
    throw new NotFoundError(
      "There is no account yet. Create one on Tollkeeper's home page in MetaMask.",
    );
  }
  const granted = new Set((await grants.list(origin)).map(({ id }) => id));
  const accounts = records.map((record) => toChoice(record, granted));
  const values = await consent.require(origin, (translate) =>
    ConnectConfirmation({ translate, origin, accounts }),
  );
  const chosen = records.filter(({ id }) => values[id] === true);
  if (chosen.length === 0) throw new UserRejectedError('The user chose no account.');
  return grants.set(
    origin,
    chosen.map(({ id }) => id),
  );
}

function toChoice(record: AccountRecord, granted: ReadonlySet<string>): AccountChoice {
  const { id, address } = record;
  const short = `${address.slice(0, 8)}…${address.slice(-6)}`;
  return { id, label: `${suggestName(record)} (${short})`, isChosen: granted.has(id) };
}
