// Creating accounts over a store in memory, with a custom factory that answers as told.
import { Mutex } from 'async-mutex';

import { createAccount } from '../../src/accounts/create';
import { createIndices } from '../../src/accounts/indices';
import { parseCreateAccountOptions } from '../../src/accounts/options';
import { createRepository } from '../../src/accounts/repository';
import type { AccountRepository, Addition } from '../../src/accounts/repository';
import type { Hex } from '../../src/eth/hex';
import type { AccountRecord } from '../../src/state/account-record';
import { openPrivateStore } from '../../src/state/private-state';
import { createEntropy } from './entropy';
import { createMemoryBackend } from './memory-backend';

/** Where accounts are created. */
export type CreateBench = {
  /** Create an account by the options of keyring_createAccount. */
  create: (options?: Record<string, unknown>) => Promise<Addition>;
  remove: (record: AccountRecord) => Promise<void>;
  repository: AccountRepository;
  /** What the custom factory answers. */
  factory: { address: Hex };
  /** How MetaMask takes an account that is added. */
  metamask: { take: (record: AccountRecord) => Promise<void> };
};

/** Set up an empty one, whose MetaMask takes whatever it is told of. */
export function createBench(): CreateBench {
  const store = openPrivateStore(createMemoryBackend());
  const repository = createRepository(store, () => Promise.resolve(0));
  const factory: CreateBench['factory'] = {
    address: '0x00000000000000000000000000000000005a57a1',
  };
  const metamask: CreateBench['metamask'] = { take: () => Promise.resolve() };
  const services = {
    repository,
    indices: createIndices(repository.list),
    getEntropy: createEntropy().getEntropy,
    ownChain: () => Promise.resolve(1n),
    contractsOf: () => Promise.resolve({}),
    newestEntryPoint: () => Promise.resolve('0.7' as const),
    fetchAccountAddress: () => Promise.resolve(factory.address),
    checkAccountAddress: () => Promise.resolve(),
  };
  // Accounts are announced one after another.
  const queue = new Mutex();
  const add = async (wanted: AccountRecord): Promise<Addition> =>
    queue.runExclusive(async () => {
      const addition = await repository.beginAddition(wanted);
      await metamask.take(wanted);
      const { id } = wanted;
      await repository.settle({ id, change: 'add', isHeld: true });
      return addition;
    });
  const create: CreateBench['create'] = async (options = {}) => {
    let isNew = false;
    const parsed = parseCreateAccountOptions(options);
    const record = await createAccount(parsed, services, async (made) => {
      const addition = await add(made);
      ({ isNew } = addition);
      return addition.record;
    });
    return { record, isNew };
  };
  const remove: CreateBench['remove'] = async ({ id }) => {
    await repository.beginRemoval(id);
    await repository.settle({ id, change: 'remove', isHeld: false });
  };
  return { create, remove, repository, factory, metamask };
}

/** Get the index of a derived account. */
export function indexOf({ record: { key } }: Addition): number {
  return key.kind === 'derived' ? key.index : -1;
}
