// Methods that prepare, sign and send user operations (ERC-4337).
import { AddressStruct, Bytes32Struct } from '../../../src/eth/hex';
import { OperationRequestStruct } from '../../../src/eth/operation-request';
import { DUMMY_SIGNATURE, UserOperationStruct } from '../../../src/eth/user-operation';
import { IntentsStruct } from '../../../src/operation/request';
import type { Source } from '../schema/source';
import {
  OperationGasStruct,
  PatchedOperationStruct,
  PreparedOperationStruct,
  SignatureStruct,
} from './results';
import { optional, readBy, required } from './row';
import type { Group, Params } from './row';
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
  'In the object form, `nonceKey` (operations of different keys do not wait for each other) ' +
  'and `selfSponsored` (the account pays) may stand beside the params.';

const entryPoint = optional(
  'entryPoint',
  "The account's own, if it is named.",
  AddressStruct,
);

function operation(method: string, cell: string): Params {
  const whole = required('userOperation', 'The eleven fields.', UserOperationStruct);
  return readBy(method, { cell, list: [whole, entryPoint] });
}

// Intents, of which there can be many, or an operation and its EntryPoint.
function wanted(method: string): Params {
  const first: Source = { anyOf: [IntentStruct, OperationRequestStruct] };
  const second: Source = { anyOf: [AddressStruct, IntentStruct] };
  return readBy(method, {
    cell: '`[intent, …]` or `[partialOperation, entryPoint?]`',
    list: [
      required('wanted', 'An intent, or an operation with its callData.', first),
      optional('next', 'The EntryPoint of an operation, or another intent.', second),
    ],
    isOpenEnded: true,
  });
}

/** What is done with user operations. */
export const operations: Group = {
  title: 'User operations',
  rows: [
    {
      name: 'eth_prepareUserOperation',
      summary: 'Prepare an operation that carries out what is intended.',
      description: OPTIONS,
      params: readBy('eth_prepareUserOperation', {
        cell: '`[intent, …]`, each `{ to, value, data }`',
        list: [required('intent', 'What the account is to do.', IntentStruct)],
        isOpenEnded: true,
      }),
      result: {
        cell: '`{ callData, initCode, nonce, gasLimits, dummySignature, dummyPaymasterAndData, bundlerUrl }`',
        name: 'prepared',
        source: PreparedOperationStruct,
      },
      asks: 'no',
      errors: [4100, 4200, -32602, -32005, -32002],
      passesOn: 'what the bundler or the paymaster said',
      takesOutright: true,
      examples: [
        {
          name: 'a payment',
          params: [INTENT],
          result: {
            callData: callData ?? '0x',
            initCode: initCode ?? '0x',
            nonce: nonce ?? '0x0',
            gasLimits: limits,
            dummySignature: DUMMY_SIGNATURE,
            dummyPaymasterAndData: '0x',
            bundlerUrl: 'https://bundler.example',
          },
        },
      ],
    },
    {
      name: 'eth_patchUserOperation',
      summary: 'Have the paymaster pay for an operation that has its stub.',
      params: operation('eth_patchUserOperation', '`[userOperation]`'),
      result: {
        cell: '`{ paymasterAndData }`',
        name: 'patch',
        source: PatchedOperationStruct,
      },
      asks: 'no',
      errors: [4100, 4200, -32602, -32005, -32002],
      passesOn: 'what the paymaster said',
      takesOutright: true,
      examples: [
        {
          name: 'the account pays',
          params: [OPERATION],
          result: { paymasterAndData: '0x' },
        },
      ],
    },
    {
      name: 'eth_signUserOperation',
      summary: 'Sign an operation.',
      params: operation(
        'eth_signUserOperation',
        '`[userOperation, entryPoint]` or `[userOperation]`',
      ),
      result: { cell: 'signature', name: 'signature', source: SignatureStruct },
      asks: 'yes',
      errors: [4001, 4100, 4200, -32602, -32005],
      takesOutright: true,
      examples: [
        {
          name: 'the first operation of an account',
          params: [OPERATION, ENTRY_POINT],
          result: OPERATION_SIGNATURE,
        },
      ],
    },
    {
      name: 'eth_estimateUserOperationGas',
      summary: 'Estimate the gas of an operation, with the margins that a send has.',
      description: OPTIONS,
      params: wanted('eth_estimateUserOperationGas'),
      result: {
        cell: "`{ callGasLimit, verificationGasLimit, preVerificationGas }`, from 0.7 on with a paymaster's two",
        name: 'gas',
        source: OperationGasStruct,
      },
      asks: 'no',
      errors: [4100, 4200, -32602, -32005, -32002],
      passesOn: 'what the bundler or the paymaster said',
      takesOutright: true,
      examples: [{ name: 'a payment', params: [INTENT], result: limits }],
    },
    {
      name: 'eth_sendUserOperation',
      summary: 'Fill, have paid for, sign, send and follow an operation.',
      description: `One that its owner has signed is only sent. ${OPTIONS}`,
      params: wanted('eth_sendUserOperation'),
      result: { cell: 'hash', name: 'hash', source: Bytes32Struct },
      asks: 'yes; not if its owner signed it',
      errors: [4001, 4100, 4200, -32602, -32005, -32002],
      passesOn: 'what the bundler said',
      takesOutright: true,
      examples: [
        { name: 'a payment', params: [INTENT], result: OPERATION_HASH },
        {
          name: 'a part of an operation',
          params: [{ sender: SMART_ADDRESS, callData: callData ?? '0x' }, ENTRY_POINT],
          result: OPERATION_HASH,
        },
      ],
    },
  ],
};
