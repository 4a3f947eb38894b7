// The stored accounts; all their changes go through here. The repository also stores notes of
// changes until MetaMask's result is known (see agreement.ts). An account that is only noted for
// addition is not listed.
import { isObject, stringToBytes } from '@metamask/utils';
import { v4 as uuid } from 'uuid';

import type { Core } from '../core/core';
import type { EntryPointVersion } from '../core/entry-points';
import { InvalidParamsError, UnavailableError } from '../core/errors';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import {
  isSameAddress,
  keccak256,
  NodeAddressStruct,
  toLower,
  toQuantity,
} from '../eth/hex';
import type { Hex } from '../eth/hex';
import { canonicalContracts, computeAccountAddress } from '../eth/smart-account';
import type { ProxyCode, SmartAccountOrigin } from '../eth/smart-account';
import type { SharedEdges } from '../platform/shared-edges';
import { matches } from '../schema/parse';
import { ownerOf } from '../state/account-record';
import type {
  AccountRecord,
  KeySource,
  SmartRecord,
  Unsettled,
} from '../state/account-record';
import type { PrivateState, PrivateStore } from '../state/private-state';
import { findOwn, without } from '../state/store';
import type { SetAside } from '../state/store';
import { kindOf } from './kinds/kinds';

type Settlement = { id: string; change: Unsettled['change']; isHeld: boolean };

/** An unusable stored record, and what can be recovered from it. */
export type DamagedRecord = Pick<SetAside, 'collection' | 'key' | 'problem'> & {
  id: string;
  address?: Hex;
  /** The address of its key, if the core holds the key. */
  held?: Hex;
};

export type AccountRepository = {
  /** Lists the unusable records of the encrypted document. If the whole document is unusable, lists
   * the accounts with an imported key. */
  listDamaged: () => Promise<DamagedRecord[]>;
  /** Describes the fault of an account's record, if it was set aside. */
  findProblem: (id: string) => Promise<string | undefined>;
  list: () => Promise<AccountRecord[]>;
  find: (id: string) => Promise<AccountRecord | undefined>;
  findByAddress: (address: string) => Promise<AccountRecord | undefined>;
  /** Returns whether the account itself is stored or damaged, or another account, stored or being
   * added, has its address or its key. */
  hasConflict: (record: AccountRecord) => Promise<boolean>;
  /** Lists the unsettled changes by account id, except those of damaged accounts. */
  listUnsettled: () => Promise<[string, Unsettled][]>;
  findUnsettled: (id: string) => Promise<Unsettled | undefined>;
  /**
   * Notes that an account is to be added, unless the same derived account is already stored.
   *
   * @returns The stored account, and whether it is new.
   * @throws {InvalidParamsError} If another account has its address or its key, or the same account
   *   is stored and either key was imported.
   * @throws {UnavailableError} If the account is being updated or removed.
   */
  beginAddition: (
    record: AccountRecord,
  ) => Promise<{ record: AccountRecord; isNew: boolean }>;
  /** Stores a new state of an account, unless it was removed in the meantime; throws
   * `UnavailableError` if another change is in progress. */
  beginUpdate: (record: AccountRecord) => Promise<void>;
  /** Notes that an account is to be removed, overriding any other note; the account stays usable
   * until the removal is settled. */
  beginRemoval: (id: string) => Promise<void>;
  /** Applies MetaMask's result of a change, unless another change has replaced it. */
  settle: (settlement: Settlement) => Promise<void>;
  /** Stores an account if it is missing, otherwise stores only whether it is unlisted. Returns the
   * given account. Throws `InvalidParamsError` if another account has its address or its key. */
  ensure: (record: AccountRecord) => Promise<AccountRecord>;
  renewKey: (record: AccountRecord) => Promise<void>;
  /** Replaces the state of an account whose update is still noted. */
  reviseUpdate: (record: AccountRecord) => Promise<void>;
};

export function createRepository(
  store: PrivateStore,
  currentSession: () => Promise<number>,
): AccountRepository {
  const list = async (): Promise<AccountRecord[]> =>
    Object.values((await store.read()).accounts);
  const note = async (
    change: (state: PrivateState, session: number) => PrivateState,
  ): Promise<PrivateState> => {
    const session = await currentSession();
    return store.update((state) => change(state, session));
  };
  const findProblem = async (id: string): Promise<string | undefined> =>
    (await store.listSetAside()).find(
      ({ collection, key }) => collection === 'accounts' && key === id,
    )?.problem;
  return {
    listDamaged: async () => (await store.listSetAside()).flatMap(toDamaged),
    findProblem,
    list,
    find: async (id) => findOwn((await store.read()).accounts, id),
    findByAddress: async (address) =>
      (await list()).find((record) => isSameAddress(record.address, address)),
    hasConflict: async (record) =>
      findConflict(await store.read(), record) !== undefined ||
      (await findProblem(record.id)) !== undefined,
    listUnsettled: async () => {
      const noted = Object.entries((await store.read()).unsettled);
      const problems = await Promise.all(noted.map(async ([id]) => findProblem(id)));
      return noted.filter((_each, index) => problems[index] === undefined);
    },
    findUnsettled: async (id) => findOwn((await store.read()).unsettled, id),
    beginAddition: async (record) => {
      const { accounts } = await note((state, session) => {
        if (!isStored(state, record)) {
          return withNote(state, record.id, { change: 'add', record, session });
        }
        assertAtRest(state, record);
        return state;
      });
      const existing = accounts[record.id];
      return { record: existing ?? record, isNew: existing === undefined };
    },
    beginUpdate: async (record) => {
      await note((state, session) => {
        if (!Object.hasOwn(state.accounts, record.id)) return state;
        assertAtRest(state, record);
        const updated = withAccount(state, record);
        return withNote(updated, record.id, { change: 'update', session });
      });
    },
    beginRemoval: async (id) => {
      await note((state, session) => {
        const before = findOwn(state.unsettled, id);
        if (before?.change === 'remove' && before.session === session) return state;
        return withNote(state, id, { ...before, change: 'remove', session });
      });
    },
    settle: async (settlement) => {
      await store.update((state) => withSettled(state, settlement));
    },
    ensure: async (record) => {
      await store.update((state) => withEnsured(state, record));
      return record;
    },
    renewKey: async ({ id, key }) => {
      await store.update((state) => {
        const existing = findOwn(state.accounts, id);
        return existing ? withAccount(state, { ...existing, key }) : state;
      });
    },
    reviseUpdate: async (record) => {
      await store.update((state) => {
        const isUpdating = findOwn(state.unsettled, record.id)?.change === 'update';
        return isUpdating ? withAccount(state, record) : state;
      });
    },
  };
}

function toDamaged({ collection, key, record, problem }: SetAside): DamagedRecord[] {
  // The note of an addition contains the account.
  const account = isObject(record) && isObject(record.record) ? record.record : record;
  const { key: source, address } = isObject(account) ? account : {};
  const held = isObject(source) ? source.held : undefined;
  const damaged = { collection, key, id: `${collection}.${key}`, problem };
  if (matches(held, NodeAddressStruct)) return [{ ...damaged, held, address: held }];
  if (problem === undefined) return [];
  return [{ ...damaged, ...(matches(address, NodeAddressStruct) ? { address } : {}) }];
}

// Accounts conflict if they share an address or a key. Accounts noted for addition count too,
// because MetaMask may hold them.
function findConflict(
  { accounts, unsettled }: PrivateState,
  record: AccountRecord,
): AccountRecord | undefined {
  const noted = Object.values(unsettled).flatMap((each) => each.record ?? []);
  const others = noted.filter(({ id }) => id !== record.id);
  return [...Object.values(accounts), ...others].find(
    (each) =>
      isSameAddress(each.address, record.address) ||
      isSameAddress(ownerOf(each), ownerOf(record)),
  );
}

// Throws if an account has the address or the key, unless both are the same derived account.
function isStored(state: PrivateState, record: AccountRecord): boolean {
  const existing = findConflict(state, record);
  if (existing === undefined) return false;
  const { id, address } = existing;
  // Derived keys with the same address are the same key, whatever the ids of their entropy sources.
  const isDerived = [existing, record].every(({ key }) => key.kind === 'derived');
  if (id === record.id && isDerived) return true;
  const name = `${suggestName(existing)} (${id})`;
  throw new InvalidParamsError(
    isSameAddress(address, record.address)
      ? `An account with the address ${address} already exists: ${name}.`
      : `The account ${address} has the same key: ${name}. Accounts must not share a ` +
          'key: a signature by one could be valid for the other. Use another index or ' +
          'key, or delete that account first.',
    { context: { address, id } },
  );
}

function assertAtRest(state: PrivateState, { id, address }: AccountRecord): void {
  if (!findOwn(state.unsettled, id)) return;
  throw new UnavailableError(
    `The account ${address} is being changed; try again when MetaMask has answered.`,
  );
}

function withSettled(
  state: PrivateState,
  { id, change, isHeld }: Settlement,
): PrivateState {
  const note = findOwn(state.unsettled, id);
  // The note was settled, or another change has replaced it.
  if (note?.change !== change) return state;
  const settled = { ...state, unsettled: without(state.unsettled, id) };
  const record = state.accounts[id] ?? note.record;
  if (isHeld && record) return withAccount(settled, record);
  // MetaMask may have lost the updated account; the snap must keep it.
  return change === 'update' ? settled : withoutAccount(settled, id);
}

function withEnsured(state: PrivateState, record: AccountRecord): PrivateState {
  const { id, unlisted } = record;
  const existing = findOwn(state.accounts, id);
  if (existing) {
    return existing.unlisted === unlisted
      ? state
      : withAccount(state, withListing(existing, !unlisted));
  }
  if (isStored(state, record)) return state;
  const isNoted = findOwn(state.unsettled, id)?.change === 'add';
  const unsettled = isNoted ? without(state.unsettled, id) : state.unsettled;
  return { ...withAccount(state, record), unsettled };
}

function withNote(state: PrivateState, id: string, note: Unsettled): PrivateState {
  return { ...state, unsettled: { ...state.unsettled, [id]: note } };
}

function withAccount(state: PrivateState, record: AccountRecord): PrivateState {
  return { ...state, accounts: { ...state.accounts, [record.id]: record } };
}

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

export type SmartAccountPlace = SmartAccountOrigin & {
  address: Hex;
  scopes: SmartRecord['scopes'];
};

/** A possible account at an index. */
export type Candidate = {
  address: Hex;
  index: number;
  isSmart: boolean;
  /** @param scopes - Chains of a smart account, CAIP-2; an EOA serves all. */
  toRecord: (scopes: SmartRecord['scopes']) => AccountRecord;
};

export function makeEoa(address: Hex, key: KeySource): AccountRecord {
  const identity = { type: 'eip155:eoa', address } as const;
  return { ...identity, id: deriveAccountId(identity), key };
}

export function makeSmartAccount(
  place: SmartAccountPlace,
  key: KeySource,
): AccountRecord {
  const { scopes, ...rest } = place;
  const salt = toQuantity(place.salt);
  const identity = { type: 'eip155:erc4337', ...rest, salt } as const;
  return { ...identity, id: deriveAccountId(identity), key, scopes };
}

export function toDerivedKey(
  index: number,
  entropySource: string | undefined,
): Extract<KeySource, { kind: 'derived' }> {
  return {
    kind: 'derived',
    index,
    ...(entropySource !== undefined && { entropySource }),
  };
}

/** Creation code that determines smart account addresses. It is not in the bundle, because few
 * workers need it. */
export const PROXIES_FILE = 'src/accounts/proxies.json';

export async function readProxyCode(
  readFile: SharedEdges['readFile'],
): Promise<ProxyCode> {
  const file = await readFile(PROXIES_FILE);
  if (file !== null) return JSON.parse(file) as ProxyCode;
  throw new UnavailableError(`${PROXIES_FILE} is missing: reinstall Tollkeeper.`);
}

/** Derives the possible accounts of an index: its EOA, the SimpleAccount of each EntryPoint and the
 * Safe, at their canonical factories with salt zero. */
export async function deriveCandidates(
  { index, entropySource }: { index: number; entropySource?: string | undefined },
  {
    core,
    readFile,
  }: { core: Pick<Core, 'addressOf'>; readFile: SharedEdges['readFile'] },
): Promise<Candidate[]> {
  const key = toDerivedKey(index, entropySource);
  const proxies = await readProxyCode(readFile);
  const smart = canonicalContracts.map(async (contract): Promise<Candidate> => {
    const { implementation, entryPoint } = contract;
    const owner = await core.addressOf({ ...key, implementation, entryPoint });
    const factory = toLower(contract.factory);
    const origin = { ...contract, factory, owner, salt: 0n };
    const address = toLower(computeAccountAddress(origin, proxies));
    const toRecord: Candidate['toRecord'] = (scopes) =>
      makeSmartAccount({ ...origin, address, scopes }, key);
    return { address, index, isSmart: true, toRecord };
  });
  const [address, ...others] = await Promise.all([core.addressOf(key), ...smart]);
  const eoa = makeEoa(address, key);
  return [{ address, index, isSmart: false, toRecord: () => eoa }, ...others];
}

/** Derives a UUIDv4 from an account's type, address and contract parameters, so that a restored
 * account gets the same id. */
export function deriveAccountId(identity: {
  type: AccountRecord['type'];
  address: Hex;
  owner?: Hex;
  entryPoint?: EntryPointVersion;
  factory?: Hex;
  salt?: Hex;
}): string {
  const { type, address, owner, entryPoint, factory, salt } = identity;
  const own = type === 'eip155:eoa' ? [] : [owner, entryPoint, factory, salt];
  const text = [type, address, ...own].join('|').toLowerCase();
  return uuid({ random: keccak256(stringToBytes(text)).slice(0, 16) });
}

/** Returns a name such as `Tollkeeper 1`, `Tollkeeper Smart 1` or `Tollkeeper Safe (imported)`. */
export function suggestName(record: AccountRecord): string {
  const { key } = record;
  const kind = `Tollkeeper${kindOf(record).label}`;
  return key.kind === 'derived' ? `${kind} ${key.index + 1}` : `${kind} (imported)`;
}

export function withListing(record: AccountRecord, isListed: boolean): AccountRecord {
  if (!isListed) return { ...record, unlisted: true };
  const listed = { ...record };
  delete listed.unlisted;
  return listed;
}

/** Returns CAIP-2 chains; `eip155:0` means every EVM chain. */
export function scopesOf(record: AccountRecord): SmartRecord['scopes'] {
  return kindOf(record).scopes;
}

export function serves(record: AccountRecord, chainId: ChainId): boolean {
  const scopes = scopesOf(record);
  return scopes.includes('eip155:0') || scopes.includes(toCaip2(chainId));
}
