import type { Hex } from '../../../src/eth/hex';
import { gasLimitsOf, maxCostOf, payerOf } from '../../../src/eth/operation-cost';
import { entryPointVersions } from '../../../src/eth/user-operation';
import type { EntryPointVersion } from '../../../src/eth/user-operation';
import { OPERATION, packPaymaster, PAYMASTER } from '../../support/plain-operation';

const ZERO: Hex = `0x${'00'.repeat(20)}`;

const operation = {
  ...OPERATION,
  callGasLimit: 100_000n,
  verificationGasLimit: 20_000n,
  preVerificationGas: 3_000n,
  maxFeePerGas: 7n,
};

const packed = (paymaster: Hex): Hex => packPaymaster(paymaster, 500_000n, 60_000n);

const paidBy = (paymasterAndData: Hex): typeof operation => ({
  ...operation,
  paymasterAndData,
});

describe('the maximum cost of a user operation', () => {
  // By hand, after _getRequiredPrefund of each EntryPoint.
  it.each<[EntryPointVersion, Hex, bigint]>([
    ['0.6', '0x', 123_000n],
    ['0.6', PAYMASTER, 163_000n],
    ['0.6', packed(PAYMASTER), 163_000n],
    // No paymaster for the contract, so verification counts once.
    ['0.6', packed(ZERO), 123_000n],
    ['0.7', '0x', 123_000n],
    ['0.7', packed(PAYMASTER), 683_000n],
    ['0.7', packed(ZERO), 683_000n],
    ['0.8', '0x', 123_000n],
    ['0.8', packed(PAYMASTER), 683_000n],
    ['0.9', packed(PAYMASTER), 683_000n],
  ])('for %s with %s is that of %d gas', (version, paymasterAndData, gas) => {
    expect(maxCostOf(paidBy(paymasterAndData), version)).toBe(gas * 7n);
  });

  it.each(entryPointVersions)('counts nothing of what %s cannot read', (version) => {
    expect(maxCostOf(paidBy('0xabcd'), version)).toBe(123_000n * 7n);
  });
});

describe('the gas limits of a user operation', () => {
  const own = [
    ['callGasLimit', 100_000n],
    ['verificationGasLimit', 20_000n],
    ['preVerificationGas', 3_000n],
  ];

  it('are three for 0.6, and without a paymaster', () => {
    expect(gasLimitsOf(paidBy(packed(PAYMASTER)), '0.6')).toStrictEqual(own);
    expect(gasLimitsOf(operation, '0.7')).toStrictEqual(own);
    expect(gasLimitsOf(paidBy(PAYMASTER), '0.8')).toStrictEqual(own);
  });

  it.each(['0.7', '0.8', '0.9'] as const)(
    'are five with a paymaster of %s',
    (version) => {
      expect(gasLimitsOf(paidBy(packed(PAYMASTER)), version)).toStrictEqual([
        ...own,
        ['paymasterVerificationGasLimit', 500_000n],
        ['paymasterPostOpGasLimit', 60_000n],
      ]);
    },
  );
});

describe('the payer of a user operation', () => {
  it.each<[EntryPointVersion, Hex, Hex | undefined]>([
    ['0.6', '0x', operation.sender],
    ['0.7', '0x', operation.sender],
    ['0.8', '0x', operation.sender],
    ['0.6', PAYMASTER, PAYMASTER],
    ['0.7', packed(PAYMASTER), PAYMASTER],
    ['0.8', packed(PAYMASTER), PAYMASTER],
    ['0.9', packed(PAYMASTER), PAYMASTER],
    // What the EntryPoint refuses with AA93.
    ['0.6', PAYMASTER.slice(0, -2) as Hex, undefined],
    ['0.7', packed(PAYMASTER).slice(0, 104) as Hex, undefined],
    ['0.8', PAYMASTER, undefined],
    // The zero address: no paymaster for the contracts, which refuse it from 0.8 on.
    ['0.6', ZERO, operation.sender],
    ['0.7', packed(ZERO), operation.sender],
    ['0.8', packed(ZERO), undefined],
    ['0.9', packed(ZERO), undefined],
  ])('for %s with %s is %s', (version, paymasterAndData, payer) => {
    expect(payerOf(paidBy(paymasterAndData), version)).toBe(payer);
  });
});
