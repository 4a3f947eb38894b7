// Reads the fields of a user operation strictly, by a table: whoever sends a field that is
// wrong, missing or unknown must hear of it here and not from a contract.
import { isAddress, isHex } from 'viem';
import type { Address, Hex } from 'viem';

import { refuse } from '../stack/json-rpc';

/** Reads one field. */
export type Field<T> = {
  /** What is expected, for the error: `an address`. */
  words: string;
  /** The value as it is used, or undefined if it is not one. */
  read: (value: unknown) => T | undefined;
};

/** Names of fields, and how they are read. */
export type Fields = Record<string, Field<Hex | bigint>>;

/** What fields give when each of them may be missing. */
export type ReadFields<T extends Fields> = {
  [Name in keyof T]?: Exclude<ReturnType<T[Name]['read']>, undefined>;
};

/** An address, with or without a checksum. */
export const address: Field<Address> = {
  words: 'an address',
  read: (value) =>
    typeof value === 'string' && isAddress(value, { strict: false })
      ? (value.toLowerCase() as Address)
      : undefined,
};

/** Whole bytes in hex. */
export const bytes: Field<Hex> = {
  words: 'bytes in hex',
  read: (value) =>
    isHex(value) && value.length % 2 === 0 ? (value.toLowerCase() as Hex) : undefined,
};

/** A quantity in minimal hex that fits into so many bits. */
export function quantity(bits: bigint): Field<bigint> {
  return {
    words: `a quantity in hex, without leading zeros, of at most ${bits} bits`,
    read: (value) => {
      if (typeof value !== 'string' || !/^0x(?:0|[1-9a-f][\da-f]*)$/iu.test(value)) {
        return undefined;
      }
      const number = BigInt(value);
      return number < 1n << bits ? number : undefined;
    },
  };
}

/**
 * Read the fields that are there.
 *
 * @throws {RpcFailure} -32602 if it is no object, or a field is wrong or unknown.
 */
export function readFields<T extends Fields>(value: unknown, fields: T): ReadFields<T> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse('The user operation must be an object.');
  }
  const entries = Object.entries(value).map(([name, given]: [string, unknown]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined) {
      return refuse(`${name} is not a field of this user operation.`);
    }
    const read = field.read(given);
    return read === undefined
      ? refuse(`${name} must be ${field.words}.`)
      : ([name, read] as const);
  });
  return Object.fromEntries(entries) as ReadFields<T>;
}

/**
 * Require that fields are there.
 *
 * @throws {RpcFailure} -32602 naming the first that is missing.
 */
export function requireFields(given: object, names: readonly string[]): void {
  const missing = names.find((name) => !(name in given));
  if (missing !== undefined) refuse(`${missing} is missing.`);
}
