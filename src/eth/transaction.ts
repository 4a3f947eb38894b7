// Transactions: the fields of each type (EIP-2718), the parser for requests
// (docs/reference/service.md#transaction-to-sign), and the maximum cost.
import { define, exactOptional, object } from '@metamask/superstruct';

import { InvalidParamsError } from '../core/errors';
import { transactionTypes } from '../core/payload';
import type {
  BlobFields,
  DynamicFields,
  Transaction,
  TransactionBody,
  TransactionType,
  Authorization,
} from '../core/payload';
import { matches, parse } from '../schema/parse';
import { list, listOrNull, paramObject } from '../schema/structs';
import { assertCode } from './account-calls';
import { readAlias, AuthorizationStruct, toAuthorization } from './authorization';
import { ChainIdStruct } from './chain';
import {
  AddressStruct,
  Bytes32Struct,
  DataStruct,
  MAX_UINT256,
  quantityBelow,
  QuantityStruct,
  RecipientStruct,
  toQuantity,
  toRecipient,
} from './hex';
import type { Hex } from './hex';

/** A fee field. A transaction has either `gasPrice`, or the other two fields. */
export type FeeName = 'gasPrice' | 'maxFeePerGas' | 'maxPriorityFeePerGas';

/** Fees that the user entered, in gwei. */
export type TypedFees = Partial<Record<FeeName, string>>;

/** A problem with an entered fee. Amounts are in wei. */
export type FeeProblem =
  | { kind: 'malformed' }
  /** Below the minimum for a replacement, which nodes require. */
  | { kind: 'tooLow'; least: bigint }
  /** Higher than any plausible fee. */
  | { kind: 'tooHigh'; bound: bigint }
  /** A priority fee above the maximum fee, which includes it. */
  | { kind: 'aboveMaximum'; maximum: bigint };

/** Fields that not every type supports. Fees in wei. */
type TypedFields = DynamicFields &
  BlobFields & { gasPrice: bigint; authorizationList: Authorization[] };

type TypedField = keyof TypedFields;

/** A validated request; the snap fills in the missing fields. Fees and value in wei. */
export type TransactionRequest = TransactionBody &
  Partial<TypedFields> & {
    type?: TransactionType;
    chainId?: bigint;
    nonce?: bigint;
    gasLimit?: bigint;
  };

/** The fields of a type beyond the common ones. The caller must set the field in `needs`; a type
 * that has such a field cannot create contracts. */
type TypeRule = { takes: readonly TypedField[]; needs?: TypedField };

const dynamicFields = ['maxFeePerGas', 'maxPriorityFeePerGas', 'accessList'] as const;

const typeRules: Record<TransactionType, TypeRule> = {
  '0x0': { takes: ['gasPrice'] },
  '0x1': { takes: ['gasPrice', 'accessList'] },
  '0x2': { takes: dynamicFields },
  '0x3': {
    takes: [...dynamicFields, 'maxFeePerBlobGas', 'blobVersionedHashes'],
    needs: 'blobVersionedHashes',
  },
  '0x4': {
    takes: [...dynamicFields, 'authorizationList'],
    needs: 'authorizationList',
  },
};

const typedFields = [
  ...new Set(Object.values(typeRules).flatMap(({ takes }) => takes)),
];

function typesTaking(fields: readonly TypedField[]): TransactionType[] {
  return transactionTypes.filter((type) =>
    fields.every((field) => typeRules[type].takes.includes(field)),
  );
}

function typesOf(request: TransactionRequest): TransactionType[] {
  if (request.type !== undefined) return [request.type];
  return typesTaking(typedFields.filter((field) => request[field] !== undefined));
}

export function chooseType(
  request: TransactionRequest,
  preferred: TransactionType,
): TransactionType {
  const types = typesOf(request);
  return types.includes(preferred) ? preferred : (types[0] ?? preferred);
}

/** Blob gas of one blob (EIP-4844). */
const GAS_PER_BLOB = 131_072n;

/** Computes a transaction's maximum cost in wei: its value, and its gas and blobs (EIP-4844) at the
 * maximum price. Excludes a rollup's data fee. */
export function maxCostOf(transaction: Transaction): bigint {
  const { value, gasLimit } = transaction;
  const cost = value + gasLimit * maxPriceOf(transaction);
  if (transaction.type !== '0x3') return cost;
  const { blobVersionedHashes, maxFeePerBlobGas } = transaction;
  return cost + BigInt(blobVersionedHashes.length) * GAS_PER_BLOB * maxFeePerBlobGas;
}

/** Gets the maximum price per gas, in wei. */
export function maxPriceOf(transaction: Transaction): bigint {
  return 'gasPrice' in transaction ? transaction.gasPrice : transaction.maxFeePerGas;
}

/** More entries than any access list that fits in a transaction. */
const MAX_ACCESS_LIST = 10_000;

/** Prague's limit per block (EIP-7691); Osaka allows 6 per transaction. */
const MAX_BLOBS = 9;

/** More authorizations than fit in the 128 KB that nodes accept as a transaction. */
const MAX_AUTHORIZATIONS = 2_000;

const AccessListStruct = list(
  object({
    address: AddressStruct,
    storageKeys: listOrNull(Bytes32Struct, { max: MAX_ACCESS_LIST }),
  }),
  { max: MAX_ACCESS_LIST },
);

const BlobHashStruct = define<Hex>(
  'a versioned hash of EIP-4844 (0x01 and 62 digits)',
  (value) => matches(value, Bytes32Struct) && value.startsWith('0x01'),
);

const SidecarStruct = define<undefined>(
  'left out: a blob transaction is signed using only its blobVersionedHashes',
  () => false,
);

// EIP-2681 limits nonces. Gas is a 64-bit number on every chain, so gas times fee stays below
// 2^256.
const NonceStruct = quantityBelow(2n ** 64n - 1n, '2^64 - 1');
const GasStruct = quantityBelow(2n ** 64n, '2^64');
const FeeStruct = quantityBelow(2n ** 192n, '2^192');

export const TransactionRequestStruct = paramObject({
  from: AddressStruct,
  to: exactOptional(RecipientStruct),
  type: exactOptional(QuantityStruct),
  chainId: exactOptional(ChainIdStruct),
  chainID: exactOptional(ChainIdStruct),
  nonce: exactOptional(NonceStruct),
  value: exactOptional(QuantityStruct),
  data: exactOptional(DataStruct),
  input: exactOptional(DataStruct),
  gas: exactOptional(GasStruct),
  gasLimit: exactOptional(GasStruct),
  gasPrice: exactOptional(FeeStruct),
  maxFeePerGas: exactOptional(FeeStruct),
  maxPriorityFeePerGas: exactOptional(FeeStruct),
  accessList: exactOptional(AccessListStruct),
  maxFeePerBlobGas: exactOptional(FeeStruct),
  blobVersionedHashes: exactOptional(list(BlobHashStruct, { max: MAX_BLOBS })),
  authorizationList: exactOptional(
    list(AuthorizationStruct, { max: MAX_AUTHORIZATIONS }),
  ),
  blobs: exactOptional(SidecarStruct),
  commitments: exactOptional(SidecarStruct),
  proofs: exactOptional(SidecarStruct),
  sidecars: exactOptional(SidecarStruct),
});

/**
 * Parses a caller's transaction.
 *
 * @param value - The transaction object of docs/reference/service.md#transaction-to-sign. `gas`,
 *   `input` and `chainID` are aliases of `gasLimit`, `data` and `chainId`. Null counts as missing,
 *   and so do empty lists; an empty `accessList` only with a type that does not support it.
 * @param root - Its name in error messages.
 * @throws {InvalidParamsError} If a field is malformed, or two fields contradict each other.
 */
export function parseTransactionRequest(
  value: unknown,
  root: string,
): TransactionRequest {
  const { gas, input, chainID, type, to, authorizationList, ...fields } = parse(
    value,
    TransactionRequestStruct,
    root,
  );
  const gasLimit = readAlias({ gasLimit: fields.gasLimit, gas }, root);
  const data = readAlias(
    { data: fields.data || undefined, input: input || undefined },
    root,
  );
  const chainId = readAlias({ chainId: fields.chainId, chainID }, root);
  const authorizations = authorizationList?.map((each, index) =>
    toAuthorization(each, `${root}.authorizationList[${index}]`),
  );
  const request = withoutEmptyLists({
    ...fields,
    ...(type !== undefined && { type: toType(type, root) }),
    ...(gasLimit !== undefined && { gasLimit }),
    ...(chainId !== undefined && { chainId }),
    ...(authorizations !== undefined && { authorizationList: authorizations }),
    to: toRecipient(to),
    value: fields.value ?? 0n,
    data: data ?? '0x',
  });
  assertConsistent(request, root);
  return request;
}

// Some clients write every list, whatever the type. Without a type, an empty access list selects a
// type that supports access lists, as in geth; the other two lists must not be empty.
function withoutEmptyLists({
  accessList,
  blobVersionedHashes,
  authorizationList,
  ...request
}: TransactionRequest): TransactionRequest {
  const { type } = request;
  const isSupported =
    type === undefined || typeRules[type].takes.includes('accessList');
  return {
    ...request,
    ...(accessList && (isSupported || accessList.length > 0) ? { accessList } : {}),
    ...(blobVersionedHashes?.length ? { blobVersionedHashes } : {}),
    ...(authorizationList?.length ? { authorizationList } : {}),
  };
}

function toType(type: bigint, root: string): TransactionType {
  const found = transactionTypes.find((known) => BigInt(known) === type);
  if (found) return found;
  throw new InvalidParamsError(
    `${root}.type ${nameType(toQuantity(type))} is not supported; it must be one of ${transactionTypes.join(', ')}.`,
  );
}

/** Types that need more than the key of an Ethereum account, or that exist only on some chains. */
const otherTypes: Record<string, string> = {
  '0x6': 'frame transaction, EIP-8141',
  '0x79': 'account transaction of Base, EIP-8130',
  '0x7b': 'Celo, CIP-64',
  '0x7c': 'Celo, CIP-42',
  '0x7e': 'deposit of an OP Stack chain',
};

/** Names an unsupported type, such as `0x7e (deposit of an OP Stack chain)`. */
export function nameType(type: Hex): string {
  const name = otherTypes[type];
  return name === undefined ? type : `${type} (${name})`;
}

function assertConsistent(request: TransactionRequest, root: string): void {
  const { maxFeePerGas = MAX_UINT256, maxPriorityFeePerGas = 0n } = request;
  const reason = findContradiction(request) ?? findMissing(request);
  const fail = (message: string): never => {
    throw new InvalidParamsError(`${root}: ${message}`);
  };
  if (reason !== undefined) fail(reason);
  assertCode(request, root);
  if (maxPriorityFeePerGas > maxFeePerGas) {
    fail('maxPriorityFeePerGas is above maxFeePerGas.');
  }
}

function findContradiction(request: TransactionRequest): string | undefined {
  const { type } = request;
  const given = typedFields.filter((field) => request[field] !== undefined);
  if (type !== undefined) {
    const foreign = given.find((field) => !typeRules[type].takes.includes(field));
    const takers = foreign && typesTaking([foreign]).join(', ');
    return (
      foreign && `type ${type} does not support ${foreign}; types that do: ${takers}.`
    );
  }
  for (const one of given) {
    const other = given.find((field) => typesTaking([one, field]).length === 0);
    if (other) return `${one} and ${other} cannot be combined: no type supports both.`;
  }
  return undefined;
}

function findMissing(request: TransactionRequest): string | undefined {
  const [type, ...others] = typesOf(request);
  if (type === undefined || others.length > 0) return undefined;
  const { needs } = typeRules[type];
  if (needs === undefined) return undefined;
  if (request[needs] === undefined) return `type ${type} needs ${needs}.`;
  if (request.to !== null) return undefined;
  return `type ${type} cannot create a contract; it needs "to".`;
}
