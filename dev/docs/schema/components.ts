// Structs that get a name in the document: they stand in many places, or a reader looks for
// them. Of a struct of two forms the two are named here too, since it cannot be asked.
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

type Component = readonly [struct: AnyStruct, name: string, whole?: Source];

/** Structs with their names; and their forms if they have several, or what more the code reads. */
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

/** Creates the struct of an object with a name in the document. */
export function component<Schema extends ObjectSchema>(
  name: string,
  schema: Schema,
): Struct<ObjectType<Schema>, Schema> {
  const struct = object(schema);
  namedStructs.push([struct, name]);
  return struct;
}

/** Finds the name of a struct, also where it may be left out or null. */
export function findComponent({ entries }: AnyStruct): Component | undefined {
  // optional(), nullable() and refine() make another struct, with the same entries.
  return namedStructs.find(([struct]) => struct.entries === entries);
}
