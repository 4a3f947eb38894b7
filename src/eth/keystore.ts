// Keys in files that a password opens: Web3 Secret Storage, version 3, which other wallets
// read and write. It is how a key is shown: never in the clear. Written with PBKDF2, since the
// platform has it: scrypt in JavaScript takes seconds and 256 MB for the same trouble.
import { privateToAddress } from '@ethereumjs/util';
import { bytesToHex, concatBytes } from '@metamask/utils';
import { v4 as uuid } from 'uuid';

import { InvalidParamsError } from '../errors';
import { keccak256 } from './hex';
import type { Hex } from './hex';
import { parseKeystore, ROOT, toDigits } from './keystore-file';
import type { Kdf, KeystoreFile } from './keystore-file';
import { deriveKey, toBytes } from './keystore-kdf';

/** Shortest password that a key is written with: nothing else guards the file. */
export const MIN_PASSWORD = 12;

/** Longest password. */
export const MAX_PASSWORD = 1_000;

/** Rounds of PBKDF2-HMAC-SHA256, as OWASP advises. */
const ITERATIONS = 600_000;

const WHOLE_KEY = 32;

/**
 * Write a private key as a keystore file.
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
 * Read the private key in a keystore file.
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
