// Methods of the companion page that manage accounts and look after them.
import { boolean } from '@metamask/superstruct';

import { RangeStruct } from '../../../src/accounts/range';
import { RestoreOptionsStruct } from '../../../src/accounts/restore';
import { DeploymentsParamsStruct } from '../../../src/management';
import {
  AnnouncedStruct,
  DeploymentsStruct,
  ProgressStruct,
  RestoredStruct,
} from './companion-results';
import { noParams, oneObject } from './row';
import type { Group } from './row';
import { ACCOUNT_ID, ADDRESS, SMART_ADDRESS, SMART_ID } from './samples';

const account = {
  id: ACCOUNT_ID,
  type: 'eip155:eoa',
  address: ADDRESS,
  scopes: ['eip155:0'],
  options: { entropy: { type: 'custom' }, index: 0 },
  methods: ['personal_sign', 'eth_signTransaction', 'eth_signTypedData_v4'],
};

/** What the companion page does with accounts. */
export const companionAccounts: Group = {
  title: 'Accounts (companion page)',
  rows: [
    {
      name: 'tollkeeper_createAccounts',
      summary: 'Create the accounts of a range of indices.',
      params: oneObject(
        '`[{ from?, count, …options of keyring_createAccount }]`',
        RangeStruct,
        {
          name: 'range',
          summary: 'Which indices, and the options of each account.',
          isRequired: true,
        },
      ),
      result: {
        cell: '`{ accounts, declined, failed, skipped }`; up to 100 indices, MetaMask asks about each',
        name: 'announced',
        source: AnnouncedStruct,
      },
      asks: 'MetaMask does; the snap, of a factory that is not canonical',
      errors: [-32602, -32002, -32005],
      examples: [
        {
          name: 'two ordinary accounts, one of which is declined',
          params: [{ from: 0, count: 2 }],
          result: {
            accounts: [account],
            declined: [{ name: 'Tollkeeper 2', address: SMART_ADDRESS }],
            failed: [],
            skipped: [],
          },
        },
      ],
    },
    {
      name: 'tollkeeper_restoreAccounts',
      summary: 'Restore accounts that MetaMask or the snap has lost.',
      params: oneObject('`[{ gap?, entropySource? }]`', RestoreOptionsStruct, {
        name: 'search',
        summary: 'How many unused indices in a row end the search (20), and where.',
        isRequired: false,
      }),
      result: {
        cell: 'the same, with `unchanged`, `unchecked`, `recovered`, `unreachable` and `isComplete`',
        name: 'restored',
        source: RestoredStruct,
      },
      asks: 'MetaMask does; the snap, of a factory that is not canonical',
      errors: [-32602, -32005],
      examples: [
        {
          name: 'nothing is lost',
          params: [{ gap: 5 }],
          result: {
            accounts: [],
            declined: [],
            failed: [],
            skipped: [],
            unchanged: [account],
            unchecked: [],
            recovered: [],
            unreachable: [],
            isComplete: true,
          },
        },
      ],
    },
    {
      name: 'tollkeeper_getProgress',
      summary: 'Get how far creating or restoring has come.',
      params: noParams,
      result: {
        cell: '`{ phase, done, total }` of the two above, or `null`',
        name: 'progress',
        source: ProgressStruct,
      },
      asks: 'no',
      errors: [],
      examples: [
        {
          name: 'MetaMask is asking about the third of ten',
          params: [],
          result: { phase: 'announcing', done: 2, total: 10 },
        },
      ],
    },
    {
      name: 'tollkeeper_cancelProgress',
      summary: 'Have creating or restoring end before its next account.',
      params: noParams,
      result: {
        cell: 'whether some ran; the accounts that were not asked about are `skipped`',
        name: 'ran',
        source: boolean(),
      },
      asks: 'no',
      errors: [],
      examples: [{ name: 'some ran', params: [], result: true }],
    },
    {
      name: 'tollkeeper_getDeployments',
      summary: 'Get the chains on which a smart account is deployed.',
      params: oneObject('`[{ account: id }]`', DeploymentsParamsStruct, {
        name: 'which',
        summary: 'Id of a smart account.',
        isRequired: true,
      }),
      result: {
        cell: 'by chain: `deployed`, `absent` or `unknown`',
        name: 'deployments',
        source: DeploymentsStruct,
      },
      asks: 'no',
      errors: [-32602, -32001],
      examples: [
        {
          name: 'on one of two chains',
          params: [{ account: SMART_ID }],
          result: { 'eip155:1': 'deployed', 'eip155:10': 'absent' },
        },
      ],
    },
  ],
};
