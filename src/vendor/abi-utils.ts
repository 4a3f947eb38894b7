// Replaces @metamask/abi-utils: the ABI encoding below @metamask/eth-sig-util, and of
// calls. The package also decodes, and copies all that it has encoded for each value it adds.
import {
  bigIntToBytes,
  bytesToHex,
  concatBytes,
  createBigInt,
  createBytes,
  numberToBytes,
  signedBigIntToBytes,
  stringToBytes,
} from '@metamask/utils';

/** How values are encoded; see {@link encodePacked}. */
type Mode = {
  isPacked: boolean;
  /** Whether fixed bytes are packed in arrays, too. */
  isTight: boolean;
  /** Whether the values are items of a packed array, which have no pointers. */
  isInline?: boolean;
};

const WORD = 32;

/**
 * Encodes values as the ABI says: numbers may be decimal or hex text, booleans the texts
 * "true" and "false", bytes anything that is made bytes of.
 *
 * @throws {Error} If a value does not fit its type.
 */
export function encode(
  types: readonly string[],
  values: readonly unknown[],
): Uint8Array {
  return encodeAll(types, values, { isPacked: false, isTight: false });
}

/**
 * Encodes values without padding, as Solidity's `abi.encodePacked` does.
 *
 * @param isTight - Whether fixed bytes are packed in arrays, too, as eth_signTypedData_v1
 * wants it; Solidity pads them to a word there.
 * @throws {Error} If a value does not fit its type, or an array is of arrays.
 */
export function encodePacked(
  types: readonly string[],
  values: readonly unknown[],
  isTight = false,
): Uint8Array {
  return encodeAll(types, values, { isPacked: true, isTight });
}

/** Takes an array's type apart: `uint8[2]` into `uint8` and 2. */
export function getArrayType(type: string): [item: string, length: number | undefined] {
  const [, item, length = ''] = ARRAY.exec(type) ?? [];
  if (!item) throw new Error(`${type} is not an array.`);
  return [item, length === '' ? undefined : Number(length)];
}

export function isArrayType(type: string): boolean {
  return ARRAY.test(type);
}

export function getLength(type: string): number {
  const [, digits = ''] = NUMBER.exec(type) ?? [];
  const length = digits === '' && /^u?int$/u.test(type) ? 256 : Number(digits);
  if (length >= 8 && length <= 256 && length % 8 === 0) return length;
  throw new Error(`${type} is not a type of numbers.`);
}

export function getByteLength(type: string): number {
  const length = Number(FIXED_BYTES.exec(type)?.[1]);
  if (length > 0 && length <= WORD) return length;
  throw new Error(`${type} is not a type of 1 to 32 bytes.`);
}

/** Puts zeros in front of bytes; more bytes than that are left as they are. */
export function padStart(bytes: Uint8Array, length = WORD): Uint8Array {
  return concatBytes([new Uint8Array(Math.max(length - bytes.length, 0)), bytes]);
}

const ARRAY = /^(.*)\[(\d*?)\]$/u;
const NUMBER = /^u?int(\d*)$/u;
const FIXED_BYTES = /^bytes(\d{1,2})$/u;
const TUPLE = /^\((.+)\)$/u;
const SIMPLE = /^(?:address|bool|string|bytes\d{0,2}|u?int\d*)$/u;

function padEnd(bytes: Uint8Array, length: number): Uint8Array {
  return concatBytes([bytes, new Uint8Array(Math.max(length - bytes.length, 0))]);
}

function encodeAll(
  types: readonly string[],
  values: readonly unknown[],
  { isPacked, isTight, isInline = false }: Mode,
): Uint8Array {
  if (types.length !== values.length) {
    throw new Error(`${types.length} types are given for ${values.length} values.`);
  }
  const parts = types.map((type, index) => ({
    bytes: encodeOne(type, values[index], { isPacked, isTight }),
    isPointed: !isPacked && !isInline && isDynamic(type),
  }));
  let tail = parts.reduce(
    (sum, { bytes, isPointed }) => sum + (isPointed ? WORD : bytes.length),
    0,
  );
  const heads = parts.map(({ bytes, isPointed }) => {
    if (!isPointed) return bytes;
    const pointer = padStart(numberToBytes(tail));
    tail += bytes.length;
    return pointer;
  });
  const tails = parts.filter(({ isPointed }) => isPointed).map(({ bytes }) => bytes);
  return concatBytes([...heads, ...tails]);
}

function encodeOne(type: string, value: unknown, mode: Mode): Uint8Array {
  const toWord = (bytes: Uint8Array): Uint8Array =>
    mode.isPacked ? bytes : padStart(bytes);
  if (type === 'address') return toWord(encodeAddress(value));
  if (isArrayType(type)) return encodeArray(type, value as unknown[], mode);
  if (type === 'bool') return toWord(bigIntToBytes(readBoolean(value) ? 1n : 0n));
  if (type === 'bytes') return encodeBytes(toBytes(value), mode);
  if (FIXED_BYTES.test(type)) return encodeFixedBytes(type, value, mode);
  if (NUMBER.test(type)) return encodeNumber(type, value, mode);
  if (type === 'string') return encodeBytes(stringToBytes(value as string), mode);
  if (TUPLE.test(type)) return encodeAll(listMembers(type), value as unknown[], mode);
  throw new Error(`The type ${type} is not supported.`);
}

// Usual values go past superstruct, which makes an error, with its stack, before it takes bytes.
function toBytes(value: unknown): Uint8Array {
  return value instanceof Uint8Array ? value : createBytes(value as `0x${string}`);
}

function toBigInt(value: unknown): bigint {
  const isUsual = typeof value === 'string' || typeof value === 'number';
  return isUsual ? BigInt(value) : createBigInt(value as bigint);
}

function encodeAddress(value: unknown): Uint8Array {
  const bytes = toBytes(value);
  if (bytes.length <= 20) return padStart(bytes, 20);
  throw new Error(`${bytesToHex(bytes)} is not an address.`);
}

function encodeArray(type: string, values: unknown[], mode: Mode): Uint8Array {
  const [item, length] = getArrayType(type);
  const { isPacked, isTight } = mode;
  if (isPacked && isArrayType(item)) throw new Error('Nested arrays cannot be packed.');
  const types = new Array<string>(values.length).fill(item);
  if (isPacked && isDynamic(item)) {
    return encodeAll(types, values, { isPacked, isTight, isInline: true });
  }
  const inside = { isPacked: isTight && FIXED_BYTES.test(item), isTight };
  // An array of the length zero is encoded as one of any length.
  if (length) {
    if (length === values.length) return encodeAll(types, values, inside);
    throw new Error(`${values.length} items are given for ${type}.`);
  }
  if (isPacked) return encodeAll(types, values, { ...inside, isInline: true });
  const count = padStart(numberToBytes(values.length));
  return concatBytes([count, encodeAll(types, values, mode)]);
}

function readBoolean(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 'false') return value === 'true';
  throw new Error(`${String(value)} is not a boolean.`);
}

function encodeBytes(bytes: Uint8Array, { isPacked }: Mode): Uint8Array {
  if (isPacked) return bytes;
  const size = Math.ceil(bytes.length / WORD) * WORD;
  return concatBytes([padStart(numberToBytes(bytes.length)), padEnd(bytes, size)]);
}

function encodeFixedBytes(
  type: string,
  value: unknown,
  { isPacked }: Mode,
): Uint8Array {
  const length = getByteLength(type);
  const bytes = toBytes(value);
  if (bytes.length <= length) return padEnd(bytes, isPacked ? length : WORD);
  throw new Error(`${bytes.length} bytes are given for ${type}.`);
}

function encodeNumber(type: string, value: unknown, { isPacked }: Mode): Uint8Array {
  const number = toBigInt(value);
  const bits = getLength(type);
  const size = isPacked ? bits / 8 : WORD;
  const isSigned = !type.startsWith('u');
  const fitting = isSigned ? BigInt.asIntN(bits, number) : BigInt.asUintN(bits, number);
  if (fitting !== number) throw new Error(`${number} is out of range for ${type}.`);
  if (isSigned) return signedBigIntToBytes(number, size);
  return padStart(bigIntToBytes(number), size);
}

/** Whether the value has a pointer, as its length is not in its type; throws for unknown types. */
function isDynamic(type: string): boolean {
  if (isArrayType(type)) {
    const [item, length] = getArrayType(type);
    return length === undefined || isDynamic(item);
  }
  if (TUPLE.test(type)) return listMembers(type).some(isDynamic);
  if (SIMPLE.test(type)) return type === 'bytes' || type === 'string';
  throw new Error(`The type ${type} is not supported.`);
}

/** Lists the types in a tuple: `(address,(bool,bytes)[])` → two. */
export function listMembers(tuple: string): string[] {
  const members: string[] = [];
  let [depth, member] = [0, ''];
  for (const character of tuple.slice(1, -1)) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === ',' && depth === 0) {
      members.push(member.trim());
      member = '';
    } else {
      member += character;
    }
  }
  return member.trim() === '' ? members : [...members, member.trim()];
}
