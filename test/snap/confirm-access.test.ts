// The dialogs of access: which accounts a site sees, whether a key is given away, and what the
// companion page may change and create.
import type { Hex } from '../../src/eth/hex';
import {
  ChangesConfirmation,
  ConnectConfirmation,
  ExportConfirmation,
  FactoryConfirmation,
} from '../../src/ui/access';
import { describeDialogs } from '../support/dialog-rows';
import { COMPANION, resultIn } from '../support/snap-bench';
import { textOf, translate } from '../support/view';

const PLANTED = `0x${'ba'.repeat(20)}` as const;

let owner: Hex;

const THEIRS = `0x${'ee'.repeat(20)}` as const;

const KEY = expect.stringMatching(/^0x[0-9a-f]{64}$/u) as string;

const shortOf = (address: string): string =>
  `${address.slice(0, 8)}…${address.slice(-6)}`;

describeDialogs({
  'the choice of accounts, those chosen that were granted': {
    call: () => ({
      method: 'wallet_requestPermissions',
      params: [{ eth_accounts: {} }],
    }),
    view: ({ origin, eoa, smart }) =>
      ConnectConfirmation({
        translate,
        origin,
        accounts: [
          {
            id: eoa.id,
            label: `Tollkeeper 1 (${shortOf(eoa.address)})`,
            isChosen: true,
          },
          {
            id: smart.id,
            label: `Tollkeeper Smart 1 (${shortOf(smart.address)})`,
            isChosen: true,
          },
        ],
      }),
    result: [expect.objectContaining({ parentCapability: 'eth_accounts' })],
  },
  'a change of settings': {
    call: () => ({ method: 'tollkeeper_setSettings', params: [{ feeLevel: 'high' }] }),
    view: () =>
      ChangesConfirmation({
        translate,
        title: 'change.settings',
        origin: COMPANION,
        changes: [
          {
            label: 'settings.feeLevel',
            before: textOf('level.medium'),
            after: textOf('level.high'),
          },
        ],
      }),
    result: expect.objectContaining({ feeLevel: 'high' }),
  },
  "a change of a network's contracts": {
    call: () => ({
      method: 'tollkeeper_setChain',
      params: [{ chainId: 5, entryPoint: '0.6', factory: PLANTED }],
    }),
    view: () =>
      ChangesConfirmation({
        translate,
        title: 'change.chain',
        origin: COMPANION,
        chain: 'eip155:5',
        isFactoryUnknown: true,
        changes: [
          {
            label: 'chain.entryPoint',
            before: textOf('chain.entryPointDefault'),
            after: '0.6 (0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789)',
          },
          {
            label: 'chain.factory',
            before: textOf('chain.isNotSet'),
            after: PLANTED,
          },
        ],
      }),
    result: expect.objectContaining({ factory: PLANTED }),
  },
  'a smart account of an unknown factory': {
    prepare: async ({ node, create, keyring }) => {
      // The owner, from an account of the canonical factory that is gone again.
      node.eth_call = '0x';
      const options = { type: 'eip155:erc4337', entryPoint: '0.6', index: 0 };
      const { id, options: made } = await create(options);
      owner = made.owner as Hex;
      resultIn(await keyring('keyring_deleteAccount', { id }));
      node.eth_call = `0x${'0'.repeat(24)}${THEIRS.slice(2)}`;
    },
    call: () => ({
      method: 'keyring_createAccount',
      params: {
        options: {
          type: 'eip155:erc4337',
          scopes: ['eip155:1'],
          entryPoint: '0.6',
          factory: PLANTED,
          index: 0,
        },
      },
    }),
    view: () =>
      FactoryConfirmation({
        translate,
        origin: COMPANION,
        account: THEIRS,
        name: 'Tollkeeper Smart 1',
        chain: 'eip155:1',
        owner,
        entryPoint: '0.6',
        factory: PLANTED,
      }),
    result: expect.objectContaining({ address: THEIRS }),
  },
  'the export of a key': {
    call: ({ eoa: { id } }) => ({ method: 'keyring_exportAccount', params: { id } }),
    view: ({ account }) =>
      ExportConfirmation({
        translate,
        origin: COMPANION,
        account,
        name: 'Tollkeeper 1',
      }),
    result: { type: 'private-key', privateKey: KEY, encoding: 'hexadecimal' },
  },
  "the export of a smart account's key": {
    call: ({ smart: { id } }) => ({ method: 'keyring_exportAccount', params: { id } }),
    view: ({ smart }) =>
      ExportConfirmation({
        translate,
        origin: COMPANION,
        account: smart.address as `0x${string}`,
        name: 'Tollkeeper Smart 1',
        owner: smart.options.owner as `0x${string}`,
      }),
    result: { type: 'private-key', privateKey: KEY, encoding: 'hexadecimal' },
  },
});
