// Transactions, hashed and signed by @ethereumjs/tx.
import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common';
import { createTx } from '@ethereumjs/tx';
import type { TxOptions, TypedTransaction, TypedTxData } from '@ethereumjs/tx';
import type { KZG } from '@ethereumjs/util';
import { bytesToHex } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import { toAuthorizationJson } from './authorization';
import { InvalidParamsError } from './errors';
import { toQuantity } from './hex';
import type { Hex } from './hex';
import type { AccessList, Authorization, Transaction } from './payload';

/** Fee fields, in display order. */
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

/** The largest chain id for which a legacy `v`, 36 + 2 × chain id, is a safe integer.
 * @ethereumjs/tx misreads larger ones. */
export const MAX_LEGACY_CHAIN_ID = (2n ** 53n - 37n) / 2n;

/** @ethereumjs/tx requires KZG for blob transactions, but only uses it for sidecars. */
const customCrypto = { kzg: {} as KZG };

/** Returns the library's options for a transaction on a chain. It applies the rules of Prague; the
 * chain itself decides whether it accepts the type. */
export function txOptionsOf(chainId: bigint): TxOptions {
  const hardfork = Hardfork.Prague;
  const options = { hardfork, customCrypto };
  const common = createCustomCommon({ chainId: chainId.toString() }, Mainnet, options);
  // The chain itself limits the size of init code.
  return { common, allowUnlimitedInitCodeSize: true };
}

/** Serializes an unsigned transaction with an empty signature, as `eth_fillTransaction` does. This
 * is not the form that is hashed. Throws `InvalidParamsError` if a field is out of range. */
export function serializeUnsigned(transaction: Transaction): Hex {
  return bytesToHex(buildTransaction(transaction).serialize());
}

export function buildTransaction(transaction: Transaction): TypedTransaction {
  const { to, ...fields } = toTransactionJson(transaction);
  const data = to === null ? fields : { ...fields, to };
  try {
    return createTx(data as TypedTxData, txOptionsOf(transaction.chainId));
  } catch (cause) {
    const message = 'A field of the transaction is out of range.';
    throw new InvalidParamsError(message, { cause });
  }
}

type Lists = {
  type: string;
  accessList?: AccessList;
  blobVersionedHashes?: Hex[];
  authorizationList?: Authorization[];
};

/** Converts a transaction into the form of docs/reference/service.md#transaction-to-sign: every
 * quantity as minimal hex. */
export function toTransactionJson(transaction: Transaction): Record<string, Json> {
  const { type, from, to, data } = transaction;
  const { accessList, blobVersionedHashes, authorizationList }: Lists = transaction;
  const fees = feesOf(transaction).map(([name, fee]) => [name, toQuantity(fee)]);
  return {
    type,
    chainId: toQuantity(transaction.chainId),
    nonce: toQuantity(transaction.nonce),
    from,
    to,
    value: toQuantity(transaction.value),
    data,
    gasLimit: toQuantity(transaction.gasLimit),
    ...(Object.fromEntries(fees) as Record<string, Hex>),
    ...(accessList && { accessList }),
    ...(blobVersionedHashes && { blobVersionedHashes }),
    ...(authorizationList && {
      authorizationList: authorizationList.map(toAuthorizationJson),
    }),
  };
}
