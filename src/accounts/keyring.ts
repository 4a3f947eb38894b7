// The keyring: account management for MetaMask, the companion page and the home page.
import type { KeyringAccount } from '@metamask/keyring-api';
import type { CaipAssetType, Json } from '@metamask/utils';

import { tryInTime } from '../../packages/client/src/abort';
import { toNativeAsset } from '../chains/addresses';
import type { Chains } from '../chains/chain';
import type { Approval } from '../core/approval';
import type { Core } from '../core/core';
import { InvalidParamsError, NotFoundError, UnavailableError } from '../core/errors';
import type { Hex } from '../eth/hex';
import { isSameJson, matches, parse } from '../schema/parse';
import { ScopesStruct, ScopeStruct } from '../state/account-record';
import type { AccountRecord } from '../state/account-record';
import { findAny } from './agreement';
import type { AccountQuestions, Agreement } from './agreement';
import { createAccount, parseCreateAccountOptions } from './create';
import type { CreateServices } from './create';
import { toKeyringAccount } from './events';
import { kindOf } from './kinds/kinds';
import { serves } from './repository';
import type { Requests } from './requests';

type KeyringParts = Omit<CreateServices, 'renewKey'> & {
  core: Core;
  agreement: Agreement;
  requests: Requests;
};

export type AskToExport = (record: AccountRecord) => Promise<Approval>;

/** Each operation throws the errors of `core/errors.ts`. */
export type Keyring = {
  settle: () => Promise<void>;
  listAccounts: () => Promise<KeyringAccount[]>;
  getAccount: (id: string) => Promise<KeyringAccount>;
  getRecord: (id: string) => Promise<AccountRecord>;
  /** Gets an account that MetaMask refers to, and stores it if it was only noted for addition. */
  getNamed: (id: string) => Promise<AccountRecord>;
  createAccount: (
    options: Json,
    questions: AccountQuestions,
  ) => Promise<KeyringAccount>;
  /** Creates an account for MetaMask, which takes it from the response. */
  giveAccount: (options: Json, questions: AccountQuestions) => Promise<KeyringAccount>;
  updateAccount: (account: KeyringAccount) => Promise<void>;
  deleteAccount: (id: string) => Promise<void>;
  dropAccount: (id: string) => Promise<void>;
  /** Exports an account's private key (for a smart account, its owner's). */
  exportAccount: (id: string, ask: AskToExport) => Promise<{ privateKey: Hex }>;
  filterAccountChains: (id: string, chains: readonly string[]) => Promise<string[]>;
};

/** Time limit for rejecting requests while MetaMask waits and holds its lock, in ms. */
const REJECT_MS = 1_000;

export function createKeyring(parts: KeyringParts): Keyring {
  const { repository, agreement, requests, core } = parts;
  const require = async (
    id: string,
    record: AccountRecord | undefined,
  ): Promise<AccountRecord> => {
    if (record) return record;
    const problem = await repository.findProblem(id);
    if (problem !== undefined) {
      throw new UnavailableError(
        `The account ${id} cannot be used. ${problem} See Tollkeeper's home page.`,
      );
    }
    throw new NotFoundError(
      `There is no account with the id ${id}. After reinstalling Tollkeeper, restore derived ` +
        'accounts on its home page in MetaMask, and import the imported ones again.',
    );
  };
  const getRecord = async (id: string): Promise<AccountRecord> =>
    require(id, await repository.find(id));
  return {
    settle: async () => {
      await agreement.settle();
      await requests.rejectOrphans();
    },
    getRecord,
    getNamed: async (id) => require(id, await agreement.findNamed(id)),
    listAccounts: async () => (await repository.list()).map(toKeyringAccount),
    // MetaMask may ask for the account while its user decides whether to add it.
    getAccount: async (id) =>
      toKeyringAccount(await require(id, await findAny(id, repository))),
    filterAccountChains: async (id, chains) => {
      const scopes: readonly string[] = kindOf(await getRecord(id)).scopes;
      const isAll = scopes.includes('eip155:0');
      return chains.filter(
        (chain) => scopes.includes(chain) || (isAll && matches(chain, ScopeStruct)),
      );
    },
    createAccount: async (options, questions) => {
      const parsed = parseCreateAccountOptions(options);
      const add = async (record: AccountRecord): Promise<AccountRecord> =>
        agreement.add(record, questions, parsed);
      const services = { ...parts, renewKey: agreement.renewKey };
      return toKeyringAccount(await createAccount(parsed, services, add));
    },
    giveAccount: async (options, questions) => {
      const root = 'keyring_createAccounts: options';
      const parsed = parseCreateAccountOptions(options, root);
      if (parsed.unlisted) {
        throw new InvalidParamsError(
          `${root}.unlisted is for keyring_createAccount: MetaMask lists the accounts it creates.`,
        );
      }
      const give = async (record: AccountRecord): Promise<AccountRecord> =>
        agreement.give(record, questions.create);
      // Sends no event, because MetaMask holds its lock and reads the key's source in the response.
      const services = { ...parts, renewKey: repository.renewKey };
      return toKeyringAccount(await createAccount(parsed, services, give));
    },
    updateAccount: async (account) => {
      const record = await getRecord(account.id);
      await agreement.update(applyUpdate(record, account), record);
    },
    deleteAccount: async (id) => {
      await agreement.remove(id);
      await requests.rejectOrphans();
    },
    dropAccount: async (id) => {
      await agreement.drop(id);
      // Rejects requests now, because MetaMask accepts no events from a snap without accounts. The
      // time limit prevents a deadlock if a rejection waits for MetaMask's lock.
      await tryInTime(requests.rejectOrphans, REJECT_MS);
    },
    exportAccount: async (id, ask) => {
      const approval = await ask(await getRecord(id));
      // The account may have been removed while the user was asked.
      await getRecord(id);
      return { privateKey: await core.exportKey(approval) };
    },
  };
}

function applyUpdate(record: AccountRecord, update: KeyringAccount): AccountRecord {
  const root = 'keyring_updateAccount: params.account';
  const current = toKeyringAccount(record);
  for (const field of ['type', 'address', 'methods', 'options'] as const) {
    if (!isSameJson(current[field], update[field])) {
      throw new InvalidParamsError(`${root}.${field} cannot be changed.`);
    }
  }
  const scopes = parse(update.scopes, ScopesStruct, `${root}.scopes`);
  if (isSameJson(current.scopes, scopes)) return record;
  const { smart } = kindOf(record);
  if (!smart || scopes.includes('eip155:0')) {
    throw new InvalidParamsError(
      `${root}.scopes cannot be changed to ${scopes.join(', ')}.`,
    );
  }
  return { ...smart.record, scopes };
}

/** Lists the native assets (CAIP-19) of the chains that have a node and that the account serves. */
export async function listAssets(
  account: AccountRecord,
  chains: Chains,
): Promise<CaipAssetType[]> {
  return (await chains.list())
    .filter((chainId) => serves(account, chainId))
    .map((chainId) => toNativeAsset(chainId).type);
}
