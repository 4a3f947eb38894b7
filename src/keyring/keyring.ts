// The keyring: accounts as MetaMask manages them, and the one way by which anything is
// signed. MetaMask's requests and dapps' come through here alike, so that no check can be
// gone around.
import type { KeyringAccount } from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';

import { createAccount } from '../accounts/create';
import type { CreateServices } from '../accounts/create';
import { parseCreateAccountOptions } from '../accounts/options';
import { scopesOf } from '../accounts/scopes';
import { NotFoundError, UnsupportedMethodError } from '../errors';
import type { ChainId } from '../eth/chain';
import { assertServed, findMethod } from '../methods';
import type { MethodServices } from '../methods';
import { matches } from '../parse';
import { ScopeStruct } from '../state/account-record';
import type { AccountRecord } from '../state/account-record';
import type { KeyringEvents } from './events';
import { toKeyringAccount } from './keyring-account';
import { applyUpdate } from './update-account';

/** A request to sign something, whoever it comes from. */
export type SigningRequest = {
  /** Account id. */
  account: string;
  origin: string;
  scope: ChainId | undefined;
  method: string;
  params: Json;
};

/** What the keyring works with. */
export type KeyringServices = CreateServices & { events: KeyringEvents };

/** The keyring's operations; all throw the errors of `errors.ts`. */
export type Keyring = {
  listAccounts: () => Promise<KeyringAccount[]>;
  getAccount: (id: string) => Promise<KeyringAccount>;
  createAccount: (options: Json) => Promise<KeyringAccount>;
  updateAccount: (account: KeyringAccount) => Promise<void>;
  deleteAccount: (id: string) => Promise<void>;
  filterAccountChains: (id: string, chains: readonly string[]) => Promise<string[]>;
  submitRequest: (request: SigningRequest, services: MethodServices) => Promise<Json>;
};

const NO_MESSAGES =
  ' Its contract, SimpleAccount, has no ERC-1271: nobody could verify the signature.';

/** Create the keyring. */
export function createKeyring(services: KeyringServices): Keyring {
  const { repository, events } = services;
  const getRecord = async (id: string): Promise<AccountRecord> => {
    const record = await repository.find(id);
    if (record) return record;
    throw new NotFoundError(`There is no account with the id ${id}.`);
  };
  return {
    listAccounts: async () => (await repository.list()).map(toKeyringAccount),
    getAccount: async (id) => toKeyringAccount(await getRecord(id)),
    createAccount: async (options) => create(options, services),
    updateAccount: async (account) => {
      const record = await getRecord(account.id);
      const updated = applyUpdate(record, account);
      await repository.replace(updated);
      await undoIfRefused(events.updated(updated), () => repository.replace(record));
    },
    // Re-entrant: MetaMask answers our event by asking for the deletion again.
    deleteAccount: async (id) => {
      const record = await repository.find(id);
      if (!record) return;
      const restore = await repository.remove(id);
      await undoIfRefused(events.deleted(id), restore);
    },
    filterAccountChains: async (id, chains) => {
      const scopes: readonly string[] = scopesOf(await getRecord(id));
      const isServed = (chain: string): boolean =>
        scopes.includes(chain) ||
        (scopes.includes('eip155:0') && matches(chain, ScopeStruct));
      return chains.filter(isServed);
    },
    submitRequest: async (request, methodServices) => {
      const account = await getRecord(request.account);
      return sign(account, request, methodServices);
    },
  };
}

async function create(
  options: Json,
  services: KeyringServices,
): Promise<KeyringAccount> {
  const parsed = parseCreateAccountOptions(options);
  const { record, isNew } = await createAccount(parsed, services);
  const { events, repository } = services;
  // An account that exists is announced again: MetaMask may have lost it.
  await undoIfRefused(events.created(record, parsed.metamask), async () => {
    if (isNew) await repository.remove(record.id);
  });
  // Another call for the same account may have been declined, and have removed it.
  await repository.ensure(record);
  return toKeyringAccount(record);
}

async function undoIfRefused(
  told: Promise<void>,
  undo: () => Promise<unknown>,
): Promise<void> {
  try {
    await told;
  } catch (error) {
    await undo();
    throw error;
  }
}

async function sign(
  account: AccountRecord,
  { method: name, origin, scope, params }: SigningRequest,
  services: MethodServices,
): Promise<Json> {
  const method = findMethod(name);
  if (!method) {
    throw new UnsupportedMethodError(`${name.slice(0, 64)} is not a signing method.`);
  }
  if (method.accountType !== account.type) {
    const isMessage =
      account.type === 'eip155:erc4337' && name !== 'eth_signTransaction';
    throw new UnsupportedMethodError(
      `The account ${account.address} is of type ${account.type} and does not offer ` +
        `${name}.${isMessage ? NO_MESSAGES : ''}`,
    );
  }
  if (scope !== undefined) assertServed(account, scope);
  return method.run(params, { account, origin, scope }, services);
}
