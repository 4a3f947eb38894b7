// The types of typed data that hold one value, and how a type's text is read.
/** Tells whether a value fits an atomic type. */
export type Fits = (value: unknown) => boolean;

/** The text of an array type: of what, and how many (any number if undefined). */
export type ArrayType = { item: string; length: number | undefined };

// Integers have a multiple of 8 bits.
const WIDTHS = Array.from({ length: 32 }, (_, index) => 8 * (index + 1)).join('|');

// `uint` and `int` are no types of EIP-712, but contracts have them in their type hashes,
// and all who hash them take 256 bits.
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
  // A checksum says nothing about what is signed; chains have several.
  address: (value) => isBytes(value, 20),
  bytes: (value) => isBytes(value),
};

/** Find the check of an atomic type. */
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

/** Tell whether a name is one that a struct cannot have: Solidity's own types. */
export function isReserved(name: string): boolean {
  return /^(?:address|bool|string|function|(?:u?int|bytes)\d*)$/u.test(name);
}

/** Read the last dimension of an array type: `Person[2][]` holds any number of `Person[2]`. */
export function findArray(type: string): ArrayType | undefined {
  const { item, length } = ARRAY.exec(type)?.groups ?? {};
  if (item === undefined) return undefined;
  return { item, length: length === undefined ? undefined : Number(length) };
}

/** Find the type that an array of any dimensions is made of; its own if it is none. */
export function findBase(type: string): string | undefined {
  const start = type.indexOf('[');
  if (start < 0) return type;
  return DIMENSIONS.test(type.slice(start)) ? type.slice(0, start) : undefined;
}

function isBytes(value: unknown, size?: number): boolean {
  if (typeof value !== 'string' || !/^0x(?:[0-9a-fA-F]{2})*$/u.test(value)) {
    return false;
  }
  return size === undefined || value.length === 2 + 2 * size;
}

function isIntegerIn(value: unknown, min: bigint, end: bigint): boolean {
  const isNumber = typeof value === 'number' && Number.isSafeInteger(value);
  const isText =
    typeof value === 'string' && /^(?:-?\d{1,78}|0x[0-9a-fA-F]{1,64})$/u.test(value);
  if (!isNumber && !isText) return false;
  const integer = BigInt(value);
  return integer >= min && integer < end;
}
