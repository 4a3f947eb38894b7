// Making an account: derived from the wallet's entropy at an index, or imported.
import type { AccountRecord, KeySource } from '../state/account-record';
import type { GetEntropy } from './derive';
import { HeldElsewhereError } from './held-elsewhere';
import type { Indices } from './indices';
import { makeEoa, makeSmartAccount, toDerivedKey } from './make-record';
import type { CreateAccountOptions } from './options';
import type { AccountRepository } from './repository';
import { fetchKeyAddress } from './signer';
import { placeSmartAccount, planSmartAccount } from './smart-account';
import type { SmartAccountServices } from './smart-account';

/** What making an account needs. */
export type CreateServices = SmartAccountServices & {
  repository: Pick<AccountRepository, 'findConflict'>;
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
  services: SmartAccountServices & { getEntropy: GetEntropy },
): Promise<MakeRecord> {
  const { getEntropy } = services;
  if (options.type !== 'eip155:erc4337') {
    return async (key) => makeEoa(await fetchKeyAddress(key, getEntropy), key);
  }
  const plan = await planSmartAccount(options, services);
  const { entryPoint } = plan;
  return async (key) => {
    const owner = await fetchKeyAddress({ ...key, entryPoint }, getEntropy);
    return makeSmartAccount(await placeSmartAccount(plan, owner, services), key);
  };
}
