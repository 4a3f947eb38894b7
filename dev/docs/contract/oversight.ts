// Methods of the companion page that look after what is there: grants, settings, what was
// sent, and whether all is well.
import { array, literal } from '@metamask/superstruct';

import { RevokeParamsStruct, SettingsParamsStruct } from '../../../src/management';
import { SettingsStruct } from '../../../src/state/private-state';
import { ActivityEntryStruct, GrantsStruct, StatusStruct } from './results';
import { example, groupOf, oneObject } from './row';
import { ACCOUNT_ID, ADDRESS, BLOCK_HASH, HASH, RECIPIENT } from './samples';

const settings = {
  approvalMode: 'synchronous',
  feeLevel: 'medium',
  secondConfirmation: false,
  notifications: true,
  prices: true,
};

const ORIGIN = 'https://dapp.example';

const sent = {
  hash: HASH,
  chain: 'eip155:1',
  account: ACCOUNT_ID,
  from: ADDRESS,
  to: RECIPIENT,
  nonce: '0x9',
  value: '0xde0b6b3a7640000',
  fees: { maxFeePerGas: '0x7aef40a00', maxPriorityFeePerGas: '0x59682f00' },
  origin: ORIGIN,
  sentAt: 1_763_769_600_000,
  status: 'included',
  settledAt: 1_763_769_612_000,
  inclusion: {
    blockNumber: '0x1529c4e',
    blockHash: BLOCK_HASH,
    success: true,
    gasUsed: '0x5208',
    effectiveGasPrice: '0x48ab9a4c0',
    cost: '0x1749b2b0f6e00',
  },
  canBeReplaced: false,
  hasReceipt: true,
};

export const oversight = groupOf('Oversight (companion page)', {
  tollkeeper_getGrants: {
    summary: 'Returns the connected sites and their accounts.',
    result: { name: 'grants', source: GrantsStruct },
    examples: [
      example(
        'one site',
        [],
        [{ origin: ORIGIN, accounts: [{ id: ACCOUNT_ID, address: ADDRESS }] }],
      ),
    ],
  },
  tollkeeper_revokeGrant: {
    summary: 'Disconnects a site.',
    params: oneObject(
      RevokeParamsStruct,
      'grant',
      'The site, and the account to disconnect. All accounts by default.',
    ),
    result: { name: 'nothing', source: literal(null) },
    errors: [-32602],
    examples: [example('all accounts', [{ origin: ORIGIN }], null)],
  },
  tollkeeper_getSettings: {
    summary: 'Returns the settings.',
    result: { name: 'settings', source: SettingsStruct },
    examples: [example('as they are at first', [], settings)],
  },
  tollkeeper_setSettings: {
    summary: 'Changes settings.',
    params: oneObject(SettingsParamsStruct, 'changes', 'The changed settings.'),
    result: { name: 'settings', source: SettingsStruct },
    asks: 'if anything changes',
    errors: [-32602, -32005, 4001],
    examples: [
      example('higher fees', [{ feeLevel: 'high' }], { ...settings, feeLevel: 'high' }),
    ],
  },
  tollkeeper_getActivity: {
    summary: 'Returns the last 100 transactions and user operations, newest first.',
    result: { name: 'activity', source: array(ActivityEntryStruct) },
    examples: [example('one payment', [], [sent])],
  },
  tollkeeper_getStatus: {
    summary:
      'Returns the state of what is stored. A document that cannot be read is reported and never overwritten.',
    result: { name: 'status', source: StatusStruct },
    examples: [
      example('all is well', [], {
        documents: [
          { name: 'encrypted state', problem: null },
          { name: 'public state', problem: null },
        ],
        accounts: 2,
        unsettled: 0,
        requests: 0,
      }),
    ],
  },
});
