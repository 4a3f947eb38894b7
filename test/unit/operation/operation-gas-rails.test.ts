import type { Hex } from '../../../src/eth/hex';
import type { GasFork } from '../../../src/eth/intrinsic-gas';
import { computePreVerificationGas } from '../../../src/eth/operation-cost';
import { DUMMY_SIGNATURE as signature } from '../../../src/eth/user-operation';
import type { UserOperation } from '../../../src/eth/user-operation';
import { gasLabels } from '../../../src/operation/warnings';
import { danger, warning } from '../../../src/ui/warnings';
import { MARKET } from '../../support/fees';
import { findWarnings } from '../../support/operation-warnings';
import { OPERATION, packPaymaster, PAYMASTER } from '../../support/plain-operation';

describe('guard rails of gas', () => {
  it('find a limit above its bound', () => {
    const bounds = [
      ['callGasLimit', 30_000_000n],
      ['verificationGasLimit', 5_000_000n],
    ] as const;
    for (const [field, bound] of bounds) {
      const gas = bound + 1n;
      expect(findWarnings({ [field]: bound })).toStrictEqual([]);
      expect(findWarnings({ [field]: gas })).toStrictEqual([
        warning('alert.gasLimit', { field: { label: gasLabels[field] }, gas, bound }),
      ]);
    }
  });

  it('find gas of the paymaster above its bound', () => {
    const bound = 5_000_000n;
    const at = packPaymaster(PAYMASTER, bound, bound);
    expect(findWarnings({ paymasterAndData: at })).toStrictEqual([]);
    const above = packPaymaster(PAYMASTER, bound + 1n, bound + 2n);
    expect(findWarnings({ paymasterAndData: above })).toStrictEqual([
      warning('alert.gasLimit', {
        field: { label: 'field.paymasterVerificationGas' },
        gas: bound + 1n,
        bound,
      }),
      warning('alert.gasLimit', {
        field: { label: 'field.paymasterPostOpGas' },
        gas: bound + 2n,
        bound,
      }),
    ]);
  });

  it('find a limit above twice what the node says', () => {
    const nodeGas = { callGasLimit: 50_000n, verificationGasLimit: 100_000n };
    expect(findWarnings({}, { nodeGas })).toStrictEqual([]);
    const estimate = 49_999n;
    const less = { callGasLimit: estimate, verificationGasLimit: undefined };
    expect(findWarnings({}, { nodeGas: less })).toStrictEqual([
      warning('alert.gasEstimate', {
        field: { label: 'field.callGas' },
        gas: 100_000n,
        estimate,
      }),
    ]);
    // Nobody estimates what an account without code does.
    const absent = { nodeGas: less, isDeployed: false };
    expect(findWarnings({}, absent)).toStrictEqual([warning('alert.undeployed')]);
  });

  /** Our own figure, which the bytes of the figure itself count for. */
  const ownOf = (changes: Partial<UserOperation>, fork: GasFork = 'prague'): bigint =>
    computePreVerificationGas(
      {
        ...OPERATION,
        signature,
        maxFeePerGas: MARKET.high.maxFeePerGas,
        ...changes,
      },
      { version: '0.7', fork },
    );

  it('find preVerificationGas above twice our own figure', () => {
    const fitting = { preVerificationGas: 85_000n };
    const gas = 110_000n;
    const [least, estimate] = [ownOf(fitting), ownOf({ preVerificationGas: gas })];
    expect([least * 2n > 85_000n, estimate * 2n < gas]).toStrictEqual([true, true]);
    expect(findWarnings(fitting)).toStrictEqual([]);
    expect(findWarnings({ preVerificationGas: gas })).toStrictEqual([
      warning('alert.preVerificationGas', { gas, estimate }),
    ]);
  });

  it('follow the rules of gas of the chain', () => {
    const fitting = { preVerificationGas: 110_000n };
    const estimate = ownOf(fitting);
    expect(findWarnings(fitting)).toStrictEqual([
      warning('alert.preVerificationGas', { gas: 110_000n, estimate }),
    ]);
    expect(ownOf(fitting, 'amsterdam') * 2n).toBeGreaterThan(110_000n);
    expect(findWarnings(fitting, { fork: 'amsterdam' })).toStrictEqual([]);
  });

  it('count what the bytes of a long operation cost', () => {
    const callData: Hex = `0x${'ab'.repeat(10_000)}`;
    const preVerificationGas = 2n * ownOf({ callData }) - 1_000n;
    expect(findWarnings({ callData, preVerificationGas })).toStrictEqual([
      danger('alert.opaque'),
    ]);
  });

  it('count the data fee that the bundler pays, at what it is paid for gas', () => {
    const fees = { maxFeePerGas: 4_000n, maxPriorityFeePerGas: 1_000n };
    const levels = { ...MARKET, estimatedBaseFee: 1_000n };
    // A million gas at base fee and priority fee.
    const facts = { levels, dataFee: 2_000_000_000n };
    const fitting = { ...fees, preVerificationGas: 2_080_000n };
    expect(findWarnings(fitting, facts)).toStrictEqual([]);
    const above = { ...fees, preVerificationGas: 2_120_000n };
    expect(findWarnings(above, facts)).toStrictEqual([
      warning('alert.preVerificationGas', {
        gas: 2_120_000n,
        estimate: ownOf(above) + 1_000_000n,
      }),
    ]);
    // The maximum fee is all that there is.
    expect(findWarnings({ ...above, maxFeePerGas: 1_000n }, facts)).toStrictEqual([]);
    const free = { ...above, maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };
    expect(findWarnings(free, facts)).toStrictEqual([]);
  });

  it('allow twenty million where the base layer is paid in gas', () => {
    const bound = 20_000_000n;
    const facts = { paysDataInGas: true };
    expect(findWarnings({ preVerificationGas: bound }, facts)).toStrictEqual([]);
    const above = { preVerificationGas: bound + 1n };
    expect(findWarnings(above, facts)).toStrictEqual([
      warning('alert.preVerificationGas', { gas: bound + 1n, estimate: ownOf(above) }),
    ]);
  });
});
