// The accounts that an origin may see and request signatures from: none until the user grants some.
import { bytesToHex, stringToBytes } from '@metamask/utils';

import { UnauthorizedError } from '../core/errors';
import { keccak256 } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { isSameJson } from '../schema/parse';
import type { AccountRecord } from '../state/account-record';
import type { PrivateState, PrivateStore } from '../state/private-state';
import type { PublicStore } from '../state/public-state';
import type { SentTransaction } from '../state/sent-transaction';
import { findOwn, RefusedError, without } from '../state/store';

export type GrantRow = { origin: string; accounts: { id: string; address: string }[] };

export type Grants = {
  /** Returns false if an origin certainly has no grant. Reads nothing encrypted. */
  mayHave: (origin: string) => Promise<boolean>;
  /** Adds the origin's mark if it has a grant, otherwise removes it. */
  tidyMark: (origin: string) => Promise<void>;
  /** In the order passed to {@link Grants.set}. */
  list: (origin: string) => Promise<AccountRecord[]>;
  /** Replaces the accounts granted to an origin, unless all new ones were deleted in the meantime;
   * an empty list forgets the origin. Returns the origin's current accounts. */
  set: (origin: string, ids: readonly string[]) => Promise<AccountRecord[]>;
  listAll: () => Promise<GrantRow[]>;
  /** Revokes the grant of one account, by id, or of all. */
  revoke: (origin: string, id?: string) => Promise<void>;
  /**
   * Gets a granted account.
   *
   * @param named - Addresses or ids; returns the first account that is granted.
   * @throws {UnauthorizedError} If none is granted; the error does not reveal which accounts exist.
   */
  require: (origin: string, named: readonly string[]) => Promise<AccountRecord>;
  /** Finds a transaction of an account granted to an origin. Other transactions look unknown,
   * because an answer would reveal that Tollkeeper sent them. */
  findSent: (
    origin: string,
    hash: Hex,
    find: (hash: Hex) => Promise<SentTransaction | undefined>,
  ) => Promise<SentTransaction | undefined>;
};

/** Stores grants in the encrypted document, and marks of their origins in the public one. */
export function createGrants(store: PrivateStore, publicStore: PublicStore): Grants {
  const list = async (origin: string): Promise<AccountRecord[]> =>
    findGranted(await store.read(), origin);
  const listMarks = async (): Promise<string[]> =>
    Object.keys((await store.read()).grants).map(toMark);
  const setMark = async (origin: string, isSet: boolean): Promise<void> => {
    // Adds the marks that other grants lack: earlier formats have none, and none are stored while the
    // document is refused.
    const granted = await listMarks();
    await publicStore.update((state) => {
      const { grantMarks = [] } = state;
      const marks = new Set([...grantMarks, ...granted]);
      if (isSet) marks.add(toMark(origin));
      else marks.delete(toMark(origin));
      const isSame = isSameJson([...marks], state.grantMarks);
      return isSame ? state : { ...state, grantMarks: [...marks] };
    });
  };
  // A leftover mark does no harm, so a failure is ignored.
  const tidyMark: Grants['tidyMark'] = async (origin) => {
    const isSet = (await listMarks()).includes(toMark(origin));
    await setMark(origin, isSet).catch(() => undefined);
  };
  return {
    mayHave: async (origin) => {
      const state = await publicStore.read().catch(() => undefined);
      return state?.grantMarks?.includes(toMark(origin)) ?? true;
    },
    list,
    tidyMark,
    set: async (origin, ids) => {
      // The mark comes first: a grant without a mark would be ignored, except while the public
      // document is refused.
      await setMark(origin, true).catch((error: unknown) => {
        if (!(error instanceof RefusedError)) throw error;
      });
      await store.update((state) => {
        const present = ids.filter((id) => Object.hasOwn(state.accounts, id));
        if (present.length === 0 && ids.length > 0) return state;
        return { ...state, grants: withGrant(state.grants, origin, present) };
      });
      await tidyMark(origin);
      return list(origin);
    },
    listAll: async () => {
      const state = await store.read();
      return Object.keys(state.grants).map((origin) => ({
        origin,
        accounts: findGranted(state, origin).map(({ id, address }) => ({
          id,
          address,
        })),
      }));
    },
    revoke: async (origin, id) => {
      await store.update((state) => {
        if (!Object.hasOwn(state.grants, origin)) return state;
        const ids = findIds(state, origin);
        const kept = ids.filter((each) => id !== undefined && each !== id);
        return { ...state, grants: withGrant(state.grants, origin, kept) };
      });
      await tidyMark(origin);
    },
    require: async (origin, named) => {
      const state = await store.read();
      const [found] = named.flatMap((each) => findNamed(state, origin, each) ?? []);
      if (found) return found;
      throw new UnauthorizedError(
        'This origin was not granted that account. Ask for it with wallet_requestPermissions.',
      );
    },
    findSent: async (origin, hash, find) => {
      const sent = await find(hash);
      if (!sent) return undefined;
      const granted = await list(origin);
      return granted.some(({ id }) => id === sent.account) ? sent : undefined;
    },
  };
}

// Two bytes of a hash: enough to exclude nearly all other sites, too few to identify one.
function toMark(origin: string): string {
  return bytesToHex(keccak256(stringToBytes(origin)).slice(0, 2));
}

function findIds({ grants }: PrivateState, origin: string): readonly string[] {
  return findOwn(grants, origin) ?? [];
}

function findGranted(state: PrivateState, origin: string): AccountRecord[] {
  return findIds(state, origin).flatMap((id) => state.accounts[id] ?? []);
}

// Stops at the first match, because a site can have a thousand grants.
function findNamed(
  state: PrivateState,
  origin: string,
  account: string,
): AccountRecord | undefined {
  // Stored addresses are in lower case.
  const address = account.toLowerCase();
  const named = findIds(state, origin).find(
    (id) => id === account || state.accounts[id]?.address === address,
  );
  return named === undefined ? undefined : state.accounts[named];
}

function withGrant(
  grants: PrivateState['grants'],
  origin: string,
  ids: readonly string[],
): PrivateState['grants'] {
  const others = without(grants, origin);
  return ids.length > 0 ? { ...others, [origin]: [...ids] } : others;
}
