import {
  computeIntrinsicGas,
  computeTransferGas,
  forkGas,
  MAX_TRANSACTION_GAS,
} from '../../../src/eth/intrinsic-gas';
import type { Recipient } from '../../../src/eth/intrinsic-gas';
import { gasParameters, referenceCases } from '../../fixtures/eth/gas-reference';

const TO = `0x${'70'.repeat(20)}` as const;

const { prague, amsterdam } = gasParameters;

describe('the reference cases of EIP-2780', () => {
  it.each(referenceCases)('hold: $name', ({ to, value, intrinsic, state }) => {
    const isCreating = to === 'none' || to === 'funded';
    const recipients: Record<typeof to, Recipient> = {
      self: 'self',
      exists: 'exists',
      created: 'created',
      none: 'created',
      contract: 'exists',
      delegated: 'exists',
      funded: 'exists',
    };
    const fields = { to: isCreating ? null : TO, value, data: '0x' } as const;
    const compute = (recipient: Recipient): bigint =>
      computeIntrinsicGas(fields, 'amsterdam', { recipient });
    expect(compute(recipients[to])).toBe(intrinsic + state);
    expect(compute(to === 'self' ? 'self' : 'unknown')).toBe(intrinsic);
  });

  it('all cost 21,000 before, and 32,000 more to create', () => {
    for (const { to, value } of referenceCases) {
      const isCreating = to === 'none' || to === 'funded';
      const fields = { to: isCreating ? null : TO, value, data: '0x' } as const;
      for (const recipient of ['self', 'exists', 'created', 'unknown'] as const) {
        expect(computeIntrinsicGas(fields, 'prague', { recipient })).toBe(
          isCreating ? 53_000n : 21_000n,
        );
      }
    }
  });
});

it('is known of transfers', () => {
  expect(computeTransferGas('prague', 'exists')).toBe(21_000n);
  expect(computeTransferGas('prague', 'created')).toBe(21_000n);
  expect(computeTransferGas('amsterdam', 'exists')).toBe(21_000n);
  expect(computeTransferGas('amsterdam', 'created')).toBe(
    21_000n + amsterdam.STATE_BYTES_PER_NEW_ACCOUNT * amsterdam.CPSB,
  );
});

it('follows the parameters of the EIPs where figures are upper estimates', () => {
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
