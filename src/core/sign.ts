// Signs a payload with a key. Nothing else in Tollkeeper signs.
import {
  bytesToBigInt,
  eoaCode7702SignAuthorization,
  privateToAddress,
} from '@ethereumjs/util';
import { bytesToHex, hexToBytes } from '@metamask/utils';
import { secp256k1 } from '@noble/curves/secp256k1.js';

import { isOffered } from './authorization';
import { toItems } from './digest';
import type { BytesPayload } from './digest';
import { InternalError, InvalidParamsError } from './errors';
import { concatHex, hashHex, isSameAddress, toPaddedHex, toQuantity } from './hex';
import type { Hex } from './hex';
import type { Authorization, Transaction } from './payload';
import { toSafeMessage, toSafeSignature } from './safe';
import { buildTransaction, MAX_LEGACY_CHAIN_ID } from './transaction';
import { hashTypedData } from './typed-data';

/** `v` as a minimal hex quantity: 35 + 2 × chain id + parity for type 0x0 (EIP-155), otherwise the
 * parity; `r` and `s` as 32 bytes, `s` in the lower half (EIP-2). */
export type TransactionSignature = { v: Hex; r: Hex; s: Hex };

/** A signed transaction. `raw` is the param of `eth_sendRawTransaction`. */
export type SignedTransaction = {
  transaction: Transaction;
  signature: TransactionSignature;
  raw: Hex;
  hash: Hex;
};

/**
 * Signs the digest of a message (EIP-191), typed data or a user operation; for a Safe's message or
 * document, the digest of the SafeMessage that contains it.
 *
 * @returns 65 bytes, the last of which is 27 or 28. For a Safe's operation, the validity bounds
 *   precede them.
 */
export function signBytes(payload: BytesPayload, digest: Hex, key: Uint8Array): Hex {
  if (payload.kind === 'operation') {
    const signature = signDigest(digest, key);
    const isSafe = payload.domain.implementation === 'safe';
    return isSafe ? toSafeSignature(signature) : signature;
  }
  const safe = payload.kind === 'entries' ? undefined : payload.safe;
  if (!safe) return signDigest(digest, key);
  return signDigest(hashTypedData(toSafeMessage(digest, safe)).digest, key);
}

/** Signs a digest deterministically (RFC 6979), with `s` in the lower half (EIP-2), as
 * `@ethereumjs/tx` does. */
function signDigest(digest: Hex, key: Uint8Array): Hex {
  const signed = secp256k1.sign(hexToBytes(digest), key, {
    prehash: false,
    format: 'recovered',
  });
  const [recovery = 0] = signed;
  return concatHex(bytesToHex(signed.subarray(1)), toQuantity(27 + recovery));
}

/** Signs a transaction. Its authorizations must be signed already. Throws `InvalidParamsError` if a
 * field is out of range. */
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

/** Signs an authorization, with `s` in the lower half (EIP-2). Throws `InternalError` if the
 * contract is not offered, if the authorization is valid on every chain, or if the key belongs to
 * another account. */
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
