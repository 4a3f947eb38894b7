// Which accounts a site has.
import { defineRow } from '../row';
import type { MethodRow } from '../row';

/** Methods of accounts and permissions. */
export const accountRows: readonly MethodRow[] = [
  defineRow({
    name: 'eth_requestAccounts',
    about:
      'Asks the user for accounts, the first time; answers those that were granted.',
    needs: [],
    example: () => [],
  }),
  defineRow({
    name: 'eth_accounts',
    about: 'Answers the accounts that this site was granted; asks nobody.',
    needs: [],
    example: () => [],
  }),
  defineRow({
    name: 'wallet_getPermissions',
    about: 'Answers what this site was permitted (EIP-2255).',
    needs: [],
    example: () => [],
  }),
  defineRow({
    name: 'wallet_requestPermissions',
    about: 'Asks the user to choose accounts anew (EIP-2255).',
    needs: [],
    example: () => [{ eth_accounts: {} }],
  }),
  defineRow({
    name: 'wallet_revokePermissions',
    about: 'Gives all accounts back: this site has none until it asks again.',
    needs: [],
    example: () => [{ eth_accounts: {} }],
  }),
  defineRow({
    name: 'eth_chainId',
    about:
      'Answers the only chain of the granted accounts, else that of MetaMask. MetaMask has a method of the same name, so the snap is asked outright.',
    needs: [],
    example: () => [],
    isWallets: true,
  }),
];
