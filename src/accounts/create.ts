// Creating an account: derived from the wallet's entropy at an index, or imported.
import { UnavailableError } from '../errors';
import { toQuantity } from '../eth/hex';
import type { AccountRecord, KeySource } from '../state/account-record';
import { deriveAccountId } from './account-id';
import type { GetEntropy } from './derive';
import type { CreateAccountOptions } from './options';
import type { AccountRepository, Insertion } from './repository';
import { fetchKeyAddress } from './signer';
import { placeSmartAccount } from './smart-account';
import type { SmartAccountServices } from './smart-account';

/** What creating an account needs. */
export type CreateServices = SmartAccountServices & {
  repository: AccountRepository;
  getEntropy: GetEntropy;
};

/** Indices that are tried beyond those that are taken: an address can be held already, or
 * be taken by a call that runs at the same time. */
const MAX_ATTEMPTS = 100;

/**
 * Create an account and store it.
 *
 * @returns The account; an index that exists gives the account that is there.
 * @throws {InvalidParamsError} If another account has its address.
 */
export async function createAccount(
  options: CreateAccountOptions,
  services: CreateServices,
): Promise<Insertion> {
  const { privateKey, index } = options;
  if (privateKey !== undefined) {
    return store({ kind: 'imported', privateKey }, options, services);
  }
  if (index !== undefined) return store(toSource(index, options), options, services);
  return createAtNextIndex(options, services);
}

async function createAtNextIndex(
  options: CreateAccountOptions,
  services: CreateServices,
): Promise<Insertion> {
  const { type = 'eip155:eoa', entropySource } = options;
  const records = await services.repository.list();
  const taken = new Set(
    records.flatMap(({ type: taken, key }) =>
      taken === type && key.kind === 'derived' && key.entropySource === entropySource
        ? [key.index]
        : [],
    ),
  );
  let attempts = 0;
  for (let index = 0; attempts < MAX_ATTEMPTS; index += 1) {
    if (taken.has(index)) continue;
    attempts += 1;
    const record = await buildRecord(toSource(index, options), options, services);
    // Its key may have been imported before.
    if (await services.repository.findByAddress(record.address)) continue;
    const creation = await services.repository.insert(record);
    if (creation.isNew) return creation;
  }
  throw new UnavailableError(
    `No free index was found in ${MAX_ATTEMPTS} attempts; name one.`,
  );
}

async function store(
  key: KeySource,
  options: CreateAccountOptions,
  services: CreateServices,
): Promise<Insertion> {
  return services.repository.insert(await buildRecord(key, options, services));
}

async function buildRecord(
  key: KeySource,
  options: CreateAccountOptions,
  services: CreateServices,
): Promise<AccountRecord> {
  const owner = await fetchKeyAddress(key, services.getEntropy);
  if (options.type !== 'eip155:erc4337') {
    const identity = { type: 'eip155:eoa', address: owner } as const;
    return { ...identity, id: deriveAccountId(identity), key };
  }
  const place = await placeSmartAccount(options, owner, services);
  const { address, entryPoint, factory, scopes } = place;
  const identity = {
    type: 'eip155:erc4337',
    address,
    owner,
    entryPoint,
    factory,
    salt: toQuantity(place.salt),
  } as const;
  return { ...identity, id: deriveAccountId(identity), key, scopes };
}

function toSource(index: number, { entropySource }: CreateAccountOptions): KeySource {
  return {
    kind: 'derived',
    index,
    ...(entropySource === undefined ? {} : { entropySource }),
  };
}
