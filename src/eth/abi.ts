// Encodes and decodes contract calls, and reads revert reasons. Arguments are decoded as contracts
// decode them: by following their offsets, and ignoring gaps and surplus bytes.
import { encode } from '@metamask/abi-utils';
import { bytesToBigInt, bytesToHex, bytesToString, hexToBytes } from '@metamask/utils';

import { matches } from '../schema/parse';
import { Bytes32Struct, concatHex, keccak256, toPaddedHex, WORD_BYTES } from './hex';
import type { Hex } from './hex';

export type AbiValue = string | bigint | boolean | Uint8Array | readonly AbiValue[];

/** Maximum array length, above any that people review or that we send. */
export const MAX_ITEMS = 250;

/** Maximum number of bytes by which overlapping parts may make the decoded size exceed the data. */
const MAX_OVERLAP = 20_000;

/** Reads arguments of types such as `(address,bytes)[]`; undefined if a part lies outside the
 * bytes, an array is too long, or overlapping parts take much more memory than the bytes. */
export function readArguments(
  types: readonly string[],
  bytes: Uint8Array,
): AbiValue[] | undefined {
  return read(types, bytes)?.values;
}

function read(
  types: readonly string[],
  bytes: Uint8Array,
): { values: AbiValue[]; isTight: boolean } | undefined {
  let left = bytes.length + MAX_OVERLAP;
  /** The end of the parts so far, where the next one begins if none overlap or leave a gap. */
  let end = 0;
  let isTight = true;
  const take = (at: number, size: number): Uint8Array => {
    left -= size;
    if (left < 0 || at + size > bytes.length) throw new RangeError('Out of bounds.');
    return bytes.slice(at, at + size);
  };
  const takeNumber = (at: number): number =>
    Number(bytesToBigInt(take(at, WORD_BYTES)));
  const readTuple = (members: readonly string[], start: number): AbiValue[] => {
    let head = start;
    const places = members.map((type) => {
      const at = head;
      head += headSizeOf(type);
      return [type, at] as const;
    });
    end = Math.max(end, head);
    return places.map(([type, at]) => {
      if (!isDynamic(type)) return readHead(type, at);
      const tail = start + takeNumber(at);
      isTight &&= tail === end;
      return readTail(type, tail);
    });
  };
  const readHead = (type: string, at: number): AbiValue => {
    const members = findMembers(type);
    return members ? readTuple(members, at) : toValue(type, take(at, WORD_BYTES));
  };
  const readTail = (type: string, at: number): AbiValue => {
    const members = findMembers(type);
    if (members) return readTuple(members, at);
    const length = takeNumber(at);
    const start = at + WORD_BYTES;
    if (type.endsWith('[]')) return readTuple(repeat(type.slice(0, -2), length), start);
    const content = take(start, length);
    end = start + Math.ceil(length / WORD_BYTES) * WORD_BYTES;
    isTight &&= bytes.subarray(start + length, end).every((each) => each === 0);
    return type === 'string' ? new TextDecoder().decode(content) : content;
  };
  try {
    const values = readTuple(types, 0);
    return { values, isTight: isTight && end === bytes.length };
  } catch {
    return undefined;
  }
}

/** Lists the types in a signature or a tuple: `f(address,(bool,bytes)[])` → `address`,
 * `(bool,bytes)[]`. */
export function listTypes(signature: string): string[] {
  const types: string[] = [];
  let [depth, type] = [0, ''];
  for (const character of signature.slice(signature.indexOf('(') + 1, -1)) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === ',' && depth === 0) {
      types.push(type.trim());
      type = '';
    } else {
      type += character;
    }
  }
  return type.trim() === '' ? types : [...types, type.trim()];
}

// Drops a type's surplus bits, as old contracts do; newer ones revert.
function toValue(type: string, word: Uint8Array): AbiValue {
  const number = bytesToBigInt(word);
  if (type === 'address') return toPaddedHex(BigInt.asUintN(160, number), 20);
  if (type === 'bool') return number !== 0n;
  const size = Number(type.replace(/^\D+/u, ''));
  if (type.startsWith('uint')) return BigInt.asUintN(size || 256, number);
  if (type.startsWith('int')) return BigInt.asIntN(size || 256, number);
  return word.slice(0, size);
}

function findMembers(type: string): string[] | undefined {
  if (type.endsWith(')')) return listTypes(type);
  const [, item, length] = /^(.+)\[(\d+)\]$/u.exec(type) ?? [];
  return item === undefined ? undefined : repeat(item, Number(length));
}

function repeat(type: string, length: number): string[] {
  if (length > MAX_ITEMS) throw new RangeError('The array has too many items.');
  return Array<string>(length).fill(type);
}

function isDynamic(type: string): boolean {
  const members = findMembers(type);
  if (members) return members.some(isDynamic);
  return type.endsWith('[]') || type === 'bytes' || type === 'string';
}

function headSizeOf(type: string): number {
  const members = findMembers(type);
  if (!members || isDynamic(type)) return WORD_BYTES;
  return members.reduce((sum, each) => sum + headSizeOf(each), 0);
}

export type AbiFunction = { selector: Hex; types: readonly string[] };

/** Selectors of known functions; the tests compare each with its signature. */
const selectors = {
  'createAccount(address,uint256)': '0x5fbfb9cf',
  'getAddress(address,uint256)': '0x8cb84e18',
  'initialize(address)': '0xc4d66de8',
  'getNonce(address,uint192)': '0x35567e1a',
  'entryPoint()': '0xb0d691fe',
  'balanceOf(address)': '0x70a08231',
  'allowance(address,address)': '0xdd62ed3e',
  'totalSupply()': '0x18160ddd',
  'owner()': '0x8da5cb5b',
  'isOwner(address)': '0x2f54bf6e',
  'getThreshold()': '0xe75235b8',
  'isModuleEnabled(address)': '0x2d9ad53d',
  'SUPPORTED_ENTRYPOINT()': '0x137e051e',
  'decimals()': '0x313ce567',
  'latestRoundData()': '0xfeaf968c',
  'getL1Fee(bytes)': '0x49948e0e',
  'getOperatorFee(uint256)': '0x275aedd2',
  'tokenRatio()': '0x06f837d3',
  'execute(address,uint256,bytes)': '0xb61d27f6',
  'executeBatch(address[],bytes[])': '0x18dfb3c7',
  'executeBatch(address[],uint256[],bytes[])': '0x47e1da2a',
  'executeBatch((address,uint256,bytes)[])': '0x34fcd5be',
  'executeUserOp(address,uint256,bytes,uint8)': '0x7bb37428',
  'executeUserOpWithErrorString(address,uint256,bytes,uint8)': '0x541d63c8',
  'multiSend(bytes)': '0x8d80ff0a',
  'createProxyWithNonce(address,bytes,uint256)': '0x1688f0b9',
  'setup(address[],uint256,address,bytes,address,address,uint256,address)':
    '0xb63e800d',
  'enableModules(address[])': '0x8d0dc49f',
  'isValidSignature(bytes32,bytes)': '0x1626ba7e',
  'transfer(address,uint256)': '0xa9059cbb',
  'safeTransferFrom(address,address,uint256)': '0x42842e0e',
  'safeTransferFrom(address,address,uint256,uint256,bytes)': '0xf242432a',
  'handleOps((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)[],address)':
    '0x765e827f',
} as const;

export type AbiSignature = keyof typeof selectors;

export const abi = Object.fromEntries(
  Object.entries(selectors).map(([signature, selector]) => [
    signature,
    { selector, types: listTypes(signature) },
  ]),
) as unknown as Record<AbiSignature, AbiFunction>;

export function encodeCall(signature: AbiSignature, values: readonly AbiValue[]): Hex {
  return encodeFunction(abi[signature], values);
}

export function encodeBySignature(
  signature: string,
  ...values: readonly AbiValue[]
): Hex {
  const selector = bytesToHex(
    keccak256(new TextEncoder().encode(signature)).slice(0, 4),
  );
  return encodeFunction({ selector, types: listTypes(signature) }, values);
}

export function encodeFunction(
  { selector, types }: AbiFunction,
  values: readonly AbiValue[],
): Hex {
  return concatHex(selector, encodeArguments(types, values));
}

export function encodeArguments(
  types: readonly string[],
  values: readonly AbiValue[],
): Hex {
  return bytesToHex(encode(types, values));
}

/** Arguments, and whether the data equals the output of {@link encodeFunction} to the last byte. */
type DecodedFunction = { values: readonly AbiValue[]; isCanonical: boolean };

export function decodeCall(
  signature: AbiSignature,
  data: Hex,
): DecodedFunction | undefined {
  return decodeFunction(abi[signature], data);
}

/** Decodes a call as a contract reads it; undefined for another function, or if {@link
 * readArguments} cannot read the data. `selector` must be in lower case. Without `isCompared`, an
 * encoding is canonical if its parts follow each other without overlaps, gaps or surplus bytes. */
export function decodeFunction(
  { selector, types }: AbiFunction,
  data: Hex,
  { isCompared = true }: { isCompared?: boolean } = {},
): DecodedFunction | undefined {
  if (!data.toLowerCase().startsWith(selector)) return undefined;
  const found = read(types, hexToBytes(`0x${data.slice(10)}`));
  if (!found) return undefined;
  const { values, isTight } = found;
  if (!isTight || !isCompared) return { values, isCanonical: isTight };
  const reencoded = encodeFunction({ selector, types }, values);
  return { values, isCanonical: reencoded === data.toLowerCase() };
}

/** Reads a number from a contract's answer; undefined if the answer is not one word. */
export function toWord(answer: Hex): bigint | undefined {
  return matches(answer, Bytes32Struct) ? BigInt(answer) : undefined;
}

// Solidity's revert reasons: `Error(string)` from require and revert with a message, and
// `Panic(uint256)` from the compiler's checks.

const ERROR_SELECTOR = '0x08c379a0';

const PANIC_SELECTOR = '0x4e487b71';

const WORD_DIGITS = 64;
const SELECTOR_DIGITS = 8;

/** A contract chooses the reason, so its length is limited. */
const MAX_REASON_LENGTH = 300;

/** @see https://docs.soliditylang.org/en/latest/control-structures.html#panic-via-assert-and-error-via-require */
const PANICS: Record<string, string> = {
  '0': 'a check inserted by the compiler',
  '1': 'an assertion failed',
  '17': 'arithmetic overflow or underflow',
  '18': 'division by zero',
  '33': 'a number outside the enum',
  '34': 'an incorrectly encoded storage byte array',
  '49': 'pop of an empty array',
  '50': 'array index out of bounds',
  '65': 'too much memory',
  '81': 'a call to an uninitialized internal function',
};

/** Revert data and the decoded reason, if it is an `Error(string)` or `Panic(uint256)`. */
export type Revert = { data: Hex; reason: string | undefined };

const MAX_PARTS = 200;

/** Fields of an error that repeat the request. */
const ECHOES = ['request', 'params', 'transaction', 'tx', 'userOp', 'userOperation'];

export function listTexts(error: unknown): string[] {
  const parts = [error];
  for (const each of parts) {
    if (typeof each !== 'object' || each === null) continue;
    for (const [name, part] of Object.entries(each)) {
      if (parts.length < MAX_PARTS && !ECHOES.includes(name)) parts.push(part);
    }
  }
  return parts.filter((each) => typeof each === 'string');
}

export function isHexText(text: string): boolean {
  return /^(?:0x[0-9a-f]*|(?:[0-9a-f]{2}){4,})$/iu.test(text);
}

/** Finds revert data in a server's error, or in bytes. Servers put it in `data`, in nested
 * objects, under their own keys, or in strings, with or without `0x`. */
export function findRevert(error: unknown): Revert | undefined {
  const all = listTexts(error).flatMap((text) => {
    const mayHaveRevert = isHexText(text) || /revert/iu.test(text);
    // Decimal numbers in a message, such as a block's, are no data.
    return mayHaveRevert
      ? [...text.matchAll(/\b(?:0x)?((?:[0-9a-f]{2}){4,})\b/giu)].filter(
          ([word]) => isHexText(text) || !/^\d+$/u.test(word),
        )
      : [];
  });
  const found = all.map(([, digits = '']): Revert => {
    const data: Hex = `0x${digits}`;
    return { data, reason: findReason(data) };
  });
  const named = found.find(({ reason }) => reason !== undefined);
  // A custom error is a selector and whole words; hashes and addresses have other lengths.
  const isCustom = ({ data }: Revert): boolean =>
    (data.length - 2) % WORD_DIGITS === SELECTOR_DIGITS;
  return named ?? found.find(isCustom);
}

export function findRevertReason(data: unknown): string | undefined {
  return findRevert(data)?.reason;
}

function findReason(bytes: Hex): string | undefined {
  try {
    return decodeReason(bytes);
  } catch {
    // The selector matches, but the rest is not a reason.
    return undefined;
  }
}

function decodeReason(bytes: Hex): string | undefined {
  const selector = bytes.slice(0, ERROR_SELECTOR.length).toLowerCase();
  const content = bytes.slice(ERROR_SELECTOR.length);
  if (selector === ERROR_SELECTOR) return decodeText(content);
  if (selector !== PANIC_SELECTOR || content.length !== WORD_DIGITS) return undefined;
  const code = String(readWord(content, 0));
  return `panic ${code}: ${PANICS[code] ?? 'an unknown kind'}`;
}

// Decodes by hand: a full ABI decoder would make up most of the code that a page loads.
function decodeText(content: string): string | undefined {
  const start = Number(readWord(content, 0)) * 2;
  const length = Number(readWord(content, start)) * 2;
  const digits = content.slice(start + WORD_DIGITS, start + WORD_DIGITS + length);
  if (digits.length !== length) return undefined;
  if (digits === '') return '';
  return bytesToString(hexToBytes(digits)).slice(0, MAX_REASON_LENGTH);
}

/** @throws {SyntaxError} If the content ends at or before `start`. */
function readWord(content: string, start: number): bigint {
  return BigInt(`0x${content.slice(start, start + WORD_DIGITS)}`);
}
