// The encrypted document: accounts with imported keys, credentials, grants, settings, the
// requests that wait for approval, what was sent, which user operations were signed, and who
// was refused.
import { array, boolean, literal, object, record } from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';

import { list, oneOf, text } from '../structs';
import { AccountRecordStruct, ScopeStruct } from './account-record';
import { CallBatchStruct, MAX_BATCHES } from './call-batch';
import { ChainRowStruct } from './chain-row';
import {
  MAX_PREPARED,
  MAX_SIGNED,
  PreparedOperationStruct,
  SignedOperationStruct,
} from './noted-operations';
import { PendingRequestStruct } from './pending-request';
import { RefusalsStruct } from './refusals';
import { ActivityStruct } from './sent-transaction';
import { Store } from './store';
import type { StateBackend } from './store';
import { UnsettledStruct } from './unsettled';

/** How MetaMask's signing requests are approved. */
export const approvalModes = ['synchronous', 'asynchronous'] as const;

/** Levels of fees, lowest first. */
const feeLevels = ['low', 'medium', 'high'] as const;

/** What the user may choose. */
export const SettingsStruct = object({
  approvalMode: oneOf(approvalModes),
  /** The level at which missing fees are filled. */
  feeLevel: oneOf(feeLevels),
  /** Whether what MetaMask has confirmed is confirmed here once more. */
  secondConfirmation: boolean(),
  /** Whether the wallet notifies of what became of what was sent. */
  notifications: boolean(),
});

const PrivateStateStruct = object({
  version: literal(1),
  /** Accounts by id. */
  accounts: record(text(36), AccountRecordStruct),
  /** Configured chains by CAIP-2 id. */
  chains: record(ScopeStruct, ChainRowStruct),
  /** Ids of the accounts that an origin may see and ask to sign. */
  grants: record(text(2_048), array(text(36))),
  /** Changes of accounts that MetaMask has not answered for, by the account's id. */
  unsettled: record(text(36), UnsettledStruct),
  /** Signing requests that wait for approval, by MetaMask's id of the request. */
  requests: record(text(36), PendingRequestStruct),
  settings: SettingsStruct,
  /** What was sent, by hash; settled ones are forgotten when there are many. */
  activity: ActivityStruct,
  /** What was sent by wallet_sendCalls, oldest first. */
  batches: list(CallBatchStruct, { max: MAX_BATCHES }),
  /** User operations that were prepared, estimated or shown, oldest first. */
  preparedOperations: list(PreparedOperationStruct, { max: MAX_PREPARED }),
  /** User operations that were signed, oldest first. */
  signedOperations: list(SignedOperationStruct, { max: MAX_SIGNED }),
  /** Dialogs that were refused in a row, by origin, the oldest first. */
  refusals: record(text(2_048), RefusalsStruct),
});

/** What is stored encrypted. */
export type PrivateState = Infer<typeof PrivateStateStruct>;

/** The store of the encrypted document. */
export type PrivateStore = Store<PrivateState>;

/** Open the encrypted document. */
export function openPrivateStore(backend: StateBackend): PrivateStore {
  return new Store<PrivateState>(
    {
      name: 'encrypted state',
      struct: PrivateStateStruct,
      migrations: [],
      empty: {
        version: 1,
        accounts: {},
        chains: {},
        grants: {},
        unsettled: {},
        requests: {},
        settings: {
          approvalMode: 'synchronous',
          feeLevel: 'medium',
          secondConfirmation: false,
          notifications: true,
        },
        activity: {},
        batches: [],
        preparedOperations: [],
        signedOperations: [],
        refusals: {},
      },
    },
    backend,
  );
}
