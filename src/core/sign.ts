// Signs a payload with a key. Nothing else in Tollkeeper signs.
import {
  bytesToBigInt,
  eoaCode7702SignAuthorization,
  privateToAddress,
} from '@ethereumjs/util';
import {
  personalSign,
  signTypedData,
  SignTypedDataVersion,
} from '@metamask/eth-sig-util';
import { bytesToHex } from '@metamask/utils';

import { isOffered } from './authorization';
import { formOf, toItems } from './digest';
import type { BytesPayload } from './digest';
import { InternalError, InvalidParamsError } from './errors';
import { hashHex, isSameAddress, toPaddedHex, toQuantity, viewOf } from './hex';
import type { Hex } from './hex';
import type { Authorization, Transaction } from './payload';
import { toSafeSignature } from './safe';
import { buildTransaction, MAX_LEGACY_CHAIN_ID } from './transaction';
import { encoding, VERSION } from './typed-data';

/** `v` as a minimal hex quantity: 35 + 2 × chain id + parity for type 0x0 (EIP-155), else the parity;
 * `r` and `s` as 32 bytes, `s` in the lower half (EIP-2). */
export type TransactionSignature = { v: Hex; r: Hex; s: Hex };

/** `raw` is what `eth_sendRawTransaction` takes. */
export type SignedTransaction = {
  transaction: Transaction;
  signature: TransactionSignature;
  raw: Hex;
  hash: Hex;
};

/** Signs a message (EIP-191), typed data (EIP-712) or a user operation; 65 bytes, whose last is 27 or 28,
 * for a Safe's operation behind its bounds. Throws `InvalidParamsError` if a value does not fit. */
export function signBytes(payload: BytesPayload, key: Uint8Array): Hex {
  const form = formOf(payload);
  const privateKey = viewOf(key);
  if ('message' in form) {
    return personalSign({ privateKey, data: Buffer.from(form.message) }) as Hex;
  }
  if ('entries' in form) {
    const data = [...form.entries];
    return signTypedData({ privateKey, data, version: SignTypedDataVersion.V1 }) as Hex;
  }
  const { document: data } = form;
  const signature = encoding(
    () => signTypedData({ privateKey, data, version: VERSION }) as Hex,
  );
  const isSafe =
    payload.kind === 'operation' && payload.domain.implementation === 'safe';
  return isSafe ? toSafeSignature(signature) : signature;
}

/** Signs a transaction, whose authorizations are signed by then. Throws `InvalidParamsError` if a field
 * is out of range. */
export function signTransaction(
  transaction: Transaction,
  key: Uint8Array,
): SignedTransaction {
  const { type, chainId } = transaction;
  if (type === '0x0' && chainId > MAX_LEGACY_CHAIN_ID) {
    throw new InvalidParamsError(
      `A transaction of type 0x0 cannot be signed for a chain id above ${MAX_LEGACY_CHAIN_ID}; use another type.`,
    );
  }
  const signed = buildTransaction(transaction).sign(key, false);
  const { v = 0n, r = 0n, s = 0n } = signed;
  const raw = bytesToHex(signed.serialize());
  return {
    transaction,
    signature: { v: toQuantity(v), r: toPaddedHex(r, 32), s: toPaddedHex(s, 32) },
    raw,
    hash: hashHex(raw),
  };
}

/** Signs an authorization; `s` is in the lower half (EIP-2). Throws `InternalError` if it is for a
 * contract that is not offered, for every chain, or of an account whose key this is not. */
export function signAuthorization(
  { authority, ...authorization }: Authorization,
  key: Uint8Array,
): Authorization {
  const signer = bytesToHex(privateToAddress(key));
  const isSigner = authority === undefined || isSameAddress(authority, signer);
  if (!isSigner || !isOffered(authorization)) {
    throw new InternalError(`No authorization is signed for ${authorization.address}.`);
  }
  const items = eoaCode7702SignAuthorization(toItems(authorization), key);
  const [yParity = 0n, r = 0n, s = 0n] = items
    .slice(3)
    .map((item) => bytesToBigInt(item));
  return { ...authorization, yParity, r, s };
}
