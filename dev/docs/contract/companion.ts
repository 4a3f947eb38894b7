// Methods of the companion page: it configures chains, manages accounts and looks after grants,
// settings and what was sent.
import { array, boolean, nullable, object, optional } from '@metamask/superstruct';

import { RangeStruct } from '../../../src/accounts/range';
import { RestoreOptionsStruct } from '../../../src/accounts/restore';
import { ChainIdStruct } from '../../../src/eth/chain';
import { Bytes32Struct } from '../../../src/eth/hex';
import {
  DeploymentsParamsStruct,
  RevokeParamsStruct,
  SettingsParamsStruct,
} from '../../../src/management';
import { ChainConfigurationStruct } from '../../../src/state/chain-row';
import { SettingsStruct } from '../../../src/state/private-state';
import {
  DelegateParamsStruct,
  RevokeDelegationParamsStruct,
} from '../../../src/transaction/delegate';
import {
  ActivityEntryStruct,
  AnnouncedStruct,
  ChainStruct,
  DeploymentsStruct,
  GrantsStruct,
  ProgressStruct,
  RestoredStruct,
  StatusStruct,
} from './results';
import { example, groupOf, oneObject, positions, type Row } from './row';
import {
  ACCOUNT_ID,
  ADDRESS,
  BLOCK_HASH,
  ENTRY_POINT,
  HASH,
  RECIPIENT,
  SMART_ADDRESS,
  SMART_ID,
} from './samples';

// A key that is null is cleared.
const changes = Object.fromEntries(
  Object.entries(ChainConfigurationStruct.schema).map(([name, struct]) => [
    name,
    optional(nullable(struct as never)),
  ]),
);

const SetChainParamsStruct = object({ chainId: ChainIdStruct, ...changes });

const chain = {
  chainId: 'eip155:1',
  rpcUrl: 'https://node.example',
  apiKey: '[redacted]',
  entryPoint: '0.7',
  contracts: {
    entryPoint: { version: '0.7', address: ENTRY_POINT },
    factory: '0x91E60e0613810449d098b0b5Ec8b51A0FE8c8985',
  },
};

export const configuration = groupOf('Configuration (companion page)', {
  tollkeeper_setChain: {
    summary: 'Configures the servers and contracts of a chain.',
    description:
      'A field that is left out keeps its value; `null` clears it. A dialog shows what changes, and each server and contract is checked before anything is saved.',
    params: oneObject(
      SetChainParamsStruct,
      'change',
      'The chain and its changed fields.',
    ),
    result: { name: 'chain', source: ChainStruct },
    asks: 'if anything changes',
    errors: [-32602, -32002, -32005, 4001],
    examples: [
      example(
        'a node with a key',
        [
          {
            chainId: '0x1',
            rpcUrl: 'https://node.example',
            apiKey: 'your-api-key',
            entryPoint: '0.7',
          },
        ],
        chain,
      ),
    ],
  },
  tollkeeper_getChains: {
    summary: 'Returns the configured chains, with secrets redacted.',
    result: { name: 'chains', source: array(ChainStruct) },
    examples: [example('one chain', [], [chain])],
  },
});

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
      'that cannot pay the fee can be rescued; both accounts must be connected to the page. The chain skips ' +
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
