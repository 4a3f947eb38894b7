// The keyring: accounts as MetaMask manages them, and the one way by which anything is
// signed. MetaMask's requests and dapps' come through here alike, so that no check can be
// gone around.
import type { KeyringAccount } from '@metamask/keyring-api';
import { bytesToHex } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import { createAccount } from '../accounts/create';
import type { CreateServices } from '../accounts/create';
import { parseCreateAccountOptions } from '../accounts/options';
import { scopesOf } from '../accounts/record';
import type { AccountRepository } from '../accounts/repository';
import type { WithPrivateKey } from '../accounts/keys';
import { InvalidParamsError, NotFoundError } from '../errors';
import type { Hex } from '../eth/hex';
import type { MethodServices } from '../methods';
import { isSameJson } from '../same-json';
import { matches } from '../schema/parse';
import { ScopeStruct } from '../state/account-record';
import type { AccountRecord } from '../state/account-record';
import type { Agreement } from './agreement';
import { toKeyringAccount } from './keyring-account';
import type { Settler } from './settle';
import { checkRequest, sign } from './sign';
import type { SigningRequest } from './sign';
import { applyUpdate } from './update-account';

/** What the keyring works with. */
export type KeyringServices = CreateServices & {
  repository: AccountRepository;
  agreement: Agreement;
  settler: Settler;
  withPrivateKey: WithPrivateKey;
};

/** Asks the user whether an account's key may be shown, or throws. */
export type ConfirmExport = (account: AccountRecord) => Promise<unknown>;

/** Asks the user about an account that is to be created, where that is needed, or throws. */
export type ConfirmAccount = (account: AccountRecord) => Promise<unknown>;

/** The keyring's operations; all throw the errors of `errors.ts`. */
export type Keyring = {
  /** Settle with MetaMask what was left open, before a request is answered; never fails. */
  settle: () => Promise<void>;
  listAccounts: () => Promise<KeyringAccount[]>;
  getAccount: (id: string) => Promise<KeyringAccount>;
  /** Get an account with what only we know of it. */
  getRecord: (id: string) => Promise<AccountRecord>;
  /** Create an account; nothing is stored and MetaMask is told nothing before `confirm`. */
  createAccount: (options: Json, confirm: ConfirmAccount) => Promise<KeyringAccount>;
  updateAccount: (account: KeyringAccount) => Promise<void>;
  deleteAccount: (id: string) => Promise<void>;
  /** Give the private key of an account (of a smart account, its owner's) away. */
  exportAccount: (id: string, confirm: ConfirmExport) => Promise<{ privateKey: Hex }>;
  filterAccountChains: (id: string, chains: readonly string[]) => Promise<string[]>;
  /** Refuse a request of MetaMask that {@link submitRequest} would refuse outright. */
  checkRequest: (request: SigningRequest) => Promise<void>;
  submitRequest: (request: SigningRequest, services: MethodServices) => Promise<Json>;
};

/** Create the keyring. */
export function createKeyring(services: KeyringServices): Keyring {
  const { repository, settler } = services;
  const getNamed = async (id: string): Promise<AccountRecord> =>
    require(id, await settler.findNamed(id));
  return {
    settle: settler.settle,
    ...createReading(repository),
    ...createChanging(services),
    checkRequest: async (request) => {
      const method = checkRequest(await getNamed(request.account), request, false);
      method.check(request.params);
    },
    submitRequest: async (request, methodServices) => {
      const account = await getNamed(request.account);
      const getNow = async (): Promise<AccountRecord> => getNamed(request.account);
      return sign(account, request, recheck(account, getNow, methodServices));
    },
  };
}

// A dialog can be open for long. What was checked of the account holds for what it was then.
function recheck(
  account: AccountRecord,
  getNow: () => Promise<AccountRecord>,
  services: MethodServices,
): MethodServices {
  return {
    ...services,
    requireConsent: async (asking) => {
      const approved = await services.requireConsent(asking);
      if (!services.confirmsItself || isSameJson(account, await getNow())) {
        return approved;
      }
      throw new InvalidParamsError(
        `The account ${account.address} was changed while its user was asked. Ask again.`,
      );
    },
  };
}

type Reading = Pick<
  Keyring,
  'listAccounts' | 'getAccount' | 'getRecord' | 'filterAccountChains'
>;

function createReading(repository: AccountRepository): Reading {
  const getRecord = async (id: string): Promise<AccountRecord> =>
    require(id, await repository.find(id));
  return {
    getRecord,
    listAccounts: async () => (await repository.list()).map(toKeyringAccount),
    getAccount: async (id) => {
      // MetaMask may ask for it while its user decides whether to take it.
      const noted = async (): Promise<AccountRecord | undefined> =>
        (await repository.findUnsettled(id))?.record;
      const record = (await repository.find(id)) ?? (await noted());
      return toKeyringAccount(require(id, record));
    },
    filterAccountChains: async (id, chains) => {
      const scopes: readonly string[] = scopesOf(await getRecord(id));
      const isServed = (chain: string): boolean =>
        scopes.includes(chain) ||
        (scopes.includes('eip155:0') && matches(chain, ScopeStruct));
      return chains.filter(isServed);
    },
  };
}

function createChanging(
  services: KeyringServices,
): Pick<
  Keyring,
  'createAccount' | 'updateAccount' | 'deleteAccount' | 'exportAccount'
> {
  const { repository, agreement, withPrivateKey } = services;
  const getRecord = async (id: string): Promise<AccountRecord> =>
    require(id, await repository.find(id));
  return {
    createAccount: async (options, confirm) => {
      const parsed = parseCreateAccountOptions(options);
      const add = async (record: AccountRecord): Promise<AccountRecord> => {
        await confirm(record);
        return agreement.add(record, parsed.metamask);
      };
      return toKeyringAccount(await createAccount(parsed, services, add));
    },
    updateAccount: async (account) => {
      const record = await getRecord(account.id);
      await agreement.update(applyUpdate(record, account), record);
    },
    deleteAccount: async (id) => agreement.remove(id),
    exportAccount: async (id, confirm) => {
      await confirm(await getRecord(id));
      // It can have been removed while its user was asked.
      return { privateKey: await withPrivateKey(await getRecord(id), bytesToHex) };
    },
  };
}

function require(id: string, record: AccountRecord | undefined): AccountRecord {
  if (record) return record;
  throw new NotFoundError(
    `There is no account with the id ${id}. If Tollkeeper was installed anew, restore its ` +
      'accounts on its home page in MetaMask; imported ones have to be imported again.',
  );
}
