// The encrypted document, with everything that is secret or identifies the user.
import {
  array,
  boolean,
  define,
  exactOptional,
  literal,
  object,
  record,
} from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

import type { Backend } from '../core/vault';
import {
  AddressStruct,
  Bytes32Struct,
  BytesStruct,
  HexQuantityStruct,
  NodeAddressStruct,
} from '../eth/hex';
import { integerBetween, list, oneOf, text } from '../schema/structs';
import { levelNames } from '../ui/i18n';
import { AccountRecordStruct, ScopeStruct, UnsettledStruct } from './account-record';
import { ChainRowStruct } from './chain-row';
import { ActivityStruct, CallBatchStruct, MAX_BATCHES } from './sent-transaction';
import { SessionStruct, Store, TimeStruct } from './store';
import type { Migration } from './store';

const ParamsStruct = define<Json[] | Record<string, Json>>(
  'an array or an object',
  (value) => typeof value === 'object' && value !== null,
);

/** Maximum length of each field of a site's self-description. */
export const MAX_METADATA = 2_048;

const PendingRequestStruct = object({
  id: text(36),
  account: text(36),
  origin: text(2_048),
  /** Self-description of a site whose origin MetaMask cannot verify. */
  originMetadata: exactOptional(
    object({ transport: text(MAX_METADATA), selfReportedOrigin: text(MAX_METADATA) }),
  ),
  /** MetaMask's own value: CAIP-2, or empty. */
  scope: text(256),
  request: object({ method: text(64), params: exactOptional(ParamsStruct) }),
  /** MetaMask remembers the request's caller only during this session. */
  session: SessionStruct,
});

export type PendingRequest = Infer<typeof PendingRequestStruct>;

/** Maximum number of counted refusals, after which the cool-down no longer grows. */
export const MAX_COUNTED = 10;

/** Consecutive dialogs of an origin that ended without approval. They are stored, because MetaMask
 * stops an idle snap after half a minute, which would otherwise reset the count. */
const RefusalsStruct = object({
  count: integerBetween(1, MAX_COUNTED),
  last: TimeStruct,
});

export type Refusals = Infer<typeof RefusalsStruct>;

/** Maximum numbers of stored user operations. The oldest are dropped. */
export const MAX_SIGNED = 200;
export const MAX_PREPARED = 100;

/** An operation that was prepared, estimated or shown. Signing its hash as a message can sign the
 * operation. */
const PreparedOperationStruct = object({
  sender: NodeAddressStruct,
  hash: Bytes32Struct,
});

/** A signed user operation. Another operation with the same nonce would replace it, so the user is
 * warned. */
const SignedOperationStruct = object({
  chain: ScopeStruct,
  sender: NodeAddressStruct,
  nonce: HexQuantityStruct,
  hash: Bytes32Struct,
});

export type SignedOperation = Infer<typeof SignedOperationStruct>;

/** Kinds of permits and orders, named like the shapes of typed data. */
export const KindStruct = oneOf([
  ...(['permit', 'nftPermit', 'permit2Allowance', 'permit2Transfer'] as const),
  ...(['sale', 'order'] as const),
]);

/** Maximum number of stored documents. The oldest are dropped. */
export const MAX_SIGNED_DOCUMENTS = 100;

/** A signed permit or order, which others can use later without a transaction of the account. The
 * record contains the data to check and cancel it, as far as Tollkeeper knows how, since the
 * document itself is not stored. */
const SignedDocumentStruct = object({
  hash: Bytes32Struct,
  chain: ScopeStruct,
  /** Id of the account. */
  account: text(36),
  kind: KindStruct,
  /** An order's market, if its state can be read from the contract. */
  market: exactOptional(oneOf(['seaport', 'cow', 'oneInch', 'zeroEx'])),
  contract: AddressStruct,
  token: exactOptional(AddressStruct),
  spender: exactOptional(AddressStruct),
  amount: exactOptional(HexQuantityStruct),
  /** Number of additional tokens in the same document. */
  others: exactOptional(integerBetween(0, Number.MAX_SAFE_INTEGER)),
  /** Unix time in seconds; a document without a deadline never expires. */
  deadline: exactOptional(HexQuantityStruct),
  /** The value to compare with the contract's answers: a nonce, a counter, an order's whole amount,
   * or the status of a fillable order. */
  nonce: exactOptional(HexQuantityStruct),
  /** Contract calls that read whether the document is still usable. */
  checks: list(BytesStruct, { max: 2 }),
  cancel: exactOptional(BytesStruct),
  origin: text(2_048),
  signedAt: TimeStruct,
});

export type SignedDocument = Infer<typeof SignedDocumentStruct>;

export const SettingsStruct = object({
  /** How MetaMask's signing requests are approved. */
  approvalMode: oneOf(['synchronous', 'asynchronous']),
  /** The level that fills in missing fees. */
  feeLevel: oneOf(levelNames),
  /** Whether a request confirmed in MetaMask is confirmed here again. */
  secondConfirmation: boolean(),
  notifications: boolean(),
  /** Whether costs are shown in US dollars as well. */
  prices: boolean(),
});

const collections = {
  accounts: record(text(36), AccountRecordStruct),
  chains: record(ScopeStruct, ChainRowStruct),
  /** Account ids by origin. */
  grants: record(text(2_048), array(text(36))),
  /** Account changes that MetaMask has not answered yet, by account id. */
  unsettled: record(text(36), UnsettledStruct),
  /** By MetaMask's request id. */
  requests: record(text(36), PendingRequestStruct),
  /** Sent transactions and operations, by hash; settled ones are removed when there are many. */
  activity: ActivityStruct,
  /** Batches sent by wallet_sendCalls, oldest first. */
  batches: list(CallBatchStruct, { max: MAX_BATCHES }),
  /** Oldest first. */
  preparedOperations: list(PreparedOperationStruct, { max: MAX_PREPARED }),
  signedOperations: list(SignedOperationStruct, { max: MAX_SIGNED }),
  /** Oldest first. */
  signedDocuments: list(SignedDocumentStruct, { max: MAX_SIGNED_DOCUMENTS }),
  /** Consecutive refused dialogs, by origin, oldest first. */
  refusals: record(text(2_048), RefusalsStruct),
};

const PrivateStateStruct = object({
  version: literal(8),
  ...collections,
  settings: SettingsStruct,
});

export type PrivateState = Infer<typeof PrivateStateStruct>;

export type PrivateStore = Store<PrivateState>;

// Fields added from the first version to version 7.
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

// Versions 1 to 6 differ in the fields they lack. Version numbers 1 and 2 were used twice, so the
// fields are more reliable than the number.
const fillIn: Migration = ({ settings: kept, ...others }) => ({
  ...added,
  ...others,
  settings: { ...settings, ...(kept as Record<string, Json>) },
});

const addSignedDocuments: Migration = (document) => ({
  ...document,
  signedDocuments: [],
});

export function openPrivateStore(backend: Backend): PrivateStore {
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
