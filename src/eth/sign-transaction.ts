// Signing and serialising a transaction, through @ethereumjs/tx.
import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common';
import type { Common } from '@ethereumjs/common';
import { createTx } from '@ethereumjs/tx';
import type { TypedTransaction, TypedTxData } from '@ethereumjs/tx';
import { bytesToHex } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import { InvalidParamsError } from '../errors';
import { toPaddedHex, toQuantity } from './hex';
import type { Hex } from './hex';
import type { Transaction } from './transaction';

/** `v` as a minimal hex quantity (EIP-155, EIP-2718), `r` and `s` 32 bytes. */
export type TransactionSignature = { v: Hex; r: Hex; s: Hex };

/** A signature and the serialised transaction that it belongs to. */
export type SignedTransaction = { signature: TransactionSignature; raw: Hex };

/** The largest for which `v`, 36 + 2 × chain id, is a safe integer: beyond,
 * @ethereumjs/tx reads it wrongly. */
const MAX_LEGACY_CHAIN_ID = (2n ** 53n - 37n) / 2n;

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

function assertLegacyChain({ type, chainId }: Transaction): void {
  if (type !== '0x0' || chainId <= MAX_LEGACY_CHAIN_ID) return;
  throw new InvalidParamsError(
    `A transaction of type 0x0 cannot be signed for a chain id above ${MAX_LEGACY_CHAIN_ID}; use type 0x1 or 0x2.`,
  );
}

function buildTransaction(transaction: Transaction): TypedTransaction {
  const { to, ...fields } = toTransactionJson(transaction);
  const data = to === null ? fields : { ...fields, to };
  try {
    return createTx(data as TypedTxData, {
      common: getCommon(transaction.chainId),
      // The size of init code is the chain's to judge, and chains differ.
      allowUnlimitedInitCodeSize: true,
    });
  } catch (cause) {
    throw new InvalidParamsError('A field of the transaction is out of range.', {
      cause,
    });
  }
}

/** Write a transaction in the form of spec 2.7: every quantity as minimal hex. */
export function toTransactionJson(transaction: Transaction): Record<string, Json> {
  const { type, from, to, data } = transaction;
  return {
    type,
    chainId: toQuantity(transaction.chainId),
    nonce: toQuantity(transaction.nonce),
    from,
    to,
    value: toQuantity(transaction.value),
    data,
    gasLimit: toQuantity(transaction.gasLimit),
    ...feesOf(transaction),
    ...('accessList' in transaction ? { accessList: transaction.accessList } : {}),
  };
}

function feesOf(transaction: Transaction): Record<string, Json> {
  if (transaction.type !== '0x2') return { gasPrice: toQuantity(transaction.gasPrice) };
  return {
    maxFeePerGas: toQuantity(transaction.maxFeePerGas),
    maxPriorityFeePerGas: toQuantity(transaction.maxPriorityFeePerGas),
  };
}

const commons = new Map<bigint, Common>();

// Building the rules of a chain costs more than signing does, and they never change.
function getCommon(chainId: bigint): Common {
  const known = commons.get(chainId);
  if (known) return known;
  const common = createCustomCommon({ chainId: chainId.toString() }, Mainnet, {
    hardfork: Hardfork.Prague,
  });
  commons.set(chainId, common);
  return common;
}
