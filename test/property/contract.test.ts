// openrpc.json and the code's structs accept the same values: the document's examples, intact or
// with one part spoiled.
import {
  exactOptional,
  nullable,
  optional,
  record,
  string,
  type,
  union,
} from '@metamask/superstruct';
import fc from 'fast-check';

import { contract, getContractMethod, listExamples } from '../../dev/docs/contract';
import { BLOCK } from '../../dev/docs/samples';
import {
  FoundOperationStruct,
  OperationReceiptStruct,
} from '../../packages/client/src/bundler-schema';
import {
  IncludedBlockStruct,
  PendingBlockStruct,
} from '../../packages/client/src/rpc/block';
import { nodeSchema } from '../../packages/client/src/rpc/node-client';
import { noParams, RollupEstimateStruct } from '../../packages/client/src/rpc/schema';
import {
  IncludedTransactionStruct,
  PendingTransactionStruct,
  ReceiptWithRootStruct,
  ReceiptWithStatusStruct,
} from '../../packages/client/src/rpc/transaction';
import {
  CallParamStruct,
  ChainParamsStruct,
  EstimateParamsStruct,
  HashParamsStruct,
  RawParamsStruct,
} from '../../src/activity/look-ups';
import { CapabilitiesParamsStruct } from '../../src/calls/capabilities';
import { CallsStruct, PaymasterServiceStruct } from '../../src/calls/params';
import { GetPermissionsParamsStruct, RevokeParamsStruct } from '../../src/calls/revoke';
import { CallsIdParamsStruct } from '../../src/calls/status';
import { AuthorizationStruct } from '../../src/eth/authorization';
import { OperationRequestStruct } from '../../src/eth/operation-request';
import { TransactionRequestStruct } from '../../src/eth/transaction';
import { EntriesStruct, FieldsStruct, TypedDataStruct } from '../../src/eth/typed-data';
import { UserOperationStruct } from '../../src/eth/user-operation';
import { ConnectParamsStruct } from '../../src/message/connect';
import { IntentsStruct } from '../../src/operation/request';
import { PermissionStruct } from '../../src/permissions/permission';
import { EnvelopeStruct } from '../../src/request';
import { matches } from '../../src/schema/parse';
import type { StructOf } from '../../src/schema/parse';
import { paramObject } from '../../src/schema/structs';
import { SettingsStruct } from '../../src/state/private-state';
import { SignAuthorizationParamsStruct } from '../../src/transaction/authorization';
import {
  DelegateParamsStruct,
  RevokeDelegationParamsStruct,
} from '../../src/transaction/delegate';
import { ReplaceParamsStruct } from '../../src/transaction/replace';
import { receipt, transaction } from '../fixtures/client/node-answers';
import { componentFaults, type FindFault, paramsFaults } from '../support/contract';
import { runs } from '../support/runs';
import { without } from '../support/without';

/** The code's structs, by the names of their schemas. */
const structs: Record<string, StructOf<unknown>> = {
  AssetPermission: PermissionStruct,
  Authorization: AuthorizationStruct,
  Call: CallParamStruct,
  // Calls and typed data are parsed in several steps, whose structs are combined here.
  Calls: paramObject({
    ...CallsStruct.schema,
    capabilities: exactOptional(
      type({ paymasterService: optional(nullable(PaymasterServiceStruct)) }),
    ),
  }),
  FoundUserOperation: FoundOperationStruct,
  IncludedBlock: IncludedBlockStruct,
  IncludedTransaction: IncludedTransactionStruct,
  Intent: IntentsStruct.schema,
  NodeBlock: union([IncludedBlockStruct, PendingBlockStruct]),
  NodeTransaction: union([IncludedTransactionStruct, PendingTransactionStruct]),
  PartialUserOperation: OperationRequestStruct,
  PaymasterService: PaymasterServiceStruct,
  PendingBlock: PendingBlockStruct,
  PendingTransaction: PendingTransactionStruct,
  Receipt: union([ReceiptWithStatusStruct, ReceiptWithRootStruct]),
  ReceiptWithRoot: ReceiptWithRootStruct,
  ReceiptWithStatus: ReceiptWithStatusStruct,
  RequestEnvelope: EnvelopeStruct,
  RollupEstimate: RollupEstimateStruct,
  Settings: SettingsStruct,
  Transaction: TransactionRequestStruct,
  TypedData: type({ ...TypedDataStruct.schema, types: record(string(), FieldsStruct) }),
  TypedEntries: EntriesStruct,
  UserOperation: UserOperationStruct,
  UserOperationReceipt: OperationReceiptStruct,
};

/** Structs of params, by the methods that parse them in one step. */
const paramStructs: Record<string, StructOf<unknown>> = {
  eth_chainId: noParams,
  eth_getTransactionByHash: HashParamsStruct,
  eth_getUncleByBlockHashAndIndex: nodeSchema.eth_getUncleByBlockHashAndIndex.params,
  eth_getUncleByBlockNumberAndIndex:
    nodeSchema.eth_getUncleByBlockNumberAndIndex.params,
  eth_sendRawTransaction: RawParamsStruct,
  gas_suggestedGasFees: ChainParamsStruct,
  rollup_estimateGas: EstimateParamsStruct,
  tollkeeper_delegate: DelegateParamsStruct,
  tollkeeper_getPermissions: GetPermissionsParamsStruct,
  tollkeeper_replaceTransaction: ReplaceParamsStruct,
  tollkeeper_revoke: RevokeParamsStruct,
  tollkeeper_revokeDelegation: RevokeDelegationParamsStruct,
  wallet_connect: ConnectParamsStruct,
  wallet_getCallsStatus: CallsIdParamsStruct,
  wallet_getCapabilities: CapabilitiesParamsStruct,
  wallet_signAuthorization: SignAuthorizationParamsStruct,
};

const RUNS = 200;

const ADDRESS = `0x${'9d'.repeat(20)}`;

const HASH = `0x${'1b'.repeat(32)}`;

/** Values that no example covers. */
const others: unknown[] = [
  {
    from: ADDRESS,
    to: null,
    type: 2,
    chainId: 'eip155:1',
    data: '0x60',
    gas: '21000',
    maxFeePerGas: 1,
    accessList: [{ address: ADDRESS, storageKeys: [HASH] }],
  },
  { chainId: 0, address: ADDRESS, nonce: '0x1', yParity: 1, r: HASH, s: '0x1' },
  { sender: ADDRESS, factory: ADDRESS, paymasterPostOpGasLimit: '1', signature: '0x' },
  { url: 'https://pays.example', context: { policy: 'x' }, optional: true },
  { account: ADDRESS, scope: 1, nonceKey: '0x1', params: [] },
  receipt,
  { ...without(receipt, 'status'), root: HASH },
  { ...transaction, blockHash: null, blockNumber: null, transactionIndex: null },
  { ...BLOCK, hash: null, number: null, nonce: null, logsBloom: null },
];

const examples = contract.methods.flatMap(listExamples);

const values = [
  ...examples.flatMap(({ params, result }) => [...params, result]),
  ...others,
].flatMap(listParts);

const junk = fc.constantFrom<unknown>(
  null,
  true,
  0,
  1,
  -1,
  1.5,
  2 ** 53,
  '',
  'x',
  '1',
  '-1',
  '1.5',
  '01',
  '0x',
  '0x0',
  '0x1',
  '0x01',
  '0x012',
  '0xzz',
  `0x${'f'.repeat(65)}`,
  ADDRESS,
  HASH,
  'latest',
  'eip155:1',
  'low',
  'https://pays.example',
  [],
  ['0x'],
  [1],
  {},
  { x: 1 },
);

const spoiling = fc.record({
  pick: fc.nat(),
  how: fc.constantFrom('replace', 'remove', 'add', 'leave'),
  value: junk,
});

type Spoiling = { pick: number; how: string; value: unknown };

function listParts(value: unknown): unknown[] {
  const inside = isContainer(value) ? Object.values(value).flatMap(listParts) : [];
  return [value, ...inside];
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function spoil(whole: unknown, { pick, how, value }: Spoiling): unknown {
  const copy = structuredClone(whole);
  const parents = listParts(copy).filter(isContainer);
  const parent = parents[pick % parents.length] ?? {};
  const names = Object.keys(parent);
  const name = names[pick % names.length] ?? '0';
  if (how === 'replace' && !isWrongKind(parent[name], value)) parent[name] = value;
  if (how === 'add' && !Array.isArray(parent)) parent.unknown = value;
  if (how === 'remove') remove(parent, name);
  return copy;
}

function remove(parent: Record<string, unknown>, name: string): void {
  if (Array.isArray(parent)) parent.pop();
  else delete parent[name];
}

// superstruct accepts an array as an object without required fields; the snap's readers check for
// arrays first.
function isWrongKind(before: unknown, after: unknown): boolean {
  return isContainer(before) && !Array.isArray(before) && Array.isArray(after);
}

// Clones the value, because superstruct converts the items of a tuple in place.
function fits(value: unknown, struct: StructOf<unknown>): boolean {
  return matches(structuredClone(value), struct);
}

// Only TypedEntries is an array.
function hasKindOf(name: string, value: unknown): boolean {
  return isContainer(value) && Array.isArray(value) === (name === 'TypedEntries');
}

/** Schemas of servers' answers. */
const ANSWER = /Transaction$|Receipt|Block$|GasFees$/u;

// The structs accept more than the schemas: `0x` for zero in authorizations from MetaMask, empty
// strings for missing fields in calls from dapps, and servers' spellings of words and quantities,
// which the snap normalizes.
function isTolerated(name: string, value: unknown, { how, value: part }: Spoiling) {
  if (name === 'Authorization') return listParts(value).includes('0x');
  if (name === 'Call' || name === 'rollup_estimateGas') {
    return part === '' || part === '0x';
  }
  // superstruct takes an array for an object without required fields.
  if (name === 'wallet_connect') return Array.isArray(part);
  return ANSWER.test(name) && how === 'replace' && typeof part === 'string';
}

/** Spoils values that a struct accepts, and checks that struct and schema agree on the result. */
function compare(
  name: string,
  { struct, findFault }: { struct: StructOf<unknown>; findFault: FindFault },
  wholes: readonly unknown[],
): void {
  expect(wholes.length).toBeGreaterThan(0);
  const property = fc.property(fc.constantFrom(...wholes), spoiling, (whole, how) => {
    const value = spoil(whole, how);
    fc.pre(!isTolerated(name, value, how));
    expect({ value, fits: findFault(value) === undefined }).toStrictEqual({
      value,
      fits: fits(value, struct),
    });
  });
  fc.assert(property, runs(RUNS));
}

describe('the contract', () => {
  it.each(Object.entries(structs))('accepts the same values as %s', (name, struct) => {
    const wholes = values.filter(
      (value) => hasKindOf(name, value) && fits(value, struct),
    );
    compare(name, { struct, findFault: componentFaults(name) }, wholes);
  });

  it.each(Object.entries(paramStructs))(
    'accepts the same params of %s',
    (name, struct) => {
      const wholes = listExamples(getContractMethod(name)).map(({ params }) => params);
      compare(name, { struct, findFault: paramsFaults(name) }, wholes);
    },
  );
});
