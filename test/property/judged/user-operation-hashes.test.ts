// Hashes of user operations, by the thousand: a wrong one is a signature that no contract accepts,
// or that signs something else.
import fc from 'fast-check';

import { hashUserOperation } from '../../../src/eth/sign-user-operation';
import { entryPointVersions } from '../../../src/eth/user-operation';
import { hashByViem, toOurs } from '../../fixtures/eth/user-operation';
import {
  chainId,
  operationParts,
  paymasterSignedParts,
} from '../../support/arbitraries';
import { runs } from '../../support/runs';

const OPERATIONS = 1_000;

const place = fc.oneof(chainId, fc.constantFrom(2 ** 53 - 1, 2 ** 52 + 1));

describe.each(entryPointVersions)('the hash of any operation of %s', (version) => {
  it("is viem's", () => {
    const property = fc.property(operationParts, place, (parts, id) => {
      const operation = toOurs(parts, version);
      const domain = { chainId: BigInt(id), entryPoint: version };
      expect(hashUserOperation(operation, domain)).toBe(hashByViem(parts, version, id));
    });
    fc.assert(property, runs(OPERATIONS));
  });

  it('changes with every field that is signed, and not with the signature', () => {
    const property = fc.property(operationParts, (parts) => {
      const operation = toOurs(parts, version);
      const domain = { chainId: 1n, entryPoint: version };
      const others = Object.keys(operation).filter((name) => {
        const other = { ...operation, [name]: differ(operation[name as never]) };
        return (
          hashUserOperation(other, domain) !== hashUserOperation(operation, domain)
        );
      });
      const signed = Object.keys(operation).filter((name) => name !== 'signature');
      expect(others).toStrictEqual(signed);
    });
    fc.assert(property, runs(100));
  });
});

it('leaves the signature of a paymaster of 0.9 out, but not that it is there', () => {
  const property = fc.property(paymasterSignedParts, place, (parts, id) => {
    const { paymasterSignature, ...unsigned } = parts.paymaster;
    const hashOf = (paymaster: typeof unsigned): string =>
      hashUserOperation(toOurs({ ...parts, paymaster }, '0.9'), {
        chainId: BigInt(id),
        entryPoint: '0.9',
      });
    const hash = hashOf(parts.paymaster);
    expect(hash).toBe(hashByViem(parts, '0.9', id));
    const other = { ...unsigned, paymasterSignature: `${paymasterSignature}00` };
    expect(hashOf(other)).toBe(hash);
    expect(hashOf(unsigned)).not.toBe(hash);
  });
  fc.assert(property, runs(OPERATIONS));
});

/** Makes another value of the same kind. */
function differ(value: bigint | string): bigint | string {
  if (typeof value === 'bigint') return value ^ 1n;
  // An address keeps its length.
  if (value.length === 42) {
    return `${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}`;
  }
  return `${value}00`;
}
