// Methods by which a site comes to see accounts.
import { ConnectParamsStruct } from '../../../src/message/connect';
import { PermissionsStruct as WantedStruct } from '../../../src/sites/accounts';
import { AddressesStruct, ConnectedStruct, PermissionsStruct } from './results';
import { example, groupOf, positions } from './row';
import { ADDRESS, MESSAGE_SIGNATURE, SMART_ADDRESS } from './samples';

const permission = positions(WantedStruct, {
  permissions:
    '`eth_accounts` or `endowment:permitted-chains`, or both: a connected site can use all networks.',
});

const PERMISSIONS = [
  {
    invoker: 'https://dapp.example',
    parentCapability: 'eth_accounts',
    caveats: [{ type: 'restrictReturnedAccounts', value: [ADDRESS, SMART_ADDRESS] }],
  },
];

const granted = { name: 'permissions', source: PermissionsStruct };

export const accounts = groupOf('Accounts', {
  eth_requestAccounts: {
    summary:
      'Returns the connected accounts. Asks the user to connect some if there are none.',
    result: { name: 'addresses', source: AddressesStruct },
    asks: 'the first time',
    errors: [4001, { code: -32001, when: 'no account to restore' }],
    examples: [example('two accounts', [], [ADDRESS, SMART_ADDRESS])],
  },
  wallet_connect: {
    summary:
      'Connects accounts and, with the capability `signInWithEthereum`, signs in with one of them in the same dialog (ERC-7846, EIP-4361). `domain` and `uri` are the site itself unless they are given.',
    params: positions(ConnectParamsStruct, {
      connect:
        'The version, and the capabilities that are wanted: `signInWithEthereum` with `nonce` and `chainId`, and the other fields of EIP-4361 as needed.',
    }),
    result: { name: 'connected', source: ConnectedStruct },
    takesEnvelope: true,
    asks: 'the first time, and always to sign in',
    errors: [4001, 5700, -32602, { code: -32001, when: 'no account to restore' }],
    examples: [
      example(
        'connect and sign in',
        [
          {
            version: '1',
            capabilities: {
              signInWithEthereum: { nonce: 'k13wuyv6db6cz', chainId: '0x1' },
            },
          },
        ],
        {
          accounts: [
            {
              address: ADDRESS,
              capabilities: {
                signInWithEthereum: {
                  message:
                    'dapp.example wants you to sign in with your Ethereum account:\n…',
                  signature: MESSAGE_SIGNATURE,
                },
              },
            },
          ],
        },
      ),
    ],
  },
  eth_accounts: {
    summary: 'Returns the connected accounts, or an empty array.',
    result: { name: 'addresses', source: AddressesStruct },
    examples: [example('before a grant', [], [])],
  },
  wallet_getPermissions: {
    summary: 'Returns the permissions of the site (EIP-2255).',
    result: granted,
    examples: [example('two accounts', [], PERMISSIONS)],
  },
  wallet_requestPermissions: {
    summary: 'Asks the user again which accounts to connect (EIP-2255).',
    params: permission,
    result: granted,
    asks: 'always',
    errors: [4001, -32001, -32602],
    examples: [example('two accounts', [{ eth_accounts: {} }], PERMISSIONS)],
  },
  wallet_revokePermissions: {
    summary: 'Disconnects all accounts from the site.',
    params: permission,
    errors: [-32602],
    examples: [example('all accounts', [{ eth_accounts: {} }], null)],
  },
  wallet_disconnect: {
    summary: 'Disconnects all accounts from the site (ERC-7846).',
    examples: [example('all accounts', [], null)],
  },
});
