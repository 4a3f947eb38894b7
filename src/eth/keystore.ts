// Encrypted key files (Web3 Secret Storage, version 3), as read and written by other wallets. The
// home page exports keys only in this form. Files are written with PBKDF2, which the platform
// implements natively: scrypt in JavaScript would take seconds and 256 MB.
import { privateToAddress } from '@ethereumjs/util';
import { define, exactOptional, literal, type } from '@metamask/superstruct';
import type { Infer, Struct } from '@metamask/superstruct';
import { bytesToHex, concatBytes, hexToBytes, isObject } from '@metamask/utils';
import { scrypt } from '@noble/hashes/scrypt.js';
import { v4 as uuid } from 'uuid';

import { InvalidParamsError } from '../core/errors';
import { parse } from '../schema/parse';
import { eitherOf, integerBetween } from '../schema/structs';
import { keccak256 } from './hex';
import type { Hex } from './hex';

// The parser accepts the spelling of other programs (capital letters, additional fields), but is
// strict about values.

/** Maximum length of a file in characters; a typical one has 500. */
const MAX_LENGTH = 20_000;

/** Maximum rounds of PBKDF2, which take a few seconds. */
const MAX_ITERATIONS = 10_000_000;

/** The name of the file in messages, which never quote its content. */
const ROOT = 'The keystore file';

const KeyLengthStruct = integerBetween(32, 128);

const SaltStruct = hexOf(0, 256);

const COSTS: readonly unknown[] = Array.from({ length: 24 }, (_, at) => 2 ** (at + 1));

const ScryptStruct = type({
  kdf: literal('scrypt'),
  kdfparams: type({
    n: define<number>('a power of two from 2 to 2^24', (value) =>
      COSTS.includes(value),
    ),
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

// The version is checked first, since other versions have other fields.
const VersionedStruct = type({
  version: define<3>('3', (value) => value === 3 || value === '3'),
});

const FileStruct = type({
  address: exactOptional(hexOf(0, 20)),
  crypto: type({
    cipher: only('aes-128-ctr', '"aes-128-ctr"'),
    // Some programs omit a key's leading zeros.
    ciphertext: hexOf(1, 32),
    cipherparams: type({ iv: hexOf(16, 16) }),
    mac: hexOf(32, 32),
  }),
});

const WithKdfStruct = type({ crypto: KdfStruct });

type Kdf = Infer<typeof KdfStruct>;

function toDigits(hex: string): string {
  return hex.toLowerCase().replace(/^0x/u, '');
}

function parseJson(text: string): unknown {
  if (text.length > MAX_LENGTH) {
    throw new InvalidParamsError(`${ROOT} is longer than ${MAX_LENGTH} characters.`);
  }
  try {
    return JSON.parse(text);
  } catch {
    // The engine's message would quote the file.
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
  return define<string>(`${size} bytes in hex`, (value) => {
    const isHex =
      typeof value === 'string' && /^(?:0x)?(?:[0-9a-f]{2})*$/iu.test(value);
    const bytes = isHex ? toDigits(value).length / 2 : -1;
    return bytes >= min && bytes <= max;
  });
}

function only<const Value extends string>(
  value: Value,
  name: string,
): Struct<Value, null> {
  return define<Value>(name, (given) => given === value);
}

/** Maximum work (N·r·p): twice that of go-ethereum's usual files. */
const MAX_WORK = 2 ** 22;

/** Maximum memory in bytes: that of go-ethereum's usual files. */
const MAX_MEMORY = 2 ** 28;

/** Throws `InvalidParamsError` if the file exceeds the limits on work or memory. */
async function deriveKey(password: string, kdf: Kdf): Promise<Uint8Array> {
  const bytes = new TextEncoder().encode(password);
  try {
    return kdf.kdf === 'scrypt'
      ? deriveByScrypt(bytes, kdf.kdfparams)
      : await deriveByPbkdf2(bytes, kdf.kdfparams);
  } finally {
    wipe(bytes);
  }
}

function deriveByScrypt(
  password: Uint8Array,
  { n, r, p, dklen, salt }: Extract<Kdf, { kdf: 'scrypt' }>['kdfparams'],
): Uint8Array {
  const memory = 128 * r * (n + p + 1);
  if (n * r * p > MAX_WORK || 128 * n * r > MAX_MEMORY) {
    throw new InvalidParamsError(
      `${ROOT} needs too much work or memory: scrypt with n·r·p of ${n * r * p} and ` +
        `${Math.ceil(memory / 2 ** 20)} MB; the limits are ${MAX_WORK} and ${MAX_MEMORY / 2 ** 20} MB. ` +
        'Export it again with lower settings in the original program.',
    );
  }
  return scrypt(password, toBytes(salt), { N: n, r, p, dkLen: dklen, maxmem: memory });
}

async function deriveByPbkdf2(
  password: Uint8Array,
  { c, dklen, salt }: Extract<Kdf, { kdf: 'pbkdf2' }>['kdfparams'],
): Promise<Uint8Array> {
  const base = await importKey(password, 'PBKDF2', 'deriveBits');
  const mode = { name: 'PBKDF2', hash: 'SHA-256', salt: toBytes(salt), iterations: c };
  return new Uint8Array(await crypto.subtle.deriveBits(mode, base, 8 * dklen));
}

async function importKey(bytes: Uint8Array, algorithm: string, usage: KeyUsage) {
  const raw = Uint8Array.from(bytes);
  return crypto.subtle
    .importKey('raw', raw, algorithm, false, [usage])
    .finally(() => wipe(raw));
}

function toBytes(hex: string): Uint8Array<ArrayBuffer> {
  const digits = toDigits(hex);
  return Uint8Array.from(digits === '' ? [] : hexToBytes(digits));
}

/** Minimum length of a password, which is a file's only protection. */
export const MIN_PASSWORD = 12;
const MAX_PASSWORD = 1_000;

/** Rounds of PBKDF2-HMAC-SHA256 that OWASP recommends. */
const ITERATIONS = 600_000;
const WHOLE_KEY = 32;

/**
 * Encrypts a private key as a keystore file.
 *
 * @param privateKey - 32 bytes in hex.
 * @param password - Is normalized to Unicode NFKC, as in some other programs.
 * @returns One line of JSON, different on every call.
 * @throws {InvalidParamsError} If the password is too short or too long.
 */
export async function encryptKeystore(
  privateKey: Hex,
  password: string,
): Promise<string> {
  if (password.length < MIN_PASSWORD || password.length > MAX_PASSWORD) {
    throw new InvalidParamsError(
      `The password must have ${MIN_PASSWORD} to ${MAX_PASSWORD} characters.`,
    );
  }
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
 * Decrypts the private key in a keystore file.
 *
 * @returns The key. If the file names no complete address, the key may be outside the range of
 *   secp256k1.
 * @throws {InvalidParamsError} If the file is malformed, needs too much work or memory, or names
 *   the address of another key, or if the password is wrong. The message quotes neither the file
 *   nor the password.
 */
export async function decryptKeystore(text: string, password: string): Promise<Hex> {
  const file = withLowerKeys(parseJson(text));
  parse(file, VersionedStruct, ROOT);
  const { crypto: sealed, address } = parse(file, FileStruct, ROOT);
  const { crypto: kdf } = parse(file, WithKdfStruct, ROOT);
  // Some programs normalize passwords, and others do not.
  for (const each of new Set([password, password.normalize('NFKC')])) {
    const derived = await deriveKey(each, kdf);
    try {
      const ciphertext = toBytes(sealed.ciphertext);
      if (computeMac(derived, ciphertext) === toDigits(sealed.mac)) {
        const key = await applyCipher(ciphertext, derived, sealed.cipherparams.iv);
        return toKey(key, toDigits(address ?? ''));
      }
    } finally {
      wipe(derived);
    }
  }
  throw new InvalidParamsError(
    'The password does not open the keystore file, or the file is damaged.',
  );
}

// In counter mode, encryption and decryption are the same.
async function applyCipher(
  bytes: Uint8Array<ArrayBuffer>,
  derived: Uint8Array,
  iv: string,
): Promise<Uint8Array> {
  const key = await importKey(derived.subarray(0, 16), 'AES-CTR', 'encrypt');
  const mode = { name: 'AES-CTR', counter: toBytes(iv), length: 128 };
  return new Uint8Array(await crypto.subtle.encrypt(mode, key, bytes));
}

function computeMac(derived: Uint8Array, ciphertext: Uint8Array): string {
  const bytes = concatBytes([derived.subarray(16, 32), ciphertext]);
  const mac = toDigits(bytesToHex(keccak256(bytes)));
  wipe(bytes);
  return mac;
}

// Restores a key's leading zeros, and compares it with the file's address if that is complete.
function toKey(bytes: Uint8Array, address: string): Hex {
  const key = new Uint8Array(WHOLE_KEY);
  key.set(bytes, WHOLE_KEY - bytes.length);
  try {
    if (address.length === 40 && findAddress(key) !== address) {
      throw new InvalidParamsError(
        `${ROOT} names an address that does not belong to its key.`,
      );
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
    // Not a valid key of secp256k1.
    return undefined;
  }
}

function wipe(...secrets: readonly Uint8Array[]): void {
  secrets.forEach((secret) => secret.fill(0));
}
