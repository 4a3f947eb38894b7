// Methods of the companion page that look after what is there: grants, settings, what was
// sent, and whether all is well.
import { array, literal } from '@metamask/superstruct';

import { RevokeParamsStruct, SettingsParamsStruct } from '../../../src/management';
import { SettingsStruct } from '../../../src/state/private-state';
import { ActivityEntryStruct, GrantsStruct, StatusStruct } from './companion-results';
import { noParams, oneObject } from './row';
import type { Group } from './row';
import { ACCOUNT_ID, ADDRESS, BLOCK_HASH, HASH, RECIPIENT } from './samples';

const settings = {
  approvalMode: 'synchronous',
  feeLevel: 'medium',
  secondConfirmation: false,
  notifications: true,
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

/** What the companion page looks after. */
export const oversight: Group = {
  title: 'Oversight (companion page)',
  rows: [
    {
      name: 'tollkeeper_getGrants',
      summary: 'Get what sites were granted.',
      params: noParams,
      result: {
        cell: '`[{ origin, accounts: [{ id, address }] }]`',
        name: 'grants',
        source: GrantsStruct,
      },
      asks: 'no',
      errors: [],
      examples: [
        {
          name: 'one site',
          params: [],
          result: [
            { origin: ORIGIN, accounts: [{ id: ACCOUNT_ID, address: ADDRESS }] },
          ],
        },
      ],
    },
    {
      name: 'tollkeeper_revokeGrant',
      summary: 'Take back what a site was granted.',
      params: oneObject('`[{ origin, account?: id }]`', RevokeParamsStruct, {
        name: 'grant',
        summary: 'The site, and which account; all, if none is named.',
        isRequired: true,
      }),
      result: { cell: '`null`', name: 'nothing', source: literal(null) },
      asks: 'no',
      errors: [-32602],
      examples: [{ name: 'all accounts', params: [{ origin: ORIGIN }], result: null }],
    },
    {
      name: 'tollkeeper_getSettings',
      summary: 'Get the settings.',
      params: noParams,
      result: {
        cell: '`{ approvalMode, feeLevel, secondConfirmation, notifications }`',
        name: 'settings',
        source: SettingsStruct,
      },
      asks: 'no',
      errors: [],
      examples: [{ name: 'as they are at first', params: [], result: settings }],
    },
    {
      name: 'tollkeeper_setSettings',
      summary: 'Change settings.',
      params: oneObject(
        '`[{ approvalMode?, feeLevel?, secondConfirmation?, notifications? }]`',
        SettingsParamsStruct,
        { name: 'changes', summary: 'What changes.', isRequired: false },
      ),
      result: { cell: 'the settings', name: 'settings', source: SettingsStruct },
      asks: 'if anything changes',
      errors: [-32602, -32005, 4001],
      examples: [
        {
          name: 'higher fees',
          params: [{ feeLevel: 'high' }],
          result: { ...settings, feeLevel: 'high' },
        },
      ],
    },
    {
      name: 'tollkeeper_getActivity',
      summary: 'Get what was sent, newest first.',
      params: noParams,
      result: {
        cell: 'what was sent, newest first: `[{ hash, chain, account, from, to, nonce, value, fees, origin, sentAt, status, inclusion?, replaces?, replacedBy?, canBeReplaced, hasReceipt, … }]`; the last 100',
        name: 'activity',
        source: array(ActivityEntryStruct),
      },
      asks: 'no',
      errors: [],
      examples: [{ name: 'one payment', params: [], result: [sent] }],
    },
    {
      name: 'tollkeeper_getStatus',
      summary: 'Get whether all is well with what is stored.',
      params: noParams,
      result: {
        cell: '`{ documents: [{ name, problem }], accounts, unsettled, requests }`: what is stored and cannot be read is reported, never overwritten',
        name: 'status',
        source: StatusStruct,
      },
      asks: 'no',
      errors: [],
      examples: [
        {
          name: 'all is well',
          params: [],
          result: {
            documents: [
              { name: 'encrypted state', problem: null },
              { name: 'public state', problem: null },
            ],
            accounts: 2,
            unsettled: 0,
            requests: 0,
          },
        },
      ],
    },
  ],
};
