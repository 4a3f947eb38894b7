// Batches of calls (EIP-5792).
import { literal, object, string } from '@metamask/superstruct';

import { CapabilitiesParamsStruct } from '../../../src/calls/capabilities';
import { CALLS_VERSION, CallsParamsStruct } from '../../../src/calls/params';
import { CallsIdParamsStruct } from '../../../src/calls/status';
import { CallsStatusStruct, CapabilitiesStruct } from './results';
import { positions } from './row';
import type { ErrorUse, Group, Params } from './row';
import { ADDRESS, HASH, INCLUSION, RECIPIENT, SMART_ADDRESS } from './samples';

const ID = `0x${'c4'.repeat(32)}`;

const id: Params = positions(CallsIdParamsStruct, {
  id: 'The id of the batch.',
});

const statusErrors: readonly ErrorUse[] = [5730, -32602, -32005, -32002];

/** Calls that are sent together. */
export const calls: Group = {
  title: 'Batches (EIP-5792)',
  rows: [
    {
      name: 'wallet_getCapabilities',
      summary:
        'Returns the chains on which an account can send batches, and how (EIP-5792).',
      params: positions(CapabilitiesParamsStruct, {
        address: 'A connected account. Optional if only one is connected.',
        chainIds: 'The chains of interest. All by default.',
      }),
      result: {
        name: 'capabilities',
        source: CapabilitiesStruct,
      },
      asks: 'no',
      errors: [4100, -32602, -32005],
      takesEnvelope: true,
      examples: [
        {
          name: 'a smart account',
          params: [SMART_ADDRESS, ['0x1']],
          result: {
            '0x1': {
              atomic: { status: 'supported' },
              paymasterService: { supported: true },
            },
          },
        },
      ],
    },
    {
      name: 'wallet_sendCalls',
      summary: 'Sends several calls (EIP-5792).',
      description:
        'A smart account sends one user operation for all calls, an EOA one transaction for each. ' +
        'Batches of a smart account do not wait for each other.',
      params: positions(CallsParamsStruct, {
        calls: 'The batch.',
      }),
      result: {
        name: 'batch',
        source: object({ id: string() }),
      },
      asks: 'yes',
      errors: [
        ...([4001, 4100, 5700, 5710, 5720, 5740, 5760] as const),
        ...([-32602, -32005, -32002] as const),
      ],
      passesOn: 'what the node, the bundler or the paymaster said',
      takesEnvelope: true,
      examples: [
        {
          name: 'two payments',
          params: [
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
          result: { id: ID },
        },
      ],
    },
    {
      name: 'wallet_getCallsStatus',
      summary: 'Returns the status of a batch (EIP-5792).',
      params: id,
      result: {
        name: 'status',
        source: CallsStatusStruct,
      },
      asks: 'no',
      errors: statusErrors,
      passesOn: 'what the node or the bundler said',
      examples: [
        {
          name: 'included',
          params: [ID],
          result: {
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
          },
        },
      ],
    },
    {
      name: 'wallet_showCallsStatus',
      summary:
        'Shows the user the status of a batch (EIP-5792). Returns when the dialog is closed.',
      params: id,
      result: {
        name: 'nothing',
        source: literal(null),
      },
      asks: 'shows them',
      errors: statusErrors,
      passesOn: 'what the node or the bundler said',
      examples: [{ name: 'shown', params: [ID], result: null }],
    },
  ],
};
