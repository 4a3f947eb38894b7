// Checks the struct types of a document before its values. Libraries find types by the words in their
// names, so another name would hash as something else.
import { InvalidParamsError } from '../errors';
import { parse, toPath } from '../schema/parse';
import { array, named, type } from '../schema/structs';

// Hashing a document repeats the text of its types for each struct, and the library's time grows
// faster than the number of values. The limits keep large documents from blocking other requests.

/** Most values, structs and arrays counted; about a second of work. */
export const MAX_VALUES = 10_000;

/** Most characters of texts, of types, and of types once more for each of their structs. */
export const MAX_CHARACTERS = 4_000_000;

/** Counts values as they are read; `spend` throws once they are too many. */
export type Budget = { spend: (characters: number) => void };

/** Creates the budget of one document; `root` is its name in messages. */
export function createBudget(root: string): Budget {
  let values = 0;
  let characters = 0;
  return {
    spend: (more) => {
      values += 1;
      characters += more;
      if (values <= MAX_VALUES && characters <= MAX_CHARACTERS) return;
      throw new InvalidParamsError(
        `${root} is too large: at most ${MAX_VALUES} values and ${MAX_CHARACTERS} ` +
          'characters, types included, can be signed.',
      );
    },
  };
}

type Fits = (value: unknown) => boolean;

/** The text of an array type: of what, and how many (any number if undefined). */
export type ArrayType = { item: string; length: number | undefined };

// Integers have a multiple of 8 bits.
const WIDTHS = Array.from({ length: 32 }, (_, index) => 8 * (index + 1)).join('|');

// `uint` and `int` are no types of EIP-712, but contracts have them in their type hashes, and all
// libraries take 256 bits.
const UINT = new RegExp(`^uint(${WIDTHS})?$`, 'u');
const INT = new RegExp(`^int(${WIDTHS})?$`, 'u');
const FIXED_BYTES = /^bytes([1-9]|[12]\d|3[0-2])$/u;

// No array of Solidity is empty by its type.
const ARRAY = /^(?<item>.+)\[(?<length>[1-9]\d{0,8})?\]$/u;

const DIMENSIONS = /^(?:\[(?:[1-9]\d{0,8})?\])*$/u;

const simple: Readonly<Record<string, Fits>> = {
  // Half of a surrogate pair is no text: it would be shown as one thing and signed as U+FFFD.
  string: (value) => typeof value === 'string' && !/\p{Cs}/u.test(value),
  bool: (value) => typeof value === 'boolean',
  // A checksum does not change the signed data; chains have several.
  address: (value) => isBytes(value, 20),
  bytes: (value) => isBytes(value),
};

export function findAtom(type: string): Fits | undefined {
  if (Object.hasOwn(simple, type)) return simple[type];
  const size = FIXED_BYTES.exec(type)?.[1];
  if (size !== undefined) return (value) => isBytes(value, Number(size));
  const uint = UINT.exec(type);
  if (uint) return (value) => isIntegerIn(value, 0n, 1n << BigInt(uint[1] ?? 256));
  const int = INT.exec(type);
  if (!int) return undefined;
  const half = 1n << BigInt(Number(int[1] ?? 256) - 1);
  return (value) => isIntegerIn(value, -half, half);
}

/** Reads the last dimension of an array type: `Person[2][]` holds any number of `Person[2]`. */
export function findArray(type: string): ArrayType | undefined {
  const { item, length } = ARRAY.exec(type)?.groups ?? {};
  if (item === undefined) return undefined;
  return { item, length: length === undefined ? undefined : Number(length) };
}

/** Finds the item type of an array of any dimensions; other types are returned unchanged. */
function findBase(type: string): string | undefined {
  const start = type.indexOf('[');
  if (start < 0) return type;
  return DIMENSIONS.test(type.slice(start)) ? type.slice(0, start) : undefined;
}

function isBytes(value: unknown, size?: number): boolean {
  const isHex = typeof value === 'string' && /^0x(?:[0-9a-fA-F]{2})*$/u.test(value);
  return isHex && (size === undefined || value.length === 2 + 2 * size);
}

function isIntegerIn(value: unknown, min: bigint, end: bigint): boolean {
  const isNumber = typeof value === 'number' && Number.isSafeInteger(value);
  const isText =
    typeof value === 'string' && /^(?:-?\d{1,78}|0x[0-9a-fA-F]{1,64})$/u.test(value);
  if (!isNumber && !isText) return false;
  const integer = BigInt(value);
  return integer >= min && integer < end;
}

export type TypedField = { name: string; type: string };

/** Reads fields as EIP-712 encodes them: `address from,string text`. */
export function fieldsOf(encoded: string): TypedField[] {
  return encoded.split(',').map((field) => {
    const [type = '', name = ''] = field.split(' ');
    return { name, type };
  });
}

export type TypeTable = Record<string, readonly TypedField[]>;

export const DOMAIN = 'EIP712Domain';

/** Most types of a document; real ones have a dozen. */
const MAX_TYPES = 200;

/** Names of Solidity's own types, none, and `__proto__`: to assign to it, as libraries do when they
 * copy, declares nothing. */
const RESERVED = /^(?:|__proto__|address|bool|string|function|(?:u?int|bytes)\d*)$/u;

// Half of a surrogate pair is no text; the rest are the signs that types are written with.
const NO_NAME = /[(),[\]\s\p{Cc}\p{Cs}]/u;

const NameStruct = named<string>(
  'a name (not empty, without spaces, commas and brackets)',
  (value) => typeof value === 'string' && value !== '' && !NO_NAME.test(value),
);

const TextStruct = named<string>('a string', (value) => typeof value === 'string');

export const FieldsStruct = array(type({ name: TextStruct, type: TextStruct }));

/** Reads the types that a document declares; `path` is their name in messages. Throws
 * `InvalidParamsError` if one is malformed, or has a reserved name. */
export function parseTypes(
  types: Record<string, unknown>,
  path: string,
  budget: Budget,
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
      return [name, parseFields(value, place, budget)];
    }),
  );
}

function parseFields(value: unknown, path: string, budget: Budget): TypedField[] {
  const names = new Set<string>();
  return parse(value, FieldsStruct, path).map((field, index) => {
    budget.spend(field.name.length + field.type.length);
    const place = `${path}[${index}].name`;
    parse(field.name, NameStruct, place);
    if (names.has(field.name)) {
      throw new InvalidParamsError(`${place} is that of another field of the type.`);
    }
    names.add(field.name);
    return { name: field.name, type: field.type };
  });
}

/** Checks the types that a primary type contains, and the domain's; returns their names. `path` is
 * the name of the types in messages. Throws `InvalidParamsError` if one is not declared, or would
 * not be hashed as declared. */
export function checkReached(
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
export function findEndless(types: TypeTable, names: Iterable<string>): Set<string> {
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
