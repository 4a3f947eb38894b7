// eth_patchUserOperation [userOperation] → the fields to change before it is signed.
import { defineMethod } from './method';
import {
  assertOwnOperation,
  getSmartAccount,
  parseOperationParams,
} from './user-operation';

/** Answers who pays: the account itself. */
export const ethPatchUserOperation = defineMethod({
  name: 'eth_patchUserOperation',
  accountType: 'eip155:erc4337',
  signs: false,
  parse: (params) => parseOperationParams(params, 'eth_patchUserOperation: params'),
  findAddresses: ({ operation }) => [operation.sender],
  run: (params, request) => {
    assertOwnOperation(getSmartAccount(request.account), params);
    return Promise.resolve({ paymasterAndData: '0x' });
  },
});
