// MetaMask's side of accounts and requests. It behaves like SnapKeyring 18.0.2, or like the newest
// MetaMask's 24.1.0, with the same error messages.
import type { KeyringAccount } from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';

import type { EmitKeyringEvent } from '../../src/accounts/events';

export type FakeMetaMask = {
  accounts: Map<string, KeyringAccount>;
  /** The errors for unsupported account types, by type. */
  unsupported: Map<Json | undefined, unknown>;
  /** Addresses in MetaMask's other keyrings, in lower case. */
  elsewhere: Set<string>;
  /** Whether MetaMask has one keyring per snap, created with the snap's first account. */
  isNewest: boolean;
  /** Resolves once MetaMask releases its keyring lock. */
  lock: Promise<void>;
  /** Pending requests, with their results once answered. */
  requests: Map<string, Json | undefined>;
  decide: (question: 'create' | 'remove') => Promise<boolean>;
  asked: string[];
  /** Calls the snap's keyring_deleteAccount, as MetaMask does for every removal. */
  deleteInSnap: (id: string) => Promise<unknown>;
  take: EmitKeyringEvent;
  /** Removes an account as the user does in MetaMask. */
  remove: (id: string) => Promise<void>;
};

type Params = Record<string, Json>;

/** Creates an empty MetaMask whose user accepts everything. */
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
      // MetaMask logs the error and continues.
      await metamask.deleteInSnap(id).catch(() => undefined);
    },
  };

  async function create({ account }: Params): Promise<void> {
    const announced = account as unknown as KeyringAccount;
    const { id, address } = announced;
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
      metamask.accounts.set(id, announced);
      if (metamask.elsewhere.has(address)) {
        // The newest MetaMask cannot save a duplicate: it drops the snap's keyring, and deletes the
        // account in the snap.
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
    const announced = account as unknown as KeyringAccount;
    await Promise.resolve();
    if (!metamask.accounts.has(announced.id)) {
      throw asPlain(`Account '${announced.id}' not found`);
    }
    await metamask.lock;
    metamask.accounts.set(announced.id, announced);
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

/** Creates the platform's rejection, which is not an Error. */
export function asPlain(message: string, code = -32603): Error {
  return { code, message, data: {} } as unknown as Error;
}
