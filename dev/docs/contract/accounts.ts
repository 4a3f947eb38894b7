// Methods by which a site comes to see accounts.
import { literal } from '@metamask/superstruct';

import { AccountsPermissionStruct } from '../../../src/sites/accounts';
import { AddressesStruct, PermissionsStruct } from './results';
import { noParams, positions } from './row';
import type { Group } from './row';
import { ADDRESS, SMART_ADDRESS } from './samples';

const permission = positions('`[{ eth_accounts: {} }]`', AccountsPermissionStruct, {
  permission: 'The one permission there is, as EIP-2255 writes it.',
});

const PERMISSIONS = [
  {
    parentCapability: 'eth_accounts',
    caveats: [{ type: 'restrictReturnedAccounts', value: [ADDRESS, SMART_ADDRESS] }],
  },
];

const granted = {
  name: 'permissions',
  source: PermissionsStruct,
};

/** What a site may see. */
export const accounts: Group = {
  title: 'Accounts',
  rows: [
    {
      name: 'eth_requestAccounts',
      summary: 'Get the granted addresses; ask the user for some if there are none.',
      params: noParams,
      result: {
        cell: 'granted addresses',
        name: 'addresses',
        source: AddressesStruct,
      },
      asks: 'the first time',
      errors: [4001, { code: -32001, when: 'no account yet' }],
      examples: [
        { name: 'two accounts', params: [], result: [ADDRESS, SMART_ADDRESS] },
      ],
    },
    {
      name: 'eth_accounts',
      summary: 'Get the granted addresses.',
      params: noParams,
      result: {
        cell: 'granted addresses, none before a grant',
        name: 'addresses',
        source: AddressesStruct,
      },
      asks: 'no',
      errors: [],
      examples: [{ name: 'before a grant', params: [], result: [] }],
    },
    {
      name: 'wallet_getPermissions',
      summary: 'Get what was granted to the site (EIP-2255).',
      params: noParams,
      result: { cell: 'EIP-2255 permissions, none before a grant', ...granted },
      asks: 'no',
      errors: [],
      examples: [{ name: 'two accounts', params: [], result: PERMISSIONS }],
    },
    {
      name: 'wallet_requestPermissions',
      summary: 'Ask the user anew which accounts the site may see.',
      params: permission,
      result: { cell: 'EIP-2255 permissions', ...granted },
      asks: 'always',
      errors: [4001, -32001, -32602],
      examples: [
        { name: 'two accounts', params: [{ eth_accounts: {} }], result: PERMISSIONS },
      ],
    },
    {
      name: 'wallet_revokePermissions',
      summary: 'Give back what was granted to the site.',
      params: permission,
      result: { cell: '`null`', name: 'nothing', source: literal(null) },
      asks: 'no',
      errors: [-32602],
      examples: [
        { name: 'all accounts', params: [{ eth_accounts: {} }], result: null },
      ],
    },
  ],
};
