// Which accounts an origin may see and ask to sign: nothing, until its user said so.
import { UnauthorizedError } from '../errors';
import type { AccountRecord } from '../state/account-record';
import type { PrivateState, PrivateStore } from '../state/private-state';

/** An origin, and the accounts that it was granted. */
export type GrantRow = { origin: string; accounts: { id: string; address: string }[] };

/** Access to the grants. */
export type Grants = {
  /** List the accounts that an origin was granted, in the order of granting. */
  list: (origin: string) => Promise<AccountRecord[]>;
  /**
   * Grant an origin accounts, instead of those it had; none forgets the origin.
   *
   * @returns What it has now: an account may have been deleted meanwhile.
   */
  set: (origin: string, ids: readonly string[]) => Promise<AccountRecord[]>;
  /** List all grants, by origin. */
  listAll: () => Promise<GrantRow[]>;
  /** Take back what an origin was granted: one account, by id, or all. */
  revoke: (origin: string, id?: string) => Promise<void>;
  /**
   * Get a granted account.
   *
   * @param named - Addresses or ids; the first that was granted is meant.
   * @throws {UnauthorizedError} If it was not granted. Whether it exists is not told.
   */
  require: (origin: string, named: readonly string[]) => Promise<AccountRecord>;
};

/** Create access to the grants in the encrypted document. */
export function createGrants(store: PrivateStore): Grants {
  const list = async (origin: string): Promise<AccountRecord[]> =>
    findGranted(await store.read(), origin);
  return {
    list,
    set: async (origin, ids) => {
      await store.update((state) => {
        const present = ids.filter((id) => Object.hasOwn(state.accounts, id));
        return { ...state, grants: withGrant(state.grants, origin, present) };
      });
      return list(origin);
    },
    listAll: async () => {
      const state = await store.read();
      return Object.keys(state.grants).map((origin) => toRow(state, origin));
    },
    revoke: async (origin, id) => {
      await store.update((state) => withoutGrant(state, origin, id));
    },
    require: async (origin, named) => {
      const state = await store.read();
      const [found] = named.flatMap((each) => findNamed(state, origin, each) ?? []);
      if (found) return found;
      throw new UnauthorizedError(
        'This origin was not granted that account. Ask for it with wallet_requestPermissions.',
      );
    },
  };
}

function findIds({ grants }: PrivateState, origin: string): readonly string[] {
  const ids = Object.hasOwn(grants, origin) ? grants[origin] : undefined;
  return ids ?? [];
}

function findGranted(state: PrivateState, origin: string): AccountRecord[] {
  return findIds(state, origin).flatMap((id) => state.accounts[id] ?? []);
}

// Stops at the first: a site can have been granted a thousand.
function findNamed(
  state: PrivateState,
  origin: string,
  account: string,
): AccountRecord | undefined {
  // Stored addresses are in lower case.
  const address = account.toLowerCase();
  const isNamed = (id: string): boolean =>
    id === account || state.accounts[id]?.address === address;
  const id = findIds(state, origin).find(isNamed);
  return id === undefined ? undefined : state.accounts[id];
}

function toRow(state: PrivateState, origin: string): GrantRow {
  const granted = findGranted(state, origin);
  return { origin, accounts: granted.map(({ id, address }) => ({ id, address })) };
}

function withoutGrant(state: PrivateState, origin: string, id?: string): PrivateState {
  if (!Object.hasOwn(state.grants, origin)) return state;
  const kept = findIds(state, origin).filter((each) => id !== undefined && each !== id);
  return { ...state, grants: withGrant(state.grants, origin, kept) };
}

function withGrant(
  grants: PrivateState['grants'],
  origin: string,
  ids: readonly string[],
): PrivateState['grants'] {
  const others = Object.entries(grants).filter(([other]) => other !== origin);
  const own: [string, string[]][] = ids.length > 0 ? [[origin, [...ids]]] : [];
  return Object.fromEntries([...others, ...own]);
}
