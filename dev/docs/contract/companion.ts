// Methods of the companion page: it configures chains, delegates accounts and changes settings.
import { array, nullable, object, optional } from '@metamask/superstruct';

import { ChainIdStruct } from '../../../src/eth/chain';
import { Bytes32Struct } from '../../../src/eth/hex';
import { SettingsParamsStruct } from '../../../src/management';
import { ChainConfigurationStruct } from '../../../src/state/chain-row';
import { SettingsStruct } from '../../../src/state/private-state';
import {
  DelegateParamsStruct,
  RevokeDelegationParamsStruct,
} from '../../../src/transaction/delegate';
import { ChainStruct } from './results';
import { example, groupOf, oneObject, positions, type Row } from './row';
import { ADDRESS, ENTRY_POINT, HASH, RECIPIENT } from './samples';

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

export const companionSettings = groupOf('Settings (companion page)', {
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
});
