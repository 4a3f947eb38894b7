import { packPaymaster } from '../../../src/eth/user-operation';
import { OTHER } from '../../fixtures/eth/owner';
import { failureOf } from '../../support/error-of';

const fields = {
  paymaster: OTHER,
  verificationGasLimit: 1n,
  postOpGasLimit: 2n ** 128n - 1n,
  data: '0xc0ffee',
} as const;

describe('what pays for an operation', () => {
  it.each([
    ['paymasterVerificationGasLimit', { verificationGasLimit: 2n ** 128n }],
    ['paymasterPostOpGasLimit', { postOpGasLimit: 2n ** 128n }],
  ])('is refused with a %s that does not fit', async (field, limits) => {
    expect(
      (await failureOf(() => packPaymaster({ ...fields, ...limits }))).message,
    ).toBe(`${field} must be below 2^128.`);
  });
});
