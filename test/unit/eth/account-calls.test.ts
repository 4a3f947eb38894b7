import { getContractAddress } from 'viem';
import type { Hex } from 'viem';

import { encodeCall } from '../../../src/eth/abi';
import {
  computeDeployment,
  encodeIntents,
  readCallData,
  toCall,
} from '../../../src/eth/account-calls';
import type { Intent } from '../../../src/eth/account-calls';
import {
  DETERMINISTIC_DEPLOYER,
  entryPointVersions,
} from '../../../src/eth/user-operation';
import type { EntryPointVersion } from '../../../src/eth/user-operation';
import { failureOf } from '../../support/error-of';

const A = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const B = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const NO_SALT: Hex = `0x${'00'.repeat(32)}`;
const INIT_CODE: Hex = '0x600a600c600039600a6000f3602a60005260206000f3';

const paid: Intent = { to: A, value: 5n, data: '0xabcdef' };
const free: Intent = { to: A, value: 0n, data: '0xabcdef' };
const empty: Intent = { to: B, value: 0n, data: '0x' };
const creation: Intent = { to: null, value: 0n, data: INIT_CODE };

describe('a creation written as a call without a recipient', () => {
  const lost: Intent = { to: `0x${'00'.repeat(20)}`, value: 0n, data: INIT_CODE };

  it.each(entryPointVersions)('is refused, for %s', async (version) => {
    const { code, message } = await failureOf(() =>
      encodeIntents(version, [free, lost]),
    );
    expect([code, message]).toStrictEqual([
      -32602,
      'Intent 2 sends data to the zero address, where nothing reads them. To create a ' +
        'contract, "to" must be null.',
    ]);
  });

  it('may burn a value, if that is all', () => {
    expect(() =>
      encodeIntents('0.7', [{ ...lost, value: 1n, data: '0x' }]),
    ).not.toThrow();
  });
});

describe('encodeIntents', () => {
  it('refuses values in a batch of 0.6, which would lose them', async () => {
    expect(await failureOf(() => encodeIntents('0.6', [empty, paid]))).toStrictEqual({
      name: 'InvalidParamsError',
      code: -32602,
      message:
        'Several intents with a value do not fit in one user operation of EntryPoint ' +
        '0.6, whose executeBatch carries no values; send them one by one.',
      context: {},
    });
  });
});

describe('toCall', () => {
  it('keeps the value of a creation, which the deployer passes on', () => {
    const { to, value, data } = toCall({ ...creation, value: 9n });
    expect({ to, value }).toStrictEqual({ to: DETERMINISTIC_DEPLOYER, value: 9n });
    // Where viem expects the contract of these very bytes.
    const salt: Hex = `0x${data.slice(2, 66)}`;
    const bytecode: Hex = `0x${data.slice(66)}`;
    const at = { opcode: 'CREATE2', from: to, salt, bytecode } as const;
    const expected = { ...at, salt: NO_SALT, bytecode: INIT_CODE };
    expect(getContractAddress(at)).toBe(getContractAddress(expected));
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
    'reads nothing from other versions than %s',
    (version) => {
      const own = encodeIntents(version, [free, empty]);
      const batches = entryPointVersions.map((each) =>
        encodeIntents(each, [free, empty]),
      );
      // 0.8 and 0.9 have the same batch.
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

  // Each of these reverts on chain: showing calls would show what cannot happen.
  it.each<[string, EntryPointVersion, Hex]>([
    [
      'more targets than data',
      '0.6',
      encodeCall('executeBatch(address[],bytes[])', [[A, B], ['0xab']]),
    ],
    [
      'more data than targets',
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
    const expected = getContractAddress({
      opcode: 'CREATE2',
      from: DETERMINISTIC_DEPLOYER,
      salt,
      bytecode,
    });
    expect(computeDeployment({ to: DETERMINISTIC_DEPLOYER, data })).toStrictEqual({
      address: expected.toLowerCase(),
      salt,
    });
  });

  it('is the same however its hex is written', () => {
    const data: Hex = `${SALT}${INIT_CODE.slice(2)}`;
    const plain = computeDeployment({ to: DETERMINISTIC_DEPLOYER, data });
    const to = DETERMINISTIC_DEPLOYER.toLowerCase() as Hex;
    const capitals: Hex = `0x${data.slice(2).toUpperCase()}`;
    expect(computeDeployment({ to, data: capitals })).toStrictEqual(plain);
  });

  it.each<[string, Hex, Hex]>([
    ['for another contract', B, `${SALT}${INIT_CODE.slice(2)}`],
    ['without init code', DETERMINISTIC_DEPLOYER, SALT],
    ['with a part of a salt', DETERMINISTIC_DEPLOYER, '0xbeef'],
    ['without data', DETERMINISTIC_DEPLOYER, '0x'],
  ])('is not a call %s', (_what, to, data) => {
    expect(computeDeployment({ to, data })).toBeUndefined();
  });
});
