// Making an account: derived from the wallet's entropy at an index, or imported.
import type { Chains } from '../chains/chain';
import { InvalidParamsError, UnavailableError } from '../errors';
import type { AccountRecord, AccountType, KeySource } from '../state/account-record';
import type { GetEntropy } from './keys';
import type { CreateAccountOptions } from './options';
import { makeEoa, makeSmartAccount, toDerivedKey } from './record';
import type { AccountRepository } from './repository';
import { fetchKeyAddress } from './keys';
import { placeSmartAccount, planSmartAccount } from './smart-account';

// A refusal that says that an address serves no new account of ours, whatever we do.

/** MetaMask holds an account's address already, in another keyring. */
export class HeldElsewhereError extends InvalidParamsError {}

// Numbers for new derived accounts: the next that is free, and that no other call is about
// to use.

/** Of which accounts a number is wanted. */
export type IndexSpace = { type: AccountType; entropySource?: string | undefined };

/** Gives out numbers. */
export type Indices = {
  /**
   * Use the next free number. No other call is given it meanwhile.
   *
   * @param use - Answers undefined if the number does not serve: the next one is tried.
   * @throws {UnavailableError} If none served.
   */
  withNext: <Result>(
    space: IndexSpace,
    use: (index: number) => Promise<Result | undefined>,
  ) => Promise<Result>;
};

/** Numbers that are tried: the address of each may be held already. */
const MAX_ATTEMPTS = 100;

/** Create the giver of numbers. What is in use now outlives no request. */
export function createIndices(listRecords: () => Promise<AccountRecord[]>): Indices {
  const inUse = new Set<string>();
  return {
    withNext: async (space, use) => {
      const nameOf = (index: number): string =>
        JSON.stringify([space.type, space.entropySource, index]);
      let index = -1;
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        // Listed anew: others may have taken some while the last one was tried.
        const isTaken = createIsTaken(space, await listRecords());
        do index += 1;
        while (isTaken(index) || inUse.has(nameOf(index)));
        const name = nameOf(index);
        inUse.add(name);
        try {
          const result = await use(index);
          if (result !== undefined) return result;
        } finally {
          inUse.delete(name);
        }
      }
      throw new UnavailableError(
        `No free index was found in ${MAX_ATTEMPTS} attempts; name one.`,
      );
    },
  };
}

function createIsTaken(
  { type, entropySource }: IndexSpace,
  records: readonly AccountRecord[],
): (index: number) => boolean {
  const taken = new Set(
    records.flatMap(({ type: each, key }) =>
      each === type && key.kind === 'derived' && key.entropySource === entropySource
        ? [key.index]
        : [],
    ),
  );
  return (index) => taken.has(index);
}

/** What making an account needs. */
export type CreateServices = {
  chains: Chains;
  repository: AccountRepository;
  indices: Indices;
  getEntropy: GetEntropy;
};

/** Adds an account that was made; answers with it as it is stored, or throws. */
export type AddAccount = (record: AccountRecord) => Promise<AccountRecord>;

/** Makes the record of an account whose key is given or derived; nothing is stored. */
export type MakeRecord = (key: KeySource) => Promise<AccountRecord>;

/**
 * Make an account and have it added.
 *
 * @param add - While it runs, the account's index is given to no other call.
 * @returns The account; an index that exists gives the account that is there.
 * @throws {InvalidParamsError} If another account has its address or its key.
 */
export async function createAccount(
  options: CreateAccountOptions,
  services: CreateServices,
  add: AddAccount,
): Promise<AccountRecord> {
  const { privateKey, index, type = 'eip155:eoa', entropySource } = options;
  const make = await createMaker(options, services);
  if (privateKey !== undefined) {
    return add(await make({ kind: 'imported', privateKey }));
  }
  if (index !== undefined) return add(await make(toDerivedKey(index, entropySource)));
  return services.indices.withNext({ type, entropySource }, async (next) => {
    const record = await make(toDerivedKey(next, entropySource));
    // Its key may have been imported before.
    const isHeld = await services.repository.findConflict(record);
    return isHeld ? undefined : addUnlessHeld(record, add);
  });
}

async function addUnlessHeld(
  record: AccountRecord,
  add: AddAccount,
): Promise<AccountRecord | undefined> {
  try {
    return await add(record);
  } catch (error) {
    if (error instanceof HeldElsewhereError) return undefined;
    throw error;
  }
}

/** Create what makes accounts of one kind: they have the same contracts and chains. */
export async function createMaker(
  options: CreateAccountOptions,
  services: { chains: Chains; getEntropy: GetEntropy },
): Promise<MakeRecord> {
  const { getEntropy, chains } = services;
  if (options.type !== 'eip155:erc4337') {
    return async (key) => makeEoa(await fetchKeyAddress(key, getEntropy), key);
  }
  const plan = await planSmartAccount(options, chains);
  const { entryPoint } = plan;
  return async (key) => {
    const owner = await fetchKeyAddress({ ...key, entryPoint }, getEntropy);
    return makeSmartAccount(await placeSmartAccount(plan, owner, chains), key);
  };
}
