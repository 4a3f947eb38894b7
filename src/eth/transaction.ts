// Transactions as callers give them (spec 2.7) and as they are signed. A field that is
// present is never altered on the way from the one to the other.
import { exactOptional, nullable, object } from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';

import { InvalidParamsError } from '../errors';
import { matches, parse } from '../parse';
import { list, named } from '../structs';
import { ChainIdStruct } from './chain';
import {
  AddressStruct,
  Bytes32Struct,
  BytesStruct,
  quantityBelow,
  QuantityStruct,
  toQuantity,
} from './hex';
import type { Hex } from './hex';

/** Types that can be signed: legacy, EIP-2930, EIP-1559. */
export const transactionTypes = ['0x0', '0x1', '0x2'] as const;

/** An EIP-2718 transaction type. */
export type TransactionType = (typeof transactionTypes)[number];

/** Longer than any that fits in a transaction. */
const MAX_ACCESS_LIST = 10_000;

const AccessListStruct = list(
  object({
    address: AddressStruct,
    storageKeys: list(Bytes32Struct, { max: MAX_ACCESS_LIST }),
  }),
  { max: MAX_ACCESS_LIST },
);

/** Addresses and storage keys that a transaction declares (EIP-2930). */
export type AccessList = Infer<typeof AccessListStruct>;

const RecipientStruct = nullable(
  named<Hex | ''>(
    'a 20-byte address, null or "" (contract creation)',
    (value) => value === '' || matches(value, AddressStruct),
  ),
);

// EIP-2681 bounds nonces; gas is a 64-bit number on every chain, and so gas times fee
// stays below 2^256.
const NonceStruct = quantityBelow(2n ** 64n - 1n, '2^64 - 1');
const GasStruct = quantityBelow(2n ** 64n, '2^64');
const FeeStruct = quantityBelow(2n ** 192n, '2^192');

const TransactionRequestStruct = object({
  from: AddressStruct,
  to: exactOptional(RecipientStruct),
  type: exactOptional(QuantityStruct),
  chainId: exactOptional(ChainIdStruct),
  nonce: exactOptional(NonceStruct),
  value: exactOptional(QuantityStruct),
  data: exactOptional(BytesStruct),
  input: exactOptional(BytesStruct),
  gas: exactOptional(GasStruct),
  gasLimit: exactOptional(GasStruct),
  gasPrice: exactOptional(FeeStruct),
  maxFeePerGas: exactOptional(FeeStruct),
  maxPriorityFeePerGas: exactOptional(FeeStruct),
  accessList: exactOptional(AccessListStruct),
});

/** Who pays what to whom: the fields that are never filled from the network. */
type TransactionBody = { from: Hex; to: Hex | null; value: bigint; data: Hex };

/** A checked request; what is absent here is ours to fill. Fees and value in wei. */
export type TransactionRequest = TransactionBody & {
  type?: TransactionType;
  chainId?: bigint;
  nonce?: bigint;
  gasLimit?: bigint;
  gasPrice?: bigint;
  maxFeePerGas?: bigint;
  maxPriorityFeePerGas?: bigint;
  accessList?: AccessList;
};

/** A transaction with nothing left open. Fees and value in wei. */
export type Transaction = TransactionBody & {
  chainId: bigint;
  nonce: bigint;
  gasLimit: bigint;
} & (
    | { type: '0x0'; gasPrice: bigint }
    | { type: '0x1'; gasPrice: bigint; accessList: AccessList }
    | {
        type: '0x2';
        maxFeePerGas: bigint;
        maxPriorityFeePerGas: bigint;
        accessList: AccessList;
      }
  );

/**
 * Read a caller's transaction.
 *
 * @param value - The transaction object of spec 2.7; `gas` and `input` are taken for
 * `gasLimit` and `data`.
 * @param root - How messages name it.
 * @throws {InvalidParamsError} If a field is malformed, or two contradict each other.
 */
export function parseTransactionRequest(
  value: unknown,
  root: string,
): TransactionRequest {
  const { gas, input, type, to, ...fields } = parse(
    value,
    TransactionRequestStruct,
    root,
  );
  const gasLimit = agree({ gasLimit: fields.gasLimit, gas }, root);
  const data = agree({ data: fields.data, input }, root) ?? '0x';
  const request: TransactionRequest = {
    ...fields,
    ...(type === undefined ? {} : { type: toType(type, root) }),
    ...(gasLimit === undefined ? {} : { gasLimit }),
    to: to === undefined || to === '' ? null : to,
    value: fields.value ?? 0n,
    data,
  };
  assertConsistent(request, root);
  return request;
}

function toType(type: bigint, root: string): TransactionType {
  const found = transactionTypes.find((known) => BigInt(known) === type);
  if (found) return found;
  throw new InvalidParamsError(
    `${root}.type ${toQuantity(type)} cannot be signed; it must be one of ${transactionTypes.join(', ')}.`,
  );
}

/** Two names of one field: take the one that is there; if both are, they must agree. */
function agree<Value>(
  names: Record<string, Value | undefined>,
  root: string,
): Value | undefined {
  const given = Object.entries(names).filter(([, value]) => value !== undefined);
  const values = new Set(given.map(([, value]) => String(value).toLowerCase()));
  if (values.size > 1) {
    const both = given.map(([name]) => name).join(' and ');
    throw new InvalidParamsError(`${root}: ${both} differ; give one of them.`);
  }
  return given[0]?.[1];
}

function assertConsistent(request: TransactionRequest, root: string): void {
  const { type, to, data, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = request;
  const isDynamic = maxFeePerGas !== undefined || maxPriorityFeePerGas !== undefined;
  const fail = (reason: string): never => {
    throw new InvalidParamsError(`${root}: ${reason}`);
  };
  if (to === null && data === '0x') fail('a contract creation (no "to") needs data.');
  if (gasPrice !== undefined && isDynamic) {
    fail('gasPrice and maxFeePerGas or maxPriorityFeePerGas exclude each other.');
  }
  if (type === '0x2' && gasPrice !== undefined) {
    fail('type 0x2 takes maxFeePerGas and maxPriorityFeePerGas, not gasPrice.');
  }
  if ((type === '0x0' || type === '0x1') && isDynamic) {
    fail(`type ${type} takes gasPrice, not maxFeePerGas or maxPriorityFeePerGas.`);
  }
  if (type === '0x0' && request.accessList !== undefined) {
    fail('type 0x0 takes no accessList; use type 0x1 or 0x2.');
  }
  if ((maxPriorityFeePerGas ?? 0n) > (maxFeePerGas ?? maxPriorityFeePerGas ?? 0n)) {
    fail('maxPriorityFeePerGas is above maxFeePerGas.');
  }
}
