// eth_requestAccounts and eth_accounts: what a site was granted, asked for once.
import type { AccountRepository } from '../accounts/repository';
import { NotFoundError, UserRejectedError } from '../errors';
import { suggestName } from '../keyring/keyring-account';
import type { AccountRecord } from '../state/account-record';
import { ConnectConfirmation } from '../ui/confirm/connect';
import type { AccountChoice } from '../ui/confirm/connect';
import type { Consent } from './consent';
import type { Grants } from './grants';

/** What asking for accounts needs. */
export type AccountsRequestServices = {
  grants: Grants;
  repository: AccountRepository;
  consent: Consent;
};

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
  const { grants, repository, consent } = services;
  const granted = await grants.list(origin);
  if (granted.length > 0) return granted.map(({ address }) => address);
  const records = await repository.list();
  if (records.length === 0) {
    throw new NotFoundError(
      'There is no account yet. Create one on the companion page.',
    );
  }
  const accounts = records.map(toChoice);
  const values = await consent.require(origin, (translate) =>
    ConnectConfirmation({ translate, origin, accounts }),
  );
  const chosen = records.filter(({ id }) => values[id] === true);
  if (chosen.length === 0) throw new UserRejectedError('The user chose no account.');
  await grants.set(
    origin,
    chosen.map(({ id }) => id),
  );
  return chosen.map(({ address }) => address);
}

function toChoice(record: AccountRecord): AccountChoice {
  const { id, address } = record;
  const short = `${address.slice(0, 8)}…${address.slice(-6)}`;
  return { id, label: `${suggestName(record)} (${short})` };
}
