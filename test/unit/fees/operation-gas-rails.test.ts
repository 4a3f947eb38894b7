import type { Hex } from '../../../src/eth/hex';
import { findAlerts } from '../../support/operation-alerts';
import { PAYMASTER, packPaymaster } from '../../support/plain-operation';

/** 24 bytes. */
const INIT_CODE: Hex = '0x00000000000000000000000000000000000000bb5fbfb9cf';

describe('guard rails of gas', () => {
  it('find a limit above its bound', () => {
    const bounds = [
      ['callGasLimit', 30_000_000n],
      ['verificationGasLimit', 5_000_000n],
    ] as const;
    for (const [field, bound] of bounds) {
      const gas = bound + 1n;
      expect(findAlerts({ [field]: bound })).toStrictEqual([]);
      expect(findAlerts({ [field]: gas })).toStrictEqual([
        { kind: 'gasLimit', field, gas, bound },
      ]);
    }
  });

  it('find gas for calls that no block has', () => {
    const facts = { blockGasLimit: 99_999n };
    expect(findAlerts({}, facts)).toStrictEqual([
      { kind: 'gasLimit', field: 'callGasLimit', gas: 100_000n, bound: 99_999n },
    ]);
  });

  it('find gas of the paymaster above its bound', () => {
    const bound = 5_000_000n;
    const at = packPaymaster(PAYMASTER, bound, bound);
    expect(findAlerts({ paymasterAndData: at })).toStrictEqual([]);
    const above = packPaymaster(PAYMASTER, bound + 1n, bound + 2n);
    expect(findAlerts({ paymasterAndData: above })).toStrictEqual([
      {
        kind: 'gasLimit',
        field: 'paymasterVerificationGasLimit',
        gas: bound + 1n,
        bound,
      },
      { kind: 'gasLimit', field: 'paymasterPostOpGasLimit', gas: bound + 2n, bound },
    ]);
  });

  it('find preVerificationGas above a million', () => {
    const bound = 1_000_000n;
    expect(findAlerts({ preVerificationGas: bound })).toStrictEqual([]);
    expect(findAlerts({ preVerificationGas: bound + 1n })).toStrictEqual([
      { kind: 'preVerificationGas', gas: bound + 1n, bound },
    ]);
  });

  it('allow four times what the bytes cost, if that is more', () => {
    const callData: Hex = `0x${'ab'.repeat(10_000)}`;
    const changes = { callData, initCode: INIT_CODE };
    const bound = 4n * (80_000n + 40n * 10_024n);
    const opaque = { kind: 'opaque' };
    expect(findAlerts({ ...changes, preVerificationGas: bound })).toStrictEqual([
      opaque,
    ]);
    expect(findAlerts({ ...changes, preVerificationGas: bound + 1n })).toStrictEqual([
      opaque,
      { kind: 'preVerificationGas', gas: bound + 1n, bound },
    ]);
  });

  it('allow twenty million on a rollup', () => {
    const bound = 20_000_000n;
    const facts = { isRollup: true };
    expect(findAlerts({ preVerificationGas: bound }, facts)).toStrictEqual([]);
    expect(findAlerts({ preVerificationGas: bound + 1n }, facts)).toStrictEqual([
      { kind: 'preVerificationGas', gas: bound + 1n, bound },
    ]);
  });
});
