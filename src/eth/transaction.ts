// Transactions as requested and as signed, the fields of each type (EIP-2718), and their highest
// cost.
import type { Authorization } from './authorization';
import type { Hex } from './hex';

/** A fee field; a transaction has the first or the other two. */
export type FeeName = 'gasPrice' | 'maxFeePerGas' | 'maxPriorityFeePerGas';

/** The user's input, in gwei. */
export type TypedFees = Partial<Record<FeeName, string>>;

/** A problem of a typed fee; amounts in wei. */
export type FeeProblem =
  /** It is no number of gwei. */
  | { kind: 'malformed' }
  /** Nodes take a replacement only with this. */
  | { kind: 'tooLow'; least: bigint }
  /** No fee was ever this high. */
  | { kind: 'tooHigh'; bound: bigint }
  /** The priority fee is part of the maximum fee. */
  | { kind: 'aboveMaximum'; maximum: bigint };

/** Types that can be signed: legacy, EIP-2930, EIP-1559, EIP-4844, EIP-7702. */
export const transactionTypes = ['0x0', '0x1', '0x2', '0x3', '0x4'] as const;

export type TransactionType = (typeof transactionTypes)[number];

/** Addresses and storage keys that a transaction declares (EIP-2930). */
export type AccessList = { address: Hex; storageKeys: Hex[] }[];

type DynamicFields = {
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
  accessList: AccessList;
};

type BlobFields = { maxFeePerBlobGas: bigint; blobVersionedHashes: Hex[] };

/** Fields that not every type takes. Fees in wei. */
type TypedFields = DynamicFields &
  BlobFields & { gasPrice: bigint; authorizationList: Authorization[] };

type TypedField = keyof TypedFields;

/** The fields that are never filled from the network. */
type TransactionBody = { from: Hex; to: Hex | null; value: bigint; data: Hex };

/** A checked request; the snap fills the missing fields. Fees and value in wei. */
export type TransactionRequest = TransactionBody &
  Partial<TypedFields> & {
    type?: TransactionType;
    chainId?: bigint;
    nonce?: bigint;
    gasLimit?: bigint;
  };

/** A complete transaction. Fees and value in wei. */
export type Transaction = TransactionBody & {
  chainId: bigint;
  nonce: bigint;
  gasLimit: bigint;
} & (
    | { type: '0x0'; gasPrice: bigint }
    | { type: '0x1'; gasPrice: bigint; accessList: AccessList }
    | ({ type: '0x2' } & DynamicFields)
    | ({ type: '0x3' } & DynamicFields & BlobFields)
    | ({ type: '0x4'; authorizationList: Authorization[] } & DynamicFields)
  );

/** The fields of a type beyond those of all types, and those that a caller must set. */
type TypeRule = {
  takes: readonly TypedField[];
  needs: readonly TypedField[];
  canCreate: boolean;
};

const dynamicFields = ['maxFeePerGas', 'maxPriorityFeePerGas', 'accessList'] as const;

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

/** Lists the possible types of a request: its own, or those that take its fields. */
export function typesOf(request: TransactionRequest): TransactionType[] {
  if (request.type !== undefined) return [request.type];
  return typesTaking(typedFields.filter((field) => request[field] !== undefined));
}

/** Chooses the type of a request: the preferred one if the request can be of this type. */
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

export type FeeField = (typeof feeFields)[number];

/** Lists the fees of a transaction, in wei per gas. */
export function feesOf(transaction: Transaction): [FeeField, bigint][] {
  const fees: Partial<Record<FeeField, bigint>> = transaction;
  return feeFields.flatMap((field): [FeeField, bigint][] => {
    const fee = fees[field];
    return fee === undefined ? [] : [[field, fee]];
  });
}

/**
 * Computes the highest cost of a transaction: its value, and its gas and blobs at the highest price
 * that it allows.
 *
 * @returns Wei.
 * @see https://eips.ethereum.org/EIPS/eip-4844
 */
export function maxCostOf(transaction: Transaction): bigint {
  const { value, gasLimit } = transaction;
  return value + gasLimit * maxPriceOf(transaction) + maxBlobCostOf(transaction);
}

/** Gets the highest price per gas, in wei. */
export function maxPriceOf(transaction: Transaction): bigint {
  return 'gasPrice' in transaction ? transaction.gasPrice : transaction.maxFeePerGas;
}

function maxBlobCostOf(transaction: Transaction): bigint {
  if (transaction.type !== '0x3') return 0n;
  const { blobVersionedHashes, maxFeePerBlobGas } = transaction;
  return BigInt(blobVersionedHashes.length) * GAS_PER_BLOB * maxFeePerBlobGas;
}
