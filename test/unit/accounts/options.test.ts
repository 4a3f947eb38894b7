import { parseCreateAccountOptions } from '../../../src/accounts/options';
import { errorOf, toWholeText } from '../../support/error-of';
import { refusalIn } from '../../support/refusal';

const KEY_DIGITS = 'ab'.repeat(32);
const ROOT = 'keyring_createAccount: options';
const ORDER = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141';

const smart = { type: 'eip155:erc4337' };

describe('parseCreateAccountOptions', () => {
  it.each([
    [{}, {}],
    [{ type: 'eip155:eoa' }, { type: 'eip155:eoa' }],
    [{ index: 0 }, { index: 0 }],
    [{ index: 2 ** 31 - 1 }, { index: 2 ** 31 - 1 }],
    [{ entropySource: 'second' }, { entropySource: 'second' }],
    [{ scopes: ['eip155:0'] }, { scopes: ['eip155:0'] }],
    [
      { ...smart, salt: '0x0' },
      { ...smart, salt: 0n },
    ],
    [
      { ...smart, salt: '17' },
      { ...smart, salt: 17n },
    ],
    [
      { ...smart, entryPoint: '0.8' },
      { ...smart, entryPoint: '0.8' },
    ],
    [
      { ...smart, scopes: ['eip155:1'] },
      { ...smart, scopes: ['eip155:1'] },
    ],
    [
      { metamask: { correlationId: 'c', added: 'later' } },
      { metamask: { correlationId: 'c', added: 'later' } },
    ],
  ])('reads %j', (given, options) => {
    expect(parseCreateAccountOptions(given)).toStrictEqual(options);
  });

  it.each([KEY_DIGITS, `0x${KEY_DIGITS}`, `0x${KEY_DIGITS.toUpperCase()}`])(
    'reads a private key with and without 0x, in any case',
    (privateKey) => {
      const options = parseCreateAccountOptions({ privateKey });
      expect(options.privateKey?.toLowerCase()).toBe(`0x${KEY_DIGITS}`);
    },
  );

  it.each([
    ['zero', '00'.repeat(32)],
    ['the order of the curve', ORDER],
    ['a number above it', 'ff'.repeat(32)],
    ['31 bytes', 'ab'.repeat(31)],
    ['33 bytes', 'ab'.repeat(33)],
    ['half a byte more', `${KEY_DIGITS}a`],
    ['a letter that is no digit', `${'ab'.repeat(31)}ag`],
    ['a second prefix', `0x0x${KEY_DIGITS}`],
    ['a space around it', ` ${KEY_DIGITS}`],
    ['nothing', ''],
    ['an array', [KEY_DIGITS]],
  ])(
    'refuses as a private key: %s, and does not quote it',
    async (_what, privateKey) => {
      const read = (): unknown => parseCreateAccountOptions({ privateKey });
      expect(await refusalIn(read)).toStrictEqual({
        code: -32602,
        message: `${ROOT}.privateKey must be a 32-byte private key in hex, in the range of secp256k1.`,
      });
      const quoted = String(privateKey).slice(0, 24);
      if (quoted.length === 24) {
        expect(toWholeText(await errorOf(read))).not.toContain(quoted);
      }
    },
  );

  it('takes the largest key there is', () => {
    const largest = `${ORDER.slice(0, -1)}0`;
    expect(parseCreateAccountOptions({ privateKey: largest })).toStrictEqual({
      privateKey: `0x${largest}`,
    });
  });

  it.each([
    [{ type: 'eip155:other' }, 'type must be one of "eip155:eoa", "eip155:erc4337".'],
    [{ index: -1 }, 'index must be an integer from 0 to 2147483647.'],
    [{ index: 2 ** 31 }, 'index must be an integer from 0 to 2147483647.'],
    [{ index: 0.5 }, 'index must be an integer from 0 to 2147483647.'],
    [{ index: '0' }, 'index must be an integer from 0 to 2147483647.'],
    [
      { entropySource: 'a'.repeat(257) },
      'entropySource must be a string of at most 256 characters.',
    ],
    [{ scopes: [] }, 'scopes must be an array of 1 to 1000 entries.'],
    [{ scopes: ['1'] }, 'scopes[0] must be a CAIP-2 chain id such as "eip155:1".'],
    [{ scopes: 'eip155:0' }, 'scopes must be an array.'],
    [{ ...smart, entryPoint: '0.9' }, 'entryPoint must be one of "0.6", "0.7", "0.8".'],
    [
      { ...smart, factory: '0x12' },
      'factory must be a 20-byte address in hex (in mixed case: with its EIP-55 checksum).',
    ],
    [
      { ...smart, salt: '-1' },
      'salt must be a quantity below 2^256 (hex with 0x, decimal string, or safe integer).',
    ],
    [
      { metamask: {} },
      'metamask.correlationId is missing: it must be a string of at most 64 characters.',
    ],
    [{ colour: 'red' }, 'colour is not expected here.'],
  ])('refuses %j by name', async (options, reason) => {
    expect(await refusalIn(() => parseCreateAccountOptions(options))).toStrictEqual({
      code: -32602,
      message: `${ROOT}.${reason}`,
    });
  });

  it.each([null, 'text', 7, []])('refuses %j, which is no object', async (options) => {
    expect(await refusalIn(() => parseCreateAccountOptions(options))).toStrictEqual({
      code: -32602,
      message: `${ROOT} must be an object.`,
    });
  });

  const excludes = 'privateKey excludes index and entropySource, which derive a key.';
  const allChains =
    'an account of type eip155:eoa serves all chains: scopes must be ["eip155:0"].';

  it.each([
    [{ privateKey: KEY_DIGITS, index: 0 }, excludes],
    [{ privateKey: KEY_DIGITS, entropySource: 'second' }, excludes],
    [{ entryPoint: '0.6' }, 'entryPoint is for accounts of type eip155:erc4337.'],
    [
      { factory: `0x${'11'.repeat(20)}` },
      'factory is for accounts of type eip155:erc4337.',
    ],
    [
      { type: 'eip155:eoa', salt: '0x0' },
      'salt is for accounts of type eip155:erc4337.',
    ],
    [{ scopes: ['eip155:1'] }, allChains],
    [{ scopes: ['eip155:0', 'eip155:1'] }, allChains],
    [
      { ...smart, scopes: ['eip155:0'] },
      'a smart account needs real chains as scopes.',
    ],
    [
      { ...smart, scopes: ['eip155:1', 'eip155:0'] },
      'a smart account needs real chains as scopes.',
    ],
  ])('refuses options that do not go together: %j', async (options, reason) => {
    const error = await errorOf(() => parseCreateAccountOptions(options));
    expect(error).toMatchObject({ code: -32602, message: `${ROOT}: ${reason}` });
    expect(toWholeText(error)).not.toContain(KEY_DIGITS);
  });
});
