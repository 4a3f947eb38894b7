// What a transaction pays, and what it can cost at most.
import type { Authorization } from './authorization';
import type { Hex } from './hex';

// Fee fields that a transaction's user can set, and what can be wrong with what was typed.

/** A fee field; a transaction has the first or the other two. */
export type FeeName = 'gasPrice' | 'maxFeePerGas' | 'maxPriorityFeePerGas';

/** Fees as they were typed, in gwei. */
export type TypedFees = Partial<Record<FeeName, string>>;

/** What is wrong with a fee that was typed; amounts in wei. */
export type FeeProblem =
  /** It is no number of gwei. */
  | { kind: 'malformed' }
  /** Nodes take a replacement only with this. */
  | { kind: 'tooLow'; least: bigint }
  /** No fee was ever this high. */
  | { kind: 'tooHigh'; bound: bigint }
  /** The priority fee is part of the maximum fee. */
  | { kind: 'aboveMaximum'; maximum: bigint };

// Transactions as they are asked for and as they are signed, and which type (EIP-2718)
// takes which fields.

/** Types that can be signed: legacy, EIP-2930, EIP-1559, EIP-4844, EIP-7702. */
export const transactionTypes = ['0x0', '0x1', '0x2', '0x3', '0x4'] as const;

/** An EIP-2718 transaction type. */
export type TransactionType = (typeof transactionTypes)[number];

/** Addresses and storage keys that a transaction declares (EIP-2930). */
export type AccessList = { address: Hex; storageKeys: Hex[] }[];

/** Fields that not every type takes. Fees in wei. */
type TypedFields = {
  gasPrice: bigint;
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
  accessList: AccessList;
  maxFeePerBlobGas: bigint;
  blobVersionedHashes: Hex[];
  authorizationList: Authorization[];
};

/** The name of a field that not every type takes. */
export type TypedField = keyof TypedFields;

/** Who pays what to whom: the fields that are never filled from the network. */
type TransactionBody = { from: Hex; to: Hex | null; value: bigint; data: Hex };

/** A checked request; what is absent here is ours to fill. Fees and value in wei. */
export type TransactionRequest = TransactionBody &
  Partial<TypedFields> & {
    type?: TransactionType;
    chainId?: bigint;
    nonce?: bigint;
    gasLimit?: bigint;
  };

type DynamicField = 'maxFeePerGas' | 'maxPriorityFeePerGas' | 'accessList';

/** A transaction with nothing left open. Fees and value in wei. */
export type Transaction = TransactionBody & {
  chainId: bigint;
  nonce: bigint;
  gasLimit: bigint;
} & (
    | ({ type: '0x0' } & Pick<TypedFields, 'gasPrice'>)
    | ({ type: '0x1' } & Pick<TypedFields, 'gasPrice' | 'accessList'>)
    | ({ type: '0x2' } & Pick<TypedFields, DynamicField>)
    | ({ type: '0x3' } & Pick<
        TypedFields,
        DynamicField | 'maxFeePerBlobGas' | 'blobVersionedHashes'
      >)
    | ({ type: '0x4' } & Pick<TypedFields, DynamicField | 'authorizationList'>)
  );

/** What a type takes beyond the fields of all types, and what a caller must give. */
type TypeRule = {
  takes: readonly TypedField[];
  needs: readonly TypedField[];
  canCreate: boolean;
};

const dynamicFields = ['maxFeePerGas', 'maxPriorityFeePerGas', 'accessList'] as const;

/** What each type takes. */
export const typeRules: Record<TransactionType, TypeRule> = {
  '0x0': { takes: ['gasPrice'], needs: [], canCreate: true },
  '0x1': { takes: ['gasPrice', 'accessList'], needs: [], canCreate: true },
  '0x2': { takes: dynamicFields, needs: [], canCreate: true },
  '0x3': {
    takes: [...dynamicFields, 'maxFeePerBlobGas', 'blobVersionedHashes'],
    needs: ['blobVersionedHashes'],
    canCreate: false,
  },
  '0x4': {
    takes: [...dynamicFields, 'authorizationList'],
    needs: ['authorizationList'],
    canCreate: false,
  },
};

/** Fields that not every type takes, in the order of the types that brought them. */
export const typedFields = [
  'gasPrice',
  'accessList',
  'maxFeePerGas',
  'maxPriorityFeePerGas',
  'maxFeePerBlobGas',
  'blobVersionedHashes',
  'authorizationList',
] as const satisfies readonly TypedField[];

/** Lists the types that take all of some fields. */
export function typesTaking(fields: readonly TypedField[]): TransactionType[] {
  return transactionTypes.filter((type) =>
    fields.every((field) => typeRules[type].takes.includes(field)),
  );
}

/** Lists the types that a request can be of: its own, or those that take its fields. */
export function typesOf(request: TransactionRequest): TransactionType[] {
  if (request.type !== undefined) return [request.type];
  return typesTaking(typedFields.filter((field) => request[field] !== undefined));
}

/**
 * Chooses the type of a request.
 *
 * @param preferred - Taken if the request leaves the choice.
 */
export function chooseType(
  request: TransactionRequest,
  preferred: TransactionType,
): TransactionType {
  const types = typesOf(request);
  return types.includes(preferred) ? preferred : (types[0] ?? preferred);
}

/** Blob gas of one blob (EIP-4844). */
const GAS_PER_BLOB = 131_072n;

/** Fee fields, in the order in which people read them. */
const feeFields = [
  'gasPrice',
  'maxFeePerGas',
  'maxPriorityFeePerGas',
  'maxFeePerBlobGas',
] as const;

/** The name of a fee field. */
export type FeeField = (typeof feeFields)[number];

/** Lists the fees of a transaction that its type has, in wei for a unit of gas. */
export function feesOf(transaction: Transaction): [FeeField, bigint][] {
  const fees: Partial<Record<FeeField, bigint>> = transaction;
  return feeFields.flatMap((field): [FeeField, bigint][] => {
    const fee = fees[field];
    return fee === undefined ? [] : [[field, fee]];
  });
}

/**
 * Computes what a transaction takes from its sender at most: its value, all of its gas at
 * the highest price that it allows, and its blobs likewise.
 *
 * @returns Wei.
 * @see https://eips.ethereum.org/EIPS/eip-4844
 */
export function maxCostOf(transaction: Transaction): bigint {
  const { value, gasLimit } = transaction;
  return value + gasLimit * maxPriceOf(transaction) + maxBlobCostOf(transaction);
}

/** Gets what a unit of gas costs at most, in wei. */
export function maxPriceOf(transaction: Transaction): bigint {
  return 'gasPrice' in transaction ? transaction.gasPrice : transaction.maxFeePerGas;
}

function maxBlobCostOf(transaction: Transaction): bigint {
  if (transaction.type !== '0x3') return 0n;
  const { blobVersionedHashes, maxFeePerBlobGas } = transaction;
  return BigInt(blobVersionedHashes.length) * GAS_PER_BLOB * maxFeePerBlobGas;
}
