// Signing and serialising a transaction, through @ethereumjs/tx.
import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common';
import type { Common } from '@ethereumjs/common';
import { createTx } from '@ethereumjs/tx';
import type { TypedTxData } from '@ethereumjs/tx';
import { bytesToHex } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import { toPaddedHex, toQuantity } from './hex';
import type { Hex } from './hex';
import type { Transaction } from './transaction';

/** `v` as a minimal hex quantity (EIP-155, EIP-2718), `r` and `s` 32 bytes. */
export type TransactionSignature = { v: Hex; r: Hex; s: Hex };

/** A signature and the serialised transaction that it belongs to. */
export type SignedTransaction = { signature: TransactionSignature; raw: Hex };

/**
 * Sign a transaction.
 *
 * @returns `v` is 35 + 2 × chain id + parity for type 0x0 (EIP-155), else the parity;
 * `s` is in the lower half (EIP-2); `raw` is what `eth_sendRawTransaction` takes.
 */
export function signTransaction(
  transaction: Transaction,
  privateKey: Uint8Array,
): SignedTransaction {
  // The size of init code is the chain's to judge, and chains differ.
  const { to, ...fields } = toTransactionJson(transaction);
  const data = to === null ? fields : { ...fields, to };
  const signed = createTx(data as TypedTxData, {
    common: getCommon(transaction.chainId),
    allowUnlimitedInitCodeSize: true,
  }).sign(privateKey, false);
  const { v = 0n, r = 0n, s = 0n } = signed;
  return {
    signature: { v: toQuantity(v), r: toPaddedHex(r, 32), s: toPaddedHex(s, 32) },
    raw: bytesToHex(signed.serialize()),
  };
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
