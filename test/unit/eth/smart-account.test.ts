import { getAddress, getContractAddress, pad } from 'viem';

import { proxies } from '../../../dev/stack/proxies';
import { findWord } from '../../../src/eth/abi';
import {
  computeAccountAddress,
  computeCreateAddress,
  encodeInitCode,
  keyOf,
  NonceKeyStruct,
  sequenceOf,
  toNonceCall,
} from '../../../src/eth/smart-account';
import type { SmartAccountOrigin } from '../../../src/eth/smart-account';
import { entryPoints, entryPointVersions } from '../../../src/eth/user-operation';
import { parse } from '../../../src/schema/parse';
import { owner } from '../../fixtures/eth/owner';
import { dataOf } from '../../fixtures/trust/call';
import { SENDER } from '../../support/plain-operation';
import { refusalIn } from '../../support/refusal';

// What getAddress(owner, 7) of the deployed factories answered.
const answered = {
  '0.6': '0xFC21E32c28C24409eA006Af2445d6D6A1A59655f',
  '0.7': '0xb3643b616a4a318aE56884B415eB35295aA32F2F',
  '0.8': '0x62E7043dd1F92546Df8F7f7a3CF608BC37916827',
  '0.9': '0xd8C5D9883548538C94F8128fAA080e6606cEe26C',
} as const;

const originOf = (
  entryPoint: keyof typeof answered,
  fields: Partial<SmartAccountOrigin> = {},
): SmartAccountOrigin => ({
  entryPoint,
  factory: entryPoints[entryPoint].factory,
  owner: owner.address,
  salt: 7n,
  ...fields,
});

describe.each(entryPointVersions)('an account of %s', (version) => {
  it('is where its factory says', () => {
    expect(getAddress(computeAccountAddress(originOf(version), proxies))).toBe(
      answered[version],
    );
  });

  it.each([0n, 7n, 2n ** 256n - 1n])(
    'is deployed with salt %s as viem says',
    (salt) => {
      const call = dataOf('createAccount(address,uint256)', owner.address, salt);
      const { factory } = entryPoints[version];
      const expected = `${factory}${call.slice(2)}`.toLowerCase();
      expect(encodeInitCode(originOf(version, { salt })).toLowerCase()).toBe(expected);
    },
  );
});

it.each([0n, 1n, 0x7fn, 0x80n, 0xffn, 0x100n, 0xffffn, 2n ** 64n - 2n])(
  'computes the address of a contract that is created with the nonce %d',
  (nonce) => {
    const address = getContractAddress({ from: owner.address, nonce });
    expect(computeCreateAddress(owner.address, nonce)).toBe(address.toLowerCase());
  },
);

const MAX_KEY = 2n ** 192n - 1n;

describe('a nonce', () => {
  it.each([
    [0n, 0n, 0n],
    [7n, 0n, 7n],
    [2n ** 64n - 1n, 0n, 2n ** 64n - 1n],
    [2n ** 64n, 1n, 0n],
    [(MAX_KEY << 64n) + 5n, MAX_KEY, 5n],
    [2n ** 256n - 1n, MAX_KEY, 2n ** 64n - 1n],
  ])('%p has its key and its sequence', (nonce, key, sequence) => {
    expect([keyOf(nonce), sequenceOf(nonce)]).toStrictEqual([key, sequence]);
  });

  it.each(entryPointVersions)('is asked of EntryPoint %s', (entryPoint) => {
    for (const key of [0n, 1n, MAX_KEY]) {
      expect(toNonceCall(entryPoint, SENDER, key)).toStrictEqual({
        to: entryPoints[entryPoint].entryPoint,
        data: dataOf('getNonce(address,uint192)', SENDER, key),
      });
    }
  });

  it('is the word of the answer', () => {
    expect(findWord(pad('0x7'))).toBe(7n);
    expect(findWord(`0x${'F'.repeat(64)}`)).toBe(2n ** 256n - 1n);
  });

  it.each(['0x', '0x7', `0x${'0'.repeat(63)}`, `0x${'0'.repeat(128)}`] as const)(
    'is not %s, which no EntryPoint answers',
    (answer) => {
      expect(findWord(answer)).toBeUndefined();
    },
  );
});

describe('the key of a nonce', () => {
  it('has 192 bits', async () => {
    const read = (value: unknown): bigint => parse(value, NonceKeyStruct, 'nonceKey');
    expect(read(`0x${MAX_KEY.toString(16)}`)).toBe(MAX_KEY);
    expect(await refusalIn(() => read(`0x1${'0'.repeat(48)}`))).toStrictEqual({
      code: -32602,
      message:
        'nonceKey must be a quantity below 2^192 (hex with 0x, decimal string, or safe integer).',
    });
  });
});
