import { stringToBytes, toHex } from 'viem';
import { parseSiweMessage } from 'viem/siwe';

import { signMessage } from '../../../dev/signing';
import {
  parseMessage,
  listOddCharacters,
  parseSiwe,
  resemblesSiwe,
} from '../../../src/eth/message';
import { owner, privateKey } from '../../fixtures/eth/owner';
import { OWNER, signIn } from '../../fixtures/trust/messages';
import { failureOf } from '../../support/error-of';

const toHexDigits = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('parseMessage', () => {
  it.each([
    ['0x', ''],
    ['0x00', '00'],
    ['0x48656c6c6F', '48656c6c6f'],
    ['', ''],
    ['Hello', '48656c6c6f'],
    ['48656c6c6f', '34383635366336633666'],
    ['0xno hex', toHexDigits(stringToBytes('0xno hex'))],
    ['0x0x', '30783078'],
    ['é\u{1f600}', 'c3a9f09f9880'],
    // Lone surrogates are encoded as TextEncoder does.
    ['a\ud800b', '61efbfbd62'],
  ])('reads %j', (message, digits) => {
    expect(toHexDigits(parseMessage(message))).toBe(digits);
  });

  it.each(['0x1', '0xabc'])(
    'rejects %s, which has an odd number of digits',
    async (message) => {
      expect(await failureOf(() => parseMessage(message))).toStrictEqual({
        name: 'InvalidParamsError',
        code: -32602,
        message: 'The message is hex with an odd number of digits.',
        context: {},
      });
    },
  );

  it('accepts at most a million bytes', async () => {
    const tooLong = 'The message has 1000001 bytes; at most 1000000 can be signed.';
    expect(parseMessage('a'.repeat(1_000_000))).toHaveLength(1_000_000);
    expect(parseMessage(`0x${'ab'.repeat(1_000_000)}`)).toHaveLength(1_000_000);
    for (const message of [
      'a'.repeat(1_000_001),
      `0x${'ab'.repeat(1_000_001)}`,
      // Fewer characters, but as many bytes.
      `a${'é'.repeat(500_000)}`,
    ]) {
      expect((await failureOf(() => parseMessage(message))).message).toBe(tooLong);
    }
  });
});

describe('signMessage', () => {
  it.each([
    ['text similar to the prefix', stringToBytes('\x19Ethereum Signed Message:\n2hi')],
    ['100 bytes, a three-digit length', new Uint8Array(100).fill(0x61)],
  ])('signs %s as viem does', async (_what, message) => {
    const signature = await owner.signMessage({ message: { raw: toHex(message) } });
    expect(signMessage(message, privateKey)).toBe(signature);
  });

  it('does not change the message or the key', () => {
    const message = stringToBytes('Hello');
    const key = Uint8Array.from(privateKey);
    signMessage(message, key);
    expect(toHexDigits(message)).toBe('48656c6c6f');
    expect(key).toStrictEqual(privateKey);
  });
});

const full = signIn({
  scheme: 'https',
  domain: 'app.example:8443',
  expirationTime: new Date('2030-01-01T00:00:00.000Z'),
  notBefore: new Date('2020-01-01T00:00:00.000Z'),
  requestId: 'a-b_7',
  resources: ['https://app.example/a', 'ipfs://bafy'],
});

const CONTROLS = '\r\t\0\v\x7f\u0085\u2028\u2029\u202a\u202e\u2066\u2069';
const INVISIBLE = '\u00ad\u200b\u200d\u200e\u3164\u2800\ufeff\ufe0f\u{e0041}\ue000';

const toMs = (date: Date | undefined): number | undefined => date?.getTime();

describe('parseSiwe', () => {
  it.each([signIn(), full])("reads viem's messages as viem does (case %#)", (text) => {
    const { chainId, issuedAt, expirationTime, notBefore, ...rest } =
      parseSiweMessage(text);
    expect(parseSiwe(text)).toStrictEqual({
      scheme: undefined,
      requestId: undefined,
      resources: [],
      ...rest,
      chainId: BigInt(chainId ?? 0),
      issuedAt: toMs(issuedAt),
      expirationTime: toMs(expirationTime),
      notBefore: toMs(notBefore),
    });
  });

  it.each(['\n', '\n\n'])('reads a message without a statement, with %j', (lines) => {
    const text = signIn().replace('\n\nSign in to Example.\n\n', `\n${lines}`);
    expect(parseSiwe(text)).toHaveProperty('statement', undefined);
  });

  it('reads a message whose address has no checksum, as eth_accounts returns it', () => {
    const address = OWNER.toLowerCase();
    expect(parseSiwe(signIn().replace(OWNER, address))).toHaveProperty(
      'address',
      address,
    );
  });

  it.each([
    ['leading text', `Hi! ${signIn()}`],
    ['trailing text', `${signIn()}\nmore`],
    ['user information in the domain', signIn().replace('app.', 'app@')],
    ['an address with a wrong checksum', signIn().replace('0xf39F', '0xF39F')],
    ['a different version', signIn().replace('Version: 1', 'Version: 2')],
    ['a short nonce', signIn().replace(/Nonce: .*/u, 'Nonce: 1')],
    ['an invalid time', signIn().replace(/Issued At: .*/u, 'Issued At: today')],
    [
      'fields in a different order',
      signIn().replace(/(Version: 1)\n(Chain ID: 1)/u, '$2\n$1'),
    ],
    ['an invalid URI', signIn().replace('URI: https:', 'URI: ')],
    ['carriage returns', signIn().replaceAll('\n', '\r\n')],
    [
      'punctuation in the nonce',
      signIn({ nonce: 'k13wuyv6' }).replace('k13wuyv6', 'k13-uyv6'),
    ],
    [
      'no empty line after the statement',
      signIn().replace('Example.\n\n', 'Example.\n'),
    ],
    ...[...`${CONTROLS}${INVISIBLE}`].map((sign): [string, string] => [
      `U+${sign.codePointAt(0)?.toString(16)} in the statement`,
      signIn({ statement: `I accept${sign}URI: https://evil.example` }),
    ]),
    ['a zero-width space in its phrase', signIn().replace('wants', 'wan\u200bts')],
    ['a slash in the request id', full.replace('a-b_7', 'a/b')],
    ['two resources in a line', full.replace('\n- ipfs', ' - ipfs')],
  ])(
    'does not read a message with %s, but recognizes it as a sign-in',
    (_what, text) => {
      expect([signIn(), full]).not.toContain(text);
      expect(parseSiwe(text)).toBeUndefined();
      expect(resemblesSiwe(text)).toBe(true);
    },
  );

  it.each([
    '2022-02-31T17:09:38.578Z',
    '2021-02-29T00:00:00Z',
    '2021-00-10T00:00:00Z',
    '2021-01-00T00:00:00Z',
    '2021-01-01T24:00:00Z',
    '2021-01-01T23:60:00Z',
    '2021-01-01T23:59:61Z',
    '2021-01-01T00:00:00+24:00',
    '2021-01-01T00:00:00+0100',
    '2021-01-01T00:00:00',
    '2021-01-01T00:00:00.Z',
    '2021-01-01 00:00:00Z',
    '12021-01-01T00:00:00Z',
  ])('rejects a time that RFC 3339 does not allow: %s', (time) => {
    for (const field of ['Issued At', 'Expiration Time', 'Not Before']) {
      const text = full.replace(RegExp(`${field}: .*`), `${field}: ${time}`);
      expect(parseSiwe(text)).toBeUndefined();
    }
  });

  it.each([
    '2024-02-29T23:59:59Z',
    '2000-02-29T00:00:00.1Z',
    '2021-12-31T23:59:59.999999999Z',
    '2021-09-30T16:25:24-02:00',
    '2021-09-30T16:25:24.5+23:59',
    '2021-09-30T16:25:24-00:00',
    '0099-03-01T00:00:00Z',
    '2021-09-30t16:25:24z',
  ])('reads an RFC 3339 time unchanged: %s', (time) => {
    const text = signIn().replace(/Issued At: .*/u, `Issued At: ${time}`);
    expect(parseSiwe(text)?.issuedAt).toBe(Date.parse(time.toUpperCase()));
  });

  it.each([
    ['[::cafe]', true],
    ['[::ffff:127.0.0.1]', true],
    ['127.0.0.1:8080', true],
    ['localhost:', true],
    ['b%C3%BCcher.example', true],
    ['[::cafe', false],
    ['[:::1]', false],
    ['app.example:80a', false],
    ['app.example/login', false],
    ['b%zzcher.example', false],
    ['büücher.example', false],
  ])('reads the domain %s: %s', (domain, isRead) => {
    const text = signIn().replace('app.example wants', `${domain} wants`);
    expect(parseSiwe(text)?.domain).toBe(isRead ? domain : undefined);
  });

  it.each([
    ['https://[::cafe]', true],
    ['ipfs://Qme7ss3ARVgxv6rXqVPiikMJ8u2NLgmgszg13pYrDKEoiu', true],
    ['did:key:z6Mk', true],
    ['https://app.example/%7Euser', true],
    ['https://app.example/%7', false],
    ['https://app.example/"quoted"', false],
    ['https://app.example/#a#b', false],
    ['//app.example', false],
    ['1https://app.example', false],
  ])('reads the URI and the resource %s: %s', (uri, isRead) => {
    const text = full.replace('https://app.example/login', uri);
    expect(parseSiwe(text)?.uri).toBe(isRead ? uri : undefined);
    const resources = full.replace('ipfs://bafy', uri);
    expect(parseSiwe(resources)?.resources[1]).toBe(isRead ? uri : undefined);
  });

  it.each<[string, string[]]>([
    ['I accept the Terms: https://app.example/terms?a=b&c=(d)#e!', []],
    ['Willkommen – weiter', ['–']],
    ['"I accept" {it} <now> 100%', ['"', '{', '}', '<', '>', '%']],
    ['ようこそ', ['よ', 'う', 'こ', 'そ']],
    ['Hi 👋 ❤\ufe0f', ['👋', '❤']],
    ['no\u00a0break', ['\u00a0']],
  ])(
    'reads the statement %j, in which EIP-4361 does not allow %j',
    (...[given, odd]) => {
      const read = parseSiwe(signIn({ statement: given }));
      expect(read?.statement).toBe(given);
      expect(read && listOddCharacters(read)).toStrictEqual(odd);
    },
  );

  it('does not recognize other text as a sign-in', () => {
    expect(resemblesSiwe('Sign in with your account')).toBe(false);
    expect(parseSiwe('Sign in with your account')).toBeUndefined();
  });
});
