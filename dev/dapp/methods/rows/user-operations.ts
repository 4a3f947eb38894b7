// User operations (ERC-4337), step by step or all at once.
import type { Hex } from 'viem';

import { entryPoints } from '../given';
import type { Given, Operation, Smart } from '../given';
import { assembleOperation } from '../operation';
import { defineRow } from '../row';
import type { MethodRow, Params } from '../row';
import { listParams } from '../verify/check';
import { checkInclusion } from '../verify/inclusion';
import { checkUserOperation } from '../verify/user-operation';
import { SMALL_VALUE } from './transfer';

/** Methods that prepare, sign and send user operations. */
export const operationRows: readonly MethodRow[] = [
  defineRow({
    name: 'eth_prepareUserOperation',
    about: 'Encodes calls for a smart account and estimates their gas; asks nobody.',
    needs: ['smart', 'chainId'],
    example: createIntent,
    learn: assembleOperation,
  }),
  defineRow({
    name: 'eth_patchUserOperation',
    about: 'Asks the paymaster of the chain, if there is one, to pay for an operation.',
    needs: ['operation'],
    example: ({ operation }) => [operation],
    learn: ({ params, result }) => ({
      operation: { ...getOperation(params), ...(result as Partial<Operation>) },
    }),
  }),
  defineRow({
    name: 'eth_signUserOperation',
    about: 'Signs an operation for its EntryPoint; it is not sent.',
    needs: ['operation', 'smart'],
    example: ({ operation, smart }) => [operation, entryPoints[smart.entryPoint]],
    verify: checkUserOperation,
    learn: ({ params, result }) => ({
      signed: { ...getOperation(params), signature: result as Hex },
    }),
  }),
  defineRow({
    name: 'eth_estimateUserOperationGas',
    about: 'Estimates the gas limits of calls, or of an operation; asks nobody.',
    needs: ['smart', 'chainId'],
    example: createIntent,
  }),
  defineRow({
    name: 'eth_sendUserOperation',
    about:
      'Fills in, signs, sends and follows an operation. One that was signed above is only sent.',
    needs: ['smart', 'chainId'],
    example: (given) =>
      given.signed
        ? [given.signed, entryPoints[given.smart.entryPoint]]
        : createIntent(given),
    verify: checkInclusion('operation'),
    learn: ({ result }) => ({
      operationHash: result as Hex,
      operation: undefined,
      signed: undefined,
    }),
  }),
  defineRow({
    name: 'eth_getUserOperationReceipt',
    about: "Answers the bundler's receipt of an operation, null while there is none.",
    needs: ['operationHash'],
    example: ({ operationHash }) => [operationHash],
  }),
  defineRow({
    name: 'eth_getUserOperationByHash',
    about: 'Answers an operation and where it was included.',
    needs: ['operationHash'],
    example: ({ operationHash }) => [operationHash],
  }),
  defineRow({
    name: 'eth_supportedEntryPoints',
    about: 'Answers the EntryPoints that the bundler serves.',
    needs: [],
    example: () => [],
  }),
];

// Several smart accounts may have been granted: this says which.
function createIntent({
  smart,
  chainId,
  recipient,
}: Given & { smart: Smart; chainId: Hex }): Params {
  return {
    account: smart.address,
    scope: `eip155:${BigInt(chainId)}`,
    params: [{ to: recipient, value: SMALL_VALUE, data: '0x' }],
  };
}

function getOperation(params: Params): Operation {
  const [operation] = listParams(params) as [Operation];
  return operation;
}
