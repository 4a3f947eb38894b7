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

/** A value of version 1, from before EIP-712. A list of these names no contract or chain, and is
 * hashed as Solidity packs the values, without borders between them. */
export type TypedEntry = { name: string; type: string; value: Json };

export const DOMAIN = 'EIP712Domain';

/** The version used for hashing. Version 3 gives the same hash for documents that it supports. */
const VERSION = SignTypedDataVersion.V4;

export function hashTypedEntries(entries: readonly TypedEntry[]): Hex {
  return encoding(() => typedSignatureHash([...entries]) as Hex);
}

/** The digest of a payload. A document also has the hashes that signers compare (ERC-8213). */
export type Hashes = { digest: Hex; domain?: Hex; message?: Hex | undefined };

/** Hashes a document as `eth_signTypedData_v4` does before it signs the digest (EIP-712); a message
 * only if the document has one beside its domain. Throws `InvalidParamsError` if a value does not
 * fit its type. */
export function hashTypedData({
  types,
  domain,
  primaryType,
  message,
}: TypedData): Hashes & { domain: Hex } {
  const hash = (name: string, value: Record<string, unknown>): Hex =>
    encoding(() => bytesToHex(TypedDataUtils.hashStruct(name, value, types, VERSION)));
  const ofDomain = hash(DOMAIN, domain);
  const ofMessage = primaryType === DOMAIN ? undefined : hash(primaryType, message);
  return {
    domain: ofDomain,
    message: ofMessage,
    digest: hashHex(concatHex('0x1901', ofDomain, ofMessage ?? '0x')),
  };
}

/** Has the library encode values; throws `InvalidParamsError` where it cannot. */
export function encoding(encode: () => Hex): Hex {
  try {
    return encode();
  } catch (cause) {
    const message = 'The typed data cannot be encoded as its types say.';
    throw new InvalidParamsError(message, { cause });
  }
}

/** Reads fields as EIP-712 encodes them: `address from,string text`. */
export function fieldsOf(encoded: string): TypedField[] {
  return encoded.split(',').map((field) => {
    const [of = '', name = ''] = field.split(' ');
    return { name, type: of };
  });
}
