// Parses EIP-712 typed data and signs them like eth_signTypedData_v4. Version 3 is the same for the
// documents that it supports.
import {
  signTypedData as signEip712,
  SignTypedDataVersion,
  TypedDataUtils,
} from '@metamask/eth-sig-util';
import { bytesToHex, isObject } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import { InvalidParamsError } from '../errors';
import { parse, toPath } from '../schema/parse';
import { named, optional, type } from '../schema/structs';
import { ChainIdStruct } from './chain';
import type { ChainId } from './chain';
import { findQuantity, viewOf } from './hex';
import type { Hex } from './hex';
import {
  checkReached,
  createBudget,
  DOMAIN,
  fieldsOf,
  findArray,
  findAtom,
  findEndless,
  parseTypes,
} from './typed-data-types';
import type { ArrayType, Budget, TypedField, TypeTable } from './typed-data-types';

/** Parses the JSON text of an object or an array, which some dapps send, and passes on other
 * values; throws `InvalidParamsError` if it is another text. */
export function readDocument(
  value: unknown,
  kind: 'object' | 'array',
  root: string,
): unknown {
  if (typeof value !== 'string') return value;
  try {
    const read: unknown = JSON.parse(value);
    const isKind = Array.isArray(read) === (kind === 'array');
    if (isKind && typeof read === 'object' && read !== null) return read;
  } catch {
    // The parser's own message would quote the text.
  }
  throw new InvalidParamsError(`${root} must be an ${kind}, or the JSON text of one.`);
}

// Values are checked against their types before they are signed: eth-sig-util signs values that do
// not fit, which a contract would hash differently or not at all.

export type Rules = {
  types: TypeTable;
  /** Types that contain themselves: null, or nothing, ends them. */
  endless: ReadonlySet<string>;
  /** Characters of types that are hashed with each struct. */
  typeLength: number;
  budget: Budget;
};

/** A value, its type, and its path for messages. */
type TypedValue = { type: string; value: unknown; path: string; depth?: number };

/** Types can contain themselves. */
const MAX_DEPTH = 64;

/**
 * Checks a value of a type.
 *
 * @returns The value with the fields that its type declares: no others are signed, so no
 * others may be shown.
 * @throws {InvalidParamsError} Naming the path and the type that was expected.
 */
export function checkTypedValue(typed: TypedValue, rules: Rules): unknown {
  const { type, value, path, depth = 0 } = typed;
  rules.budget.spend(typeof value === 'string' ? value.length : 0);
  if (depth > MAX_DEPTH) throw new InvalidParamsError(`${path} is nested too deeply.`);
  const array = findArray(type);
  if (array) return checkArray(array, typed, rules);
  if (Object.hasOwn(rules.types, type)) return checkStruct(typed, rules);
  return findAtom(type)?.(value) ? value : fail(typed);
}

function checkArray(
  { item, length }: ArrayType,
  typed: TypedValue,
  rules: Rules,
): unknown[] {
  const { value, path, depth = 0 } = typed;
  if (!Array.isArray(value) || (length ?? value.length) !== value.length) {
    return fail(typed);
  }
  return value.map((each: unknown, index) =>
    checkTypedValue(
      { type: item, value: each, path: `${path}[${index}]`, depth: depth + 1 },
      rules,
    ),
  );
}

function checkStruct(typed: TypedValue, rules: Rules): Record<string, unknown> | null {
  const { type, value, path, depth = 0 } = typed;
  // eth-sig-util hashes null as zero. In other types a contract has no such value.
  if ((value ?? null) === null && depth > 0 && rules.endless.has(type)) return null;
  if (!isObject(value)) return fail(typed);
  rules.budget.spend(rules.typeLength);
  const fields = rules.types[type] ?? [];
  // Not by assignment, which would not declare a field named `__proto__`.
  return Object.fromEntries(
    fields.map((field) => {
      const own: unknown = Object.hasOwn(value, field.name)
        ? (value as Record<string, unknown>)[field.name]
        : undefined;
      const place = { path: toPath([field.name], path), depth: depth + 1 };
      return [
        field.name,
        checkTypedValue({ type: field.type, value: own, ...place }, rules),
      ];
    }),
  );
}

function fail({ type, value, path }: TypedValue): never {
  const verb = value === undefined ? 'is missing: it must be' : 'must be';
  throw new InvalidParamsError(`${path} ${verb} of type ${type}.`);
}

/** A typed-data document whose primary type is declared. */
export type TypedData = {
  types: Record<string, TypedField[]> & { EIP712Domain: TypedField[] };
  primaryType: string;
  domain: Record<string, Json>;
  message: Record<string, Json>;
};

const ObjectStruct = named<Record<string, unknown>>('an object', isObject);

/** Some dapps send further fields, which are not signed. */
export const TypedDataStruct = type({
  types: ObjectStruct,
  primaryType: named<string>('a string', (value) => typeof value === 'string'),
  domain: ObjectStruct,
  message: optional(ObjectStruct),
});

/** The fields that a domain may have, in the order of the EIP. */
const DOMAIN_FIELDS = fieldsOf(
  'string name,string version,uint256 chainId,address verifyingContract,bytes32 salt',
);

/**
 * Reads a typed-data document.
 *
 * @param value - The document, or its JSON text.
 * @param root - Its name in messages.
 * @returns The document with the fields that its types declare and no others;
 * `EIP712Domain`, where it is missing, is inferred from the domain.
 * @throws {InvalidParamsError} If it is malformed, or a value does not fit its type.
 */
export function parseTypedData(value: unknown, root: string): TypedData {
  const document = parse(readDocument(value, 'object', root), TypedDataStruct, root);
  const { primaryType, domain, message = {} } = document;
  const budget = createBudget(root);
  const types = parseTypes(document.types, `${root}.types`, budget);
  const declared = Object.hasOwn(types, DOMAIN)
    ? types
    : { ...types, [DOMAIN]: inferDomainType(domain, root) };
  if (!Object.hasOwn(declared, primaryType)) {
    throw new InvalidParamsError(
      `${root}.primaryType is not declared in ${root}.types.`,
    );
  }
  const check = checkerOf(declared, primaryType, { root, budget });
  return {
    types: declared as TypedData['types'],
    primaryType,
    domain: check(DOMAIN, domain, 'domain'),
    // The message of a document that is its domain is not signed.
    message: primaryType === DOMAIN ? {} : check(primaryType, message, 'message'),
  };
}

/** Reads a document of version 3; throws `InvalidParamsError` as {@link parseTypedData} does, and
 * if it has arrays or types that contain themselves. */
export function parseTypedDataV3(value: unknown, root: string): TypedData {
  const data = parseTypedData(value, root);
  const { types, primaryType } = data;
  const path = `${root}.types`;
  const reached = checkReached(types, primaryType, path);
  for (const name of reached) {
    const index = types[name]?.findIndex((field) => field.type.endsWith(']')) ?? -1;
    if (index < 0) continue;
    throw new InvalidParamsError(
      `${toPath([name, index], path)}.type is an array: only eth_signTypedData_v4 has these.`,
    );
  }
  const [endless] = findEndless(types, reached);
  if (endless === undefined) return data;
  throw new InvalidParamsError(
    `${toPath([endless], path)} contains itself: only eth_signTypedData_v4 has such types.`,
  );
}

/** Finds the chain that a document's domain names; throws `InvalidParamsError` if its chainId is
 * not a chain id. */
export function findDomainChainId(data: TypedData, root: string): ChainId | undefined {
  const { chainId } = data.domain;
  // Zero is no chain: some protocols write it for "any".
  if (chainId === undefined || findQuantity(chainId) === 0n) return undefined;
  return parse(chainId, ChainIdStruct, `${root}.domain.chainId`);
}

/**
 * Hashes a document as `eth_signTypedData_v4` does before it signs the hash.
 *
 * @throws {InvalidParamsError} If a value does not fit its type.
 * @see https://eips.ethereum.org/EIPS/eip-712
 */
export function hashTypedData(data: TypedData): Hex {
  return encoding(() => bytesToHex(TypedDataUtils.eip712Hash(data, VERSION)));
}

/** Hashes the domain and the message of a document apart, as signers compare them; there is no
 * message hash if only the domain is signed. Throws `InvalidParamsError` if a value does not fit
 * its type. */
export function hashParts({ types, domain, primaryType, message }: TypedData): {
  domain: Hex;
  message: Hex | undefined;
} {
  const hash = (type: string, value: Record<string, unknown>): Hex =>
    encoding(() => bytesToHex(TypedDataUtils.hashStruct(type, value, types, VERSION)));
  return {
    domain: hash(DOMAIN, domain),
    message: primaryType === DOMAIN ? undefined : hash(primaryType, message),
  };
}

/**
 * Signs a document as `eth_signTypedData_v4` does, and `eth_signTypedData_v3` if it is one.
 *
 * @throws {InvalidParamsError} If a value does not fit its type.
 * @see https://eips.ethereum.org/EIPS/eip-712
 */
export function signTypedData(data: TypedData, privateKey: Uint8Array): Hex {
  return encoding(
    () => signEip712({ privateKey: viewOf(privateKey), data, version: VERSION }) as Hex,
  );
}

const VERSION = SignTypedDataVersion.V4;

function encoding(encode: () => Hex): Hex {
  try {
    return encode();
  } catch (cause) {
    const message = 'The typed data cannot be encoded as its types say.';
    throw new InvalidParamsError(message, { cause });
  }
}

type Check = (type: string, value: unknown, part: string) => Record<string, Json>;

function checkerOf(
  types: TypeTable,
  primaryType: string,
  { root, budget }: { root: string; budget: Budget },
): Check {
  const reached = checkReached(types, primaryType, `${root}.types`);
  const endless = findEndless(types, reached);
  const typeLength = JSON.stringify([...reached].map((name) => types[name])).length;
  const rules = { types, endless, typeLength, budget };
  return (type, value, part) =>
    checkTypedValue(
      { type, value, path: `${root}.${part}` },
      rules,
    ) as ReturnType<Check>;
}

function inferDomainType(domain: Record<string, unknown>, root: string): TypedField[] {
  // Libraries differ: one leaves an empty version out, another signs it.
  if (Object.hasOwn(domain, 'version') && domain.version === '') {
    throw new InvalidParamsError(
      `${root}.domain.version is empty: declare ${DOMAIN} in ${root}.types to say if it is signed.`,
    );
  }
  return DOMAIN_FIELDS.filter(
    ({ name }) => Object.hasOwn(domain, name) && domain[name] !== undefined,
  );
}
