import { formatUserOperationRequest } from 'viem/account-abstraction';

import { toBundlerForm } from '../../../../src/client';
import { OTHER } from '../../../fixtures/eth/owner';
import type { OperationParts } from '../../../fixtures/eth/user-operation';
import { plain, sponsored, toOurs, toViem } from '../../../fixtures/eth/user-operation';
import { failureOf } from '../../../support/error-of';

const { deployment, paymaster } = sponsored;

const operations: [string, OperationParts][] = [
  ['a plain operation', plain],
  ['one that deploys its account', { ...plain, deployment }],
  ['one that is paid for', { ...plain, paymaster }],
  ['one with both', sponsored],
  [
    'one whose factory takes no data',
    { ...plain, deployment: { factory: OTHER, factoryData: '0x' } },
  ],
  [
    'one whose paymaster takes no data',
    { ...plain, paymaster: paymaster && { ...paymaster, paymasterData: '0x' } },
  ],
];

/** viem's form, with addresses in the case in which we pass them on. */
const lower = (form: object): unknown => JSON.parse(JSON.stringify(form).toLowerCase());

describe.each(['0.6', '0.7', '0.8'] as const)('the form of %s', (version) => {
  it.each(operations)('of %s is the one of viem', (_name, parts) => {
    const form = toBundlerForm(toOurs(parts, version), version);
    const expected = formatUserOperationRequest(toViem(parts, version));
    expect(lower(form)).toStrictEqual(lower(expected));
  });
});

describe.each(['0.7', '0.8'] as const)('the form of %s', (version) => {
  // What is left out of the form is still in the hash that is signed: the bundler would
  // be sent another operation.
  it.each(['0x12', `0x${'11'.repeat(19)}`] as const)(
    'is refused for the init code %s, which names no factory',
    async (initCode) => {
      const operation = { ...toOurs(plain, version), initCode };
      const { name } = await failureOf(() => toBundlerForm(operation, version));
      expect(name).toBe('InvalidParamsError');
    },
  );

  it.each(['0x12', OTHER, `${OTHER}${'00'.repeat(31)}`] as const)(
    'is refused for paymasterAndData %s, which has no room for its gas limits',
    async (paymasterAndData) => {
      const operation = { ...toOurs(plain, version), paymasterAndData };
      const { name } = await failureOf(() => toBundlerForm(operation, version));
      expect(name).toBe('InvalidParamsError');
    },
  );
});
