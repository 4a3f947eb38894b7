// Parses a caller's transaction (docs/reference/service.md#transaction-to-sign). A field that is
// present is never altered.
import { exactOptional, object } from '@metamask/superstruct';

import { InvalidParamsError } from '../errors';
import { matches, parse } from '../schema/parse';
import { list, named, paramObject } from '../schema/structs';
import { assertCode } from './account-calls';
import { agree, AuthorizationStruct, toAuthorization } from './authorization';
import { ChainIdStruct } from './chain';
import {
  AddressStruct,
  Bytes32Struct,
  DataStruct,
  quantityBelow,
  QuantityStruct,
  RecipientStruct,
  toQuantity,
  toRecipient,
} from './hex';
import type { Hex } from './hex';
import {
  transactionTypes,
  typedFields,
  typeRules,
  typesOf,
  typesTaking,
} from './transaction';
import type { TransactionRequest, TransactionType } from './transaction';

/** Longer than any that fits in a transaction. */
const MAX_ACCESS_LIST = 10_000;

/** As many as Prague lets into a block (EIP-7691); Osaka lets 6 into a transaction. */
const MAX_BLOBS = 9;

/** More than a block has gas for. */
const MAX_AUTHORIZATIONS = 2_000;

const AccessListStruct = list(
  object({
    address: AddressStruct,
    storageKeys: list(Bytes32Struct, { max: MAX_ACCESS_LIST }),
  }),
  { max: MAX_ACCESS_LIST },
);

const BlobHashStruct = named<Hex>(
  'a versioned hash of EIP-4844 (0x01 and 62 digits)',
  (value) => matches(value, Bytes32Struct) && value.startsWith('0x01'),
);

const SidecarStruct = named<undefined>(
  'left out: a blob transaction is signed from its blobVersionedHashes alone',
  () => false,
);

// EIP-2681 bounds nonces; gas is a 64-bit number on every chain, and so gas times fee
// stays below 2^256.
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
 * Reads a caller's transaction.
 *
 * @param value - The transaction object of docs/reference/service.md#transaction-to-sign; `gas`,
 * `input` and `chainID` are aliases of `gasLimit`, `data` and `chainId`; null and empty lists count
 * as absent.
 * @param root - Its name in messages.
 * @throws {InvalidParamsError} If a field is malformed, or two contradict each other.
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
  const gasLimit = agree({ gasLimit: fields.gasLimit, gas }, root);
  const data = agree(
    { data: fields.data || undefined, input: input || undefined },
    root,
  );
  const chainId = agree({ chainId: fields.chainId, chainID }, root);
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

// Some clients write every list, whatever the type. Without a type, an empty access list
// chooses one that has such a list, as it does for geth; of the other two none may be empty.
function withoutEmptyLists({
  accessList,
  blobVersionedHashes,
  authorizationList,
  ...request
}: TransactionRequest): TransactionRequest {
  const { type } = request;
  const isTaken = type === undefined || typeRules[type].takes.includes('accessList');
  return {
    ...request,
    ...(accessList && (isTaken || accessList.length > 0) ? { accessList } : {}),
    ...(blobVersionedHashes?.length ? { blobVersionedHashes } : {}),
    ...(authorizationList?.length ? { authorizationList } : {}),
  };
}

function toType(type: bigint, root: string): TransactionType {
  const found = transactionTypes.find((known) => BigInt(known) === type);
  if (found) return found;
  throw new InvalidParamsError(
    `${root}.type ${toQuantity(type)} cannot be signed; it must be one of ${transactionTypes.join(', ')}.`,
  );
}

function assertConsistent(request: TransactionRequest, root: string): void {
  const { to, data, maxFeePerGas, maxPriorityFeePerGas = 0n } = request;
  const reason = findContradiction(request) ?? findLack(request);
  const fail = (message: string): never => {
    throw new InvalidParamsError(`${root}: ${message}`);
  };
  if (reason !== undefined) fail(reason);
  assertCode({ to, data }, root);
  if (maxFeePerGas !== undefined && maxPriorityFeePerGas > maxFeePerGas) {
    fail('maxPriorityFeePerGas is above maxFeePerGas.');
  }
}

/** Describes a field that contradicts the request's type, or another field. */
function findContradiction(request: TransactionRequest): string | undefined {
  const { type } = request;
  const given = typedFields.filter((field) => request[field] !== undefined);
  if (type !== undefined) {
    const foreign = given.find((field) => !typeRules[type].takes.includes(field));
    const takers = foreign && typesTaking([foreign]).join(', ');
    return foreign && `type ${type} takes no ${foreign}; types that do: ${takers}.`;
  }
  for (const one of given) {
    const other = given.find((field) => typesTaking([one, field]).length === 0);
    if (other) return `${one} and ${other} exclude each other: no type takes both.`;
  }
  return undefined;
}

/** Describes a missing field that only the caller can set. */
function findLack(request: TransactionRequest): string | undefined {
  const [type, ...others] = typesOf(request);
  if (type === undefined || others.length > 0) return undefined;
  const { needs, canCreate } = typeRules[type];
  const missing = needs.find((field) => request[field] === undefined);
  if (missing) return `type ${type} needs ${missing}.`;
  if (request.to !== null || canCreate) return undefined;
  return `type ${type} cannot create a contract; it needs "to".`;
}
