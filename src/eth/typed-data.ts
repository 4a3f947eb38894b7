// EIP-712 typed data: read, and sign as eth_signTypedData_v4.
import {
  signTypedData as signEip712,
  SignTypedDataVersion,
} from '@metamask/eth-sig-util';
import {
  array,
  exactOptional,
  object,
  record,
  string,
  unknown,
} from '@metamask/superstruct';
import { isObject } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import { InvalidParamsError } from '../errors';
import { parse } from '../parse';
import { ChainIdStruct } from './chain';
import type { ChainId } from './chain';
import { findQuantity, viewOf } from './hex';
import type { Hex } from './hex';
import { checkTypedValue } from './typed-data-values';
import type { TypedField } from './typed-data-values';

/** A typed-data document whose primary type is declared. */
export type TypedData = {
  types: Record<string, TypedField[]> & { EIP712Domain: TypedField[] };
  primaryType: string;
  domain: Record<string, Json>;
  message: Record<string, Json>;
};

const TypedDataStruct = object({
  types: record(string(), array(object({ name: string(), type: string() }))),
  primaryType: string(),
  domain: record(string(), unknown()),
  message: exactOptional(record(string(), unknown())),
});

const DOMAIN = 'EIP712Domain';

// The fields a domain may have, in the order of the EIP.
const DOMAIN_FIELDS: readonly TypedField[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
];

/**
 * Read a typed-data document.
 *
 * @param value - The document, or its JSON text, which some dapps send.
 * @param root - How messages name it.
 * @returns The document with the fields that its types declare and no others;
 * `EIP712Domain`, where it is missing, is inferred from the domain.
 * @throws {InvalidParamsError} If it is malformed, or a value does not fit its type.
 */
export function parseTypedData(value: unknown, root: string): TypedData {
  const document = parse(
    typeof value === 'string' ? fromJson(value, root) : value,
    TypedDataStruct,
    root,
  );
  const { primaryType, domain, types, message = {} } = document;
  const domainType = Object.hasOwn(types, DOMAIN)
    ? (types[DOMAIN] ?? [])
    : inferDomainType(domain);
  const declared = { ...types, [DOMAIN]: domainType };
  if (!Object.hasOwn(declared, primaryType)) {
    throw new InvalidParamsError(
      `${root}.primaryType is not declared in ${root}.types.`,
    );
  }
  const check = (type: string, part: string, value: unknown): Record<string, Json> =>
    checkTypedValue(type, value, {
      types: declared,
      path: `${root}.${part}`,
    }) as Record<string, Json>;
  return {
    types: declared,
    primaryType,
    domain: check(DOMAIN, 'domain', domain),
    // Of a document that is its domain, the message is not signed.
    message: primaryType === DOMAIN ? {} : check(primaryType, 'message', message),
  };
}

/**
 * Find the chain that a document is for.
 *
 * @returns `undefined` if its domain names none.
 * @throws {InvalidParamsError} If the domain's chainId is not a chain id.
 */
export function findDomainChainId(data: TypedData, root: string): ChainId | undefined {
  const { chainId } = data.domain;
  // Zero is no chain: some protocols write it for "any".
  if (chainId === undefined || findQuantity(chainId) === 0n) return undefined;
  return parse(chainId, ChainIdStruct, `${root}.domain.chainId`);
}

/**
 * Sign a document as `eth_signTypedData_v4` does.
 *
 * @throws {InvalidParamsError} If a value does not fit its type.
 * @see https://eips.ethereum.org/EIPS/eip-712
 */
export function signTypedData(data: TypedData, privateKey: Uint8Array): Hex {
  try {
    return signEip712({
      privateKey: viewOf(privateKey),
      data,
      version: SignTypedDataVersion.V4,
    }) as Hex;
  } catch (cause) {
    throw new InvalidParamsError('The typed data cannot be encoded as its types say.', {
      cause,
    });
  }
}

function fromJson(text: string, root: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Said below: what a parser complains of would quote the text.
  }
  throw new InvalidParamsError(`${root} must be an object, or the JSON text of one.`);
}

function inferDomainType(domain: Record<string, unknown>): TypedField[] {
  return DOMAIN_FIELDS.filter(({ name }) => domain[name] !== undefined);
}
