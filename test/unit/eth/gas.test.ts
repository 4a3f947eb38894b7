import { entryPointVersions } from '../../../src/core/entry-points';
import type { EntryPointVersion } from '../../../src/core/entry-points';
import { byteLength } from '../../../src/eth/hex';
import type { Hex } from '../../../src/eth/hex';
import {
  computeIntrinsicGas,
  computeTransferGas,
  forkGas,
  MAX_TRANSACTION_GAS,
} from '../../../src/eth/intrinsic-gas';
import type { GasFork, Recipient } from '../../../src/eth/intrinsic-gas';
import {
  computePreVerificationGas,
  encodeOperation,
  gasLimitsOf,
  maxCostOf,
  maxCostWithValue,
  payerOf,
} from '../../../src/eth/operation-cost';
import { DUMMY_SIGNATURE } from '../../../src/eth/user-operation';
import { gasParameters, referenceCases } from '../../fixtures/eth/gas-reference';
import type { ReferenceCase } from '../../fixtures/eth/gas-reference';
import { OPERATION, packPaymaster, PAYMASTER } from '../../support/plain-operation';

const TO = `0x${'70'.repeat(20)}` as const;

const { prague, amsterdam } = gasParameters;

const isCreating = ({ to }: ReferenceCase): boolean => to === 'none' || to === 'funded';

const fieldsOf = (each: ReferenceCase) =>
  ({ to: isCreating(each) ? null : TO, value: each.value, data: '0x' }) as const;

describe('the reference cases of EIP-2780', () => {
  it.each(referenceCases)('hold: $name', (each) => {
    const { to, intrinsic, state } = each;
    const recipients: Record<typeof to, Recipient> = {
      self: 'self',
      exists: 'exists',
      created: 'created',
      none: 'created',
      contract: 'exists',
      delegated: 'exists',
      funded: 'exists',
    };
    const compute = (recipient: Recipient): bigint =>
      computeIntrinsicGas(fieldsOf(each), 'amsterdam', { recipient });
    expect(compute(recipients[to])).toBe(intrinsic + state);
    expect(compute(to === 'self' ? 'self' : 'unknown')).toBe(intrinsic);
  });

  it('cost 21,000 before the fork, and 32,000 more for a creation', () => {
    for (const each of referenceCases) {
      for (const recipient of ['self', 'exists', 'created', 'unknown'] as const) {
        const gas = computeIntrinsicGas(fieldsOf(each), 'prague', { recipient });
        expect(gas).toBe(isCreating(each) ? 53_000n : 21_000n);
      }
    }
  });
});

it('computes the gas of transfers', () => {
  expect(computeTransferGas('prague', 'exists')).toBe(21_000n);
  expect(computeTransferGas('prague', 'created')).toBe(21_000n);
  expect(computeTransferGas('amsterdam', 'exists')).toBe(21_000n);
  expect(computeTransferGas('amsterdam', 'created')).toBe(
    21_000n + amsterdam.STATE_BYTES_PER_NEW_ACCOUNT * amsterdam.CPSB,
  );
});

it("keeps the upper bounds at or above the EIPs' parameters", () => {
  const { CPSB } = amsterdam;
  const slot =
    amsterdam.COLD_STORAGE_ACCESS +
    amsterdam.STORAGE_WRITE +
    amsterdam.STATE_BYTES_PER_STORAGE_SET * CPSB;
  const gas = forkGas.amsterdam;
  expect(slot).toBe(110_020n);
  expect(gas.verification).toBeGreaterThan(slot);
  expect(gas.prefund).toBeGreaterThan(slot);
  expect(gas.innerCall).toBeGreaterThan(amsterdam.STATE_BYTES_PER_NEW_ACCOUNT * CPSB);
  expect(gas.delegation).toBe(amsterdam.STATE_BYTES_PER_AUTH_BASE * CPSB);
  expect(gas.codeByte).toBe(CPSB);
  expect(MAX_TRANSACTION_GAS).toBe(prague.MAX_GAS_LIMIT);
});

describe.each(entryPointVersions)('preVerificationGas for EntryPoint %s', (version) => {
  const signed = { ...OPERATION, signature: DUMMY_SIGNATURE };
  const compute = (changes: object, fork: GasFork = 'prague'): bigint =>
    computePreVerificationGas({ ...signed, ...changes }, { version, fork });
  const gas = compute({});
  const costOf = (changes: object): bigint => compute(changes) - gas;

  it("covers the transaction, the EntryPoint's own work and the bytes", () => {
    expect(gas).toBeGreaterThan(39_300n + 65n * 10n);
    expect(gas).toBeLessThan(60_000n);
  });

  it('adds the floor price of a byte (EIP-7623), or a quarter of it for a zero byte', () => {
    const { nonce } = signed;
    expect(costOf({ nonce: nonce + 256n })).toBe(30n);
    expect(costOf({ nonce: 0n })).toBe(-30n);
  });

  it('adds the bytes of a word and the cost of copying it', () => {
    // The empty field already has a word for its length.
    expect(costOf({ paymasterAndData: `0x${'ff'.repeat(32)}` })).toBe(
      32n * 40n + 4n + 30n,
    );
  });

  it('charges 64 gas per byte and a lower transaction cost from Amsterdam on', () => {
    const length = BigInt(byteLength(encodeOperation(signed, version)));
    const words = length / 32n;
    expect(compute({}, 'amsterdam')).toBe(
      15_000n + 18_300n + 64n * length + 4n * words,
    );
  });
});

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
  // Computed by hand from _getRequiredPrefund of each EntryPoint.
  it.each<[EntryPointVersion, Hex, bigint]>([
    ['0.6', '0x', 123_000n],
    ['0.6', PAYMASTER, 163_000n],
    ['0.6', packed(PAYMASTER), 163_000n],
    // The contract does not see a paymaster, so verification gas counts once.
    ['0.6', packed(ZERO), 123_000n],
    ['0.7', '0x', 123_000n],
    ['0.7', packed(PAYMASTER), 683_000n],
    ['0.7', packed(ZERO), 683_000n],
    ['0.8', '0x', 123_000n],
    ['0.8', packed(PAYMASTER), 683_000n],
    ['0.9', packed(PAYMASTER), 683_000n],
  ])('for %s with %s is the price of %d gas', (version, paymasterAndData, gas) => {
    expect(maxCostOf(paidBy(paymasterAndData), version)).toBe(gas * 7n);
  });

  it('includes the value of its calls if the account pays for both', () => {
    const values = [5n, 6n];
    const gas = 123_000n * 7n;
    expect(maxCostWithValue(paidBy('0x'), '0.7', values)).toBe(gas + 11n);
    // In 0.7, the zero address is not a paymaster.
    const all = 683_000n * 7n;
    expect(maxCostWithValue(paidBy(packed(ZERO)), '0.7', values)).toBe(all + 11n);
    expect(maxCostWithValue(paidBy(packed(PAYMASTER)), '0.7', values)).toBe(all);
    expect(maxCostWithValue(paidBy('0xabcd'), '0.7', values)).toBe(gas + 11n);
  });

  it.each(entryPointVersions)('ignores a paymaster that %s cannot read', (version) => {
    expect(maxCostOf(paidBy('0xabcd'), version)).toBe(123_000n * 7n);
  });
});

describe('the gas limits of a user operation', () => {
  const own = [
    ['callGasLimit', 100_000n],
    ['verificationGasLimit', 20_000n],
    ['preVerificationGas', 3_000n],
  ];

  it('include no paymaster limits in 0.6 or without a paymaster', () => {
    expect(gasLimitsOf(paidBy(packed(PAYMASTER)), '0.6')).toStrictEqual(own);
    expect(gasLimitsOf(operation, '0.7')).toStrictEqual(own);
    expect(gasLimitsOf(paidBy(PAYMASTER), '0.8')).toStrictEqual(own);
  });

  it.each(['0.7', '0.8', '0.9'] as const)(
    'include the two paymaster limits in %s',
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
    // The EntryPoint refuses these with AA93.
    ['0.6', PAYMASTER.slice(0, -2) as Hex, undefined],
    ['0.7', packed(PAYMASTER).slice(0, 104) as Hex, undefined],
    ['0.8', PAYMASTER, undefined],
    // The zero address means no paymaster in 0.6 and 0.7; later contracts refuse it.
    ['0.6', ZERO, operation.sender],
    ['0.7', packed(ZERO), operation.sender],
    ['0.8', packed(ZERO), undefined],
    ['0.9', packed(ZERO), undefined],
  ])('for %s with %s is %s', (version, paymasterAndData, payer) => {
    expect(payerOf(paidBy(paymasterAndData), version)).toBe(payer);
  });
});
