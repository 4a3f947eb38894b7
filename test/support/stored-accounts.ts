// The stored accounts over a document in memory, in a session of the client that can be
// counted up.
import { createRepository } from '../../src/accounts/repository';
import type { AccountRepository } from '../../src/accounts/repository';
import type { AccountRecord } from '../../src/state/account-record';
import type { CallBatch } from '../../src/state/call-batch';
import { openPrivateStore } from '../../src/state/private-state';
import type { PrivateState, PrivateStore } from '../../src/state/private-state';
import type { Unsettled } from '../../src/state/unsettled';
import { createMemoryBackend } from './memory-backend';
import type { MemoryBackend } from './memory-backend';
import { SENT } from './sent-transactions';

/** The stored accounts, and what stands behind them. */
export type AccountBench = {
  repository: AccountRepository;
  store: PrivateStore;
  backend: MemoryBackend;
  client: { session: number };
};

/** What is stored at first. */
export type Stored = {
  accounts?: readonly AccountRecord[];
  grants?: PrivateState['grants'];
  unsettled?: Record<string, Unsettled>;
};

/** Number of the client's session at first. */
export const SESSION = 4;

/** What a user has chosen who has chosen nothing. */
export const SETTINGS: PrivateState['settings'] = {
  approvalMode: 'synchronous',
  feeLevel: 'medium',
  secondConfirmation: false,
  notifications: true,
};

/** Make a document. */
export function stateOf({
  accounts = [],
  grants = {},
  unsettled = {},
}: Stored): PrivateState {
  return {
    version: 1,
    accounts: Object.fromEntries(accounts.map((record) => [record.id, record])),
    chains: {},
    grants,
    unsettled,
    requests: {},
    settings: SETTINGS,
    activity: {},
    batches: [],
    preparedOperations: [],
    signedOperations: [],
    refusals: {},
  };
}

/** Open a document. */
export function createAccountBench(stored: Stored = {}): AccountBench {
  const backend = createMemoryBackend(stateOf(stored));
  const store = openPrivateStore(backend);
  const client = { session: SESSION };
  const repository = createRepository(store, () => Promise.resolve(client.session));
  return { repository, store, backend, client };
}

/** Create a batch of calls that an account sent. */
export function createBatch(account: string): CallBatch {
  return {
    id: 'one',
    origin: 'https://dapp.example',
    chain: 'eip155:1',
    account,
    atomic: false,
    size: 2,
    hashes: [SENT.hash],
    sentAt: 1,
    failure: 'The user refused.',
  };
}
