import { decryptKeystore } from '../../../src/eth/keystore';
import { failureOf } from '../../support/error-of';
import { changed, examples, KEY, makeKeystore, WRONG } from '../../support/keystores';

async function refusal(text: string, password = 'testpassword'): Promise<unknown> {
  const { code, message } = await failureOf(() => decryptKeystore(text, password));
  return { code, message };
}

const refused = (message: string): unknown => ({ code: -32602, message });

describe('decryptKeystore', () => {
  it('compares the key with the address that the file names', async () => {
    const address = '1'.repeat(40);
    const other = refused("The keystore file names another address than its key's.");
    expect(
      await refusal(makeKeystore(KEY.slice(2), 'foo', { address }), 'foo'),
    ).toStrictEqual(other);
    expect(
      await refusal(makeKeystore('0'.repeat(64), 'foo', { address }), 'foo'),
    ).toStrictEqual(other);
  });

  it.each([
    ['the password', JSON.stringify(examples.pbkdf2), 'testpassworD'],
    ['the check', changed({}, { mac: '0'.repeat(64) }), 'testpassword'],
    ['the ciphertext', changed({}, { ciphertext: '0'.repeat(64) }), 'testpassword'],
  ])('refuses a file where %s is another', async (_what, text, password) => {
    expect(await refusal(text, password)).toStrictEqual(refused(WRONG));
  });

  const { kdfparams } = examples.pbkdf2.crypto;
  const scrypt = examples.scrypt.crypto.kdfparams;

  it.each<[string, string, string]>([
    ['no JSON', 'secret words', ' is not JSON.'],
    ['too long', ' '.repeat(20_001), ' is longer than 20000 characters.'],
    ['of version 1', changed({ version: 1 }), '.version must be 3.'],
    [
      'of another cipher',
      changed({}, { cipher: 'aes-128-cbc' }),
      '.crypto.cipher must be "aes-128-ctr".',
    ],
    [
      'of another hash',
      changed({}, { kdfparams: { ...kdfparams, prf: 'hmac-sha1' } }),
      '.crypto.kdfparams.prf must be "hmac-sha256".',
    ],
    [
      'of too many rounds',
      changed({}, { kdfparams: { ...kdfparams, c: 10_000_001 } }),
      '.crypto.kdfparams.c must be an integer from 1 to 10000000.',
    ],
    [
      'with a short vector',
      changed({}, { cipherparams: { iv: '00' } }),
      '.crypto.cipherparams.iv must be 16 bytes in hex.',
    ],
    [
      'with a long key',
      changed({}, { ciphertext: '0'.repeat(66) }),
      '.crypto.ciphertext must be 1 to 32 bytes in hex.',
    ],
    [
      'with a short derived key',
      changed({}, { kdfparams: { ...kdfparams, dklen: 16 } }),
      '.crypto.kdfparams.dklen must be an integer from 32 to 128.',
    ],
    [
      'of a cost that is no power of two',
      changed({}, { kdf: 'scrypt', kdfparams: { ...scrypt, n: 3_000 } }),
      '.crypto.kdfparams.n must be a power of two from 2 to 2^24.',
    ],
    [
      'of much memory',
      changed({}, { kdf: 'scrypt', kdfparams: { ...scrypt, n: 2 ** 19, r: 8, p: 1 } }),
      ' asks for too much work or memory: scrypt with n·r·p of 4194304 and 513 MB; at most ' +
        '4194304 and 256 MB are given. Write it anew with less in the program that it comes from.',
    ],
    [
      'of much work',
      changed({}, { kdf: 'scrypt', kdfparams: { ...scrypt, n: 2 ** 18, r: 8, p: 4 } }),
      ' asks for too much work or memory: scrypt with n·r·p of 8388608 and 257 MB; at most ' +
        '4194304 and 256 MB are given. Write it anew with less in the program that it comes from.',
    ],
  ])('refuses a file that is %s', async (_what, text, message) => {
    expect(await refusal(text)).toStrictEqual(refused(`The keystore file${message}`));
  });
});
