import { byteLength } from '../../../src/eth/hex';
import type { GasFork } from '../../../src/eth/intrinsic-gas';
import {
  computePreVerificationGas,
  encodeOperation,
} from '../../../src/eth/operation-cost';
import { DUMMY_SIGNATURE, entryPointVersions } from '../../../src/eth/user-operation';
import { OPERATION } from '../../support/plain-operation';

describe.each(entryPointVersions)('preVerificationGas of %s', (version) => {
  const signed = { ...OPERATION, signature: DUMMY_SIGNATURE };
  const compute = (changes: object, fork: GasFork = 'prague'): bigint =>
    computePreVerificationGas({ ...signed, ...changes }, { version, fork });
  const gas = compute({});
  const costOf = (changes: object): bigint => compute(changes) - gas;

  it('holds the transaction, the EntryPoint’s own work and the bytes', () => {
    expect(gas).toBeGreaterThan(39_300n + 65n * 10n);
    expect(gas).toBeLessThan(60_000n);
  });

  it('grows with a byte by its floor price (EIP-7623), a zero for a quarter', () => {
    const { nonce } = signed;
    expect(costOf({ nonce: nonce + 256n })).toBe(30n);
    expect(costOf({ nonce: nonce - nonce })).toBe(-30n);
  });

  it('grows with a word by its bytes and the copy of it', () => {
    // Two words each: its length, which was zero before, is there already.
    expect(costOf({ paymasterAndData: `0x${'ff'.repeat(32)}` })).toBe(
      32n * 40n + 4n + 30n,
    );
  });

  it('counts 64 gas a byte and a cheaper transaction from Amsterdam on', () => {
    const length = BigInt(byteLength(encodeOperation(signed, version)));
    const words = length / 32n;
    expect(compute({}, 'amsterdam')).toBe(
      15_000n + 18_300n + 64n * length + 4n * words,
    );
  });
});
