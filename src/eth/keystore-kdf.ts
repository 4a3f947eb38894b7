// From a password to a key: PBKDF2 by the platform, scrypt, which the platform has not, in
// JavaScript and within bounds.
import { hexToBytes } from '@metamask/utils';
import { scrypt } from '@noble/hashes/scrypt.js';

import { InvalidParamsError } from '../errors';
import { ROOT, toDigits } from './keystore-file';
import type { Kdf } from './keystore-file';

/** Most work (N·r·p) that a file may ask for: twice what go-ethereum's usual files do. */
const MAX_WORK = 2 ** 22;

/** Most memory that a file may ask for, in bytes: what go-ethereum's usual files need. */
const MAX_MEMORY = 2 ** 28;

/**
 * Derive a file's key from a password.
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

/** Read hex with or without 0x; it may be empty. */
export function toBytes(hex: string): Uint8Array<ArrayBuffer> {
  const digits = toDigits(hex);
  return Uint8Array.from(digits === '' ? [] : hexToBytes(digits));
}
