// Typed data (EIP-712), hashed by eth-sig-util. Callers' documents are parsed in eth/typed-data.
import {
  SignTypedDataVersion,
  TypedDataUtils,
  typedSignatureHash,
} from '@metamask/eth-sig-util';
import { bytesToHex } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import { InvalidParamsError } from './errors';
import { concatHex, hashHex } from './hex';
import type { Hex } from './hex';

/** A typed-data document whose primary type is declared. */
export type TypedData = {
  types: Record<string, TypedField[]> & { EIP712Domain: TypedField[] };
  primaryType: string;
  domain: Record<string, Json>;
  message: Record<string, Json>;
};

export type TypedField = { name: string; type: string };

/** A value of typed data version 1, which is older than EIP-712. A list of such values names no
 * contract or chain, and is hashed as packed values without delimiters. */
export type TypedEntry = { name: string; type: string; value: Json };

export const DOMAIN = 'EIP712Domain';

/** The version used for hashing. Version 3 gives the same hash for documents that it supports. */
const VERSION = SignTypedDataVersion.V4;

export function hashTypedEntries(entries: readonly TypedEntry[]): Hex {
  return tryEncode(() => typedSignatureHash([...entries]) as Hex);
}

/** The digest of a payload. A document also has the hashes that signers compare (ERC-8213). */
export type Hashes = { digest: Hex; domain?: Hex; message?: Hex | undefined };

/** Hashes a document as `eth_signTypedData_v4` does (EIP-712). The result has no message hash if
 * the primary type is the domain. Throws `InvalidParamsError` if a value does not fit its type. */
export function hashTypedData({
  types,
  domain,
  primaryType,
  message,
}: TypedData): Hashes & { domain: Hex } {
  const hash = (name: string, value: Record<string, unknown>): Hex =>
    tryEncode(() => bytesToHex(TypedDataUtils.hashStruct(name, value, types, VERSION)));
  const domainHash = hash(DOMAIN, domain);
  const messageHash = primaryType === DOMAIN ? undefined : hash(primaryType, message);
  return {
    domain: domainHash,
    message: messageHash,
    digest: hashHex(concatHex('0x1901', domainHash, messageHash ?? '0x')),
  };
}

/** Throws `InvalidParamsError` if the library's encoder fails. */
export function tryEncode(encode: () => Hex): Hex {
  try {
    return encode();
  } catch (cause) {
    const message = 'The typed data cannot be encoded with its types.';
    throw new InvalidParamsError(message, { cause });
  }
}

/** Parses the fields of an EIP-712 type: `address from,string text`. */
export function fieldsOf(encoded: string): TypedField[] {
  return encoded.split(',').map((field) => {
    const [of = '', name = ''] = field.split(' ');
    return { name, type: of };
  });
}
