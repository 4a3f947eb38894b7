// The encrypted document: accounts with imported keys, credentials, grants, settings, the
// requests that wait for approval, what was sent, which user operations were signed, and who
// was refused.
import {
  array,
  boolean,
  exactOptional,
  literal,
  object,
  record,
} from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

import { Bytes32Struct, HexQuantityStruct, NodeAddressStruct } from '../eth/hex';
import { integerBetween, list, named, oneOf, text } from '../schema/structs';
import { AccountRecordStruct, ScopeStruct } from './account-record';
import { ChainRowStruct } from './chain-row';
import { CallBatchStruct, MAX_BATCHES, SessionStruct } from './public-state';
import { ActivityStruct, UnsettledStruct } from './sent-transaction';
import { Store } from './store';
import type { StateBackend } from './store';

// A signing request of MetaMask that waits until its user approves or rejects it.

const ParamsStruct = named<Json[] | Record<string, Json>>(
  'an array or an object',
  (value) => typeof value === 'object' && value !== null,
);

/** A waiting request: the fields of keyring-api's KeyringRequest, and its session. */
export const PendingRequestStruct = object({
  id: text(36),
  /** Account id. */
  account: text(36),
  origin: text(2_048),
  /** As MetaMask wrote it: CAIP-2, or empty. */
  scope: text(256),
  request: object({ method: text(64), params: exactOptional(ParamsStruct) }),
  /** MetaMask keeps who waits for it no longer than this session. */
  session: SessionStruct,
});

/** A request that waits. */
export type PendingRequest = Infer<typeof PendingRequestStruct>;

// How often in a row a site's dialogs were refused. Kept, since a site that waits until the
// snap is stopped, after half a minute, must not begin anew.

/** Most that are counted of a row; from there on the cool-down grows no more. */
export const MAX_COUNTED = 10;

/** Dialogs of an origin that ended without a yes, one after another. */
export const RefusalsStruct = object({
  count: integerBetween(1, MAX_COUNTED),
  /** When the last of them ended, in ms since 1970. */
  last: integerBetween(0, Number.MAX_SAFE_INTEGER),
});

/** Dialogs of an origin that ended without a yes, one after another. */
export type Refusals = Infer<typeof RefusalsStruct>;

// Hashes of user operations that were prepared, to recognize a message that is one of them,
// and which operation was signed for a nonce: another one for the same nonce replaces it, which
// its user should know.

/** Most that are remembered; beyond, the oldest go. */
export const MAX_SIGNED = 200;

/** Most prepared ones that are remembered; beyond, the oldest go. */
export const MAX_PREPARED = 100;

/** A user operation that was prepared, estimated or shown. */
export const PreparedOperationStruct = object({
  sender: NodeAddressStruct,
  hash: Bytes32Struct,
});

/** A user operation that was signed, by what makes it unique. */
export const SignedOperationStruct = object({
  chain: ScopeStruct,
  sender: NodeAddressStruct,
  nonce: HexQuantityStruct,
  hash: Bytes32Struct,
});

/** A user operation that was signed. */
export type SignedOperation = Infer<typeof SignedOperationStruct>;

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
