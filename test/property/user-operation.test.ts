import fc from 'fast-check';
import { formatUserOperationRequest } from 'viem/account-abstraction';

import { toBundlerForm } from '../../packages/client/src/bundler-schema';
import {
  parseOperationRequest,
  toPackedRequest,
} from '../../src/eth/operation-request';
import {
  entryPointVersions,
  toUserOperationJson,
  UserOperationStruct,
} from '../../src/eth/user-operation';
import { parse } from '../../src/schema/parse';
import { toOurs, toViem } from '../fixtures/eth/user-operation';
import { operationParts, paymasterSignedParts } from '../support/arbitraries';
import { runs } from '../support/runs';

describe.each(entryPointVersions)('any user operation of %s', (version) => {
  it('has the form for bundlers that viem writes, and comes back from it', () => {
    const lower = (form: object): unknown =>
      JSON.parse(JSON.stringify(form).toLowerCase());
    const property = fc.property(operationParts, (each) => {
      const operation = toOurs(each, version);
      const form = toBundlerForm(operation, version);
      const expected = formatUserOperationRequest(toViem(each, version));
      expect(lower(form)).toStrictEqual(lower(expected));
      const request = parseOperationRequest(form, 'op');
      const empty = { initCode: '0x', paymasterAndData: '0x' };
      const packed = { ...empty, ...toPackedRequest(request, version) };
      expect(packed).toStrictEqual(operation);
    });
    fc.assert(property, runs(150));
  });

  it('comes back from its JSON', () => {
    const property = fc.property(operationParts, (each) => {
      const operation = toOurs(each, version);
      const json: unknown = JSON.parse(JSON.stringify(toUserOperationJson(operation)));
      expect(parse(json, UserOperationStruct, 'op')).toStrictEqual(operation);
    });
    fc.assert(property, runs(100));
  });
});

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
