import {
  parseOperationRequest,
  toPackedRequest,
} from '../../../src/eth/operation-request';
import { packPaymaster } from '../../../src/eth/user-operation';
import { OTHER } from '../../fixtures/eth/owner';
import { plain, sponsored, toOurs } from '../../fixtures/eth/user-operation';
import { failureOf } from '../../support/error-of';
import { without } from '../../support/without';

const paid = {
  paymaster: OTHER,
  paymasterVerificationGasLimit: 1,
  paymasterPostOpGasLimit: '0x2',
  paymasterData: '0xc0',
};

const refusalOf = async (value: unknown): Promise<string> =>
  (await failureOf(() => parseOperationRequest(value, 'op'))).message;

describe('an operation that is asked for', () => {
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
  ])('is read in part: %j', (value, expected) => {
    const request = parseOperationRequest(value, 'op');
    expect(toPackedRequest(request, '0.7')).toStrictEqual(expected);
  });

  it('may have a factory whose address only begins like the marker of a delegation', () => {
    const factory = `0x7702${'00'.repeat(17)}01`;
    expect(parseOperationRequest({ factory }, 'op')).toStrictEqual({ factory });
  });
});

describe('an operation that is asked for wrongly', () => {
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
    [{ factoryData: '0x12' }, 'op.factoryData needs op.factory beside it.'],
    [{ paymasterData: '0x12' }, 'op.paymasterData needs op.paymaster beside it.'],
    [
      { paymasterPostOpGasLimit: '0x1' },
      'op.paymasterPostOpGasLimit needs op.paymaster beside it.',
    ],
    [
      { factory: '0x7702' },
      'op.factory asks for an EIP-7702 delegation, which is not supported.',
    ],
    [
      { factory: `0x7702${'00'.repeat(18)}` },
      'op.factory asks for an EIP-7702 delegation, which is not supported.',
    ],
    [
      { initCode: `0x7702${'00'.repeat(18)}12` },
      'op.initCode asks for an EIP-7702 delegation, which is not supported.',
    ],
    [
      { eip7702Auth: {} },
      'op.eip7702Auth asks for an EIP-7702 delegation, which is not supported.',
    ],
  ])('is refused: %j', async (value, message) => {
    expect(await refusalOf(value)).toBe(message);
  });

  it.each<[object, '0.6' | '0.7' | '0.8' | '0.9', string]>([
    [
      { factory: OTHER },
      '0.6',
      'factory is not a field of EntryPoint 0.6: give initCode in its place.',
    ],
    [
      paid,
      '0.6',
      'paymaster is not a field of EntryPoint 0.6: give paymasterAndData in its place.',
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
  ])('is not packed: %j for %s', async (value, version, message) => {
    const request = parseOperationRequest(value, 'op');
    expect(await failureOf(() => toPackedRequest(request, version))).toMatchObject({
      name: 'InvalidParamsError',
      message,
    });
  });

  it('is packed for 0.6 from its own form alone, whatever its length', () => {
    const { paymasterAndData } = toOurs(
      { ...plain, paymaster: sponsored.paymaster },
      '0.6',
    );
    const request = parseOperationRequest({ paymasterAndData }, 'op');
    expect(toPackedRequest(request, '0.6')).toStrictEqual({ paymasterAndData });
  });
});

it.each([
  ['paymasterVerificationGasLimit', { verificationGasLimit: 2n ** 128n }],
  ['paymasterPostOpGasLimit', { postOpGasLimit: 2n ** 128n }],
])('packs no %s that does not fit', async (field, limits) => {
  const gas = { verificationGasLimit: 1n, postOpGasLimit: 1n, ...limits };
  const packing = (): unknown =>
    packPaymaster({ paymaster: OTHER, data: '0x', ...gas });
  expect((await failureOf(packing)).message).toBe(`${field} must be below 2^128.`);
});
