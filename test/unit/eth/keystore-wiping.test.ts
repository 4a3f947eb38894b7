// What a keystore is written and read with leaves no key behind in memory: what the platform's
// cryptography was given, and what it gave, is wiped.
import { jest } from '@jest/globals';

import { decryptKeystore, encryptKeystore } from '../../../src/eth/keystore';

const KEY = `0x${'4c'.repeat(32)}` as const;

const PASSWORD = 'correct horse battery';

/** All bytes that went into, or came out of, the platform's cryptography. */
function watch(): { isWiped: () => boolean; count: () => number } {
  const { subtle } = crypto;
  const seen: Uint8Array[] = [];
  const importKey = subtle.importKey.bind(subtle);
  const encrypt = subtle.encrypt.bind(subtle);
  const deriveBits = subtle.deriveBits.bind(subtle);
  jest.spyOn(subtle, 'importKey').mockImplementation((async (
    ...given: Parameters<typeof importKey>
  ) => {
    seen.push(given[1] as unknown as Uint8Array);
    return importKey(...given);
  }) as never);
  jest.spyOn(subtle, 'deriveBits').mockImplementation(async (...given) => {
    const bits = await deriveBits(...given);
    seen.push(new Uint8Array(bits));
    return bits;
  });
  jest.spyOn(subtle, 'encrypt').mockImplementation(async (...given) => {
    const input = given[2] as Uint8Array;
    const output = await encrypt(...given);
    // One of the two is the key, the other the file's.
    const isKey = (bytes: Uint8Array): boolean => bytes.every((each) => each === 0x4c);
    seen.push(...[input, new Uint8Array(output)].filter(isKey));
    return output;
  });
  return {
    isWiped: () => seen.every((bytes) => bytes.every((each) => each === 0)),
    count: () => seen.length,
  };
}

afterEach(() => {
  jest.restoreAllMocks();
});

it('wipes what a file is written with', async () => {
  const { isWiped, count } = watch();
  await encryptKeystore(KEY, PASSWORD);
  expect(count()).toBe(4);
  expect(isWiped()).toBe(true);
});

it('wipes what a file is read with, by its password or another', async () => {
  const file = await encryptKeystore(KEY, PASSWORD);
  const { isWiped, count } = watch();
  expect(await decryptKeystore(file, PASSWORD)).toBe(KEY);
  expect(count()).toBe(4);
  await expect(decryptKeystore(file, 'another password')).rejects.toThrow('not open');
  expect(count()).toBe(6);
  expect(isWiped()).toBe(true);
});
