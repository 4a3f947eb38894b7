// Keys in files that a password opens: Web3 Secret Storage, version 3, which other wallets
// read and write. It is how a key is shown: never in the clear. Written with PBKDF2, since the
// platform has it: scrypt in JavaScript takes seconds and 256 MB for the same trouble.
import { privateToAddress } from '@ethereumjs/util';
import { exactOptional, literal, type } from '@metamask/superstruct';
import type { Infer, Struct } from '@metamask/superstruct';
import { bytesToHex, concatBytes, hexToBytes, isObject } from '@metamask/utils';
import { scrypt } from '@noble/hashes/scrypt.js';
import { v4 as uuid } from 'uuid';

import { InvalidParamsError } from '../errors';
import { parse } from '../schema/parse';
import { eitherOf, integerBetween, named } from '../schema/structs';
import { keccak256 } from './hex';
import type { Hex } from './hex';

// A keystore file as it is written down: Web3 Secret Storage, version 3. What others wrote is
// read leniently in its spelling (capital letters, fields of their own) and strictly in its
// values.

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
 * Reads a keystore file.
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

/** Writes hex without 0x and in lower case. */
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
  if (!isObject(value) || depth === 0) return value;
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

// From a password to a key: PBKDF2 by the platform, scrypt, which the platform has not, in
// JavaScript and within bounds.

/** Most work (N·r·p) that a file may ask for: twice what go-ethereum's usual files do. */
const MAX_WORK = 2 ** 22;

/** Most memory that a file may ask for, in bytes: what go-ethereum's usual files need. */
const MAX_MEMORY = 2 ** 28;

/**
 * Derives a file's key from a password.
 *
 * @throws {InvalidParamsError} If the file asks for more work or memory than it may.
 */
export async function deriveKey(password: string, kdf: Kdf): Promise<Uint8Array> {
  const bytes = new TextEncoder().encode(password);
  try {
    return kdf.kdf === 'scrypt'
      ? deriveByScrypt(bytes, kdf.kdfparams)
      : await deriveByPbkdf2(bytes, kdf.kdfparams);
  } finally {
    bytes.fill(0);
  }
}

function deriveByScrypt(
  password: Uint8Array,
  { n, r, p, dklen, salt }: Extract<Kdf, { kdf: 'scrypt' }>['kdfparams'],
): Uint8Array {
  const memory = 128 * r * (n + p + 1);
  if (n * r * p > MAX_WORK || 128 * n * r > MAX_MEMORY) {
    throw new InvalidParamsError(
      `${ROOT} asks for too much work or memory: scrypt with n·r·p of ${n * r * p} and ` +
        `${Math.ceil(memory / 2 ** 20)} MB; at most ${MAX_WORK} and ${MAX_MEMORY / 2 ** 20} MB ` +
        'are given. Write it anew with less in the program that it comes from.',
    );
  }
  return scrypt(password, toBytes(salt), { N: n, r, p, dkLen: dklen, maxmem: memory });
}

async function deriveByPbkdf2(
  password: Uint8Array,
  { c, dklen, salt }: Extract<Kdf, { kdf: 'pbkdf2' }>['kdfparams'],
): Promise<Uint8Array> {
  const { subtle } = crypto;
  const raw = Uint8Array.from(password);
  const base = await subtle
    .importKey('raw', raw, 'PBKDF2', false, ['deriveBits'])
    .finally(() => raw.fill(0));
  const algorithm = {
    name: 'PBKDF2',
    hash: 'SHA-256',
    salt: toBytes(salt),
    iterations: c,
  };
  return new Uint8Array(await subtle.deriveBits(algorithm, base, 8 * dklen));
}

/** Reads hex with or without 0x; it may be empty. */
export function toBytes(hex: string): Uint8Array<ArrayBuffer> {
  const digits = toDigits(hex);
  return Uint8Array.from(digits === '' ? [] : hexToBytes(digits));
}

/** Shortest password that a key is written with: nothing else guards the file. */
export const MIN_PASSWORD = 12;

/** Longest password. */
export const MAX_PASSWORD = 1_000;

/** Rounds of PBKDF2-HMAC-SHA256, as OWASP advises. */
const ITERATIONS = 600_000;

const WHOLE_KEY = 32;

/**
 * Writes a private key as a keystore file.
 *
 * @param privateKey - 32 bytes in hex.
 * @param password - What opens it, in Unicode's NFKC, as other programs take it.
 * @returns JSON on one line; no two calls give the same.
 * @throws {InvalidParamsError} If the password is too short or too long.
 */
export async function encryptKeystore(
  privateKey: Hex,
  password: string,
): Promise<string> {
  assertPassword(password);
  const salt = toDigits(bytesToHex(crypto.getRandomValues(new Uint8Array(32))));
  const iv = toDigits(bytesToHex(crypto.getRandomValues(new Uint8Array(16))));
  const kdf = {
    kdf: 'pbkdf2',
    kdfparams: { c: ITERATIONS, prf: 'hmac-sha256', dklen: WHOLE_KEY, salt },
  } as const satisfies Kdf;
  const derived = await deriveKey(password.normalize('NFKC'), kdf);
  const key = toBytes(privateKey);
  try {
    const address = toDigits(bytesToHex(privateToAddress(key)));
    const ciphertext = await applyCipher(key, derived, iv);
    return JSON.stringify({
      version: 3,
      id: uuid(),
      address,
      crypto: {
        cipher: 'aes-128-ctr',
        cipherparams: { iv },
        ciphertext: toDigits(bytesToHex(ciphertext)),
        ...kdf,
        mac: computeMac(derived, ciphertext),
      },
    });
  } finally {
    wipe(key, derived);
  }
}

/**
 * Reads the private key in a keystore file.
 *
 * @returns The key; whether it is one of secp256k1 is not checked if the file names no address.
 * @throws {InvalidParamsError} If the file cannot be read, asks for too much, or is not opened
 * by the password; quotes neither.
 */
export async function decryptKeystore(text: string, password: string): Promise<Hex> {
  const file = parseKeystore(text);
  // Some programs bring passwords into one form first, some take them as they are typed.
  for (const each of new Set([password, password.normalize('NFKC')])) {
    const derived = await deriveKey(each, file.kdf);
    try {
      const ciphertext = toBytes(file.ciphertext);
      if (computeMac(derived, ciphertext) === file.mac) {
        return toKey(await applyCipher(ciphertext, derived, file.iv), file);
      }
    } finally {
      wipe(derived);
    }
  }
  throw new InvalidParamsError(
    'The password does not open the keystore file, or the file is damaged.',
  );
}

function assertPassword({ length }: string): void {
  if (length >= MIN_PASSWORD && length <= MAX_PASSWORD) return;
  throw new InvalidParamsError(
    `The password must have ${MIN_PASSWORD} to ${MAX_PASSWORD} characters.`,
  );
}

// In counter mode encrypting and decrypting are one.
async function applyCipher(
  bytes: Uint8Array<ArrayBuffer>,
  derived: Uint8Array,
  iv: string,
): Promise<Uint8Array> {
  const { subtle } = crypto;
  const raw = Uint8Array.from(derived.subarray(0, 16));
  const key = await subtle
    .importKey('raw', raw, 'AES-CTR', false, ['encrypt'])
    .finally(() => wipe(raw));
  const mode = { name: 'AES-CTR', counter: toBytes(iv), length: 128 };
  return new Uint8Array(await subtle.encrypt(mode, key, bytes));
}

function computeMac(derived: Uint8Array, ciphertext: Uint8Array): string {
  const bytes = concatBytes([derived.subarray(16, 32), ciphertext]);
  const mac = toDigits(bytesToHex(keccak256(bytes)));
  wipe(bytes);
  return mac;
}

function toKey(bytes: Uint8Array, { address }: KeystoreFile): Hex {
  const key = new Uint8Array(WHOLE_KEY);
  key.set(bytes, WHOLE_KEY - bytes.length);
  try {
    if (address !== undefined && findAddress(key) !== address) {
      throw new InvalidParamsError(`${ROOT} names another address than its key's.`);
    }
    return bytesToHex(key);
  } finally {
    wipe(key, bytes);
  }
}

function findAddress(key: Uint8Array): string | undefined {
  try {
    return toDigits(bytesToHex(privateToAddress(key)));
  } catch {
    // It is no key of secp256k1.
    return undefined;
  }
}

// What was a key is of no use to whoever reads the memory later.
function wipe(...secrets: readonly Uint8Array[]): void {
  secrets.forEach((secret) => secret.fill(0));
}
