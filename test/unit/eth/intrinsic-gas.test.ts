import {
  computeIntrinsicGas,
  computeTransferGas,
  forkGas,
  MAX_TRANSACTION_GAS,
} from '../../../src/eth/intrinsic-gas';
import type { PricedFields, Recipient } from '../../../src/eth/intrinsic-gas';
import { gasParameters, referenceCases } from '../../fixtures/eth/gas-reference';

const TO = `0x${'70'.repeat(20)}` as const;
const KEY = `0x${'00'.repeat(32)}` as const;

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

describe('intrinsic gas', () => {
  const plain = { to: TO, value: 0n, data: '0x' } as const;
  const costOf = (changes: Partial<PricedFields>, fork: 'prague' | 'amsterdam') =>
    computeIntrinsicGas({ ...plain, ...changes }, fork, { recipient: 'exists' }) -
    computeIntrinsicGas(plain, fork, { recipient: 'exists' });

  it('counts calldata at its floor, of zeros too from Amsterdam on', () => {
    expect(costOf({ data: '0x00' }, 'prague')).toBe(prague.TOTAL_COST_FLOOR_PER_TOKEN);
    expect(costOf({ data: '0xff' }, 'prague')).toBe(
      4n * prague.TOTAL_COST_FLOOR_PER_TOKEN,
    );
    for (const data of ['0x00', '0xff'] as const) {
      expect(costOf({ data }, 'amsterdam')).toBe(
        4n * amsterdam.TOTAL_COST_FLOOR_PER_TOKEN,
      );
    }
  });

  it('counts an access list, and its bytes from Amsterdam on', () => {
    const accessList = [{ address: TO, storageKeys: [KEY, KEY] }];
    const ofEntries = (rules: {
      ACCESS_LIST_ADDRESS_COST: bigint;
      ACCESS_LIST_STORAGE_KEY_COST: bigint;
    }) => rules.ACCESS_LIST_ADDRESS_COST + 2n * rules.ACCESS_LIST_STORAGE_KEY_COST;
    expect(costOf({ accessList }, 'prague')).toBe(ofEntries(prague));
    const ofBytes = amsterdam.ACCESS_LIST_BYTE_COST * (20n + 2n * 32n);
    expect(costOf({ accessList }, 'amsterdam')).toBe(ofEntries(amsterdam) + ofBytes);
    // The bytes count beside the floor, and the entries below it.
    const data = `0x${'00'.repeat(1_000)}` as const;
    const floor = 4_000n * amsterdam.TOTAL_COST_FLOOR_PER_TOKEN;
    expect(costOf({ accessList, data }, 'amsterdam')).toBe(floor + ofBytes);
  });

  it('counts authorizations, whose accounts decide what is charged later', () => {
    const authorizationList = [
      { chainId: 1n, address: TO, nonce: 0n, yParity: 0n, r: 1n, s: 1n },
    ];
    expect(costOf({ authorizationList }, 'prague')).toBe(prague.PER_EMPTY_ACCOUNT_COST);
    expect(costOf({ authorizationList }, 'amsterdam')).toBe(
      amsterdam.EXECUTION_PER_AUTH_BASE_COST,
    );
  });

  it('counts words of init code', () => {
    const create = { to: null, data: `0x${'00'.repeat(33)}` } as const;
    expect(costOf(create, 'prague')).toBe(
      32_000n + 33n * prague.STANDARD_TOKEN_COST + 2n * prague.INITCODE_WORD_COST,
    );
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
