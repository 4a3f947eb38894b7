import { decryptKeystoreJson, encryptKeystoreJson } from 'ethers';
import { bytesToHex } from 'viem';

import { decryptKeystore, encryptKeystore } from '../../../src/eth/keystore';
import {
  ADDRESS,
  changed,
  examples,
  KEY,
  makeKeystore,
  PASSWORD,
  WRONG,
} from '../../support/keystores';
import { refusalIn } from '../../support/refusal';

const refused = (message: string): unknown => ({ code: -32602, message });

const refusal = async (text: string, password = 'testpassword') =>
  refusalIn(() => decryptKeystore(text, password));

describe('encryptKeystore', () => {
  // Keystores are slow to write by design, so the tests share two.
  let [text, secondText] = ['', ''];

  beforeAll(async () => {
    text = await encryptKeystore(KEY, PASSWORD);
    secondText = await encryptKeystore(KEY, PASSWORD);
  });

  it('writes files that ethers reads', async () => {
    expect(await decryptKeystoreJson(text, PASSWORD)).toStrictEqual({
      address: ADDRESS,
      privateKey: KEY,
    });
  });

  it('writes files that decryptKeystore reads, however a password is normalized', async () => {
    const unicode = await encryptKeystore(KEY, 'pa\u0073\u0301sw\u00f6rd ﬁ 密碼');
    const [ours, theirs] = await Promise.all([
      decryptKeystore(unicode, 'pa\u015bswo\u0308rd fi 密碼'),
      decryptKeystoreJson(unicode, 'pa\u0073\u0301sw\u00f6rd ﬁ 密碼'),
    ]);
    expect([ours, theirs.privateKey]).toStrictEqual([KEY, KEY]);
  });

  it('uses 600,000 iterations, and writes neither the key nor the password', () => {
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

  it('uses a new salt and IV each time', () => {
    const parts = [text, secondText].map((each) => {
      const { id, crypto } = JSON.parse(each) as typeof examples.pbkdf2;
      const { kdfparams, cipherparams, ciphertext, mac } = crypto;
      return [id, kdfparams.salt, cipherparams.iv, ciphertext, mac];
    });
    expect(new Set(parts.flat()).size).toBe(10);
  });

  it.each([
    ['too short', 'elevenchars'],
    ['too long', 'x'.repeat(1_001)],
  ])('rejects a password that is %s', async (_how, password) => {
    expect(await refusalIn(() => encryptKeystore(KEY, password))).toStrictEqual(
      refused('The password must have 12 to 1000 characters.'),
    );
  });
});

describe('decryptKeystore', () => {
  it('reads the PBKDF2 example of the specification', async () => {
    const text = JSON.stringify(examples.pbkdf2);
    expect(await decryptKeystore(text, 'testpassword')).toBe(KEY);
  });

  it('reads files that ethers writes', async () => {
    const account = { address: ADDRESS, privateKey: KEY };
    const scrypt = { N: 2 ** 12, r: 8, p: 6 };
    const text = await encryptKeystoreJson(account, PASSWORD, { scrypt });
    expect(await decryptKeystore(text, PASSWORD)).toBe(KEY);
  });

  it('reads uppercase names and digits, 0x, and a version in quotes', async () => {
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

  it('accepts a password that the writing program did not normalize', async () => {
    const text = makeKeystore(KEY.slice(2), 'ﬁ');
    expect(await decryptKeystore(text, 'ﬁ')).toBe(KEY);
  });

  it('reads a key without its leading zeros', async () => {
    const text = makeKeystore('fa7b3d'.padEnd(62, '1'), 'foo');
    expect(await decryptKeystore(text, 'foo')).toBe(`0x00${'fa7b3d'.padEnd(62, '1')}`);
  });

  it('compares the key with the address that the file names', async () => {
    const address = '1'.repeat(40);
    const other = refused(
      'The keystore file names an address that does not belong to its key.',
    );
    for (const key of [KEY.slice(2), '0'.repeat(64)]) {
      const file = makeKeystore(key, 'foo', { address });
      expect(await refusal(file, 'foo')).toStrictEqual(other);
    }
  });

  it.each([
    ['password', JSON.stringify(examples.pbkdf2), 'testpassworD'],
    ['MAC', changed({}, { mac: '0'.repeat(64) }), 'testpassword'],
    ['ciphertext', changed({}, { ciphertext: '0'.repeat(64) }), 'testpassword'],
  ])('rejects a file with another %s', async (_what, text, password) => {
    expect(await refusal(text, password)).toStrictEqual(refused(WRONG));
  });

  const { kdfparams } = examples.pbkdf2.crypto;
  const scrypt = examples.scrypt.crypto.kdfparams;

  it.each<[string, string, string]>([
    ['that is not JSON', 'secret words', ' is not JSON.'],
    ['that is too long', ' '.repeat(20_001), ' is longer than 20000 characters.'],
    ['of version 1', changed({ version: 1 }), '.version must be 3.'],
    [
      'encrypted with another cipher',
      changed({}, { cipher: 'aes-128-cbc' }),
      '.crypto.cipher must be "aes-128-ctr".',
    ],
    [
      'whose key is derived with a different hash',
      changed({}, { kdfparams: { ...kdfparams, prf: 'hmac-sha1' } }),
      '.crypto.kdfparams.prf must be "hmac-sha256".',
    ],
    [
      'whose key derivation takes too many rounds',
      changed({}, { kdfparams: { ...kdfparams, c: 10_000_001 } }),
      '.crypto.kdfparams.c must be an integer from 1 to 10000000.',
    ],
    [
      'written with a short IV',
      changed({}, { cipherparams: { iv: '00' } }),
      '.crypto.cipherparams.iv must be 16 bytes in hex.',
    ],
    [
      'written with a long key',
      changed({}, { ciphertext: '0'.repeat(66) }),
      '.crypto.ciphertext must be 1 to 32 bytes in hex.',
    ],
    [
      'written with a short derived key',
      changed({}, { kdfparams: { ...kdfparams, dklen: 16 } }),
      '.crypto.kdfparams.dklen must be an integer from 32 to 128.',
    ],
    [
      'whose scrypt cost is not a power of two',
      changed({}, { kdf: 'scrypt', kdfparams: { ...scrypt, n: 3_000 } }),
      '.crypto.kdfparams.n must be a power of two from 2 to 2^24.',
    ],
    ...(
      [
        ['memory', { n: 2 ** 19, r: 8, p: 1 }, '4194304 and 513 MB'],
        ['work', { n: 2 ** 18, r: 8, p: 4 }, '8388608 and 257 MB'],
      ] as const
    ).map(([what, cost, asked]): [string, string, string] => [
      `that is expensive in ${what}`,
      changed({}, { kdf: 'scrypt', kdfparams: { ...scrypt, ...cost } }),
      ` needs too much work or memory: scrypt with n·r·p of ${asked}; the limits are ` +
        '4194304 and 256 MB. Export it again with lower settings in the original program.',
    ]),
  ])('rejects a file %s', async (_what, text, message) => {
    expect(await refusal(text)).toStrictEqual(refused(`The keystore file${message}`));
  });
});

/** Records the secret bytes that enter or leave the platform's cryptography. */
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
    // One of them is the key; the other is its encrypted form in the file.
    const isKey = (each: Uint8Array): boolean => bytesToHex(each) === KEY;
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

it('wipes its buffers after writing a file', async () => {
  const { isWiped, count } = watch();
  await encryptKeystore(KEY, PASSWORD);
  expect(count()).toBe(4);
  expect(isWiped()).toBe(true);
});

it('wipes its buffers after reading a file, with the right or a wrong password', async () => {
  const file = await encryptKeystore(KEY, PASSWORD);
  const { isWiped, count } = watch();
  expect(await decryptKeystore(file, PASSWORD)).toBe(KEY);
  expect(count()).toBe(4);
  await expect(decryptKeystore(file, 'another password')).rejects.toThrow('not open');
  expect(count()).toBe(6);
  expect(isWiped()).toBe(true);
});
