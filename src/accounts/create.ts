// Making an account: derived from the wallet's entropy at an index, or imported.
import type { AccountRecord, KeySource } from '../state/account-record';
import type { GetEntropy } from './derive';
import { HeldElsewhereError } from './held-elsewhere';
import type { Indices } from './indices';
import { makeEoa, makeSmartAccount, toDerivedKey } from './make-record';
import type { CreateAccountOptions } from './options';
import type { AccountRepository } from './repository';
import { fetchKeyAddress } from './signer';
import { placeSmartAccount } from './smart-account';
import type { SmartAccountServices } from './smart-account';

/** What making an account needs. */
export type CreateServices = SmartAccountServices & {
  repository: Pick<AccountRepository, 'findByAddress'>;
  indices: Indices;
  getEntropy: GetEntropy;
};

/** Adds an account that was made; answers with it as it is stored, or throws. */
export type AddAccount = (record: AccountRecord) => Promise<AccountRecord>;

/**
 * Make an account and have it added.
 *
 * @param add - While it runs, the account's index is given to no other call.
 * @returns The account; an index that exists gives the account that is there.
 * @throws {InvalidParamsError} If another account has its address.
 */
export async function createAccount(
  options: CreateAccountOptions,
  services: CreateServices,
  add: AddAccount,
): Promise<AccountRecord> {
  const { privateKey, index, type = 'eip155:eoa', entropySource } = options;
  if (privateKey !== undefined || index !== undefined) {
    return add(await buildRecord(options, services));
  }
  return services.indices.withNext({ type, entropySource }, async (next) => {
    const record = await buildRecord({ ...options, index: next }, services);
    // Its key may have been imported before.
    const isHeld = await services.repository.findByAddress(record.address);
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

/** Build the record of an account whose key is given or derived; nothing is stored. */
export async function buildRecord(
  options: CreateAccountOptions,
  services: SmartAccountServices & { getEntropy: GetEntropy },
): Promise<AccountRecord> {
  const key = toKeySource(options);
  const owner = await fetchKeyAddress(key, services.getEntropy);
  if (options.type !== 'eip155:erc4337') return makeEoa(owner, key);
  return makeSmartAccount(await placeSmartAccount(options, owner, services), key);
}

function toKeySource(options: CreateAccountOptions): KeySource {
  const { privateKey, index = 0, entropySource } = options;
  if (privateKey !== undefined) return { kind: 'imported', privateKey };
  return toDerivedKey(index, entropySource);
}
