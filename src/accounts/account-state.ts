// Accounts in the encrypted document: what is found in a state, and the state that follows.
import { InvalidParamsError } from '../errors';
import { isSameAddress } from '../eth/hex';
import type { AccountRecord } from '../state/account-record';
import type { PrivateState } from '../state/private-state';

/** Find the account with an address. */
export function findByAddress(
  records: readonly AccountRecord[],
  address: string,
): AccountRecord | undefined {
  return records.find((record) => isSameAddress(record.address, address));
}

/**
 * Find the very account.
 *
 * @throws {InvalidParamsError} If another one has its address.
 */
export function findSame(
  state: PrivateState,
  record: AccountRecord,
): AccountRecord | undefined {
  const existing = findByAddress(Object.values(state.accounts), record.address);
  if (existing === undefined) return undefined;
  if (existing.id === record.id && isSameKey(existing, record)) return existing;
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

/** Tell whether an account is in a state. */
export function hasAccount({ accounts }: PrivateState, { id }: AccountRecord): boolean {
  return Object.hasOwn(accounts, id);
}

/** Add an account, or put it in the place of the one with its id. */
export function withAccount(state: PrivateState, record: AccountRecord): PrivateState {
  return { ...state, accounts: { ...state.accounts, [record.id]: record } };
}

/** Take an account away, and what was granted of it. */
export function withoutAccount(state: PrivateState, id: string): PrivateState {
  if (!Object.hasOwn(state.accounts, id)) return state;
  const accounts = Object.fromEntries(
    Object.entries(state.accounts).filter(([other]) => other !== id),
  );
  const grants = Object.entries(state.grants)
    .map(([origin, ids]) => [origin, ids.filter((granted) => granted !== id)] as const)
    .filter(([, ids]) => ids.length > 0);
  return { ...state, accounts, grants: Object.fromEntries(grants) };
}

/** Put an account back as it was before, with what was granted of it. */
export function withRestored(
  state: PrivateState,
  before: PrivateState,
  id: string,
): PrivateState {
  const record = before.accounts[id];
  if (!record) return state;
  const granted = Object.entries(before.grants).filter(([, ids]) => ids.includes(id));
  const grants = granted.map(([origin, ids]) => {
    const now = state.grants[origin] ?? [];
    // In the order of granting: a site takes the first for its account.
    const kept = ids.filter((each) => each === id || now.includes(each));
    const own: [string, string[]] = [origin, [...new Set([...kept, ...now])]];
    return own;
  });
  return {
    ...withAccount(state, record),
    grants: { ...state.grants, ...Object.fromEntries(grants) },
  };
}
