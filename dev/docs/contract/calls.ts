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

const id: Params = positions('`[id]`', CallsIdParamsStruct, {
  id: 'The id that wallet_sendCalls answered, or was given.',
});

const statusErrors: readonly ErrorUse[] = [5730, -32602, -32005, -32002];

/** Calls that are sent together. */
export const calls: Group = {
  title: 'Batches (EIP-5792)',
  rows: [
    {
      name: 'wallet_getCapabilities',
      summary: 'Get the chains on which an account can send calls, and how.',
      params: positions('`[address?, chainIds?]`', CapabilitiesParamsStruct, {
        address: 'A granted account; the only one, if it is left out.',
        chainIds: 'The chains that are asked about; all, if they are left out.',
      }),
      result: {
        cell: '`{ [chainId]: { atomic: { status }, paymasterService: { supported } } }`',
        name: 'capabilities',
        source: CapabilitiesStruct,
      },
      asks: 'no',
      errors: [4100, -32602, -32005],
      takesOutright: true,
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
      summary: 'Send several calls at once.',
      description:
        'A smart account sends one user operation, an ordinary account a transaction a call. ' +
        'Batches of a smart account do not wait for each other.',
      params: positions(
        '`[{ version: "2.0.0", id?, from?, chainId, atomicRequired, calls: [{ to?, data?, value?, capabilities? }], capabilities? }]`',
        CallsParamsStruct,
        { calls: 'What is sent, from where, and how.' },
      ),
      result: {
        cell: '`{ id }`',
        name: 'batch',
        source: object({ id: string() }),
      },
      asks: 'yes',
      errors: [
        ...([4001, 4100, 5700, 5710, 5720, 5740, 5760] as const),
        ...([-32602, -32005, -32002] as const),
      ],
      passesOn: 'what the node, the bundler or the paymaster said',
      takesOutright: true,
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
      summary: 'Get what became of calls that the site sent.',
      params: id,
      result: {
        cell: '`{ version, id, chainId, status, atomic, receipts? }`',
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
      summary: 'Show the user what became of calls that the site sent.',
      params: id,
      result: {
        cell: '`null`, once the dialog is closed',
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
