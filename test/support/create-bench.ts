// Creating accounts over a store in memory, with a custom factory that answers as told.
import { createAccount } from '../../src/accounts/create';
import { parseCreateAccountOptions } from '../../src/accounts/options';
import { createRepository } from '../../src/accounts/repository';
import type { AccountRepository, Insertion } from '../../src/accounts/repository';
import type { Hex } from '../../src/eth/hex';
import { openPrivateStore } from '../../src/state/private-state';
import { createEntropy } from './entropy';
import { createMemoryBackend } from './memory-backend';

/** Where accounts are created. */
export type CreateBench = {
  /** Create an account by the options of keyring_createAccount. */
  create: (options?: Record<string, unknown>) => Promise<Insertion>;
  repository: AccountRepository;
  /** What the custom factory answers. */
  factory: { address: Hex };
};

/** Set up an empty one. */
export function createBench(): CreateBench {
  const repository = createRepository(openPrivateStore(createMemoryBackend()));
  const factory: CreateBench['factory'] = {
    address: '0x00000000000000000000000000000000005a57a1',
  };
  const services = {
    repository,
    getEntropy: createEntropy().getEntropy,
    ownChain: () => Promise.resolve(1n),
    contractsOf: () => Promise.resolve({}),
    fetchAccountAddress: () => Promise.resolve(factory.address),
  };
  const create: CreateBench['create'] = async (options = {}) =>
    createAccount(parseCreateAccountOptions(options), services);
  return { create, repository, factory };
}

/** Get the index of a derived account. */
export function indexOf({ record: { key } }: Insertion): number {
  return key.kind === 'derived' ? key.index : -1;
}
