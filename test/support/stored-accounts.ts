// Stored state with accounts.
import type { AccountRecord, Unsettled } from '../../src/state/account-record';
import type { PrivateState } from '../../src/state/private-state';
import type { CallBatch } from '../../src/state/sent-transaction';
import { SENT } from './sent-transactions';

export type Stored = {
  accounts?: readonly AccountRecord[];
  grants?: PrivateState['grants'];
  unsettled?: Record<string, Unsettled>;
};

export const SETTINGS: PrivateState['settings'] = {
  approvalMode: 'synchronous',
  feeLevel: 'medium',
  secondConfirmation: false,
  notifications: true,
  prices: true,
};

export function stateOf({ accounts = [], grants = {}, unsettled = {} }: Stored) {
  return {
    version: 8,
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
    signedDocuments: [],
    refusals: {},
  };
}

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
