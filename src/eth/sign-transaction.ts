// Signing and serialising a transaction, through @ethereumjs/tx.
import { createTx } from '@ethereumjs/tx';
import type { TypedTransaction, TypedTxData } from '@ethereumjs/tx';
import { bytesToHex } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import { InvalidParamsError } from '../errors';
import { toAuthorizationJson } from './authorization';
import { toPaddedHex, toQuantity } from './hex';
import type { Hex } from './hex';
import type { Transaction } from './transaction';
import { feesOf } from './transaction-cost';
import { MAX_LEGACY_CHAIN_ID, txOptionsOf } from './tx-options';

/** `v` as a minimal hex quantity (EIP-155, EIP-2718), `r` and `s` 32 bytes. */
export type TransactionSignature = { v: Hex; r: Hex; s: Hex };

/** A signature and the serialised transaction that it belongs to. */
export type SignedTransaction = { signature: TransactionSignature; raw: Hex };

/**
 * Sign a transaction.
 *
 * @returns `v` is 35 + 2 × chain id + parity for type 0x0 (EIP-155), else the parity;
 * `s` is in the lower half (EIP-2); `raw` is what `eth_sendRawTransaction` takes.
 * @throws {InvalidParamsError} If a field is out of range.
 */
export function signTransaction(
  transaction: Transaction,
  privateKey: Uint8Array,
): SignedTransaction {
  assertLegacyChain(transaction);
  const signed = buildTransaction(transaction).sign(privateKey, false);
  const { v = 0n, r = 0n, s = 0n } = signed;
  return {
    signature: { v: toQuantity(v), r: toPaddedHex(r, 32), s: toPaddedHex(s, 32) },
    raw: bytesToHex(signed.serialize()),
  };
}

/**
 * Serialise a transaction that nobody has signed, as a node's `eth_fillTransaction` does:
 * EIP-2718's envelope with an empty signature. It is not what is hashed for signing.
 *
 * @throws {InvalidParamsError} If a field is out of range.
 */
export function serializeUnsigned(transaction: Transaction): Hex {
  return bytesToHex(buildTransaction(transaction).serialize());
}

function assertLegacyChain({ type, chainId }: Transaction): void {
  if (type !== '0x0' || chainId <= MAX_LEGACY_CHAIN_ID) return;
  throw new InvalidParamsError(
    `A transaction of type 0x0 cannot be signed for a chain id above ${MAX_LEGACY_CHAIN_ID}; use another type.`,
  );
}

function buildTransaction(transaction: Transaction): TypedTransaction {
  const { to, ...fields } = toTransactionJson(transaction);
  const data = to === null ? fields : { ...fields, to };
  try {
    return createTx(data as TypedTxData, txOptionsOf(transaction.chainId));
  } catch (cause) {
    throw new InvalidParamsError('A field of the transaction is out of range.', {
      cause,
    });
  }
}

/** Write a transaction in the form of spec 2.7: every quantity as minimal hex. */
export function toTransactionJson(transaction: Transaction): Record<string, Json> {
  const { type, from, to, data } = transaction;
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
    ...listsOf(transaction),
  };
}

function listsOf(transaction: Transaction): Record<string, Json> {
  if (transaction.type === '0x0') return {};
  const { accessList } = transaction;
  if (transaction.type === '0x3') {
    return { accessList, blobVersionedHashes: transaction.blobVersionedHashes };
  }
  if (transaction.type !== '0x4') return { accessList };
  const authorizationList = transaction.authorizationList.map(toAuthorizationJson);
  return { accessList, authorizationList };
}
