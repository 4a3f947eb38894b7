// MetaMask's side of accounts and requests, as its SnapKeyring (18.0.2) behaves, or as that of the
// newest MetaMask does (24.1.0): the words of its errors are its own.
import type { KeyringAccount } from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';

import type { EmitKeyringEvent } from '../../src/accounts/events';

/** MetaMask with a user. */
export type FakeMetaMask = {
  /** Accounts that it holds, by id. */
  accounts: Map<string, KeyringAccount>;
  /** What it throws at accounts of a type that it does not support, by type. */
  unsupported: Map<Json | undefined, unknown>;
  /** Addresses that it holds elsewhere, in lower case. */
  elsewhere: Set<string>;
  /** Whether it has a keyring for each snap, which is not there before its first account. */
  isNewest: boolean;
  /** Opens when MetaMask has finished what it locks its keyrings for. */
  lock: Promise<void>;
  /** Requests that it waits for: what they were answered with, once they are. */
  requests: Map<string, Json | undefined>;
  /** How its user answers; asked about creations and removals. */
  decide: (question: 'create' | 'remove') => Promise<boolean>;
  /** Questions that its user was asked. */
  asked: string[];
  /** Calls the snap's keyring_deleteAccount, which MetaMask does for every removal. */
  deleteInSnap: (id: string) => Promise<unknown>;
  take: EmitKeyringEvent;
  /** Removes an account as the user does in MetaMask. */
  remove: (id: string) => Promise<void>;
};

type Params = Record<string, Json>;

/** Creates one that holds nothing, and whose user accepts all. */
export function createFakeMetaMask(): FakeMetaMask {
  let isAsking = false;
  const metamask: FakeMetaMask = {
    accounts: new Map(),
    unsupported: new Map(),
    elsewhere: new Set(),
    isNewest: false,
    lock: Promise.resolve(),
    requests: new Map(),
    decide: () => Promise.resolve(true),
    asked: [],
    deleteInSnap: () => Promise.resolve(null),
    take: async (event, params) => {
      const type = (params.account as Params | undefined)?.type;
      if (metamask.unsupported.has(type)) throw metamask.unsupported.get(type) as Error;
      const hasKeyring =
        metamask.accounts.size > 0 || event === 'notify:accountCreated';
      if (metamask.isNewest && !hasKeyring) {
        throw asPlain(
          'Cannot delegate keyring Snap message, keyring does not exist yet for Snap "npm:x".',
        );
      }
      await events[event]?.(params);
    },
    remove: async (id) => {
      metamask.accounts.delete(id);
      // It logs what goes wrong, and goes on.
      await metamask.deleteInSnap(id).catch(() => undefined);
    },
  };

  async function create({ account }: Params): Promise<void> {
    const wanted = account as unknown as KeyringAccount;
    const { id, address } = wanted;
    if (metamask.accounts.get(id)?.address === address) return;
    const held = [...metamask.accounts.values()].map((each) => each.address);
    await metamask.lock;
    if ([...held, ...metamask.elsewhere].includes(address) && !metamask.isNewest) {
      throw asPlain(`Account address '${address}' already exists`);
    }
    if (isAsking) throw asPlain("Request of type 'confirm' already pending");
    isAsking = true;
    try {
      metamask.asked.push(`create ${address}`);
      if (!(await metamask.decide('create'))) {
        throw asPlain('User denied account creation');
      }
      metamask.accounts.set(id, wanted);
      if (metamask.elsewhere.has(address)) {
        // It cannot save, drops the keyring of the snap, and takes the account back.
        metamask.accounts.clear();
        await metamask.remove(id);
      }
    } finally {
      isAsking = false;
    }
  }

  async function remove({ id }: Params): Promise<void> {
    const account = metamask.accounts.get(id as string);
    if (!account) return;
    metamask.asked.push(`remove ${account.address}`);
    if (!(await metamask.decide('remove'))) {
      throw asPlain('User denied account removal');
    }
    await metamask.remove(id as string);
  }

  async function update({ account }: Params): Promise<void> {
    const wanted = account as unknown as KeyringAccount;
    await Promise.resolve();
    if (!metamask.accounts.has(wanted.id)) {
      throw asPlain(`Account '${wanted.id}' not found`);
    }
    await metamask.lock;
    metamask.accounts.set(wanted.id, wanted);
  }

  async function answer({ id, result = 'rejected' }: Params): Promise<void> {
    await Promise.resolve();
    const key = id as string;
    const isWaiting = metamask.requests.has(key) && !metamask.requests.get(key);
    if (!isWaiting) throw asPlain(`Request '${key}' not found`);
    metamask.requests.set(key, result);
  }

  const events: Record<string, (params: Params) => Promise<void>> = {
    'notify:accountCreated': create,
    'notify:accountUpdated': update,
    'notify:accountDeleted': remove,
    'notify:requestApproved': answer,
    'notify:requestRejected': answer,
  };
  return metamask;
}

/** Writes what the platform rejects with, which is no Error. */
export function asPlain(message: string, code = -32603): Error {
  return { code, message, data: {} } as unknown as Error;
}
