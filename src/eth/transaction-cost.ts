// What a transaction pays, and what it can cost at most.
import type { Transaction } from './transaction';

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

/** List the fees of a transaction that its type has, in wei for a unit of gas. */
export function feesOf(transaction: Transaction): [FeeField, bigint][] {
  const fees: Partial<Record<FeeField, bigint>> = transaction;
  return feeFields.flatMap((field): [FeeField, bigint][] => {
    const fee = fees[field];
    return fee === undefined ? [] : [[field, fee]];
  });
}

/**
 * Compute what a transaction takes from its sender at most: its value, all of its gas at
 * the highest price that it allows, and its blobs likewise.
 *
 * @returns Wei.
 * @see https://eips.ethereum.org/EIPS/eip-4844
 */
export function maxCostOf(transaction: Transaction): bigint {
  const { value, gasLimit } = transaction;
  return value + gasLimit * maxPriceOf(transaction) + maxBlobCostOf(transaction);
}

/** Get what a unit of gas costs at most, in wei. */
export function maxPriceOf(transaction: Transaction): bigint {
  return 'gasPrice' in transaction ? transaction.gasPrice : transaction.maxFeePerGas;
}

function maxBlobCostOf(transaction: Transaction): bigint {
  if (transaction.type !== '0x3') return 0n;
  const { blobVersionedHashes, maxFeePerBlobGas } = transaction;
  return BigInt(blobVersionedHashes.length) * GAS_PER_BLOB * maxFeePerBlobGas;
}
