import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { formatUserOperationRequest } from 'viem/account-abstraction';

import { toBundlerForm } from '../../src/client';
import { entryPointVersions } from '../../src/eth/entry-point';
import { hashUserOperation } from '../../src/eth/sign-user-operation';
import { toUserOperationJson, UserOperationStruct } from '../../src/eth/user-operation';
import { parse } from '../../src/parse';
import { hashByViem, toOurs, toViem } from '../fixtures/eth/user-operation';
import type { OperationParts } from '../fixtures/eth/user-operation';
import { address, bytes, chainId, uint } from '../support/arbitraries';
import { runs } from '../support/runs';

const parts: Arbitrary<OperationParts> = fc.record({
  numbers: fc.record({
    nonce: uint(256),
    callGasLimit: uint(128),
    verificationGasLimit: uint(128),
    preVerificationGas: uint(256),
    maxFeePerGas: uint(128),
    maxPriorityFeePerGas: uint(128),
  }),
  sender: address,
  callData: bytes(300),
  signature: bytes(65),
  deployment: fc.option(fc.record({ factory: address, factoryData: bytes() }), {
    nil: undefined,
  }),
  paymaster: fc.option(
    fc.record({
      paymaster: address,
      paymasterVerificationGasLimit: uint(128),
      paymasterPostOpGasLimit: uint(128),
      paymasterData: bytes(),
    }),
    { nil: undefined },
  ),
});

describe.each(entryPointVersions)('any user operation of %s', (version) => {
  it('has the hash that viem computes', () => {
    const property = fc.property(parts, chainId, (each, id) => {
      const domain = { chainId: BigInt(id), entryPoint: version };
      expect(hashUserOperation(toOurs(each, version), domain)).toBe(
        hashByViem(each, version, id),
      );
    });
    fc.assert(property, runs(150));
  });

  it('has the form for bundlers that viem writes', () => {
    const lower = (form: object): unknown =>
      JSON.parse(JSON.stringify(form).toLowerCase());
    const property = fc.property(parts, (each) => {
      const form = toBundlerForm(toOurs(each, version), version);
      const expected = formatUserOperationRequest(toViem(each, version));
      expect(lower(form)).toStrictEqual(lower(expected));
    });
    fc.assert(property, runs(150));
  });

  it('comes back from its JSON', () => {
    const property = fc.property(parts, (each) => {
      const operation = toOurs(each, version);
      const json: unknown = JSON.parse(JSON.stringify(toUserOperationJson(operation)));
      expect(parse(json, UserOperationStruct, 'op')).toStrictEqual(operation);
    });
    fc.assert(property, runs(100));
  });
});
