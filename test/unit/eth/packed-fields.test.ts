import {
  packPaymaster,
  unpackFactory,
  unpackPaymaster,
} from '../../../src/eth/user-operation';
import { OTHER } from '../../fixtures/eth/owner';
import { failureOf } from '../../support/error-of';

const fields = {
  paymaster: OTHER,
  verificationGasLimit: 1n,
  postOpGasLimit: 2n ** 128n - 1n,
  data: '0xc0ffee',
} as const;

const packed = `${OTHER}${'1'.padStart(32, '0')}${'f'.repeat(32)}c0ffee` as const;

describe('what pays for an operation', () => {
  it('is packed as address, two gas limits of 16 bytes, and data', () => {
    expect(packPaymaster(fields)).toBe(packed);
    expect(unpackPaymaster(packed)).toStrictEqual(fields);
  });

  it('is nobody where there are no bytes', () => {
    expect(unpackPaymaster('0x')).toBeUndefined();
  });

  it.each(['0x12', `${OTHER}${'00'.repeat(31)}`] as const)(
    'is not read from %s',
    async (bytes) => {
      expect((await failureOf(() => unpackPaymaster(bytes))).message).toBe(
        'paymasterAndData must be empty or at least 52 bytes long for this EntryPoint.',
      );
    },
  );

  it.each([
    ['paymasterVerificationGasLimit', { verificationGasLimit: 2n ** 128n }],
    ['paymasterPostOpGasLimit', { postOpGasLimit: 2n ** 128n }],
  ])('is refused with a %s that does not fit', async (field, limits) => {
    expect(
      (await failureOf(() => packPaymaster({ ...fields, ...limits }))).message,
    ).toBe(`${field} must be below 2^128.`);
  });
});

describe('what deploys an account', () => {
  it('is an address and data', () => {
    expect(unpackFactory(`${OTHER}12`)).toStrictEqual({ factory: OTHER, data: '0x12' });
  });

  it('is nothing where there are no bytes', () => {
    expect(unpackFactory('0x')).toBeUndefined();
  });

  it('is not read from less than an address', async () => {
    expect((await failureOf(() => unpackFactory('0x12'))).message).toBe(
      'initCode must be empty or at least 20 bytes long for this EntryPoint.',
    );
  });
});
