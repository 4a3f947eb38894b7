// Hex strings, bytes and quantities in Ethereum's JSON-RPC (EIP-1474).
import { define } from '@metamask/superstruct';
import type { Struct } from '@metamask/superstruct';
import { isValidChecksumAddress } from '@metamask/utils';
import type { Hex } from '@metamask/utils';

import { isSameAddress, toQuantity } from '../core/hex';
import { matches } from '../schema/parse';
import { converted, normalized } from '../schema/structs';

export * from '../core/hex';

export const MAX_UINT256 = 2n ** 256n - 1n;

/** More than the supply of any common token, in its smallest units. */
const UNLIMITED = 2n ** 128n;

/** The unlimited allowance of tokens with 96-bit amounts. */
const UNLIMITED_96 = 2n ** 96n - 1n;

/** The year 5138. */
const NEVER_SECONDS = 10n ** 11n;

/** Lower addresses are precompiles, or burn addresses such as zero and 0xdead. */
const FIRST_ORDINARY = 2n ** 16n;

/** Maximum number of bytes in a caller's field: several times the largest transaction without
 * blobs. */
export const MAX_BYTES = 1_000_000;

const ANSWER = /^\s*(?:0x)?([\da-f]*)\s*$/iu;

const hasForm = (value: unknown, form: RegExp): value is string =>
  typeof value === 'string' && form.test(value);

export const BytesStruct = define<Hex>(
  'bytes in hex (0x and an even number of digits; 1 MB at most)',
  (value) => isBytes(value) && value.length <= 2 + 2 * MAX_BYTES,
);

/** Data of a transaction or a call; some clients write `""` for empty data. */
export const DataStruct = define<Hex | ''>(
  'bytes in hex (0x and an even number of digits; 1 MB at most) or ""',
  (value) => value === '' || matches(value, BytesStruct),
);

export const NodeBytesStruct = define<Hex>(
  'bytes in hex (0x and an even number of digits)',
  isBytes,
);

const evenOnly = (digits: string): string | undefined =>
  digits.length % 2 === 0 ? digits : undefined;

/** Bytes from a node, possibly empty. An odd number of digits other than `0x0` is refused. */
export const AnswerBytesStruct = answered(NodeBytesStruct.type, (digits) =>
  digits === '0' ? '' : evenOnly(digits),
);

/** Code from a node. Code that consists of zeros counts as empty, because it does nothing. */
export const CodeStruct = answered(NodeBytesStruct.type, (digits) =>
  /^0*$/u.test(digits) ? '' : evenOnly(digits),
);

/** A storage word from a node; some nodes omit its leading zeros. */
export const StorageWordStruct = answered('a 32-byte word in hex', (digits) =>
  digits.length <= 64 ? digits.padStart(64, '0') : undefined,
);

/** A struct for hex from a node. For empty bytes, some nodes write `"0x0"`, `""` or null; some omit
 * `0x` or write `0X`. */
function answered(
  name: string,
  read: (digits: string) => string | undefined,
): Struct<Hex, null> {
  const find = (value: unknown): Hex | undefined => {
    const text = value === null ? '' : value;
    const digits = typeof text === 'string' ? ANSWER.exec(text)?.[1] : undefined;
    const found = digits === undefined ? undefined : read(digits);
    return found === undefined ? undefined : `0x${found}`;
  };
  const isRead = (value: unknown): boolean =>
    typeof value === 'string' && find(value) === value;
  return converted<Hex>(name, isRead, find);
}

export function bytesOf(size: number): Struct<Hex, null> {
  const form = new RegExp(`^0x[0-9a-fA-F]{${2 * size}}$`, 'u');
  return define<Hex>(`${size} bytes in hex (0x and ${2 * size} digits)`, (value) =>
    hasForm(value, form),
  );
}

const ADDRESS =
  'a 20-byte address in hex (mixed case must match the EIP-55 checksum, or EIP-1191 on chains 30 and 31)';

/** A caller's address; mixed case must be its EIP-55 checksum. `eth/checksum` converts the
 * checksums of other chains beforehand. */
export const AddressStruct = define<Hex>(
  ADDRESS,
  (value) => isAddress(value) && (!isMixedCase(value) || isValidChecksumAddress(value)),
);

/** Recipient of a transaction or a call, in every form that clients use for a contract creation. */
export const RecipientStruct = define<Hex | ''>(
  `${ADDRESS}, or null, "" or "0x" (contract creation)`,
  (value) => value === '' || value === '0x' || matches(value, AddressStruct),
);

export function toRecipient(given: Hex | '' | undefined): Hex | null {
  return given === undefined || given === '' || given === '0x' ? null : given;
}

/** A node's address, in any case, because some chains have their own checksums (EIP-1191). */
export const NodeAddressStruct = define<Hex>('a 20-byte address in hex', isAddress);

export const Bytes32Struct = define<Hex>(
  'a 32-byte value in hex (0x and 64 digits)',
  (value) => hasForm(value, /^0x[0-9a-fA-F]{64}$/u),
);

export const isHexQuantity = (value: unknown): value is Hex =>
  hasForm(value, /^0x[0-9a-fA-F]{1,64}$/u);

/** A node's quantity. Leading zeros, which some nodes write, are removed. */
export const HexQuantityStruct = normalized<Hex>(
  'a hex quantity',
  isHexQuantity,
  (value) => (/^0x0./u.test(value) ? toQuantity(BigInt(value)) : value),
);

/** `r` or `s` of a signature from a node: a quantity, padded to 32 bytes. */
export const SignatureWordStruct = normalized<Hex>(
  'a hex quantity, written as 32 bytes',
  isHexQuantity,
  (value) => `0x${value.slice(2).padStart(64, '0')}`,
);

export const QuantityStruct = quantityBelow(MAX_UINT256 + 1n, '2^256');

export function quantityBelow(
  bound: bigint,
  boundInWords: string,
): Struct<bigint, null> {
  return converted<bigint>(
    `a quantity below ${boundInWords} (hex with 0x, decimal string, or safe integer)`,
    (value) => typeof value === 'bigint' && value >= 0n && value < bound,
    findQuantity,
  );
}

export function findQuantity(value: unknown): bigint | undefined {
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  }
  if (typeof value !== 'string') return undefined;
  return /^(?:0x[0-9a-fA-F]{1,64}|\d{1,78})$/u.test(value) ? BigInt(value) : undefined;
}

export function findAddress(value: unknown): Hex | undefined {
  return isAddress(value) ? value : undefined;
}

export function isAddress(value: unknown): value is Hex {
  return hasForm(value, /^0x[0-9a-fA-F]{40}$/u);
}

export function hasAddress(addresses: readonly string[], address: string): boolean {
  return addresses.some((each) => isSameAddress(each, address));
}

export function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

export function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

/** Returns whether an allowance is unlimited. `supply` is the token's total supply in its smallest
 * unit, if known. */
export function isUnlimited(amount: bigint, supply = 0n): boolean {
  const isAll = supply > 0n && amount >= supply;
  return amount >= UNLIMITED || amount === UNLIMITED_96 || isAll;
}

export function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, each) => total + each, 0n);
}

export function isBytes(value: unknown): value is Hex {
  return hasForm(value, /^0x(?:[0-9a-fA-F]{2})*$/u);
}

export function isMixedCase(address: string): boolean {
  const digits = address.slice(2);
  return digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
}

/** Returns whether a time in seconds since 1970 is too far in the future to matter. */
export function isNever(seconds: bigint): boolean {
  return seconds >= NEVER_SECONDS;
}

export function isOrdinary(address: Hex): boolean {
  return BigInt(address) >= FIRST_ORDINARY;
}
