import fc from 'fast-check';
import { formatUserOperationRequest } from 'viem/account-abstraction';

import { toBundlerForm } from '../../packages/client/src/bundler-schema';
import { concatHex } from '../../src/eth/hex';
import {
  parseOperationRequest,
  toPackedRequest,
} from '../../src/eth/operation-request';
import { packPaymaster } from '../../src/eth/user-operation';
import { plain, toOurs, toViem } from '../fixtures/eth/user-operation';
import { address, bytes, uint } from '../support/arbitraries';
import { paymasterSignedParts } from '../support/operation-arbitraries';
import { runs } from '../support/runs';

const factoryFields = fc.record({ factory: address, data: bytes() });

const paymasterFields = fc.record({
  paymaster: address,
  verificationGasLimit: uint(128),
  postOpGasLimit: uint(128),
  data: bytes(),
});

describe('whatever is packed', () => {
  it("has the signature of a paymaster of 0.9 apart for bundlers, as viem's", () => {
    const property = fc.property(paymasterSignedParts, (parts) => {
      const operation = toOurs(parts, '0.9');
      const form = toBundlerForm(operation, '0.9');
      expect(form).toStrictEqual(formatUserOperationRequest(toViem(parts, '0.9')));
      const request = parseOperationRequest(form, 'op');
      const { paymasterAndData } = operation;
      expect(toPackedRequest(request, '0.9')).toMatchObject({ paymasterAndData });
    });
    fc.assert(property, runs(150));
  });

  it.each(['0.7', '0.8', '0.9'] as const)(
    'comes back from the form for bundlers of %s',
    (version) => {
      const property = fc.property(factoryFields, paymasterFields, (deploys, pays) => {
        const operation = {
          ...toOurs(plain, version),
          initCode: concatHex(deploys.factory, deploys.data),
          paymasterAndData: packPaymaster(pays),
        };
        const request = parseOperationRequest(toBundlerForm(operation, version), 'op');
        expect(toPackedRequest(request, version)).toStrictEqual(operation);
      });
      fc.assert(property, runs(150));
    },
  );
});
