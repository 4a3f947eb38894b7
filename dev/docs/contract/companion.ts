// Methods of the companion page that manage accounts and look after them.
import { boolean, object } from '@metamask/superstruct';

import { RangeStruct } from '../../../src/accounts/range';
import { RestoreOptionsStruct } from '../../../src/accounts/restore';
import { Bytes32Struct } from '../../../src/eth/hex';
import { DeploymentsParamsStruct } from '../../../src/management';
import {
  DelegateParamsStruct,
  RevokeDelegationParamsStruct,
} from '../../../src/transaction/delegate';
import {
  AnnouncedStruct,
  DeploymentsStruct,
  ProgressStruct,
  RestoredStruct,
} from './results';
import { example, groupOf, oneObject, positions, type Row } from './row';
import {
  ACCOUNT_ID,
  ADDRESS,
  HASH,
  RECIPIENT,
  SMART_ADDRESS,
  SMART_ID,
} from './samples';

const account = {
  id: ACCOUNT_ID,
  type: 'eip155:eoa',
  address: ADDRESS,
  scopes: ['eip155:0'],
  options: { entropy: { type: 'custom' }, index: 0 },
  methods: ['personal_sign', 'eth_signTransaction', 'eth_signTypedData_v4'],
};

const SentStruct = object({ hash: Bytes32Struct });

/** What delegating and revoking a delegation have in common. */
const delegating = {
  result: { name: 'sent', source: SentStruct },
  passesOn: "the node's own error",
} satisfies Partial<Row>;

const onEthereum = example('on Ethereum', [{ account: ADDRESS, chainId: '0x1' }], {
  hash: HASH,
});

const paid = { account: ADDRESS, chainId: '0x1', payer: RECIPIENT };

export const companionAccounts = groupOf('Accounts (companion page)', {
  tollkeeper_createAccounts: {
    summary: 'Creates accounts for up to 100 indices. MetaMask asks about each.',
    params: oneObject(
      RangeStruct,
      'range',
      'The indices, and the options of `keyring_createAccount` for all of them.',
    ),
    result: { name: 'announced', source: AnnouncedStruct },
    asks: 'MetaMask does; the snap, of a factory that is not canonical, and of accounts that MetaMask does not support',
    errors: [-32602, -32002, -32005],
    examples: [
      example(
        'two ordinary accounts, one of which is declined',
        [{ from: 0, count: 2 }],
        {
          accounts: [account],
          declined: [{ name: 'Tollkeeper 2', address: SMART_ADDRESS }],
          failed: [],
          skipped: [],
        },
      ),
    ],
  },
  tollkeeper_restoreAccounts: {
    summary: 'Restores accounts that MetaMask or the snap has lost.',
    params: oneObject(
      RestoreOptionsStruct,
      'search',
      'After how many unused indices the search ends (20 by default), and which Secret Recovery Phrase to search.',
    ),
    result: { name: 'restored', source: RestoredStruct },
    asks: 'MetaMask does; the snap, of a factory that is not canonical, and of accounts that MetaMask does not support',
    errors: [-32602, -32005],
    examples: [
      example('nothing is lost', [{ gap: 5 }], {
        accounts: [],
        declined: [],
        failed: [],
        skipped: [],
        unchanged: [account],
        unchecked: [],
        recovered: [],
        unreachable: [],
        isComplete: true,
      }),
    ],
  },
  tollkeeper_getProgress: {
    summary: 'Returns the progress of creating or restoring accounts, or `null`.',
    result: { name: 'progress', source: ProgressStruct },
    examples: [
      example('MetaMask is asking about the third of ten', [], {
        phase: 'announcing',
        done: 2,
        total: 10,
      }),
    ],
  },
  tollkeeper_cancelProgress: {
    summary:
      'Stops creating or restoring before the next account, which is then `skipped`. Returns whether anything was running.',
    result: { name: 'ran', source: boolean() },
    examples: [example('some ran', [], true)],
  },
  tollkeeper_getDeployments: {
    summary: 'Returns for each chain whether a smart account is deployed there.',
    params: oneObject(DeploymentsParamsStruct, 'which', 'Id of a smart account.'),
    result: { name: 'deployments', source: DeploymentsStruct },
    errors: [-32602, -32001],
    examples: [
      example('on one of two chains', [{ account: SMART_ID }], {
        'eip155:1': 'deployed',
        'eip155:10': 'absent',
      }),
    ],
  },
  tollkeeper_delegate: {
    summary: 'Delegates a standard account to an account contract (EIP-7702).',
    description:
      'Sends a transaction of the account to itself with one authorization, which is signed ' +
      'with it. Only contracts that Tollkeeper knows are offered, and only where their code is ' +
      'on the chain. By default it is the newest one whose EntryPoint the bundler of the chain ' +
      'serves. The account must be connected to the page.',
    params: positions(DelegateParamsStruct, {
      delegation: 'Address or id of the account, the chain, and the EntryPoint.',
    }),
    ...delegating,
    examples: [onEthereum],
  },
  tollkeeper_revokeDelegation: {
    summary: 'Revokes the delegation of a standard account, to any contract.',
    description:
      'With `payer`, another standard account sends the transaction and pays, so that an account ' +
      'without coins can be rescued; both accounts must be connected to the page. The chain skips ' +
      'the revocation if the nonce of the account has changed by then, and includes the ' +
      'transaction all the same: read the code of the account afterwards. `assets` move to the ' +
      'payer in the same transaction: ERC-20 tokens by `token` alone, or with an `amount`; NFTs ' +
      'with an `id` (ERC-721), or with both (ERC-1155). For that, the account delegates to a ' +
      'contract that Tollkeeper offers, in place of the other, and the EntryPoint executes a user ' +
      'operation of the account.',
    params: positions(RevokeDelegationParamsStruct, {
      delegation:
        'Address or id of the account, the chain, who pays, and what moves to the payer.',
    }),
    ...delegating,
    examples: [
      onEthereum,
      { ...onEthereum, name: 'another account pays', params: [paid] },
      {
        ...onEthereum,
        name: 'all tokens of a contract move to the payer',
        params: [
          {
            ...paid,
            assets: [{ token: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48' }],
          },
        ],
      },
    ],
  },
});
