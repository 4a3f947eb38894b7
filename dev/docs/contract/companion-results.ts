// What the companion page is answered, where the code that answers has no struct for it.
import {
  any,
  array,
  boolean,
  integer,
  literal,
  nullable,
  object,
  optional,
  record,
  string,
} from '@metamask/superstruct';

import { AddressStruct } from '../../../src/eth/hex';
import { EntryPointVersionStruct } from '../../../src/eth/user-operation';
import { integerBetween, oneOf, text } from '../../../src/schema/structs';
import { accountTypes, ScopeStruct } from '../../../src/state/account-record';
import { ChainRowStruct } from '../../../src/state/chain-row';
import { SentTransactionStruct } from '../../../src/state/sent-transaction';

const IdStruct = text(36);

const CountStruct = integerBetween(0, Number.MAX_SAFE_INTEGER);

const { gasAuth, entryPoint, factory, paymasterContext, singleCallsOnly } =
  ChainRowStruct.schema;

/** A chain's configuration as it may be shown: addresses as labels, credentials redacted. */
export const ChainStruct = object({
  chainId: ScopeStruct,
  rpcUrl: optional(string()),
  wsUrl: optional(string()),
  gasBaseUrl: optional(string()),
  gasAuth,
  apiKey: optional(literal('[redacted]')),
  apiKeySecret: optional(literal('[redacted]')),
  bundlerUrl: optional(string()),
  bundlerApiKey: optional(literal('[redacted]')),
  entryPoint,
  factory,
  paymasterUrl: optional(string()),
  paymasterContext,
  singleCallsOnly,
  contracts: optional(
    object({
      entryPoint: object({ version: EntryPointVersionStruct, address: AddressStruct }),
      factory: AddressStruct,
    }),
  ),
});

/** An account as keyring-api has it. */
export const AccountStruct = object({
  id: IdStruct,
  type: oneOf(accountTypes),
  address: AddressStruct,
  scopes: array(ScopeStruct),
  options: record(string(), any()),
  methods: array(string()),
});

const notTaken = { name: string(), address: AddressStruct };

const announced = {
  accounts: array(AccountStruct),
  declined: array(object(notTaken)),
  failed: array(object({ ...notTaken, code: integer(), message: string() })),
  skipped: array(object(notTaken)),
};

export const AnnouncedStruct = object(announced);

export const RestoredStruct = object({
  ...announced,
  unchanged: array(AccountStruct),
  unchecked: array(object(notTaken)),
  recovered: array(AccountStruct),
  unreachable: array(ScopeStruct),
  isComplete: boolean(),
});

export const ProgressStruct = nullable(
  object({
    phase: oneOf(['checking', 'searching', 'announcing']),
    done: CountStruct,
    total: CountStruct,
  }),
);

export const DeploymentsStruct = record(
  ScopeStruct,
  oneOf(['deployed', 'absent', 'unknown']),
);

export const GrantsStruct = array(
  object({
    origin: string(),
    accounts: array(object({ id: IdStruct, address: AddressStruct })),
  }),
);

export const StatusStruct = object({
  documents: array(object({ name: string(), problem: nullable(string()) })),
  accounts: nullable(CountStruct),
  unsettled: nullable(CountStruct),
  requests: nullable(CountStruct),
});

const sent = Object.fromEntries(
  Object.entries(SentTransactionStruct.schema).filter(
    ([name]) => !['raw', 'operation', 'receipt'].includes(name),
  ),
);

/** What was sent, without the signed bytes and the receipt, which can be had by the hash. */
export const ActivityEntryStruct = object({
  ...sent,
  canBeReplaced: boolean(),
  hasReceipt: boolean(),
});
