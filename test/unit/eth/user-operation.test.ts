import { concat, getAddress, recoverAddress } from 'viem';
import {
  entryPoint06Address,
  entryPoint07Address,
  entryPoint08Address,
  entryPoint09Address,
} from 'viem/account-abstraction';

import {
  DETERMINISTIC_DEPLOYER,
  DUMMY_SIGNATURE,
  entryPoints,
  entryPointVersions,
  splitPaymasterSignature,
  toUserOperationJson,
  UserOperationStruct,
} from '../../../src/eth/user-operation';
import { parse } from '../../../src/schema/parse';
import { OTHER } from '../../fixtures/eth/owner';
import { plain, toOurs } from '../../fixtures/eth/user-operation';
import { failureOf } from '../../support/error-of';
import { without } from '../../support/without';

describe('the EntryPoints', () => {
  it('are where viem knows them', () => {
    const ours = entryPointVersions.map((version) => entryPoints[version].entryPoint);
    expect(ours).toStrictEqual([
      entryPoint06Address,
      entryPoint07Address,
      entryPoint08Address,
      entryPoint09Address,
    ]);
  });

  it('and all other addresses have their checksum', () => {
    const rows = Object.values(entryPoints);
    const all = [
      DETERMINISTIC_DEPLOYER,
      ...rows.flatMap(({ entryPoint, factory }) => [entryPoint, factory]),
    ];
    expect(all.map((address) => getAddress(address.toLowerCase()))).toStrictEqual(all);
  });
});

const json = {
  sender: OTHER,
  nonce: '0x0',
  initCode: '0x',
  callData: '0xab',
  callGasLimit: '0x1',
  verificationGasLimit: '0x2',
  preVerificationGas: '0x3',
  maxFeePerGas: '0x4',
  maxPriorityFeePerGas: '0x5',
  paymasterAndData: '0x',
  signature: '0x',
};

const QUANTITY =
  'a quantity below 2^256 (hex with 0x, decimal string, or safe integer)';
const BYTES = 'bytes in hex (0x and an even number of digits; 1 MB at most)';

describe('a user operation', () => {
  it('is read from its eleven fields and written again', () => {
    const operation = parse(json, UserOperationStruct, 'params[0]');
    expect(operation).toStrictEqual({
      ...json,
      nonce: 0n,
      callGasLimit: 1n,
      verificationGasLimit: 2n,
      preVerificationGas: 3n,
      maxFeePerGas: 4n,
      maxPriorityFeePerGas: 5n,
    });
    expect(toUserOperationJson(operation)).toStrictEqual(json);
  });

  it('is written with minimal quantities that keep their value', () => {
    const nonce = 2n ** 256n - 1n;
    const operation = { ...toOurs(plain, '0.6'), nonce };
    expect(toUserOperationJson(operation)).toMatchObject({
      nonce: `0x${'f'.repeat(64)}`,
      callGasLimit: '0x186a0',
    });
  });

  it.each(Object.keys(json))('is refused without %s', async (name) => {
    const { message } = await failureOf(() =>
      parse(without(json, name as never), UserOperationStruct, 'op'),
    );
    expect(message.startsWith(`op.${name} is missing: it must be `)).toBe(true);
  });

  it.each<[object, string]>([
    [{ nonce: -1 }, `op.nonce must be ${QUANTITY}.`],
    [{ maxFeePerGas: null }, `op.maxFeePerGas must be ${QUANTITY}.`],
    [{ callData: '0xabc' }, `op.callData must be ${BYTES}.`],
    [
      { sender: '0x12' },
      'op.sender must be a 20-byte address in hex (in mixed case: with its EIP-55 checksum).',
    ],
    [{ factory: OTHER }, 'op.factory is not expected here.'],
  ])('is refused with %j', async (fields, expected) => {
    const run = (): unknown => parse({ ...json, ...fields }, UserOperationStruct, 'op');
    expect((await failureOf(run)).message).toBe(expected);
  });
});

it('refuses a paymaster signature that is longer than its data, from 0.9 on', async () => {
  const fixed = `0x${'01'.repeat(52)}` as const;
  const data = concat([fixed, '0x0005', '0x22e325a297439656']);
  const { message } = await failureOf(() => splitPaymasterSignature(data, '0.9'));
  expect(message).toMatch(/^paymasterAndData is shorter than the paymaster signature/u);
  const unsigned = { unsigned: data, signature: '0x' };
  expect(splitPaymasterSignature(data, '0.8')).toStrictEqual(unsigned);
});

describe('the dummy signature', () => {
  it('has 65 bytes and is one that ecrecover takes', async () => {
    expect(DUMMY_SIGNATURE).toMatch(/^0x[0-9a-f]{130}$/u);
    const hash = `0x${'12'.repeat(32)}` as const;
    const recovered = await recoverAddress({ hash, signature: DUMMY_SIGNATURE });
    expect(recovered).toMatch(/^0x[0-9a-fA-F]{40}$/u);
  });
});
