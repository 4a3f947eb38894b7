import { concat, getAddress, recoverAddress } from 'viem';
import {
  entryPoint06Address,
  entryPoint07Address,
  entryPoint08Address,
  entryPoint09Address,
} from 'viem/account-abstraction';

import { entryPoints, entryPointVersions } from '../../../src/core/entry-points';
import { splitPaymasterSignature } from '../../../src/core/operation';
import { withQuantities } from '../../../src/eth/hex';
import {
  parseOperationRequest,
  toPackedRequest,
} from '../../../src/eth/operation-request';
import {
  DETERMINISTIC_DEPLOYER,
  DUMMY_SIGNATURE,
  packPaymaster,
  UserOperationStruct,
} from '../../../src/eth/user-operation';
import { parse } from '../../../src/schema/parse';
import { OTHER } from '../../fixtures/eth/owner';
import { plain, sponsored, toInternal } from '../../fixtures/eth/user-operation';
import { failureOf } from '../../support/error-of';
import { refusalIn } from '../../support/refusal';
import { without } from '../../support/without';

describe('the EntryPoints', () => {
  it("have viem's addresses", () => {
    const ours = entryPointVersions.map((version) => entryPoints[version].entryPoint);
    expect(ours).toStrictEqual([
      entryPoint06Address,
      entryPoint07Address,
      entryPoint08Address,
      entryPoint09Address,
    ]);
  });

  it('have valid checksums, like the factories and the deployer', () => {
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
  it('is read from its eleven fields, and written unchanged', () => {
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
    expect(withQuantities(operation)).toStrictEqual(json);
  });

  it('is written with minimal quantities', () => {
    const nonce = 2n ** 256n - 1n;
    const operation = { ...toInternal(plain, '0.6'), nonce };
    expect(withQuantities(operation)).toMatchObject({
      nonce: `0x${'f'.repeat(64)}`,
      callGasLimit: '0x186a0',
    });
  });

  it.each(Object.keys(json))('is rejected without %s', async (name) => {
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
      'op.sender must be a 20-byte address in hex (mixed case must match the EIP-55 checksum, or EIP-1191 on chains 30 and 31).',
    ],
    [{ factory: OTHER }, 'op.factory is not expected here.'],
  ])('is rejected with %j', (fields, expected) => {
    const given = { ...json, ...fields };
    expect(() => parse(given, UserOperationStruct, 'op')).toThrow(new Error(expected));
  });
});

it('rejects a paymaster signature that is longer than its data, from 0.9 on', async () => {
  const fixed = `0x${'01'.repeat(52)}` as const;
  const data = concat([fixed, '0x0005', '0x22e325a297439656']);
  const { message } = await failureOf(() => splitPaymasterSignature(data, '0.9'));
  expect(message).toMatch(
    /^paymasterAndData is shorter than the length that it states/u,
  );
  const unsigned = { unsigned: data, signature: '0x' };
  expect(splitPaymasterSignature(data, '0.8')).toStrictEqual(unsigned);
});

describe('the dummy signature', () => {
  it('has 65 bytes that ecrecover accepts', async () => {
    expect(DUMMY_SIGNATURE).toMatch(/^0x[0-9a-f]{130}$/u);
    const hash = `0x${'12'.repeat(32)}` as const;
    const recovered = await recoverAddress({ hash, signature: DUMMY_SIGNATURE });
    expect(recovered).toMatch(/^0x[0-9a-fA-F]{40}$/u);
  });
});

const paid = {
  paymaster: OTHER,
  paymasterVerificationGasLimit: 1,
  paymasterPostOpGasLimit: '0x2',
  paymasterData: '0xc0',
};

const refusalOf = async (value: unknown): Promise<string> =>
  (await failureOf(() => parseOperationRequest(value, 'op'))).message;

describe('a partial operation', () => {
  it.each<[object, object]>([
    [{ callData: '0x12' }, { callData: '0x12' }],
    [
      { nonce: '7', callGasLimit: '0x07' },
      { nonce: 7n, callGasLimit: 7n },
    ],
    [{ factory: OTHER }, { initCode: OTHER }],
    [{ factory: OTHER, factoryData: '0x12' }, { initCode: `${OTHER}12` }],
    [
      paid,
      {
        paymasterAndData: `${OTHER}${'1'.padStart(32, '0')}${'2'.padStart(32, '0')}c0`,
      },
    ],
    [
      without(paid, 'paymasterData'),
      { paymasterAndData: `${OTHER}${'1'.padStart(32, '0')}${'2'.padStart(32, '0')}` },
    ],
  ])('is read: %j', (value, expected) => {
    const request = parseOperationRequest(value, 'op');
    expect(toPackedRequest(request, '0.7')).toStrictEqual(expected);
  });

  it('is packed from paymasterAndData without gas limits for EntryPoint 0.6', () => {
    const { paymasterAndData } = toInternal(
      { ...plain, paymaster: sponsored.paymaster },
      '0.6',
    );
    const request = parseOperationRequest({ paymasterAndData }, 'op');
    expect(toPackedRequest(request, '0.6')).toStrictEqual({ paymasterAndData });
  });

  it('may have a factory whose address only begins like the delegation marker', () => {
    const factory = `0x7702${'00'.repeat(17)}01`;
    expect(parseOperationRequest({ factory }, 'op')).toStrictEqual({ factory });
  });
});

describe('a malformed partial operation', () => {
  const DELEGATING = 'asks for an EIP-7702 delegation, which is not supported.';

  it.each<[unknown, string]>([
    [null, 'op must be an object.'],
    ['0x', 'op must be an object.'],
    [[], 'op must be an object.'],
    [{ gas: '0x1' }, 'op.gas is not expected here.'],
    [
      { ...paid, paymasterPostOpGasLimit: `0x1${'0'.repeat(32)}` },
      'op.paymasterPostOpGasLimit must be a quantity below 2^128 ' +
        '(hex with 0x, decimal string, or safe integer).',
    ],
    [
      { initCode: '0x', factory: OTHER },
      'op must have initCode or factory, not both: they mean the same.',
    ],
    [
      { initCode: '0x', factoryData: '0x' },
      'op must have initCode or factoryData, not both: they mean the same.',
    ],
    [
      { paymasterAndData: '0x', ...paid },
      'op must have paymasterAndData or paymaster, not both: they mean the same.',
    ],
    [{ factoryData: '0x12' }, 'op.factoryData also needs op.factory.'],
    [{ paymasterData: '0x12' }, 'op.paymasterData also needs op.paymaster.'],
    [
      { paymasterPostOpGasLimit: '0x1' },
      'op.paymasterPostOpGasLimit also needs op.paymaster.',
    ],
    [{ factory: '0x7702' }, `op.factory ${DELEGATING}`],
    [{ factory: `0x7702${'00'.repeat(18)}` }, `op.factory ${DELEGATING}`],
    [{ initCode: `0x7702${'00'.repeat(18)}12` }, `op.initCode ${DELEGATING}`],
    [{ eip7702Auth: {} }, `op.eip7702Auth ${DELEGATING}`],
  ])('is rejected: %j', async (value, message) => {
    expect(await refusalOf(value)).toBe(message);
  });

  it.each<[object, '0.6' | '0.7' | '0.8' | '0.9', string]>([
    [
      { factory: OTHER },
      '0.6',
      'factory is not a field of EntryPoint 0.6: use initCode instead.',
    ],
    [
      paid,
      '0.6',
      'paymaster is not a field of EntryPoint 0.6: use paymasterAndData instead.',
    ],
    [
      { paymaster: OTHER },
      '0.7',
      'paymasterVerificationGasLimit is missing: it must be given with paymaster.',
    ],
    [
      without(paid, 'paymasterPostOpGasLimit'),
      '0.7',
      'paymasterPostOpGasLimit is missing: it must be given with paymaster.',
    ],
    [
      { ...paid, paymasterSignature: '0x12' },
      '0.8',
      'paymasterSignature is not a field of EntryPoint 0.8: put it into paymasterData.',
    ],
    [
      { ...paid, paymasterSignature: `0x${'12'.repeat(2 ** 16)}` },
      '0.9',
      'paymasterSignature must be shorter than 2^16 bytes.',
    ],
    [
      { initCode: '0x12' },
      '0.7',
      'initCode must be empty or at least 20 bytes long for this EntryPoint.',
    ],
    [
      { paymasterAndData: OTHER },
      '0.7',
      'paymasterAndData must be empty or at least 52 bytes long for this EntryPoint.',
    ],
  ])('is not packed: %j for EntryPoint %s', async (value, version, message) => {
    const request = parseOperationRequest(value, 'op');
    expect(await refusalIn(() => toPackedRequest(request, version))).toStrictEqual({
      code: -32602,
      message,
    });
  });
});

it.each([
  ['paymasterVerificationGasLimit', { verificationGasLimit: 2n ** 128n }],
  ['paymasterPostOpGasLimit', { postOpGasLimit: 2n ** 128n }],
])('does not pack a %s that does not fit', (field, limits) => {
  const gas = { verificationGasLimit: 1n, postOpGasLimit: 1n, ...limits };
  expect(() => packPaymaster({ paymaster: OTHER, data: '0x', ...gas })).toThrow(
    new Error(`${field} must be below 2^128.`),
  );
});
