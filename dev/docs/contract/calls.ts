// Batches of calls (EIP-5792).
import { object, string } from '@metamask/superstruct';

import { CapabilitiesParamsStruct } from '../../../src/calls/capabilities';
import { CALLS_VERSION, CallsParamsStruct } from '../../../src/calls/params';
import {
  GetPermissionsParamsStruct,
  RevokeParamsStruct,
} from '../../../src/calls/revoke';
import { CallsIdParamsStruct } from '../../../src/calls/status';
import {
  CallsStatusStruct,
  CapabilitiesStruct,
  FoundPermissionsStruct,
} from './results';
import { example, groupOf, positions, type ErrorUse, type Params } from './row';
import { ADDRESS, HASH, INCLUSION, RECIPIENT, SMART_ADDRESS } from './samples';

const ID = `0x${'c4'.repeat(32)}`;

/** An unlimited allowance of USDC. */
const PERMISSION = {
  kind: 'allowance',
  spender: RECIPIENT,
  token: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  amount: `0x${'f'.repeat(64)}`,
  balance: '0x5f5e100',
  block: '0x1406f40',
  isUnlimited: true,
  isKnown: true,
};

const id: Params = positions(CallsIdParamsStruct, { id: 'The id of the batch.' });

const statusErrors: readonly ErrorUse[] = [5730, -32602, -32005, -32002];

export const calls = groupOf('Batches (EIP-5792)', {
  wallet_getCapabilities: {
    summary:
      'Returns the chains on which an account can send batches, and how (EIP-5792).',
    params: positions(CapabilitiesParamsStruct, {
      address: 'A connected account. Optional if only one is connected.',
      chainIds: 'The chains of interest. All by default.',
    }),
    result: { name: 'capabilities', source: CapabilitiesStruct },
    errors: [4100, -32602, -32005],
    takesEnvelope: true,
    examples: [
      example('a smart account', [SMART_ADDRESS, ['0x1']], {
        '0x1': {
          atomic: { status: 'supported' },
          paymasterService: { supported: true },
          gasLimitOverride: { supported: true },
        },
      }),
    ],
  },
  wallet_sendCalls: {
    summary: 'Sends several calls (EIP-5792).',
    description:
      'A smart account sends one user operation for all calls, an EOA one transaction for each. ' +
      'Batches of a smart account do not wait for each other.',
    params: positions(CallsParamsStruct, { calls: 'The batch.' }),
    result: { name: 'batch', source: object({ id: string() }) },
    errors: [4001, 4100, 5700, 5710, 5720, 5740, 5760, -32602, -32005, -32002],
    passesOn: 'what the node, the bundler or the paymaster said',
    examples: [
      example(
        'two payments',
        [
          {
            version: CALLS_VERSION,
            from: SMART_ADDRESS,
            chainId: '0x1',
            atomicRequired: true,
            calls: [
              { to: RECIPIENT, value: '0x2386f26fc10000' },
              { to: ADDRESS, value: '0x1' },
            ],
          },
        ],
        { id: ID },
      ),
    ],
  },
  tollkeeper_getPermissions: {
    summary: "Returns what others may do with an account's assets on a chain.",
    description:
      'Finds ERC-20 allowances, approvals of NFTs, allowances within Permit2, the delegation ' +
      'of a standard account (EIP-7702), and modules, guard and fallback handler of a Safe. ' +
      'Candidates come from what the account sent and from the logs of the node; each is then ' +
      'read from the chain. `isKnown` is false where it could not be read. `logs` says which ' +
      'blocks were searched: `running` and `failed` mean that it goes on at the next call. ' +
      '`refused` means that the node gives no logs, and `omitted` counts what was found in logs ' +
      'and not read. A call counts as 41 look-ups.',
    params: positions(GetPermissionsParamsStruct, {
      place: 'Address or id of the account, and the chain.',
    }),
    result: { name: 'permissions', source: FoundPermissionsStruct },
    errors: [4100, -32602, -32005, -32002],
    takesEnvelope: true,
    examples: [
      example('an unlimited allowance', [{ account: ADDRESS, chainId: '0x1' }], {
        permissions: [PERMISSION],
        logs: {
          status: 'complete',
          fromBlock: '0x0',
          toBlock: '0x15ef3c0',
          omitted: 0,
        },
      }),
    ],
  },
  tollkeeper_revoke: {
    summary: 'Revokes up to 100 permissions of an account in one approval.',
    description:
      'Takes permissions as `tollkeeper_getPermissions` returns them, and reads each again. If ' +
      'one is gone or has changed, nothing is sent. The calls are sent as `wallet_sendCalls` ' +
      'sends them: in one user operation of a smart account, in one transaction of an account ' +
      'that delegates, and else in a transaction each. `wallet_getCallsStatus` tells what ' +
      'became of them. A delegation is revoked by `tollkeeper_revokeDelegation`, and a ' +
      "fallback handler only by the Safe's owners.",
    params: positions(RevokeParamsStruct, {
      revocation: 'Address or id of the account, the chain, and the permissions.',
    }),
    result: { name: 'batch', source: object({ id: string() }) },
    errors: [4001, 4100, 5710, -32602, -32005, -32002],
    passesOn: 'what the node, the bundler or the paymaster said',
    examples: [
      example(
        'one allowance',
        [{ account: ADDRESS, chainId: '0x1', permissions: [PERMISSION] }],
        { id: ID },
      ),
    ],
  },
  wallet_getCallsStatus: {
    summary: 'Returns the status of a batch (EIP-5792).',
    description:
      'Where it is 100 and it is not known what became of a call, ' +
      '`capabilities.status.reason` says why. Such calls can still be executed.',
    params: id,
    result: { name: 'status', source: CallsStatusStruct },
    errors: statusErrors,
    passesOn: 'what the node or the bundler said',
    examples: [
      example('included', [ID], {
        version: CALLS_VERSION,
        id: ID,
        chainId: '0x1',
        status: 200,
        atomic: true,
        receipts: [
          {
            logs: [],
            status: '0x1',
            blockHash: INCLUSION.blockHash,
            blockNumber: INCLUSION.blockNumber,
            gasUsed: '0x2a3d1',
            transactionHash: HASH,
          },
        ],
      }),
    ],
  },
  wallet_showCallsStatus: {
    summary:
      'Shows the user the status of a batch (EIP-5792). Returns when the dialog is closed.',
    params: id,
    asks: 'shows them',
    errors: statusErrors,
    passesOn: 'what the node or the bundler said',
    examples: [example('shown', [ID], null)],
  },
});
