// Keystore files: the two examples from the Web3 Secret Storage definition, and files made with
// Node's crypto.
import { createCipheriv, pbkdf2Sync } from 'node:crypto';

import { keccak256 } from 'ethers';

/** The key in all files. */
export const KEY = '0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d';

export const ADDRESS = '0x008AeEda4D805471dF9b2A5B0f38A0C3bCBA786b';

export const PASSWORD = 'correct horse battery';

export const WRONG =
  'The password does not open the keystore file, or the file is damaged.';

/** The definition's two examples, both of `KEY` with the password "testpassword". */
export const examples = {
  pbkdf2: {
    crypto: {
      cipher: 'aes-128-ctr',
      cipherparams: { iv: '6087dab2f9fdbbfaddc31a909735c1e6' },
      ciphertext: '5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46',
      kdf: 'pbkdf2',
      kdfparams: {
        c: 262144,
        dklen: 32,
        prf: 'hmac-sha256',
        salt: 'ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd',
      },
      mac: '517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2',
    },
    id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
    version: 3,
  },
  scrypt: {
    crypto: {
      cipher: 'aes-128-ctr',
      cipherparams: { iv: '83dbcc02d8ccb40e466191a123791e0e' },
      ciphertext: 'd172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c',
      kdf: 'scrypt',
      kdfparams: {
        dklen: 32,
        n: 262144,
        r: 1,
        p: 8,
        salt: 'ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19',
      },
      mac: '2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097',
    },
    id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
    version: 3,
  },
};

type Example = Record<string, unknown> & { crypto: Record<string, unknown> };

export function changed(
  file: Record<string, unknown>,
  crypto: Record<string, unknown> = {},
): string {
  const { pbkdf2 } = examples as { pbkdf2: Example };
  return JSON.stringify({
    ...pbkdf2,
    crypto: { ...pbkdf2.crypto, ...crypto },
    ...file,
  });
}

/** Creates a keystore file with Node's crypto and a single round of PBKDF2. */
export function makeKeystore(
  key: string,
  password: string,
  file: Record<string, unknown> = {},
): string {
  const salt = Buffer.alloc(16, 7);
  const iv = Buffer.alloc(16, 9);
  const derived = pbkdf2Sync(password, salt, 1, 32, 'sha256');
  const cipher = createCipheriv('aes-128-ctr', derived.subarray(0, 16), iv);
  const ciphertext = cipher.update(Buffer.from(key, 'hex'));
  const kdfparams = { c: 1, dklen: 32, prf: 'hmac-sha256', salt: salt.toString('hex') };
  const mac = keccak256(Buffer.concat([derived.subarray(16), ciphertext]));
  const crypto = {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: iv.toString('hex') },
    ciphertext: ciphertext.toString('hex'),
    kdf: 'pbkdf2',
    kdfparams,
    mac,
  };
  return JSON.stringify({ version: 3, crypto, ...file });
}
