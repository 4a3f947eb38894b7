// The accounts of the home page.
import { CreateForm, ImportForm, RestorePage } from '../../../src/home/account-forms';
import { AccountList, AccountPage } from '../../../src/home/accounts';
import type {
  AccountDetails,
  AccountListView,
  AccountView,
} from '../../../src/home/accounts';
import { screensOf } from '../screen';
import type { Screen } from '../screen';
import {
  BASE,
  EMPTY_FORM,
  FRIEND,
  LONG_SITE,
  MAINNET,
  OPTIMISM,
  OWN,
  SEPOLIA,
  SITE,
  SMART,
  SPENDER,
} from './people';

const own: AccountDetails = {
  id: 'b7a1a9b4-1c5e-4b62-9d2a-0c7a51f3d001',
  name: 'Tollkeeper 1',
  address: OWN,
  index: 0,
  balance: { amount: '1.408372914650218734', unit: 'ETH' },
  origins: [SITE, 'https://wallet.example', LONG_SITE],
};

const imported: AccountDetails = {
  id: 'b7a1a9b4-1c5e-4b62-9d2a-0c7a51f3d002',
  name: 'Savings from the old wallet, whose name is as long as a name can be',
  address: FRIEND,
  origins: [],
};

const smart: AccountDetails = {
  id: 'b7a1a9b4-1c5e-4b62-9d2a-0c7a51f3d003',
  name: 'Household',
  address: SMART,
  index: 1,
  entryPoint: '0.7',
  balance: { amount: '0', unit: 'ETH' },
  deployment: 'absent',
  contract: {
    owner: OWN,
    factory: SPENDER,
    chains: [
      [MAINNET, 'deployed'],
      [BASE, 'absent'],
      [SEPOLIA, 'unknown'],
    ],
    others: [OPTIMISM],
  },
  origins: [SITE],
};

const list: Omit<AccountListView, 'translate'> = {
  accounts: [own, imported, smart],
  page: 1,
  pages: 3,
  chain: MAINNET,
  chains: [MAINNET, BASE, SEPOLIA],
  progress: undefined,
};

/** How a search begins. */
const search = { gap: 20, form: EMPTY_FORM };

const page: Omit<AccountView, 'translate'> = {
  account: own,
  step: 'show',
  keystore: undefined,
  form: EMPTY_FORM,
  minPassword: 12,
};

/** A keystore file, whose key nobody has. */
const keystore = JSON.stringify({
  version: 3,
  id: 'b7a1a9b4-1c5e-4b62-9d2a-0c7a51f3d001',
  address: OWN.slice(2),
  crypto: {
    cipher: 'aes-128-ctr',
    ciphertext: '5f'.repeat(32),
    cipherparams: { iv: '0a'.repeat(16) },
    kdf: 'scrypt',
    kdfparams: { n: 131_072, r: 8, p: 1, dklen: 32, salt: 'c3'.repeat(32) },
    mac: '7e'.repeat(32),
  },
});

const form = { chains: [MAINNET, BASE], form: EMPTY_FORM };

/** Screens of accounts. */
export const homeAccountScreens: Screen[] = [
  ...screensOf(AccountList, {
    'of all kinds': list,
    'while they are restored': {
      ...list,
      page: 0,
      accounts: [own],
      progress: { phase: 'searching', done: 12, total: 40 },
    },
    'of none': { ...list, accounts: [], page: 0, pages: 1 },
  }),
  ...screensOf(AccountPage, {
    'of an account': page,
    'of a smart account': { ...page, account: smart },
    'that asks for a password': { ...page, account: smart, step: 'export' },
    'with a keystore': { ...page, step: 'exported', keystore },
    'that deletes': { ...page, step: 'delete' },
    'that deletes for ever': { ...page, account: imported, step: 'delete' },
  }),
  ...screensOf(CreateForm, {
    'with networks': form,
    'without networks': { ...form, chains: [] },
  }),
  ...screensOf(ImportForm, { 'of a key': form }),
  ...screensOf(RestorePage, {
    'before it starts': { ...search, progress: undefined },
    'at work': { ...search, progress: { phase: 'announcing', done: 3, total: 7 } },
  }),
];
