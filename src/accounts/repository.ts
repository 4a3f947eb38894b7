// The stored accounts: every read and write of them goes through here.
import { InvalidParamsError } from '../errors';
import { isSameAddress } from '../eth/hex';
import type { AccountRecord } from '../state/account-record';
import type { PrivateState, PrivateStore } from '../state/private-state';

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
  /** Store a new state of an account that exists. */
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
    insert: async (record) => {
      let existing: AccountRecord | undefined;
      await store.update((state) => {
        existing = findSame(state, record);
        return existing ? state : withAccount(state, record);
      });
      return { record: existing ?? record, isNew: existing === undefined };
    },
    replace: async (record) => {
      await store.update((state) => withAccount(state, record));
    },
    remove: async (id) => {
      let before: PrivateState | undefined;
      await store.update((state) => {
        before = state;
        return withoutAccount(state, id);
      });
      return async () => {
        await store.update((state) =>
          before ? withRestored(state, before, id) : state,
        );
      };
    },
  };
}

function findByAddress(
  records: readonly AccountRecord[],
  address: string,
): AccountRecord | undefined {
  return records.find((record) => isSameAddress(record.address, address));
}

/** Find the very account; throw if another one has its address. */
function findSame(
  state: PrivateState,
  record: AccountRecord,
): AccountRecord | undefined {
  const existing = findByAddress(Object.values(state.accounts), record.address);
  if (existing === undefined || isSameKey(existing, record)) return existing;
  throw new InvalidParamsError(
    `An account with the address ${record.address} exists already (${existing.id}).`,
    { context: { address: record.address, id: existing.id } },
  );
}

function isSameKey(
  { key: one }: AccountRecord,
  { key: other }: AccountRecord,
): boolean {
  if (one.kind === 'imported' || other.kind === 'imported') return false;
  return one.index === other.index && one.entropySource === other.entropySource;
}

function withAccount(state: PrivateState, record: AccountRecord): PrivateState {
  return { ...state, accounts: { ...state.accounts, [record.id]: record } };
}

function withoutAccount(state: PrivateState, id: string): PrivateState {
  if (!Object.hasOwn(state.accounts, id)) return state;
  const accounts = Object.fromEntries(
    Object.entries(state.accounts).filter(([other]) => other !== id),
  );
  const grants = Object.entries(state.grants)
    .map(([origin, ids]) => [origin, ids.filter((granted) => granted !== id)] as const)
    .filter(([, ids]) => ids.length > 0);
  return { ...state, accounts, grants: Object.fromEntries(grants) };
}

function withRestored(
  state: PrivateState,
  before: PrivateState,
  id: string,
): PrivateState {
  const record = before.accounts[id];
  if (!record) return state;
  const granted = Object.entries(before.grants).filter(([, ids]) => ids.includes(id));
  const grants = granted.map(([origin]) => [
    origin,
    [...(state.grants[origin] ?? []), id],
  ]);
  return {
    ...withAccount(state, record),
    grants: {
      ...state.grants,
      ...(Object.fromEntries(grants) as PrivateState['grants']),
    },
  };
}
