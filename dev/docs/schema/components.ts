// Structs with a name in the document: they are used in many places, or readers look for them. For
// a struct with two forms both are named here, since it does not expose them.
import {
  exactOptional,
  nullable,
  object,
  optional,
  record,
  string,
  type,
} from '@metamask/superstruct';
import type { ObjectSchema, ObjectType, Struct } from '@metamask/superstruct';

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
  WholeReceiptStruct,
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
import type { AnyStruct, Source } from './words';

// These are parsed in several steps.
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

type Component = readonly [struct: AnyStruct, name: string, whole?: Source];

/** Structs with their names, and their forms if there are several, or additions that the code reads. */
export const namedStructs: Component[] = [
  [TransactionRequestStruct, 'Transaction'],
  [AuthorizationStruct, 'Authorization'],
  [TypedDataStruct, 'TypedData', WholeTypedDataStruct],
  [EntriesStruct, 'TypedEntries'],
  [UserOperationStruct, 'UserOperation'],
  [OperationRequestStruct, 'PartialUserOperation'],
  [IntentsStruct.schema, 'Intent'],
  [EnvelopeStruct, 'RequestEnvelope'],
  [PaymasterServiceStruct, 'PaymasterService'],
  [CallsStruct, 'Calls', WholeCallsStruct],
  [CallParamStruct, 'Call'],
  [
    WholeReceiptStruct,
    'Receipt',
    { anyOf: [ReceiptWithStatusStruct, ReceiptWithRootStruct] },
  ],
  [ReceiptWithStatusStruct, 'ReceiptWithStatus'],
  [ReceiptWithRootStruct, 'ReceiptWithRoot'],
  [
    TransactionStruct,
    'NodeTransaction',
    { anyOf: [IncludedTransactionStruct, PendingTransactionStruct] },
  ],
  [IncludedTransactionStruct, 'IncludedTransaction'],
  [PendingTransactionStruct, 'PendingTransaction'],
  [BlockStruct, 'NodeBlock', { anyOf: [IncludedBlockStruct, PendingBlockStruct] }],
  [IncludedBlockStruct, 'IncludedBlock'],
  [PendingBlockStruct, 'PendingBlock'],
  [OperationReceiptStruct, 'UserOperationReceipt'],
  [FoundOperationStruct, 'FoundUserOperation'],
  [RollupEstimateStruct, 'RollupEstimate'],
  [AssetPermissionStruct, 'AssetPermission'],
  [SettingsStruct, 'Settings'],
];

/** Creates an object struct with a name in the document. */
export function component<Schema extends ObjectSchema>(
  name: string,
  schema: Schema,
): Struct<ObjectType<Schema>, Schema> {
  const struct = object(schema);
  namedStructs.push([struct, name]);
  return struct;
}

/** Finds a struct's name, even if the value is optional or null. */
export function findComponent({ entries }: AnyStruct): Component | undefined {
  // optional(), nullable() and refine() create another struct with the same entries.
  return namedStructs.find(([struct]) => struct.entries === entries);
}
