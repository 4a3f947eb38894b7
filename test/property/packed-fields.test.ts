import fc from 'fast-check';

import { toBundlerForm } from '../../src/client';
import {
  parseOperationRequest,
  toPackedRequest,
} from '../../src/eth/operation-request';
import {
  packFactory,
  packPaymaster,
  unpackFactory,
  unpackPaymaster,
} from '../../src/eth/user-operation';
import { plain, toOurs } from '../fixtures/eth/user-operation';
import { address, bytes, uint } from '../support/arbitraries';
import { runs } from '../support/runs';

const factoryFields = fc.record({ factory: address, data: bytes() });

const paymasterFields = fc.record({
  paymaster: address,
  verificationGasLimit: uint(128),
  postOpGasLimit: uint(128),
  data: bytes(),
});

describe('whatever is packed', () => {
  it('comes back as what deploys the account', () => {
    const property = fc.property(factoryFields, (fields) => {
      expect(unpackFactory(packFactory(fields))).toStrictEqual({ ...fields });
    });
    fc.assert(property, runs(150));
  });

  it('comes back as what pays', () => {
    const property = fc.property(paymasterFields, (fields) => {
      expect(unpackPaymaster(packPaymaster(fields))).toStrictEqual({ ...fields });
    });
    fc.assert(property, runs(150));
  });

  it.each(['0.7', '0.8', '0.9'] as const)(
    'comes back from the form for bundlers of %s',
    (version) => {
      const property = fc.property(factoryFields, paymasterFields, (deploys, pays) => {
        const operation = {
          ...toOurs(plain, version),
          initCode: packFactory(deploys),
          paymasterAndData: packPaymaster(pays),
        };
        const request = parseOperationRequest(toBundlerForm(operation, version), 'op');
        expect(toPackedRequest(request, version)).toStrictEqual(operation);
      });
      fc.assert(property, runs(150));
    },
  );
});
