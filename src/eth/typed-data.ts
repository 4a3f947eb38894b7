// Parses typed data: EIP-712 documents for eth_signTypedData_v3 and v4, and the lists of version 1.
import { SignTypedDataVersion, TypedDataUtils } from '@metamask/eth-sig-util';
import { array, define, optional, type, unknown } from '@metamask/superstruct';
import { bytesToHex, isObject, stringToBytes } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import { InvalidParamsError } from '../core/errors';
import { DOMAIN, tryEncode, fieldsOf, hashTypedEntries } from '../core/typed-data';
import type { TypedData, TypedEntry, TypedField } from '../core/typed-data';
import { parse, toPath } from '../schema/parse';
import { ChainIdStruct } from './chain';
import type { ChainId } from './chain';
import { byteLength, findQuantity, isAddress, isBytes } from './hex';

export type TypeTable = Record<string, readonly TypedField[]>;

const ObjectStruct = define<Record<string, unknown>>('an object', isObject);

const TextStruct = define<string>('a string', (value) => typeof value === 'string');

/** Some dapps send additional fields, which are not part of the signature. */
export const TypedDataStruct = type({
  types: ObjectStruct,
  primaryType: TextStruct,
  domain: ObjectStruct,
  message: optional(ObjectStruct),
});

// Field names may have any characters, as in MetaMask, ethers and viem: some dapps write `Wallet
// address`. Only lone surrogates are refused, because they would be signed as U+FFFD.
const NameStruct = define<string>(
  'a well-formed string (no lone surrogates)',
  (value) => typeof value === 'string' && !/\p{Cs}/u.test(value),
);

export const FieldsStruct = array(type({ name: NameStruct, type: TextStruct }));

const DOMAIN_FIELDS = fieldsOf(
  'string name,string version,uint256 chainId,address verifyingContract,bytes32 salt',
);

/**
 * Parses a typed-data document.
 *
 * @param value - The document, or its JSON text.
 * @param root - Its name in error messages.
 * @returns The document with only the fields that its types declare. A missing `EIP712Domain` is
 *   inferred from the domain.
 * @throws {InvalidParamsError} If it is malformed or too large, or a value does not fit its type.
 */
export function parseTypedData(value: unknown, root: string): TypedData {
  const document = parse(readDocument(value, 'object', root), TypedDataStruct, root);
  const { primaryType, domain, message = {} } = document;
  const path = `${root}.types`;
  const spend = createSpend(root);
  const declared = parseTypes(document.types, path, spend);
  const types = Object.hasOwn(declared, DOMAIN)
    ? declared
    : { ...declared, [DOMAIN]: inferDomainType(domain, root) };
  if (!Object.hasOwn(types, primaryType)) {
    throw new InvalidParamsError(`${root}.primaryType is not declared in ${path}.`);
  }
  const usedTypes = checkUsedTypes(types, primaryType, path);
  const recursive = findRecursive(types, usedTypes);
  const typeLength = JSON.stringify([...usedTypes].map((name) => types[name])).length;
  const check = createCheck({ types, recursive, typeLength, spend });
  const checkPart = (name: string, part: unknown, key: string): TypedData['domain'] =>
    check({ type: name, value: part, path: `${root}.${key}` }) as TypedData['domain'];
  return {
    types: types as TypedData['types'],
    primaryType,
    domain: checkPart(DOMAIN, domain, 'domain'),
    // If the primary type is the domain, the message is not signed.
    message: primaryType === DOMAIN ? {} : checkPart(primaryType, message, 'message'),
  };
}

/** Parses a version 3 document. Throws `InvalidParamsError` like {@link parseTypedData}, and also
 * if a type that it uses has an array or is recursive. */
export function parseTypedDataV3(value: unknown, root: string): TypedData {
  const data = parseTypedData(value, root);
  const { types, primaryType } = data;
  const path = `${root}.types`;
  const usedTypes = checkUsedTypes(types, primaryType, path);
  for (const name of usedTypes) {
    const index = types[name]?.findIndex((field) => field.type.endsWith(']')) ?? -1;
    if (index < 0) continue;
    throw new InvalidParamsError(
      `${toPath([name, index], path)}.type is an array: only eth_signTypedData_v4 supports arrays.`,
    );
  }
  const [recursive] = findRecursive(types, usedTypes);
  if (recursive === undefined) return data;
  throw new InvalidParamsError(
    `${toPath([recursive], path)} contains itself: only eth_signTypedData_v4 supports such types.`,
  );
}

/** Parses typed data for MetaMask's own signer, which also accepts values such as `" 1"`, `"0X1"`,
 * or a number for an address. Throws `InvalidParamsError` like {@link parseTypedData}, and also if
 * the hash of the parsed document is not the one that MetaMask would sign. */
export function parseWalletTypedData(
  value: unknown,
  version: 'V1' | 'V3' | 'V4',
  root: string,
): TypedData | TypedEntry[] {
  const isList = version === 'V1';
  const given = readForeign(value, isList ? 'array' : 'object', root);
  const spend = createSpend(root);
  const read = isList
    ? parseTypedEntries(coerceEntries(given, spend), root)
    : parseTypedData(coerceDocument(given, spend), root);
  const hashes = [given, read].map((each) =>
    isList
      ? hashTypedEntries(each as TypedEntry[])
      : tryEncode(() =>
          bytesToHex(
            TypedDataUtils.eip712Hash(each as TypedData, SignTypedDataVersion[version]),
          ),
        ),
  );
  if (hashes[0] === hashes[1]) return read;
  throw new InvalidParamsError(`${root} has values that do not match its types.`);
}

function coerceEntries(given: unknown, spend: Spend): unknown {
  const coerce = createCoerce({}, spend);
  return Array.isArray(given)
    ? given.map((each: unknown) =>
        isObject(each)
          ? { ...each, value: coerce(String(each.type), each.value) }
          : each,
      )
    : given;
}

// If the domain's type is not declared, MetaMask hashes an empty domain.
function coerceDocument(given: unknown, spend: Spend): unknown {
  if (!isObject(given) || !isObject(given.types)) return given;
  const types = { [DOMAIN]: [], ...given.types };
  const coerce = createCoerce(types, spend);
  return {
    ...given,
    types,
    domain: coerce(DOMAIN, given.domain),
    message: coerce(String(given.primaryType), given.message),
  };
}

// Counts values, since a struct gets all fields of its type, however few it has.
function createCoerce(types: Record<string, unknown>, spend: Spend) {
  const coerce = (name: string, value: unknown): unknown => {
    spend(0);
    const fields = Object.hasOwn(types, name) ? types[name] : undefined;
    if (Array.isArray(fields) && isObject(value)) {
      const entries = fields.filter(isObject).map((field): [string, unknown] => {
        const key = String(field.name);
        const own = Object.hasOwn(value, key) ? value[key] : undefined;
        return [key, coerce(String(field.type), own)];
      });
      return Object.fromEntries(entries);
    }
    const item = findArray(name)?.item;
    if (item !== undefined && Array.isArray(value)) {
      return value.map((each: unknown) => coerce(item, each));
    }
    return findAtom(name)?.(value) === false ? coerceAtom(name, value) : value;
  };
  return coerce;
}

function coerceAtom(name: string, value: unknown): unknown {
  if (name === 'bool') return Boolean(value);
  if (name === 'string') return value ?? '';
  if (typeof value !== 'string' && !isInteger(value)) return value;
  if (INTEGER.test(name)) return coerceInteger(value);
  const hex = typeof value === 'string' ? value : `0x${value.toString(16)}`;
  const digits = /^0x(?<digits>[\da-f]+)$/iu.exec(hex)?.groups?.digits;
  if (digits === undefined) {
    return name === 'bytes' ? bytesToHex(stringToBytes(hex)) : value;
  }
  const even = digits.padStart(digits.length + (digits.length % 2), '0');
  if (name === 'address') return `0x${even.padStart(40, '0')}`;
  const size = 2 * Number(FIXED_BYTES.exec(name)?.[1] ?? 0);
  return `0x${even.padEnd(size, '0')}`;
}

function isInteger(value: unknown): value is number {
  return Number.isInteger(value);
}

function coerceInteger(value: string | number): unknown {
  try {
    return String(BigInt(value));
  } catch {
    return value;
  }
}

/** Finds the chain in a document's domain; throws `InvalidParamsError` if the id is invalid. */
export function findDomainChainId(data: TypedData, root: string): ChainId | undefined {
  const { chainId } = data.domain;
  // Some protocols write zero for "any chain".
  if (chainId === undefined || findQuantity(chainId) === 0n) return undefined;
  return parse(chainId, ChainIdStruct, `${root}.domain.chainId`);
}

const MAX_ENTRIES = 1_000;

const ListStruct = define<unknown[]>(
  `an array of 1 to ${MAX_ENTRIES} entries`,
  (value) => Array.isArray(value) && value.length > 0 && value.length <= MAX_ENTRIES,
);

export const EntriesStruct = array(
  type({
    name: define<string>(
      'a non-empty string',
      (value) => typeof value === 'string' && value !== '' && !/\p{Cs}/u.test(value),
    ),
    type: define<string>(
      'a type that Solidity packs (string, bool, address, bytes, integers; arrays only of integers, bool, address and bytes32)',
      (value) => typeof value === 'string' && isPacked(value),
    ),
    value: unknown(),
  }),
);

/** Parses version 1 typed data, or its JSON text. Throws `InvalidParamsError` if the data is
 * malformed, empty or too large, or a value does not fit its type. */
export function parseTypedEntries(value: unknown, root: string): TypedEntry[] {
  const given = parse(readDocument(value, 'array', root), ListStruct, root);
  const spend = createSpend(root);
  const check = createCheck({ types: {}, recursive: new Set(), typeLength: 0, spend });
  return parse(given, EntriesStruct, root).map((entry, index) => {
    spend(entry.name.length + entry.type.length);
    const checked = check({ ...entry, path: `${root}[${index}].value` });
    return { name: entry.name, type: entry.type, value: checked as Json };
  });
}

// Excludes arrays that eth-sig-util packs differently than Solidity. Solidity pads every item to 32
// bytes, but eth-sig-util does not pad bytes1 to bytes31. Arrays of arrays or of dynamic types
// cannot be packed.
function isPacked(name: string): boolean {
  const item = findArray(name)?.item;
  if (item === undefined) return findAtom(name) !== undefined;
  const isWord = item === 'bytes32' || !/^(?:bytes|string)/u.test(item);
  return isWord && findAtom(item) !== undefined;
}

type ReadDocument = (value: unknown, kind: 'object' | 'array', root: string) => unknown;

/** Parses the JSON text of an object or an array (`kind`), since some dapps send text. Returns
 * values that are not text unchanged, and throws `InvalidParamsError` for any other text. */
const readDocument = createReader(parseExactly);

/** Like {@link readDocument}, but rounds large numbers, as MetaMask does before it hashes them. */
const readForeign = createReader(JSON.parse);

function createReader(parseText: (text: string) => unknown): ReadDocument {
  return (value, kind, root) => {
    if (typeof value !== 'string') return value;
    try {
      const read = parseText(value);
      const isKind = Array.isArray(read) === (kind === 'array');
      if (isKind && typeof read === 'object' && read !== null) return read;
    } catch {
      // The parser's own message would quote the text.
    }
    throw new InvalidParamsError(
      `${root} must be an ${kind}, or the JSON text of one.`,
    );
  };
}

const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gu;

/** Parses JSON like JSON.parse, but returns a bigint for each integer beyond the safe range that is
 * written with at most 78 digits, because a number could round it. */
function parseExactly(text: string): unknown {
  const read: unknown = JSON.parse(text);
  // The mark is a lone surrogate, because no text that can be signed contains one.
  const mark = '\ud800';
  const marked = text.replace(STRING_OR_NUMBER, (token) =>
    /^-?\d{16,78}$/u.test(token) && !Number.isSafeInteger(Number(token))
      ? `"${mark}${token}"`
      : token,
  );
  if (marked === text) return read;
  return JSON.parse(marked, (_key, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark)
      ? BigInt(value.slice(mark.length))
      : value,
  );
}

// When a document is hashed, its type text is repeated for each struct, and the library's time
// grows faster than the number of values. These limits keep large documents from blocking other
// requests.

/** Maximum number of values plus declared fields: hashing that many takes about a second. An array
 * counts as one value, and a struct as two. */
export const MAX_VALUES = 10_000;

/** Maximum number of characters in strings and types. For each struct, all used types count
 * again. */
export const MAX_CHARACTERS = 4_000_000;

type Spend = (characters: number) => void;

function createSpend(root: string): Spend {
  let values = 0;
  let characters = 0;
  return (more) => {
    values += 1;
    characters += more;
    if (values <= MAX_VALUES && characters <= MAX_CHARACTERS) return;
    throw new InvalidParamsError(
      `${root} is too large: at most ${MAX_VALUES} values and ${MAX_CHARACTERS} ` +
        'characters, types included, can be signed.',
    );
  };
}

/** Maximum depth of values, since types can be recursive. */
const MAX_DEPTH = 64;

type Rules = {
  types: TypeTable;
  /** Recursive types, whose recursion ends with null or a missing value. */
  recursive: ReadonlySet<string>;
  /** Number of characters in the types, which are hashed with each struct. */
  typeLength: number;
  spend: Spend;
};

type TypedValue = { type: string; value: unknown; path: string; depth?: number };

/**
 * Creates a function that checks a value against its type, since eth-sig-util also signs values
 * that contracts would hash differently, or not at all. The function returns only declared fields,
 * because others are not signed and must not be shown. It throws `InvalidParamsError` with the path
 * and the expected type.
 */
function createCheck({ types, recursive, typeLength, spend }: Rules) {
  const check = (typed: TypedValue): unknown => {
    const { type: name, value, path, depth = 0 } = typed;
    const checkPart = (of: string, part: unknown, key: string | number): unknown =>
      check({ type: of, value: part, path: toPath([key], path), depth: depth + 1 });
    spend(typeof value === 'string' ? value.length : 0);
    if (depth > MAX_DEPTH) {
      throw new InvalidParamsError(`${path} is nested too deeply.`);
    }
    const list = findArray(name);
    if (list) {
      const { item, length } = list;
      if (!Array.isArray(value) || (length ?? value.length) !== value.length) {
        return fail(typed);
      }
      return value.map((each: unknown, index) => checkPart(item, each, index));
    }
    if (!Object.hasOwn(types, name)) {
      // Dapps write empty bytes as an empty string, which signers hash in the same way.
      const atom = name === 'bytes' && value === '' ? '0x' : value;
      return findAtom(name)?.(atom) ? toExact(atom) : fail(typed);
    }
    // eth-sig-util hashes a null or missing struct as zero, but contracts have no null, so only
    // recursive types allow it.
    if ((value ?? null) === null && depth > 0 && recursive.has(name)) return null;
    if (!isObject(value)) return fail(typed);
    spend(typeLength);
    // An assignment would not create a field named `__proto__`.
    return Object.fromEntries(
      (types[name] ?? []).map((field) => {
        const own = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
        return [field.name, checkPart(field.type, own, field.name)];
      }),
    );
  };
  return check;
}

function fail({ type: name, value, path }: TypedValue): never {
  const isRounded = INTEGER.test(name) && isInteger(value) && !isExact(value);
  if (isRounded && findAtom(name)?.(String(BigInt(value)))) {
    throw new InvalidParamsError(
      `${path} is a number beyond 2^53 that JavaScript has rounded: write it as a string of digits, ` +
        `such as "${BigInt(value)}".`,
    );
  }
  const verb = value === undefined ? 'is missing: it must be' : 'must be';
  throw new InvalidParamsError(`${path} ${verb} of type ${name}.`);
}

const MAX_TYPES = 200;

/** Solidity's own types, the empty name, and `__proto__`, which libraries lose when they copy types
 * by assignment. */
const RESERVED = /^(?:|__proto__|address|bool|string|function|(?:u?int|bytes)\d*)$/u;

// Lone surrogates, control characters, and the characters of type syntax.
const INVALID_NAME = /[(),[\]\s\p{Cc}\p{Cs}]/u;

function parseTypes(
  types: Record<string, unknown>,
  path: string,
  spend: Spend,
): TypeTable {
  const entries = Object.entries(types);
  if (entries.length > MAX_TYPES) {
    throw new InvalidParamsError(`${path} must be at most ${MAX_TYPES} types.`);
  }
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const place = toPath([name], path);
      if (RESERVED.test(name) || INVALID_NAME.test(name)) {
        throw new InvalidParamsError(`${place} has an invalid type name.`);
      }
      return [name, parseFields(value, place, spend)];
    }),
  );
}

function parseFields(value: unknown, path: string, spend: Spend): TypedField[] {
  const names = new Set<string>();
  return parse(value, FieldsStruct, path).map((field, index) => {
    spend(field.name.length + field.type.length);
    if (names.has(field.name)) {
      throw new InvalidParamsError(
        `${path}[${index}].name is used by another field of the type.`,
      );
    }
    names.add(field.name);
    return { name: field.name, type: field.type };
  });
}

function inferDomainType(domain: Record<string, unknown>, root: string): TypedField[] {
  // Some libraries omit an empty version, and others sign it.
  if (Object.hasOwn(domain, 'version') && domain.version === '') {
    throw new InvalidParamsError(
      `${root}.domain.version is empty: declare ${DOMAIN} in ${root}.types to say if it is signed.`,
    );
  }
  return DOMAIN_FIELDS.filter(
    ({ name }) => Object.hasOwn(domain, name) && domain[name] !== undefined,
  );
}

/** Returns the names of the primary type, the types that it uses, and the domain's type. Throws
 * `InvalidParamsError` if a type is not declared, or would not be hashed as declared. */
function checkUsedTypes(
  types: TypeTable,
  primaryType: string,
  path: string,
): Set<string> {
  const usedTypes = new Set([primaryType]);
  for (const name of usedTypes) {
    for (const base of checkFields(types, name, path)) usedTypes.add(base);
  }
  // A domain is hashed without any other types.
  if (checkFields(types, DOMAIN, path).length > 0) {
    throw new InvalidParamsError(
      `${path}.${DOMAIN} must have no fields of struct types.`,
    );
  }
  if (!/^\w+$/u.test(primaryType)) checkOddName(types, primaryType, path);
  return usedTypes.add(DOMAIN);
}

// Libraries use `\w+` to find the names of the types that a type uses, so a used type with other
// characters in its name could be hashed differently.
function checkFields(types: TypeTable, name: string, path: string): string[] {
  return (types[name] ?? []).flatMap((field, index) => {
    const base = findBase(field.type);
    if (base !== undefined && findAtom(base)) return [];
    if (base !== undefined && Object.hasOwn(types, base) && /^\w+$/u.test(base)) {
      return [base];
    }
    throw new InvalidParamsError(
      `${toPath([name, index], path)}.type is neither a built-in type nor declared in ${path}.`,
    );
  });
}

// Dapps use names such as "HyperliquidTransaction:UsdSend". All libraries hash such a type alike if
// it uses no other types and the leading `\w*` of its name is not itself a declared type.
function checkOddName(types: TypeTable, name: string, path: string): void {
  const [word = ''] = /^\w*/u.exec(name) ?? [];
  if (checkFields(types, name, path).length === 0 && !Object.hasOwn(types, word)) {
    return;
  }
  throw new InvalidParamsError(
    `${toPath([name], path)} must have a name of letters, digits and _ to use other types.`,
  );
}

/** Finds the types that contain themselves without an array in between. */
function findRecursive(types: TypeTable, names: Iterable<string>): Set<string> {
  const parts = (name: string): string[] =>
    (types[name] ?? [])
      .map((field) => field.type)
      .filter((each) => Object.hasOwn(types, each));
  return new Set(
    [...names].filter((name) => {
      const inside = new Set(parts(name));
      for (const each of inside) parts(each).forEach((part) => inside.add(part));
      return inside.has(name);
    }),
  );
}

const WIDTHS = Array.from({ length: 32 }, (_, index) => 8 * (index + 1)).join('|');

// `uint` and `int` are not EIP-712 types, but contracts use them in their type hashes, and all
// libraries read them as 256 bits.
const INTEGER = new RegExp(`^(u?)int(${WIDTHS})?$`, 'u');
const FIXED_BYTES = /^bytes([1-9]|[12]\d|3[0-2])$/u;

// Solidity has no fixed arrays of length zero.
const ARRAY = /^(?<item>.+)\[(?<length>[1-9]\d{0,8})?\]$/u;

const DIMENSIONS = /^(?:\[(?:[1-9]\d{0,8})?\])*$/u;

type Fits = (value: unknown) => boolean;

const simple: Readonly<Record<string, Fits>> = {
  string: (value) => typeof value === 'string' && !/\p{Cs}/u.test(value),
  bool: (value) => typeof value === 'boolean',
  // A checksum does not change the signed data, and some chains have their own.
  address: isAddress,
  bytes: isBytes,
};

function findAtom(name: string): Fits | undefined {
  if (Object.hasOwn(simple, name)) return simple[name];
  const size = FIXED_BYTES.exec(name)?.[1];
  if (size !== undefined) {
    return (value) => isBytes(value) && byteLength(value) === Number(size);
  }
  const integer = INTEGER.exec(name);
  if (!integer) return undefined;
  const end = 1n << BigInt(integer[2] ?? 256);
  return integer[1] === 'u'
    ? (value) => isIntegerIn(value, 0n, end)
    : (value) => isIntegerIn(value, -end / 2n, end / 2n);
}

/** Parses the last dimension of an array type: `Person[2][]` has items of type `Person[2]` and no
 * length. */
export function findArray(
  name: string,
): { item: string; length: number | undefined } | undefined {
  const { item, length } = ARRAY.exec(name)?.groups ?? {};
  if (item === undefined) return undefined;
  return { item, length: length === undefined ? undefined : Number(length) };
}

function findBase(name: string): string | undefined {
  const start = name.indexOf('[');
  if (start < 0) return name;
  return DIMENSIONS.test(name.slice(start)) ? name.slice(0, start) : undefined;
}

// Returns whether a number is an integer whose digits JavaScript prints exactly: true for 1e18,
// false for 2^64, which prints as 18446744073709552000.
function isExact(value: number): boolean {
  if (Number.isSafeInteger(value)) return true;
  if (!Number.isInteger(value)) return false;
  const [digits = ''] = value.toExponential().replace('.', '').split('e');
  return String(BigInt(value)).replace(/0+$/u, '') === digits.replace(/0+$/u, '');
}

function toExact(value: unknown): unknown {
  const isLarge =
    typeof value === 'bigint' || (isInteger(value) && !Number.isSafeInteger(value));
  return isLarge ? String(BigInt(value)) : value;
}

function isIntegerIn(value: unknown, min: bigint, end: bigint): boolean {
  const isNumber =
    typeof value === 'bigint' || (typeof value === 'number' && isExact(value));
  const isText =
    typeof value === 'string' && /^(?:-?\d{1,78}|0x[0-9a-fA-F]{1,64})$/u.test(value);
  if (!isNumber && !isText) return false;
  const integer = BigInt(value);
  return integer >= min && integer < end;
}
