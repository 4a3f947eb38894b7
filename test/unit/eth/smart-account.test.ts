import { getAddress, getContractAddress, pad } from 'viem';
import type { Hex } from 'viem';

import { proxies } from '../../../dev/stack/proxies';
import { entryPoints, entryPointVersions } from '../../../src/core/entry-points';
import type { EntryPointVersion } from '../../../src/core/entry-points';
import { encodeCall, toWord } from '../../../src/eth/abi';
import {
  computeDeployment,
  encodeIntents,
  readCallData,
  toCall,
} from '../../../src/eth/account-calls';
import type { Intent } from '../../../src/eth/account-calls';
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
import { DETERMINISTIC_DEPLOYER } from '../../../src/eth/user-operation';
import { parse } from '../../../src/schema/parse';
import { owner } from '../../fixtures/eth/owner';
import { dataOf } from '../../fixtures/trust/call';
import { SENDER } from '../../support/plain-operation';
import { refusalIn } from '../../support/refusal';

// Addresses returned by getAddress(owner, 7) of the deployed factories.
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

describe.each(entryPointVersions)('an account of EntryPoint %s', (version) => {
  it('has the address that its factory computes', () => {
    expect(getAddress(computeAccountAddress(originOf(version), proxies))).toBe(
      answered[version],
    );
  });

  it.each([0n, 7n, 2n ** 256n - 1n])(
    'is deployed with salt %s by the call that viem encodes',
    (salt) => {
      const call = dataOf('createAccount(address,uint256)', owner.address, salt);
      const { factory } = entryPoints[version];
      const expected = `${factory}${call.slice(2)}`.toLowerCase();
      expect(encodeInitCode(originOf(version, { salt })).toLowerCase()).toBe(expected);
    },
  );
});

it.each([0n, 1n, 0x7fn, 0x80n, 0xffn, 0x100n, 0xffffn, 2n ** 64n - 2n])(
  'computes the address of a contract created with the nonce %d',
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
  ])('is split into its key and sequence: %p', (nonce, key, sequence) => {
    expect([keyOf(nonce), sequenceOf(nonce)]).toStrictEqual([key, sequence]);
  });

  it.each(entryPointVersions)('is requested from EntryPoint %s', (entryPoint) => {
    for (const key of [0n, 1n, MAX_KEY]) {
      expect(toNonceCall(entryPoint, SENDER, key)).toStrictEqual({
        to: entryPoints[entryPoint].entryPoint,
        data: dataOf('getNonce(address,uint192)', SENDER, key),
      });
    }
  });

  it('is read from the returned word', () => {
    expect(toWord(pad('0x7'))).toBe(7n);
    expect(toWord(`0x${'F'.repeat(64)}`)).toBe(2n ** 256n - 1n);
  });

  it.each(['0x', '0x7', `0x${'0'.repeat(63)}`, `0x${'0'.repeat(128)}`] as const)(
    'is not read from %s, which no EntryPoint returns',
    (answer) => {
      expect(toWord(answer)).toBeUndefined();
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

const A = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const B = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const NO_SALT: Hex = `0x${'00'.repeat(32)}`;
const INIT_CODE: Hex = '0x600a600c600039600a6000f3602a60005260206000f3';

const paid: Intent = { to: A, value: 5n, data: '0xabcdef' };
const free: Intent = { to: A, value: 0n, data: '0xabcdef' };
const empty: Intent = { to: B, value: 0n, data: '0x' };
const creation: Intent = { to: null, value: 0n, data: INIT_CODE };

describe('a contract creation sent to the zero address', () => {
  const lost: Intent = { to: `0x${'00'.repeat(20)}`, value: 0n, data: INIT_CODE };

  it.each(entryPointVersions)('is rejected for EntryPoint %s', async (version) => {
    expect(await refusalIn(() => encodeIntents(version, [free, lost]))).toStrictEqual({
      code: -32602,
      message:
        'Intent 2 sends data to the zero address, which has no code. To create a ' +
        'contract, "to" must be null.',
    });
  });

  it('is allowed without data, which burns its value', () => {
    expect(() =>
      encodeIntents('0.7', [{ ...lost, value: 1n, data: '0x' }]),
    ).not.toThrow();
  });
});

describe('encodeIntents', () => {
  it('rejects a batch with values for 0.6, which would lose them', async () => {
    expect(await refusalIn(() => encodeIntents('0.6', [empty, paid]))).toStrictEqual({
      code: -32602,
      message:
        'Several intents with a value do not fit in one user operation of EntryPoint ' +
        '0.6, whose executeBatch carries no values; send them one by one.',
    });
  });
});

describe('toCall', () => {
  it('keeps the value of a creation, which the deployer forwards', () => {
    const { to, value, data } = toCall({ ...creation, value: 9n });
    expect({ to, value }).toStrictEqual({ to: DETERMINISTIC_DEPLOYER, value: 9n });
    // viem computes the same address from the data as from the init code.
    const salt: Hex = `0x${data.slice(2, 66)}`;
    const bytecode: Hex = `0x${data.slice(66)}`;
    const actual = { opcode: 'CREATE2', from: to, salt, bytecode } as const;
    const expected = { ...actual, salt: NO_SALT, bytecode: INIT_CODE };
    expect(getContractAddress(actual)).toBe(getContractAddress(expected));
  });
});

describe('readCallData', () => {
  it('reads a batch of 0.7 without values, which its contract allows', () => {
    const signature = 'executeBatch(address[],uint256[],bytes[])';
    const data = encodeCall(signature, [[A, B], [], ['0xab', '0x']]);
    expect(readCallData('0.7', data).calls).toEqual([
      { to: A, value: 0n, data: '0xab' },
      { to: B, value: 0n, data: '0x' },
    ]);
  });

  it.each(entryPointVersions)(
    'does not read batches of other versions for EntryPoint %s',
    (version) => {
      const own = encodeIntents(version, [free, empty]);
      const batches = entryPointVersions.map((each) =>
        encodeIntents(each, [free, empty]),
      );
      // 0.8 and 0.9 have the same batch function.
      const others = batches.filter((each) => each !== own);
      expect(others.length).toBeGreaterThan(1);
      for (const each of others) {
        expect(readCallData(version, each).calls).toBeUndefined();
      }
    },
  );

  it.each<Hex>(['0x', '0xa9059cbb', '0xb61d27f6', '0x18dfb3c7ff'])(
    'reads nothing from %s',
    (data) => {
      for (const version of entryPointVersions) {
        expect(readCallData(version, data).calls).toBeUndefined();
      }
    },
  );

  // These batches revert on chain, so their calls cannot happen.
  it.each<[string, EntryPointVersion, Hex]>([
    [
      'more targets than data items',
      '0.6',
      encodeCall('executeBatch(address[],bytes[])', [[A, B], ['0xab']]),
    ],
    [
      'more data items than targets',
      '0.6',
      encodeCall('executeBatch(address[],bytes[])', [[A], ['0xab', '0xcd']]),
    ],
    [
      'more targets than values',
      '0.7',
      encodeCall('executeBatch(address[],uint256[],bytes[])', [
        [A, B],
        [1n],
        ['0x', '0x'],
      ]),
    ],
  ])('reads nothing from a batch with %s', (_what, version, data) => {
    expect(readCallData(version, data).calls).toBeUndefined();
  });
});

const SALT: Hex = `0x${'00'.repeat(30)}beef`;

describe('a contract creation through the deployer', () => {
  it.each<[Hex, Hex]>([
    [SALT, INIT_CODE],
    [`0x${'ff'.repeat(32)}`, '0x00'],
  ])('has the address that viem computes (salt %s)', (salt, bytecode) => {
    const data: Hex = `${salt}${bytecode.slice(2)}`;
    const create2 = { opcode: 'CREATE2', from: DETERMINISTIC_DEPLOYER } as const;
    const expected = getContractAddress({ ...create2, salt, bytecode });
    expect(computeDeployment({ to: DETERMINISTIC_DEPLOYER, data })).toStrictEqual({
      address: expected.toLowerCase(),
      salt,
    });
  });

  it('does not depend on the letter case of its hex', () => {
    const data: Hex = `${SALT}${INIT_CODE.slice(2)}`;
    const plain = computeDeployment({ to: DETERMINISTIC_DEPLOYER, data });
    const to = DETERMINISTIC_DEPLOYER.toLowerCase() as Hex;
    const upperCase: Hex = `0x${data.slice(2).toUpperCase()}`;
    expect(computeDeployment({ to, data: upperCase })).toStrictEqual(plain);
  });

  it.each<[string, Hex, Hex]>([
    ['to a different contract', B, `${SALT}${INIT_CODE.slice(2)}`],
    ['without init code', DETERMINISTIC_DEPLOYER, SALT],
    ['with part of a salt', DETERMINISTIC_DEPLOYER, '0xbeef'],
    ['without data', DETERMINISTIC_DEPLOYER, '0x'],
  ])('is not recognized in a call %s', (_what, to, data) => {
    expect(computeDeployment({ to, data })).toBeUndefined();
  });
});
