// Parses typed data: documents of EIP-712 as eth_signTypedData_v4 has them, which version 3
// is the same for where it supports them, and the lists of version 1.
import { SignTypedDataVersion, TypedDataUtils } from '@metamask/eth-sig-util';
import { bytesToHex, isObject, stringToBytes } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import { InvalidParamsError } from '../core/errors';
import { DOMAIN, encoding, fieldsOf, hashTypedEntries } from '../core/typed-data';
import type { TypedData, TypedEntry, TypedField } from '../core/typed-data';
import { parse, toPath } from '../schema/parse';
import { anything, array, named, optional, type } from '../schema/structs';
import { ChainIdStruct } from './chain';
import type { ChainId } from './chain';
import { findQuantity } from './hex';

export type TypeTable = Record<string, readonly TypedField[]>;

const ObjectStruct = named<Record<string, unknown>>('an object', isObject);

const TextStruct = named<string>('a string', (value) => typeof value === 'string');

/** Some dapps send further fields, which are not signed. */
export const TypedDataStruct = type({
  types: ObjectStruct,
  primaryType: TextStruct,
  domain: ObjectStruct,
  message: optional(ObjectStruct),
});

// As MetaMask, ethers and viem do, it takes any text: dapps write `Wallet address`. Half of a surrogate
// pair would be signed as U+FFFD.
const NameStruct = named<string>(
  'a text of whole characters',
  (value) => typeof value === 'string' && !/\p{Cs}/u.test(value),
);

export const FieldsStruct = array(type({ name: NameStruct, type: TextStruct }));

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
  const path = `${root}.types`;
  const spend = createSpend(root);
  const declared = parseTypes(document.types, path, spend);
  const types = Object.hasOwn(declared, DOMAIN)
    ? declared
    : { ...declared, [DOMAIN]: inferDomainType(domain, root) };
  if (!Object.hasOwn(types, primaryType)) {
    throw new InvalidParamsError(`${root}.primaryType is not declared in ${path}.`);
  }
  const reached = checkReached(types, primaryType, path);
  const endless = findEndless(types, reached);
  const typeLength = JSON.stringify([...reached].map((name) => types[name])).length;
  const check = createCheck({ types, endless, typeLength, spend });
  const checkPart = (name: string, part: unknown, key: string): TypedData['domain'] =>
    check({ type: name, value: part, path: `${root}.${key}` }) as TypedData['domain'];
  return {
    types: types as TypedData['types'],
    primaryType,
    domain: checkPart(DOMAIN, domain, 'domain'),
    // The message of a document that is its domain is not signed.
    message: primaryType === DOMAIN ? {} : checkPart(primaryType, message, 'message'),
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

/** Reads what MetaMask is asked to sign, whose signer takes values in more forms: `" 1"`, `"0X1"`, a
 * number for an address. Throws `InvalidParamsError` if what is read would not be hashed alike. */
export function parseForeign(
  value: unknown,
  version: 'V1' | 'V3' | 'V4',
  root: string,
): TypedData | TypedEntry[] {
  const isList = version === 'V1';
  const given = readForeign(value, isList ? 'array' : 'object', root);
  const read = isList
    ? parseTypedEntries(coerceEntries(given), root)
    : parseTypedData(coerceDocument(given), root);
  const hashes = [given, read].map((each) =>
    isList
      ? hashTypedEntries(each as TypedEntry[])
      : encoding(() =>
          bytesToHex(
            TypedDataUtils.eip712Hash(each as TypedData, SignTypedDataVersion[version]),
          ),
        ),
  );
  if (hashes[0] === hashes[1]) return read;
  throw new InvalidParamsError(`${root} has values of other types than it says.`);
}

function coerceEntries(given: unknown): unknown {
  return Array.isArray(given)
    ? given.map((each: unknown) =>
        isObject(each)
          ? { ...each, value: coerce({}, String(each.type), each.value) }
          : each,
      )
    : given;
}

// A domain whose type is not declared is hashed as an empty one.
function coerceDocument(given: unknown): unknown {
  if (!isObject(given) || !isObject(given.types)) return given;
  const types = { [DOMAIN]: [], ...given.types };
  return {
    ...given,
    types,
    domain: coerce(types, DOMAIN, given.domain),
    message: coerce(types, String(given.primaryType), given.message),
  };
}

/** Writes a value in the form that {@link parseTypedData} takes; others are left as they are. */
function coerce(types: Record<string, unknown>, name: string, value: unknown): unknown {
  const fields = Object.hasOwn(types, name) ? types[name] : undefined;
  if (Array.isArray(fields) && isObject(value)) {
    const entries = fields.filter(isObject).map((field): [string, unknown] => {
      const key = String(field.name);
      const own = Object.hasOwn(value, key) ? value[key] : undefined;
      return [key, coerce(types, String(field.type), own)];
    });
    return Object.fromEntries(entries);
  }
  const item = findArray(name)?.item;
  if (item !== undefined && Array.isArray(value)) {
    return value.map((each: unknown) => coerce(types, item, each));
  }
  return findAtom(name)?.(value) === false ? coerceAtom(name, value) : value;
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

/** Finds the chain that a document's domain names; throws `InvalidParamsError` if its chainId is
 * not a chain id. */
export function findDomainChainId(data: TypedData, root: string): ChainId | undefined {
  const { chainId } = data.domain;
  // Zero is no chain: some protocols write it for "any".
  if (chainId === undefined || findQuantity(chainId) === 0n) return undefined;
  return parse(chainId, ChainIdStruct, `${root}.domain.chainId`);
}

/** Most values of one list; real ones have a handful. */
const MAX_ENTRIES = 1_000;

const ListStruct = named<unknown[]>(
  `an array of 1 to ${MAX_ENTRIES} entries`,
  (value) => Array.isArray(value) && value.length > 0 && value.length <= MAX_ENTRIES,
);

export const EntriesStruct = array(
  type({
    name: named<string>(
      'a text that is not empty',
      (value) => typeof value === 'string' && value !== '' && !/\p{Cs}/u.test(value),
    ),
    type: named<string>(
      'a type that Solidity packs (string, bool, address, bytes, integers; arrays of none but integers, bool, address and bytes32)',
      (value) => typeof value === 'string' && isPacked(value),
    ),
    // Checked by its type.
    value: anything(),
  }),
);

/** Reads typed data of version 1, or their JSON text. Throws `InvalidParamsError` if they are
 * malformed, or a value does not fit its type. */
export function parseTypedEntries(value: unknown, root: string): TypedEntry[] {
  const given = parse(readDocument(value, 'array', root), ListStruct, root);
  const spend = createSpend(root);
  const check = createCheck({ types: {}, endless: new Set(), typeLength: 0, spend });
  return parse(given, EntriesStruct, root).map((entry, index) => {
    spend(entry.name.length + entry.type.length);
    const checked = check({ ...entry, path: `${root}[${index}].value` });
    return { name: entry.name, type: entry.type, value: checked as Json };
  });
}

// Solidity packs the items of an array as 32 bytes each, which eth-sig-util does not do with
// bytes1 to bytes31; arrays of what has no fixed length, or of arrays, it does not pack.
function isPacked(name: string): boolean {
  const item = findArray(name)?.item;
  if (item === undefined) return findAtom(name) !== undefined;
  const isWord = item === 'bytes32' || !/^(?:bytes|string)/u.test(item);
  return isWord && findAtom(item) !== undefined;
}

type ReadDocument = (value: unknown, kind: 'object' | 'array', root: string) => unknown;

/** Parses the JSON text of an object or an array, which some dapps send, and passes on other
 * values; throws `InvalidParamsError` if it is another text. */
const readDocument = createReader(parseExactly);

/** Does the same with numbers as MetaMask hashes them: as JavaScript rounds them. */
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

/** Strings, which are left as they are, and numbers of JSON. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gu;

/** Parses JSON as JSON.parse does, with a bigint for each integer that a number would round. */
function parseExactly(text: string): unknown {
  const read: unknown = JSON.parse(text);
  // A half surrogate pair: no text that can be signed begins with one.
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

// Hashing a document repeats the text of its types for each struct, and the library's time grows
// faster than the number of values. The limits keep large documents from blocking other requests.

/** Most values, structs and arrays counted; about a second of work. */
export const MAX_VALUES = 10_000;

/** Most characters of texts, of types, and of types once more for each of their structs. */
export const MAX_CHARACTERS = 4_000_000;

/** Counts a value with so many characters; throws once they are too many. */
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

/** Types can contain themselves. */
const MAX_DEPTH = 64;

type Rules = {
  types: TypeTable;
  /** Types that contain themselves: null, or nothing, ends them. */
  endless: ReadonlySet<string>;
  /** Characters of types that are hashed with each struct. */
  typeLength: number;
  spend: Spend;
};

/** A value, its type, and its path for messages. */
type TypedValue = { type: string; value: unknown; path: string; depth?: number };

/**
 * Creates the check of values against their types: eth-sig-util signs values that do not fit, which
 * a contract would hash differently or not at all. It returns the value with the fields that its
 * type declares: no others are signed, so no others may be shown. It throws `InvalidParamsError`
 * with the path and the type that was expected.
 */
function createCheck({ types, endless, typeLength, spend }: Rules) {
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
      // Dapps write empty bytes as an empty text, and signers hash both alike.
      const atom = name === 'bytes' && value === '' ? '0x' : value;
      return findAtom(name)?.(atom) ? toExact(atom) : fail(typed);
    }
    // eth-sig-util hashes null as zero. In other types a contract has no such value.
    if ((value ?? null) === null && depth > 0 && endless.has(name)) return null;
    if (!isObject(value)) return fail(typed);
    spend(typeLength);
    // Not by assignment, which would not declare a field named `__proto__`.
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
      `${path} is a number beyond 2^53 that JavaScript has rounded: write it as a text of digits, ` +
        `such as "${BigInt(value)}".`,
    );
  }
  const verb = value === undefined ? 'is missing: it must be' : 'must be';
  throw new InvalidParamsError(`${path} ${verb} of type ${name}.`);
}

// Libraries find types by the words in their names, so another name would hash as something else.

/** Most types of a document; real ones have a dozen. */
const MAX_TYPES = 200;

/** Names of Solidity's own types, none, and `__proto__`: to assign to it, as libraries do when they
 * copy, declares nothing. */
const RESERVED = /^(?:|__proto__|address|bool|string|function|(?:u?int|bytes)\d*)$/u;

// Half of a surrogate pair is no text; the rest are the signs that types are written with.
const NO_NAME = /[(),[\]\s\p{Cc}\p{Cs}]/u;

/** Reads the types that a document declares; `path` is their name in messages. Throws
 * `InvalidParamsError` if one is malformed, or has a reserved name. */
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
      if (RESERVED.test(name) || NO_NAME.test(name)) {
        throw new InvalidParamsError(`${place} has a name that no type can have.`);
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
        `${path}[${index}].name is that of another field of the type.`,
      );
    }
    names.add(field.name);
    return { name: field.name, type: field.type };
  });
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

/** Checks the types that a primary type contains, and the domain's; returns their names. Throws
 * `InvalidParamsError` if one is not declared, or would not be hashed as declared. */
function checkReached(
  types: TypeTable,
  primaryType: string,
  path: string,
): Set<string> {
  const reached = new Set([primaryType]);
  for (const name of reached) {
    for (const base of checkFields(types, name, path)) reached.add(base);
  }
  // A domain is hashed without the other types.
  if (checkFields(types, DOMAIN, path).length > 0) {
    throw new InvalidParamsError(
      `${path}.${DOMAIN} must have no fields of struct types.`,
    );
  }
  if (!/^\w+$/u.test(primaryType)) checkOddName(types, primaryType, path);
  return reached.add(DOMAIN);
}

function checkFields(types: TypeTable, name: string, path: string): string[] {
  return (types[name] ?? []).flatMap((field, index) => {
    const base = findBase(field.type);
    if (base !== undefined && findAtom(base)) return [];
    // \w: how libraries find the types that a type is made of.
    if (base !== undefined && Object.hasOwn(types, base) && /^\w+$/u.test(base)) {
      return [base];
    }
    throw new InvalidParamsError(
      `${toPath([name, index], path)}.type is not a type, nor declared in ${path}.`,
    );
  });
}

// Such as "HyperliquidTransaction:UsdSend", which is in use: hashed alike by everyone while
// neither it nor what libraries take for its name is made of other types.
function checkOddName(types: TypeTable, name: string, path: string): void {
  const [word = ''] = /^\w*/u.exec(name) ?? [];
  if (checkFields(types, name, path).length === 0 && !Object.hasOwn(types, word)) {
    return;
  }
  throw new InvalidParamsError(
    `${toPath([name], path)} must have a name of letters, digits and _ to be made of other types.`,
  );
}

/** Finds the types that contain themselves without an array between. */
function findEndless(types: TypeTable, names: Iterable<string>): Set<string> {
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

// Integers have a multiple of 8 bits.
const WIDTHS = Array.from({ length: 32 }, (_, index) => 8 * (index + 1)).join('|');

// `uint` and `int` are no types of EIP-712, but contracts have them in their type hashes, and all
// libraries take 256 bits.
const INTEGER = new RegExp(`^(u?)int(${WIDTHS})?$`, 'u');
const FIXED_BYTES = /^bytes([1-9]|[12]\d|3[0-2])$/u;

// No array of Solidity is empty by its type.
const ARRAY = /^(?<item>.+)\[(?<length>[1-9]\d{0,8})?\]$/u;

const DIMENSIONS = /^(?:\[(?:[1-9]\d{0,8})?\])*$/u;

type Fits = (value: unknown) => boolean;

const simple: Readonly<Record<string, Fits>> = {
  // Half of a surrogate pair is no text: it would be shown as one thing and signed as U+FFFD.
  string: (value) => typeof value === 'string' && !/\p{Cs}/u.test(value),
  bool: (value) => typeof value === 'boolean',
  // A checksum does not change the signed data; chains have several.
  address: (value) => isBytes(value, 20),
  bytes: (value) => isBytes(value),
};

function findAtom(name: string): Fits | undefined {
  if (Object.hasOwn(simple, name)) return simple[name];
  const size = FIXED_BYTES.exec(name)?.[1];
  if (size !== undefined) return (value) => isBytes(value, Number(size));
  const integer = INTEGER.exec(name);
  if (!integer) return undefined;
  const end = 1n << BigInt(integer[2] ?? 256);
  return integer[1] === 'u'
    ? (value) => isIntegerIn(value, 0n, end)
    : (value) => isIntegerIn(value, -end / 2n, end / 2n);
}

/** Reads the last dimension of an array type: `Person[2][]` holds any number of `Person[2]`, of
 * which the length is undefined. */
export function findArray(
  name: string,
): { item: string; length: number | undefined } | undefined {
  const { item, length } = ARRAY.exec(name)?.groups ?? {};
  if (item === undefined) return undefined;
  return { item, length: length === undefined ? undefined : Number(length) };
}

/** Finds the item type of an array of any dimensions; other types are returned unchanged. */
function findBase(name: string): string | undefined {
  const start = name.indexOf('[');
  if (start < 0) return name;
  return DIMENSIONS.test(name.slice(start)) ? name.slice(0, start) : undefined;
}

function isBytes(value: unknown, size?: number): boolean {
  const isHex = typeof value === 'string' && /^0x(?:[0-9a-fA-F]{2})*$/u.test(value);
  return isHex && (size === undefined || value.length === 2 + 2 * size);
}

// A number whose digits are all that JavaScript writes for it: 1e18, but not 2^64, which is written
// 18446744073709552000.
function isExact(value: number): boolean {
  if (Number.isSafeInteger(value)) return true;
  if (!Number.isInteger(value)) return false;
  const [digits = ''] = value.toExponential().replace('.', '').split('e');
  return String(BigInt(value)).replace(/0+$/u, '') === digits.replace(/0+$/u, '');
}

/** Writes an integer that a number may round as the text of its digits. */
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
