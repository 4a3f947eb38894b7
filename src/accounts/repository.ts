// The stored accounts: every read and write of them goes through here.
import type { AccountRecord } from '../state/account-record';
import type { PrivateState, PrivateStore } from '../state/private-state';
import type { Unsettled } from '../state/unsettled';
import {
  findByAddress,
  findConflict,
  findUnsettled,
  withAddition,
  withEnsured,
  withRemoval,
  withSettled,
  withUpdate,
  withUpdateUndone,
} from './account-state';
import type { AccountChange } from './account-state';

/** An account as it is stored now, and whether it was not there before. */
export type Addition = { record: AccountRecord; isNew: boolean };

/** What became of a change: whether MetaMask holds the account now. */
export type Settlement = { id: string; change: AccountChange; isHeld: boolean };

/**
 * Access to the stored accounts.
 *
 * MetaMask is told of each change, and the snap can be stopped before it knows what came of
 * it. So a change is noted first (`begin…`), and `settle` strikes the note out. An account
 * that is only noted to be added is not listed.
 */
export type AccountRepository = {
  list: () => Promise<AccountRecord[]>;
  find: (id: string) => Promise<AccountRecord | undefined>;
  findByAddress: (address: string) => Promise<AccountRecord | undefined>;
  /** Find an account, stored or to be added, that has the address or the key of another. */
  findConflict: (record: AccountRecord) => Promise<AccountRecord | undefined>;
  /** List the changes that are not settled, by account id. */
  listUnsettled: () => Promise<[string, Unsettled][]>;
  findUnsettled: (id: string) => Promise<Unsettled | undefined>;
  /**
   * Note that an account is to be added; the same derived account may be there already.
   *
   * @throws {InvalidParamsError} If another account has its address or its key.
   * @throws {UnavailableError} If it is being updated or removed.
   */
  beginAddition: (record: AccountRecord) => Promise<Addition>;
  /**
   * Store a new state of an account; does nothing if it was removed meanwhile.
   *
   * @throws {UnavailableError} If it is being changed already.
   */
  beginUpdate: (record: AccountRecord) => Promise<void>;
  /** Note that an account is to be removed; it stays in use until that is settled. */
  beginRemoval: (id: string) => Promise<void>;
  /** Act on what MetaMask made of a change, unless another change has overtaken it. */
  settle: (settlement: Settlement) => Promise<void>;
  /**
   * Store an account if it is not there.
   *
   * @throws {InvalidParamsError} If another account has its address or its key.
   */
  ensure: (record: AccountRecord) => Promise<void>;
  /** Store an account as it was before an update, unless it is being removed. */
  undoUpdate: (before: AccountRecord) => Promise<void>;
};

/** Create access to the accounts in the encrypted document. */
export function createRepository(
  store: PrivateStore,
  currentSession: () => Promise<number>,
): AccountRepository {
  return { ...createReader(store), ...createWriter(store, currentSession) };
}

type Reader = Pick<
  AccountRepository,
  'list' | 'find' | 'findByAddress' | 'findConflict' | 'listUnsettled' | 'findUnsettled'
>;

function createReader(store: PrivateStore): Reader {
  const list = async (): Promise<AccountRecord[]> =>
    Object.values((await store.read()).accounts);
  return {
    list,
    find: async (id) => {
      const { accounts } = await store.read();
      return Object.hasOwn(accounts, id) ? accounts[id] : undefined;
    },
    findByAddress: async (address) => findByAddress(await list(), address),
    findConflict: async (record) => findConflict(await store.read(), record),
    listUnsettled: async () => Object.entries((await store.read()).unsettled),
    findUnsettled: async (id) => findUnsettled(await store.read(), id),
  };
}

function createWriter(
  store: PrivateStore,
  currentSession: () => Promise<number>,
): Omit<AccountRepository, keyof Reader> {
  const update = async (
    change: (state: PrivateState, session: number) => PrivateState,
  ): Promise<PrivateState> => {
    const session = await currentSession();
    return store.update((state) => change(state, session));
  };
  const put = async (
    change: (state: PrivateState, session: number) => PrivateState,
  ): Promise<void> => void (await update(change));
  return {
    beginAddition: async (record) => {
      const { accounts } = await update((state, session) =>
        withAddition(state, record, session),
      );
      const existing = accounts[record.id];
      return { record: existing ?? record, isNew: existing === undefined };
    },
    beginUpdate: async (record) =>
      put((state, session) => withUpdate(state, record, session)),
    beginRemoval: async (id) =>
      put((state, session) => withRemoval(state, id, session)),
    settle: async (settlement) => put((state) => withSettled(state, settlement)),
    ensure: async (record) => put((state) => withEnsured(state, record)),
    undoUpdate: async (before) => put((state) => withUpdateUndone(state, before)),
  };
}
