// Structs that get a name in the document: they stand in many places, or a reader looks for
// them. Of a struct of two forms the two are named here too, since it cannot be asked.
import {
  exactOptional,
  nullable,
  optional,
  record,
  string,
  type,
} from '@metamask/superstruct';

import {
  FoundOperationStruct,
  OperationReceiptStruct,
} from '../../../packages/client/src/bundler-schema';
import {
  BlockStruct,
  IncludedBlockStruct,
  PendingBlockStruct,
} from '../../../packages/client/src/rpc/block';
import { RollupEstimateStruct } from '../../../packages/client/src/rpc/schema';
import {
  IncludedTransactionStruct,
  PendingTransactionStruct,
  ReceiptStruct,
  ReceiptWithRootStruct,
  ReceiptWithStatusStruct,
  TransactionStruct,
} from '../../../packages/client/src/rpc/transaction';
import { CallParamStruct } from '../../../src/activity/look-ups';
import { CallsStruct, PaymasterServiceStruct } from '../../../src/calls/params';
import { AuthorizationStruct } from '../../../src/eth/authorization';
import { OperationRequestStruct } from '../../../src/eth/operation-request';
import { TransactionRequestStruct } from '../../../src/eth/transaction';
import {
  EntriesStruct,
  FieldsStruct,
  TypedDataStruct,
} from '../../../src/eth/typed-data';
import { UserOperationStruct } from '../../../src/eth/user-operation';
import { IntentsStruct } from '../../../src/operation/request';
import { PermissionStruct as AssetPermissionStruct } from '../../../src/permissions/permission';
import { EnvelopeStruct } from '../../../src/request';
import { paramObject } from '../../../src/schema/structs';
import { SettingsStruct } from '../../../src/state/private-state';
import {
  AccountStruct,
  ActivityEntryStruct,
  AnnouncedStruct,
  CallsReceiptStruct,
  ChainStruct,
  FeePairStruct,
  FilledTransactionStruct,
  FoundPermissionStruct,
  PermissionStruct,
  SuggestedFeesStruct,
} from '../contract/results';
import type { AnyStruct } from './words';

/** A struct's name; and its forms if it has several, or what more the code reads of it. */
export type Component = { name: string; forms?: readonly AnyStruct[] };

// The parts of these are read one after another.
const WholeTypedDataStruct = type({
  ...TypedDataStruct.schema,
  types: record(string(), FieldsStruct),
});

const WholeCallsStruct = paramObject({
  ...CallsStruct.schema,
  capabilities: exactOptional(
    type({ paymasterService: optional(nullable(PaymasterServiceStruct)) }),
  ),
});

export const namedStructs: readonly [struct: AnyStruct, component: Component][] = [
  [TransactionRequestStruct, { name: 'Transaction' }],
  [AuthorizationStruct, { name: 'Authorization' }],
  [FilledTransactionStruct, { name: 'FilledTransaction' }],
  [TypedDataStruct, { name: 'TypedData', forms: [WholeTypedDataStruct] }],
  [EntriesStruct, { name: 'TypedEntries' }],
  [UserOperationStruct, { name: 'UserOperation' }],
  [OperationRequestStruct, { name: 'PartialUserOperation' }],
  [IntentsStruct.schema, { name: 'Intent' }],
  [EnvelopeStruct, { name: 'RequestEnvelope' }],
  [PaymasterServiceStruct, { name: 'PaymasterService' }],
  [CallsStruct, { name: 'Calls', forms: [WholeCallsStruct] }],
  [CallParamStruct, { name: 'Call' }],
  [
    ReceiptStruct,
    { name: 'Receipt', forms: [ReceiptWithStatusStruct, ReceiptWithRootStruct] },
  ],
  [ReceiptWithStatusStruct, { name: 'ReceiptWithStatus' }],
  [ReceiptWithRootStruct, { name: 'ReceiptWithRoot' }],
  [
    TransactionStruct,
    {
      name: 'NodeTransaction',
      forms: [IncludedTransactionStruct, PendingTransactionStruct],
    },
  ],
  [IncludedTransactionStruct, { name: 'IncludedTransaction' }],
  [PendingTransactionStruct, { name: 'PendingTransaction' }],
  [
    BlockStruct,
    { name: 'NodeBlock', forms: [IncludedBlockStruct, PendingBlockStruct] },
  ],
  [IncludedBlockStruct, { name: 'IncludedBlock' }],
  [PendingBlockStruct, { name: 'PendingBlock' }],
  [OperationReceiptStruct, { name: 'UserOperationReceipt' }],
  [FoundOperationStruct, { name: 'FoundUserOperation' }],
  [CallsReceiptStruct, { name: 'CallsReceipt' }],
  [SuggestedFeesStruct, { name: 'SuggestedGasFees' }],
  [RollupEstimateStruct, { name: 'RollupEstimate' }],
  [FeePairStruct, { name: 'FeePair' }],
  [PermissionStruct, { name: 'Permission' }],
  [AssetPermissionStruct, { name: 'AssetPermission' }],
  [FoundPermissionStruct, { name: 'FoundPermission' }],
  [AccountStruct, { name: 'Account' }],
  [AnnouncedStruct, { name: 'AnnouncedAccounts' }],
  [ChainStruct, { name: 'Chain' }],
  [SettingsStruct, { name: 'Settings' }],
  [ActivityEntryStruct, { name: 'ActivityEntry' }],
];

// optional(), nullable() and refine() make another struct, with the same entries.
const byEntries = new Map(
  namedStructs.map(([{ entries }, component]) => [entries, component]),
);

/** Find the name of a struct, also where it may be left out or null. */
export function findComponent({ entries }: AnyStruct): Component | undefined {
  return byEntries.get(entries);
}
