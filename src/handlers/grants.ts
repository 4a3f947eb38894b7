// Which accounts an origin may see and ask to sign: nothing, until its user said so.
import { UnauthorizedError } from '../errors';
import { isSameAddress } from '../eth/hex';
import type { AccountRecord } from '../state/account-record';
import type { PrivateState, PrivateStore } from '../state/private-state';

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
  /**
   * Get a granted account.
   *
   * @param account - Address or id.
   * @throws {UnauthorizedError} If it was not granted. Whether it exists is not told.
   */
  require: (origin: string, account: string) => Promise<AccountRecord>;
};

/** Create access to the grants in the encrypted document. */
export function createGrants(store: PrivateStore): Grants {
  const list = async (origin: string): Promise<AccountRecord[]> => {
    const { grants, accounts } = await store.read();
    const ids = Object.hasOwn(grants, origin) ? (grants[origin] ?? []) : [];
    return ids.flatMap((id) => accounts[id] ?? []);
  };
  return {
    list,
    set: async (origin, ids) => {
      await store.update((state) => {
        const present = ids.filter((id) => Object.hasOwn(state.accounts, id));
        return { ...state, grants: withGrant(state.grants, origin, present) };
      });
      return list(origin);
    },
    require: async (origin, account) => {
      const granted = await list(origin);
      const found = granted.find(
        ({ id, address }) => id === account || isSameAddress(address, account),
      );
      if (found) return found;
      throw new UnauthorizedError(
        'This origin was not granted that account. Ask for it with wallet_requestPermissions.',
      );
    },
  };
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
