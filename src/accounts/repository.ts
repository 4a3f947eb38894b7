// The stored accounts: every read and write of them goes through here.
import { InvalidParamsError, UnavailableError } from '../errors';
import { isSameAddress } from '../eth/hex';
import { ownerOf } from '../state/account-record';
import type { AccountRecord } from '../state/account-record';
import type { PrivateState, PrivateStore } from '../state/private-state';
import type { Unsettled } from '../state/sent-transaction';
import { suggestName } from './record';

// Accounts in the encrypted document, and the changes of them that MetaMask is told of:
// what is found in a state, and the state that follows. A change is noted before MetaMask
// is told, and the note is struck out when it is known what MetaMask made of it.

/** How an account is changed. */
export type AccountChange = Unsettled['change'];

/** Find the account with an address. */
export function findByAddress(
  records: readonly AccountRecord[],
  address: string,
): AccountRecord | undefined {
  return records.find((record) => isSameAddress(record.address, address));
}

/** Find what is noted of an account. */
export function findUnsettled(
  { unsettled }: PrivateState,
  id: string,
): Unsettled | undefined {
  return Object.hasOwn(unsettled, id) ? unsettled[id] : undefined;
}

/**
 * Find an account that keeps another one from being added: it has the same address or the
 * same key. Accounts that are only noted to be added count, too: MetaMask may hold them.
 */
export function findConflict(
  { accounts, unsettled }: PrivateState,
  record: AccountRecord,
): AccountRecord | undefined {
  const noted = Object.values(unsettled).flatMap((note) => note.record ?? []);
  const others = noted.filter(({ id }) => id !== record.id);
  return [...Object.values(accounts), ...others].find(
    (each) =>
      isSameAddress(each.address, record.address) ||
      isSameAddress(ownerOf(each), ownerOf(record)),
  );
}

// Finds the very account; throws if another one has its address or its key.
function findSame(
  state: PrivateState,
  record: AccountRecord,
): AccountRecord | undefined {
  const existing = findConflict(state, record);
  if (existing === undefined) return undefined;
  const { id, address } = existing;
  // Derived keys of one address are one key, whatever names its entropy source was given.
  const isDerived = [existing, record].every(({ key }) => key.kind === 'derived');
  if (id === record.id && isDerived) return existing;
  const name = `${suggestName(existing)} (${id})`;
  throw new InvalidParamsError(
    isSameAddress(address, record.address)
      ? `An account with the address ${address} exists already: ${name}.`
      : `The account ${address} has the same key: ${name}. Two accounts must not share a ` +
          'key: what one of them signs could be valid for the other. Use another index or ' +
          'key, or delete that account first.',
    { context: { address, id } },
  );
}

/**
 * Note that an account is to be added; one that is there needs no note.
 *
 * @throws {InvalidParamsError} If another account has its address or its key.
 * @throws {UnavailableError} If it is there and is being changed.
 */
export function withAddition(
  state: PrivateState,
  record: AccountRecord,
  session: number,
): PrivateState {
  if (findSame(state, record)) {
    assertAtRest(state, record);
    return state;
  }
  const note: Unsettled = { change: 'add', record, session };
  return { ...state, unsettled: { ...state.unsettled, [record.id]: note } };
}

/** Put an account in the place of the one with its id, and note that it was updated. */
export function withUpdate(
  state: PrivateState,
  record: AccountRecord,
  session: number,
): PrivateState {
  if (!Object.hasOwn(state.accounts, record.id)) return state;
  assertAtRest(state, record);
  const note: Unsettled = { change: 'update', session };
  return {
    ...withAccount(state, record),
    unsettled: { ...state.unsettled, [record.id]: note },
  };
}

/** Put back what an account was before an update, unless another change has overtaken it. */
export function withUpdateUndone(
  state: PrivateState,
  before: AccountRecord,
): PrivateState {
  const isUpdating = findUnsettled(state, before.id)?.change === 'update';
  return isUpdating ? withAccount(state, before) : state;
}

/** Note that an account is to be removed, whatever else is noted of it. */
export function withRemoval(
  state: PrivateState,
  id: string,
  session: number,
): PrivateState {
  const before = findUnsettled(state, id);
  if (before?.change === 'remove' && before.session === session) return state;
  const note: Unsettled = { ...before, change: 'remove', session };
  return { ...state, unsettled: { ...state.unsettled, [id]: note } };
}

/**
 * Strike out a note, now that it is known whether MetaMask holds the account.
 *
 * @param change - What was noted; if it is another change by now, nothing is done: that
 * one has its own end.
 */
export function withSettled(
  state: PrivateState,
  { id, change, isHeld }: { id: string; change: AccountChange; isHeld: boolean },
): PrivateState {
  const note = findUnsettled(state, id);
  if (note?.change !== change) return state;
  const settled = { ...state, unsettled: without(state.unsettled, id) };
  const record = state.accounts[id] ?? note.record;
  if (isHeld && record) return withAccount(settled, record);
  // MetaMask may have lost what was updated: that is no reason to lose it as well.
  return change === 'update' ? settled : withoutAccount(settled, id);
}

/**
 * Add an account if it is not there; that it was to be added is settled by that.
 *
 * @throws {InvalidParamsError} If another account has its address or its key.
 */
export function withEnsured(state: PrivateState, record: AccountRecord): PrivateState {
  const { id } = record;
  if (Object.hasOwn(state.accounts, id) || findSame(state, record)) return state;
  const isNoted = findUnsettled(state, id)?.change === 'add';
  const unsettled = isNoted ? without(state.unsettled, id) : state.unsettled;
  return { ...withAccount(state, record), unsettled };
}

/** Add an account, or put it in the place of the one with its id. */
export function withAccount(state: PrivateState, record: AccountRecord): PrivateState {
  return { ...state, accounts: { ...state.accounts, [record.id]: record } };
}

// An account goes, and what was granted of it.
function withoutAccount(state: PrivateState, id: string): PrivateState {
  if (!Object.hasOwn(state.accounts, id)) return state;
  const grants = Object.entries(state.grants)
    .map(([origin, ids]) => [origin, ids.filter((granted) => granted !== id)] as const)
    .filter(([, ids]) => ids.length > 0);
  return {
    ...state,
    accounts: without(state.accounts, id),
    grants: Object.fromEntries(grants),
  };
}

function assertAtRest(state: PrivateState, { id, address }: AccountRecord): void {
  if (!findUnsettled(state, id)) return;
  throw new UnavailableError(
    `The account ${address} is being changed; try again when MetaMask has answered.`,
  );
}

function without<Value>(
  entries: Record<string, Value>,
  id: string,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(entries).filter(([other]) => other !== id));
}

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
