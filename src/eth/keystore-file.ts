// A keystore file as it is written down: Web3 Secret Storage, version 3. What others wrote is
// read leniently in its spelling (capital letters, fields of their own) and strictly in its
// values.
import { exactOptional, literal, type } from '@metamask/superstruct';
import type { Infer, Struct } from '@metamask/superstruct';
import { isObject } from '@metamask/utils';

import { InvalidParamsError } from '../errors';
import { parse } from '../parse';
import { eitherOf, integerBetween, named } from '../structs';

/** Longest file that is read: a usual one has 500 characters. */
const MAX_LENGTH = 20_000;

/** Most rounds of PBKDF2: natively a few seconds. */
const MAX_ITERATIONS = 10_000_000;

/** How messages name a file; what stands in it they never quote. */
export const ROOT = 'The keystore file';

/** A key is at least what the cipher and the check take. */
const KeyLengthStruct = integerBetween(32, 128);

const SaltStruct = hexOf(0, 256);

const ScryptStruct = type({
  kdf: literal('scrypt'),
  kdfparams: type({
    n: named<number>('a power of two from 2 to 2^24', isCost),
    r: integerBetween(1, 1_024),
    p: integerBetween(1, 1_024),
    dklen: KeyLengthStruct,
    salt: SaltStruct,
  }),
});

const Pbkdf2Struct = type({
  kdf: only('pbkdf2', '"pbkdf2" or "scrypt"'),
  kdfparams: type({
    c: integerBetween(1, MAX_ITERATIONS),
    prf: only('hmac-sha256', '"hmac-sha256"'),
    dklen: KeyLengthStruct,
    salt: SaltStruct,
  }),
});

const KdfStruct = eitherOf(({ kdf }) => kdf === 'scrypt', ScryptStruct, Pbkdf2Struct);

const VersionStruct = named<3>('3', (value) => value === 3 || value === '3');

// What the version says comes first: another one has other fields.
const VersionedStruct = type({ version: VersionStruct });

const FileStruct = type({
  address: exactOptional(hexOf(0, 20)),
  crypto: type({
    cipher: only('aes-128-ctr', '"aes-128-ctr"'),
    // Keys that begin with zeros were written without them by some.
    ciphertext: hexOf(1, 32),
    cipherparams: type({ iv: hexOf(16, 16) }),
    mac: hexOf(32, 32),
  }),
});

const WithKdfStruct = type({ crypto: KdfStruct });

/** How a file's key is derived from its password. */
export type Kdf = Infer<typeof KdfStruct>;

/** What a file says; hex without 0x. */
export type KeystoreFile = {
  kdf: Kdf;
  ciphertext: string;
  iv: string;
  mac: string;
  /** The key's address in lower case, if the file names it. */
  address?: string;
};

/**
 * Read a keystore file.
 *
 * @throws {InvalidParamsError} If it is none that can be read, naming the field.
 */
export function parseKeystore(text: string): KeystoreFile {
  const file = withLowerKeys(parseJson(text));
  parse(file, VersionedStruct, ROOT);
  const { crypto, address = '' } = parse(file, FileStruct, ROOT);
  const { crypto: kdf } = parse(file, WithKdfStruct, ROOT);
  return {
    kdf,
    ciphertext: toDigits(crypto.ciphertext),
    iv: toDigits(crypto.cipherparams.iv),
    mac: toDigits(crypto.mac),
    ...(toDigits(address).length === 40 ? { address: toDigits(address) } : {}),
  };
}

/** Write hex without 0x and in lower case. */
export function toDigits(hex: string): string {
  return hex.toLowerCase().replace(/^0x/u, '');
}

function parseJson(text: string): unknown {
  if (text.length > MAX_LENGTH) {
    throw new InvalidParamsError(`${ROOT} is longer than ${MAX_LENGTH} characters.`);
  }
  try {
    return JSON.parse(text);
  } catch {
    // The engine's own message quotes the text.
    throw new InvalidParamsError(`${ROOT} is not JSON.`);
  }
}

// Early programs wrote "Crypto" and "Id".
function withLowerKeys(value: unknown, depth = 4): unknown {
  if (!isObject(value) || Array.isArray(value) || depth === 0) return value;
  const entries = Object.entries(value).map(([key, each]) => [
    key.toLowerCase(),
    withLowerKeys(each, depth - 1),
  ]);
  return Object.fromEntries(entries) as unknown;
}

function hexOf(min: number, max: number): Struct<string, null> {
  const size = min === max ? `${min}` : `${min} to ${max}`;
  return named<string>(`${size} bytes in hex`, (value) => {
    if (typeof value !== 'string' || !/^(?:0x)?(?:[0-9a-f]{2})*$/iu.test(value)) {
      return false;
    }
    const bytes = toDigits(value).length / 2;
    return bytes >= min && bytes <= max;
  });
}

function only<const Value extends string>(
  value: Value,
  name: string,
): Struct<Value, null> {
  return named<Value>(name, (given) => given === value);
}

function isCost(value: unknown): boolean {
  return (
    typeof value === 'number' &&
    value >= 2 &&
    Number.isInteger(Math.log2(value)) &&
    value <= 2 ** 24
  );
}
