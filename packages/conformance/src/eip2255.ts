// EIP-2255: the permissions of a site; and wallet_revokePermissions, which MetaMask has added.
import { check, isObject, rejects, show } from './expect';
import type { Cases } from './types';

const ACCOUNTS = [{ eth_accounts: {} }];

function checkPermissions(value: unknown): void {
  check(Array.isArray(value), `It answered ${show(value)}, not a list.`);
  const own = value.filter(isObject);
  const permission = own.find((each) => each['parentCapability'] === 'eth_accounts');
  check(permission !== undefined, `eth_accounts is not in ${show(value)}.`);
  const { invoker, caveats } = permission;
  const isOrigin = typeof invoker === 'string' && URL.canParse(invoker);
  check(isOrigin, `invoker is ${show(invoker)}, not the site's origin.`);
  check(Array.isArray(caveats), `caveats is ${show(caveats)}, not a list.`);
  const isRight = (caveat: unknown): boolean =>
    isObject(caveat) && typeof caveat['type'] === 'string' && 'value' in caveat;
  check(caveats.every(isRight), `A caveat has no type or value: ${show(caveats)}`);
}

const fresh: Cases = {
  '2255-none': {
    section: 'wallet_getPermissions',
    checks: 'Lists no account for a site that is not connected',
    run: async ({ ask }) => {
      const value = await ask('wallet_getPermissions');
      check(Array.isArray(value), `It answered ${show(value)}, not a list.`);
      const has = value.some(
        (each) => isObject(each) && each['parentCapability'] === 'eth_accounts',
      );
      check(!has, `It lists accounts: ${show(value)}`);
    },
  },
};

const connected: Cases = {
  '2255-get': {
    section: 'wallet_getPermissions',
    checks: 'Lists eth_accounts with invoker, parentCapability and caveats',
    run: async ({ ask, account }) => {
      account();
      checkPermissions(await ask('wallet_getPermissions'));
    },
  },
  '2255-refused': {
    section: 'wallet_requestPermissions',
    checks: 'Answers 4001 if the user refuses, and keeps the accounts',
    run: async ({ ask, account, user }) => {
      account();
      await user.reject('the permission for accounts');
      await rejects(async () => ask('wallet_requestPermissions', ACCOUNTS), [4001]);
      checkPermissions(await ask('wallet_getPermissions'));
    },
  },
  '2255-request': {
    section: 'wallet_requestPermissions',
    checks: 'Asks the user, and answers the permission',
    run: async ({ ask, user, setAccounts }) => {
      await user.approve('the permission for accounts');
      checkPermissions(await ask('wallet_requestPermissions', ACCOUNTS));
      setAccounts((await ask('eth_accounts')) as string[]);
    },
  },
  '2255-params': {
    section: 'wallet_requestPermissions',
    checks: 'Refuses wrong params with -32602',
    run: async ({ ask }) => {
      await rejects(async () => ask('wallet_requestPermissions', ['eth']), [-32602]);
    },
  },
};

const last: Cases = {
  '2255-revoke': {
    section: 'wallet_revokePermissions (MIP-2)',
    checks: 'Revokes the accounts, and emits accountsChanged',
    run: async ({ ask, account, events, hear, setAccounts, provider }) => {
      account();
      const before = events('accountsChanged').length;
      const answer = await ask('wallet_revokePermissions', ACCOUNTS);
      check(answer === null, `It answered ${show(answer)}, not null.`);
      setAccounts([]);
      const accounts = await ask('eth_accounts');
      check(show(accounts) === '[]', `eth_accounts still answers ${show(accounts)}.`);
      if (!provider.on) return;
      const heard = await hear('accountsChanged', before + 1);
      check(show(heard.at(-1)) === '[]', `accountsChanged sent ${show(heard.at(-1))}.`);
    },
  },
};

export const eip2255 = { fresh, connected, last };
