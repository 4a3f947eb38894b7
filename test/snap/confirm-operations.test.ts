// The dialogs of user operations: signed or sent, one call or several, paid for by a paymaster
// or, where that does not pay, by the account.
import type { Json } from '@metamask/utils';

import { encodeIntents, readCallData } from '../../src/eth/account-calls';
import type { Intent } from '../../src/eth/account-calls';
import type { Hex } from '../../src/eth/hex';
import { hashUserOperation } from '../../src/eth/sign-user-operation';
import { DUMMY_SIGNATURE, UserOperationStruct } from '../../src/eth/user-operation';
import type { UserOperation } from '../../src/eth/user-operation';
import { UserOperationConfirmation } from '../../src/operation/view';
import type { UserOperationView } from '../../src/operation/view';
import { decodeOperation } from '../../src/operation/warnings';
import { parse } from '../../src/schema/parse';
import type { PagedView } from '../../src/ui/confirmation';
import { danger, warning } from '../../src/ui/warnings';
import { describeDialogs, HASH, SIGNATURE } from '../support/dialog-rows';
import type { Drawing } from '../support/dialog-rows';
import { refuses } from '../support/fake-node';
import { operationOf } from '../support/operations';
import { paying } from '../support/paymaster-answers';
import { TO } from '../support/transactions';
import { translate } from '../support/view';

const TRANSFER: Intent = { to: TO, value: 1n, data: '0x' };

const INTENT = { to: TO, value: '0x1', data: '0x' };

function view(
  { origin }: Pick<Drawing, 'origin'>,
  operation: UserOperation,
  about: Partial<UserOperationView> = {},
): PagedView {
  return UserOperationConfirmation({
    translate,
    origin,
    chain: 'eip155:1',
    entryPoint: '0.7',
    title: 'userOperation.title',
    operation,
    calls: decodeOperation(operation, (data) => readCallData('0.7', data)).calls,
    warnings: [],
    // The node is down.
    foretold: 'unknown',
    ...about,
  });
}

/** Draw what was asked to be signed. */
function viewOfSigned(
  drawing: Drawing,
  operation: Json,
  about: Partial<UserOperationView> = {},
): PagedView {
  return view(drawing, parse(operation, UserOperationStruct, 'operation'), about);
}

/** Draw what was sent, which was shown with what stood for its signature. */
function viewOfSent(drawing: Drawing, about: Partial<UserOperationView>): PagedView {
  const sent = drawing.operations.at(-1);
  if (!sent) throw new Error('Nothing was sent.');
  // In the order in which it was filled.
  const { initCode, callGasLimit, verificationGasLimit, preVerificationGas } = sent;
  const { paymasterAndData, callData, maxFeePerGas, maxPriorityFeePerGas } = sent;
  const { sender, nonce } = sent;
  const operation = {
    initCode,
    callGasLimit,
    verificationGasLimit,
    preVerificationGas,
    paymasterAndData,
    callData,
    maxFeePerGas,
    maxPriorityFeePerGas,
    sender,
    nonce,
    signature: DUMMY_SIGNATURE,
  };
  return view(drawing, operation, about);
}

const signed = (sender: string, intents: readonly Intent[]): Record<string, Json> =>
  operationOf(sender, { nonce: '0x63', callData: encodeIntents('0.7', intents) });

/** Hash an operation of those that are signed first. */
function hashOf({ smart }: Drawing, intents: readonly Intent[]): Hex {
  const json = signed(smart.address, intents);
  const operation = parse(json, UserOperationStruct, 'operation');
  return hashUserOperation(operation, { chainId: 1n, entryPoint: '0.7' });
}

const REFUSAL =
  'pm_getPaymasterStubData at the paymaster of eip155:1: the paymaster does not pay. It ' +
  'said: over budget. Ask the paymaster, or send the operation without one.';

describeDialogs({
  'a user operation': {
    call: ({ smart }) => ({
      method: 'eth_signUserOperation',
      params: [signed(smart.address, [TRANSFER])],
    }),
    view: (drawing) =>
      viewOfSigned(drawing, signed(drawing.smart.address, [TRANSFER]), {
        warnings: [warning('alert.nonceGap', { nonce: 99n, next: 7n })],
      }),
    result: SIGNATURE,
  },
  'another one with the same nonce': {
    call: ({ smart }) => ({
      method: 'eth_signUserOperation',
      params: [signed(smart.address, [TRANSFER, TRANSFER])],
    }),
    view: (drawing) =>
      viewOfSigned(drawing, signed(drawing.smart.address, [TRANSFER, TRANSFER]), {
        warnings: [
          warning('alert.replay', { hash: hashOf(drawing, [TRANSFER]) }),
          warning('alert.nonceGap', { nonce: 99n, next: 7n }),
        ],
      }),
    result: SIGNATURE,
  },
  'a user operation that cannot be read': {
    call: ({ smart }) => ({
      method: 'eth_signUserOperation',
      params: [operationOf(smart.address, { nonce: '0x64', callData: '0x12345678' })],
    }),
    view: (drawing) =>
      viewOfSigned(
        drawing,
        operationOf(drawing.smart.address, { nonce: '0x64', callData: '0x12345678' }),
        {
          warnings: [
            danger('alert.opaque'),
            warning('alert.nonceGap', { nonce: 100n, next: 7n }),
          ],
        },
      ),
    result: SIGNATURE,
  },
  'a user operation that a paymaster pays for': {
    call: () => ({ method: 'eth_sendUserOperation', params: [INTENT] }),
    view: (drawing) =>
      viewOfSent(drawing, { title: 'userOperation.send', sponsor: { name: 'Patron' } }),
    result: HASH,
  },
  'a user operation that the paymaster does not pay for': {
    prepare: ({ servers }) => {
      const refusing = refuses({ code: -32001, message: 'over budget' });
      Object.assign(servers, { pm_getPaymasterStubData: refusing });
    },
    call: () => ({ method: 'eth_sendUserOperation', params: [INTENT] }),
    view: (drawing) =>
      viewOfSent(drawing, {
        title: 'userOperation.send',
        isSponsorMissing: true,
        warnings: [warning('alert.sponsor', { reason: { text: REFUSAL } })],
      }),
    result: HASH,
  },
  'several calls in one operation': {
    prepare: ({ servers }) => {
      Object.assign(servers, paying('0.7'));
    },
    call: ({ smart: { address: from } }) => ({
      method: 'wallet_sendCalls',
      params: [
        {
          version: '2.0.0',
          from,
          chainId: '0x1',
          atomicRequired: true,
          calls: [
            { to: TO, value: '0x1' },
            { to: TO, data: '0xa9059cbb' },
          ],
        },
      ],
    }),
    view: (drawing) =>
      viewOfSent(drawing, {
        title: 'userOperation.batch',
        sponsor: { name: 'Patron' },
      }),
    result: { id: HASH },
  },
});
