import fc from 'fast-check';
import { formatUserOperationRequest } from 'viem/account-abstraction';

import { toBundlerForm } from '../../packages/client/src/bundler-schema';
import {
  entryPointVersions,
  toUserOperationJson,
  UserOperationStruct,
} from '../../src/eth/user-operation';
import { parse } from '../../src/schema/parse';
import { toOurs, toViem } from '../fixtures/eth/user-operation';
import { operationParts } from '../support/operation-arbitraries';
import { runs } from '../support/runs';

describe.each(entryPointVersions)('any user operation of %s', (version) => {
  it('has the form for bundlers that viem writes', () => {
    const lower = (form: object): unknown =>
      JSON.parse(JSON.stringify(form).toLowerCase());
    const property = fc.property(operationParts, (each) => {
      const form = toBundlerForm(toOurs(each, version), version);
      const expected = formatUserOperationRequest(toViem(each, version));
      expect(lower(form)).toStrictEqual(lower(expected));
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
