import { decryptKeystoreJson, encryptKeystoreJson } from 'ethers';

import { decryptKeystore, encryptKeystore } from '../../../src/eth/keystore';
import { failureOf } from '../../support/error-of';
import {
  ADDRESS,
  examples,
  KEY,
  makeKeystore,
  PASSWORD,
} from '../../support/keystores';

const refused = (message: string): unknown => ({ code: -32602, message });

describe('encryptKeystore', () => {
  // A keystore is slow to write on purpose.
  let [text, again] = ['', ''];

  beforeAll(async () => {
    text = await encryptKeystore(KEY, PASSWORD);
    again = await encryptKeystore(KEY, PASSWORD);
  });

  it('writes what ethers reads', async () => {
    expect(await decryptKeystoreJson(text, PASSWORD)).toStrictEqual({
      address: ADDRESS,
      privateKey: KEY,
    });
  });

  it('writes what it reads itself, in Unicode as well, whatever form it is typed in', async () => {
    const unicode = await encryptKeystore(KEY, 'pa\u0073\u0301sw\u00f6rd ﬁ 密碼');
    const [ours, theirs] = await Promise.all([
      decryptKeystore(unicode, 'pa\u015bswo\u0308rd fi 密碼'),
      decryptKeystoreJson(unicode, 'pa\u0073\u0301sw\u00f6rd ﬁ 密碼'),
    ]);
    expect([ours, theirs.privateKey]).toStrictEqual([KEY, KEY]);
  });

  it('writes six hundred thousand rounds, and nothing of the key or the password', () => {
    const file = JSON.parse(text) as typeof examples.pbkdf2 & { address: string };
    expect([
      file.version,
      file.address,
      file.crypto.kdf,
      file.crypto.cipher,
    ]).toStrictEqual([3, ADDRESS.slice(2).toLowerCase(), 'pbkdf2', 'aes-128-ctr']);
    const { salt, ...kdfparams } = file.crypto.kdfparams;
    expect(kdfparams).toStrictEqual({ c: 600_000, dklen: 32, prf: 'hmac-sha256' });
    expect(salt).toMatch(/^[0-9a-f]{64}$/u);
    expect([text.includes(KEY.slice(2)), text.includes(PASSWORD)]).toStrictEqual([
      false,
      false,
    ]);
  });

  it('writes other salts and vectors each time', () => {
    const parts = [text, again].map((each) => {
      const { id, crypto } = JSON.parse(each) as typeof examples.pbkdf2;
      const { kdfparams, cipherparams, ciphertext, mac } = crypto;
      return [id, kdfparams.salt, cipherparams.iv, ciphertext, mac];
    });
    expect(new Set(parts.flat()).size).toBe(10);
  });

  it.each([
    ['too short', 'elevenchars'],
    ['too long', 'x'.repeat(1_001)],
  ])('refuses a password that is %s', async (_how, password) => {
    const { code, message } = await failureOf(() => encryptKeystore(KEY, password));
    expect({ code, message }).toStrictEqual(
      refused('The password must have 12 to 1000 characters.'),
    );
  });
});

describe('decryptKeystore', () => {
  it('reads the example of the definition with PBKDF2', async () => {
    const text = JSON.stringify(examples.pbkdf2);
    expect(await decryptKeystore(text, 'testpassword')).toBe(KEY);
  });

  it('reads what ethers writes', async () => {
    const account = { address: ADDRESS, privateKey: KEY };
    const scrypt = { N: 2 ** 12, r: 8, p: 6 };
    const text = await encryptKeystoreJson(account, PASSWORD, { scrypt });
    expect(await decryptKeystore(text, PASSWORD)).toBe(KEY);
  });

  it('reads names and digits in capitals, 0x, and a version in quotes', async () => {
    const { crypto } = examples.pbkdf2;
    const text = JSON.stringify({
      Version: '3',
      Address: ADDRESS,
      Name: 'mine',
      Crypto: {
        ...crypto,
        MAC: `0x${crypto.mac.toUpperCase()}`,
        CipherText: crypto.ciphertext.toUpperCase(),
        mac: undefined,
        ciphertext: undefined,
      },
    });
    expect(await decryptKeystore(text, 'testpassword')).toBe(KEY);
  });

  it('takes a password as it was typed, too, as some programs do', async () => {
    const text = makeKeystore(KEY.slice(2), 'ﬁ');
    expect(await decryptKeystore(text, 'ﬁ')).toBe(KEY);
  });

  it('reads a key that was written without its leading zeros', async () => {
    const text = makeKeystore('fa7b3d'.padEnd(62, '1'), 'foo');
    expect(await decryptKeystore(text, 'foo')).toBe(`0x00${'fa7b3d'.padEnd(62, '1')}`);
  });
});
