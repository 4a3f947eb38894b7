// The stored accounts: every read and write of them goes through here.
import type { AccountRecord } from '../state/account-record';
import type { PrivateState, PrivateStore } from '../state/private-state';
import {
  findByAddress,
  findSame,
  hasAccount,
  withAccount,
  withoutAccount,
  withRestored,
} from './account-state';

/** An account as it is stored now, and whether it was not there before. */
export type Insertion = { record: AccountRecord; isNew: boolean };

/** Access to the stored accounts. */
export type AccountRepository = {
  list: () => Promise<AccountRecord[]>;
  find: (id: string) => Promise<AccountRecord | undefined>;
  findByAddress: (address: string) => Promise<AccountRecord | undefined>;
  /**
   * Store a new account; the same derived account may be there already.
   *
   * @throws {InvalidParamsError} If another account has its address.
   */
  insert: (record: AccountRecord) => Promise<Insertion>;
  /** Store an account again if it was removed meanwhile. */
  ensure: (record: AccountRecord) => Promise<void>;
  /** Store a new state of an account; does nothing if it was removed meanwhile. */
  replace: (record: AccountRecord) => Promise<void>;
  /**
   * Remove an account and what was granted of it.
   *
   * @returns A function that puts both back.
   */
  remove: (id: string) => Promise<() => Promise<void>>;
};

/** Create access to the accounts in the encrypted document. */
export function createRepository(store: PrivateStore): AccountRepository {
  const list = async (): Promise<AccountRecord[]> =>
    Object.values((await store.read()).accounts);
  return {
    list,
    find: async (id) => {
      const { accounts } = await store.read();
      return Object.hasOwn(accounts, id) ? accounts[id] : undefined;
    },
    findByAddress: async (address) => findByAddress(await list(), address),
    insert: async (record) => insert(store, record),
    ensure: async (record) => {
      await store.update((state) =>
        hasAccount(state, record) ? state : withAccount(state, record),
      );
    },
    replace: async (record) => {
      await store.update((state) =>
        hasAccount(state, record) ? withAccount(state, record) : state,
      );
    },
    remove: async (id) => remove(store, id),
  };
}

async function insert(store: PrivateStore, record: AccountRecord): Promise<Insertion> {
  let existing: AccountRecord | undefined;
  await store.update((state) => {
    existing = findSame(state, record);
    return existing ? state : withAccount(state, record);
  });
  return { record: existing ?? record, isNew: existing === undefined };
}

async function remove(store: PrivateStore, id: string): Promise<() => Promise<void>> {
  let before: PrivateState | undefined;
  await store.update((state) => {
    before = state;
    return withoutAccount(state, id);
  });
  return async () => {
    await store.update((state) => withRestored(state, before ?? state, id));
  };
}
