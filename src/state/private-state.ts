// The encrypted document: accounts with imported keys, credentials, grants, settings, the
// requests that wait for approval, sent transactions, signed user operations, permits and orders,
// and refused origins.
import type { Infer } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

import {
  AddressStruct,
  Bytes32Struct,
  BytesStruct,
  HexQuantityStruct,
  NodeAddressStruct,
} from '../eth/hex';
import {
  array,
  boolean,
  exactOptional,
  integerBetween,
  list,
  literal,
  named,
  object,
  oneOf,
  record,
  text,
} from '../schema/structs';
import { levelNames } from '../ui/i18n';
import { AccountRecordStruct, ScopeStruct, UnsettledStruct } from './account-record';
import { ChainRowStruct } from './chain-row';
import { ActivityStruct, CallBatchStruct, MAX_BATCHES } from './sent-transaction';
import { SessionStruct, Store, TimeStruct } from './store';
import type { Migration, StateBackend } from './store';

const ParamsStruct = named<Json[] | Record<string, Json>>(
  'an array or an object',
  (value) => typeof value === 'object' && value !== null,
);

/** Longest text of a site about itself that is stored. */
export const MAX_METADATA = 2_048;

/** A signing request of MetaMask that waits until its user approves or rejects it, and its session. */
const PendingRequestStruct = object({
  id: text(36),
  account: text(36),
  origin: text(2_048),
  /** What a site says of itself whose origin MetaMask cannot verify. */
  originMetadata: exactOptional(
    object({ transport: text(MAX_METADATA), selfReportedOrigin: text(MAX_METADATA) }),
  ),
  /** As MetaMask wrote it: CAIP-2, or empty. */
  scope: text(256),
  request: object({ method: text(64), params: exactOptional(ParamsStruct) }),
  /** MetaMask keeps who waits for it no longer than this session. */
  session: SessionStruct,
});

export type PendingRequest = Infer<typeof PendingRequestStruct>;

/** Most refusals that are counted; from there on the cool-down grows no more. */
export const MAX_COUNTED = 10;

/** Dialogs of an origin in a row that ended without approval. Kept, since a site that waits until the
 * snap is stopped, after half a minute, must not begin anew. */
const RefusalsStruct = object({
  count: integerBetween(1, MAX_COUNTED),
  last: TimeStruct,
});

export type Refusals = Infer<typeof RefusalsStruct>;

/** Most signed and prepared user operations that are remembered; beyond, the oldest go. */
export const MAX_SIGNED = 200;
export const MAX_PREPARED = 100;

/** An operation that was prepared, estimated or shown: a message that is its hash would sign it. */
const PreparedOperationStruct = object({
  sender: NodeAddressStruct,
  hash: Bytes32Struct,
});

/** A signed user operation. Another one for the same nonce replaces it, so its user is warned. */
const SignedOperationStruct = object({
  chain: ScopeStruct,
  sender: NodeAddressStruct,
  nonce: HexQuantityStruct,
  hash: Bytes32Struct,
});

export type SignedOperation = Infer<typeof SignedOperationStruct>;

/** Kinds of permits and orders, named as the shapes of typed data. */
export const KindStruct = oneOf([
  ...(['permit', 'nftPermit', 'permit2Allowance', 'permit2Transfer'] as const),
  ...(['sale', 'order'] as const),
]);

/** Most that are remembered; beyond, the oldest go. */
export const MAX_SIGNED_DOCUMENTS = 100;

/** A permit or an order: others can use it later, without a transaction of the account. What ends it
 * is kept with it, since the document itself is not. */
const SignedDocumentStruct = object({
  hash: Bytes32Struct,
  chain: ScopeStruct,
  /** Id of the account. */
  account: text(36),
  kind: KindStruct,
  /** Of an order whose contract's state can be read. */
  market: exactOptional(oneOf(['seaport', 'cow', 'oneInch', 'zeroEx'])),
  contract: AddressStruct,
  token: exactOptional(AddressStruct),
  spender: exactOptional(AddressStruct),
  amount: exactOptional(HexQuantityStruct),
  /** Further tokens of the same document. */
  others: exactOptional(integerBetween(0, Number.MAX_SAFE_INTEGER)),
  /** Until when it can be used, in seconds since 1970; never ends without it. */
  deadline: exactOptional(HexQuantityStruct),
  /** What the contract's answers are compared with: a nonce, a counter, or the filled amount. */
  nonce: exactOptional(HexQuantityStruct),
  /** Calls of the contract that read whether it can still be used. */
  checks: list(BytesStruct, { max: 2 }),
  /** The call of the contract that ends it, where it has one. */
  cancel: exactOptional(BytesStruct),
  origin: text(2_048),
  signedAt: TimeStruct,
});

export type SignedDocument = Infer<typeof SignedDocumentStruct>;

export const SettingsStruct = object({
  /** How MetaMask's signing requests are approved. */
  approvalMode: oneOf(['synchronous', 'asynchronous']),
  /** The level at which missing fees are filled. */
  feeLevel: oneOf(levelNames),
  /** Whether what MetaMask has confirmed is confirmed here once more. */
  secondConfirmation: boolean(),
  /** Whether the wallet notifies of confirmed and failed transactions. */
  notifications: boolean(),
  /** Whether costs are shown in US dollars as well. */
  prices: boolean(),
});

const collections = {
  accounts: record(text(36), AccountRecordStruct),
  chains: record(ScopeStruct, ChainRowStruct),
  /** Ids of the accounts that an origin may see and ask to sign. */
  grants: record(text(2_048), array(text(36))),
  /** Changes of accounts that MetaMask has not answered for, by the account's id. */
  unsettled: record(text(36), UnsettledStruct),
  /** Signing requests that wait for approval, by MetaMask's id of the request. */
  requests: record(text(36), PendingRequestStruct),
  /** Sent transactions and operations, by hash; settled ones are removed when there are many. */
  activity: ActivityStruct,
  /** Batches sent by wallet_sendCalls, oldest first. */
  batches: list(CallBatchStruct, { max: MAX_BATCHES }),
  /** User operations that were prepared, estimated or shown, oldest first. */
  preparedOperations: list(PreparedOperationStruct, { max: MAX_PREPARED }),
  signedOperations: list(SignedOperationStruct, { max: MAX_SIGNED }),
  /** Permits and orders that were signed, oldest first. */
  signedDocuments: list(SignedDocumentStruct, { max: MAX_SIGNED_DOCUMENTS }),
  /** Dialogs that were refused in a row, by origin, the oldest first. */
  refusals: record(text(2_048), RefusalsStruct),
};

const PrivateStateStruct = object({
  version: literal(8),
  ...collections,
  settings: SettingsStruct,
});

export type PrivateState = Infer<typeof PrivateStateStruct>;

export type PrivateStore = Store<PrivateState>;

// What the versions since the first have added.
const added = {
  unsettled: {},
  requests: {},
  activity: {},
  batches: [],
  refusals: {},
  preparedOperations: [],
  signedOperations: [],
};

const settings: PrivateState['settings'] = {
  approvalMode: 'synchronous',
  feeLevel: 'medium',
  secondConfirmation: false,
  notifications: true,
  prices: true,
};

// Versions 1 to 6 differ by what they lack. Numbers 1 and 2 were given twice, so that the fields
// say more than the number.
const fillIn: Migration = ({ settings: kept, ...others }) => ({
  ...added,
  ...others,
  settings: { ...settings, ...(kept as Record<string, Json>) },
});

const addSignedDocuments: Migration = (document) => ({
  ...document,
  signedDocuments: [],
});

export function openPrivateStore(backend: StateBackend): PrivateStore {
  return new Store<PrivateState>(
    {
      name: 'encrypted state',
      struct: PrivateStateStruct,
      collections,
      migrations: [fillIn, addSignedDocuments],
      empty: {
        version: 8,
        accounts: {},
        chains: {},
        grants: {},
        ...added,
        settings,
        signedDocuments: [],
      },
    },
    backend,
  );
}
