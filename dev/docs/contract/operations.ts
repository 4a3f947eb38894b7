// Methods that prepare, sign and send user operations (ERC-4337).
import { optional } from '@metamask/superstruct';

import { AddressStruct, Bytes32Struct } from '../../../src/eth/hex';
import { OperationRequestStruct } from '../../../src/eth/operation-request';
import { DUMMY_SIGNATURE, UserOperationStruct } from '../../../src/eth/user-operation';
import { IntentsStruct } from '../../../src/operation/request';
import {
  OperationGasStruct,
  PatchedOperationStruct,
  PreparedOperationStruct,
  SignatureStruct,
} from './results';
import { example, groupOf, listParams, type Params } from './row';
import {
  ENTRY_POINT,
  INTENT,
  OPERATION,
  OPERATION_HASH,
  OPERATION_SIGNATURE,
  SMART_ADDRESS,
} from './samples';

const { initCode, nonce, callData } = OPERATION;
const { callGasLimit, verificationGasLimit, preVerificationGas } = OPERATION;
const limits = { callGasLimit, verificationGasLimit, preVerificationGas } as Record<
  string,
  string
>;

const { schema: IntentStruct } = IntentsStruct;

const OPTIONS =
  'The object form also takes `nonceKey` (user operations with different keys do not ' +
  'wait for each other).';

const operation: Params = {
  list: listParams([UserOperationStruct, optional(AddressStruct)], {
    userOperation: 'The user operation, with its eleven fields.',
    entryPoint: "The account's EntryPoint.",
  }),
};

/** Any number of calls, or a user operation and its EntryPoint. */
const callsOrOperation: Params = {
  list: listParams(
    [
      { anyOf: [IntentStruct, OperationRequestStruct] },
      { anyOf: [optional(AddressStruct), IntentStruct] },
    ],
    {
      wanted: 'A call, or a user operation that has at least `callData`.',
      next: 'The EntryPoint of the user operation, or another call.',
    },
  ),
  isOpenEnded: true,
};

export const operations = groupOf('User operations', {
  eth_prepareUserOperation: {
    summary: 'Prepares a user operation for the given calls.',
    description: OPTIONS,
    params: {
      list: listParams([IntentStruct], { intent: 'A call of the account.' }),
      isOpenEnded: true,
    },
    result: { name: 'prepared', source: PreparedOperationStruct },
    passesOn: 'what the bundler or the paymaster said',
    examples: [
      example('a payment', [INTENT], {
        callData: callData ?? '0x',
        initCode: initCode ?? '0x',
        nonce: nonce ?? '0x0',
        gasLimits: limits,
        dummySignature: DUMMY_SIGNATURE,
        dummyPaymasterAndData: '0x',
        bundlerUrl: 'https://bundler.example',
      }),
    ],
  },
  eth_patchUserOperation: {
    summary:
      "Replaces the paymaster's stub data in a user operation with its final data.",
    params: operation,
    result: { name: 'patch', source: PatchedOperationStruct },
    passesOn: 'what the paymaster said',
    examples: [example('the account pays', [OPERATION], { paymasterAndData: '0x' })],
  },
  eth_signUserOperation: {
    summary: 'Signs a user operation.',
    params: operation,
    result: { name: 'signature', source: SignatureStruct },
    errors: [4001, 4100, 4200, -32602, -32005],
    examples: [
      example(
        'the first operation of an account',
        [OPERATION, ENTRY_POINT],
        OPERATION_SIGNATURE,
      ),
    ],
  },
  eth_estimateUserOperationGas: {
    summary:
      'Estimates the gas of a user operation, with the margins of `eth_sendUserOperation`.',
    description: OPTIONS,
    params: callsOrOperation,
    result: { name: 'gas', source: OperationGasStruct },
    passesOn: 'what the bundler or the paymaster said',
    examples: [example('a payment', [INTENT], limits)],
  },
  eth_sendUserOperation: {
    summary: 'Fills in, sponsors, signs and sends a user operation.',
    description: `A user operation that its owner has signed is only sent. ${OPTIONS}`,
    params: callsOrOperation,
    result: { name: 'hash', source: Bytes32Struct },
    asks: 'yes; not if its owner signed it',
    passesOn: "the bundler's own error",
    examples: [
      example('a payment', [INTENT], OPERATION_HASH),
      example(
        'a part of an operation',
        [{ sender: SMART_ADDRESS, callData: callData ?? '0x' }, ENTRY_POINT],
        OPERATION_HASH,
      ),
    ],
  },
});
