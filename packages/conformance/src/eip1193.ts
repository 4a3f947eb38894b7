// EIP-1193: requests, errors and events.
import { check, isHex, isObject, rejects, show, skip, toHex } from './expect';
import type { Cases, Context } from './types';

const STRANGER = `0x${'00'.repeat(18)}dead`;
const MESSAGE = '0x48656c6c6f';

function isAccounts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => isHex(each, 20));
}

async function switchTo({ ask, user }: Context, chainId: number): Promise<void> {
  await user.approve('the other network');
  await ask('wallet_switchEthereumChain', [{ chainId: toHex(chainId) }]);
}

const fresh: Cases = {
  '1193-request': {
    section: 'request',
    checks: 'Answers eth_chainId with the selected chain, in hex',
    run: async ({ provider, chainId }) => {
      const asked: unknown = provider.request({ method: 'eth_chainId' });
      const { then } = Object(asked) as { then?: unknown };
      check(typeof then === 'function', 'It returned no promise.');
      const answer = await asked;
      check(answer === toHex(chainId), `It answered ${show(answer)}.`);
    },
  },
  '1193-params': {
    section: 'request',
    checks: 'Takes requests with and without params',
    run: async ({ ask }) => {
      const [without, empty] = [await ask('eth_chainId'), await ask('eth_chainId', [])];
      check(without === empty, `${show(without)} is not ${show(empty)}.`);
    },
  },
  '1193-malformed': {
    section: 'request',
    checks: 'Rejects a malformed request, and does not throw',
    run: async ({ provider }) => {
      let asked: Promise<unknown>;
      try {
        asked = provider.request({} as never);
      } catch (error) {
        throw new Error(`It threw at once: ${show(error)}`, { cause: error });
      }
      await rejects(() => asked, [-32600, -32602]);
    },
  },
  '1193-error-shape': {
    section: 'Errors',
    checks: 'Rejects with an Error',
    run: async ({ provider }) => {
      const asked = provider.request({ method: 'conformance_unknown' });
      const error: unknown = await asked.then(
        () => skip('It answers unknown methods.'),
        (thrown: unknown) => thrown,
      );
      // Of another realm, too, as from a frame or a test's sandbox.
      const isError = Object.prototype.toString.call(error) === '[object Error]';
      check(isError, 'It rejects with a plain object.');
    },
  },
  '1193-4200': {
    section: 'Provider Errors',
    checks: 'Refuses an unknown method with 4200, or -32601 of JSON-RPC',
    run: async ({ provider }) => {
      const method = 'conformance_unknown';
      await rejects(async () => provider.request({ method }), [4200, -32601]);
    },
  },
  '1193-4900': {
    section: 'Provider Errors',
    checks: 'Rejects with 4900 if it reaches no chain',
    run: async ({ unreachable }) => {
      if (!unreachable) return skip('The run has no provider without a wallet.');
      await rejects(async () => unreachable.request({ method: 'eth_chainId' }), [4900]);
    },
  },
  '1193-emitter': {
    section: 'Events',
    checks: 'Has on and removeListener',
    run: ({ provider }) => {
      for (const name of ['on', 'removeListener'] as const) {
        check(typeof provider[name] === 'function', `${name} is missing.`);
      }
    },
  },
  '1193-no-accounts': {
    section: 'eth_accounts',
    checks: 'Shows no account to a site that is not connected',
    run: async ({ ask }) => {
      const accounts = await ask('eth_accounts');
      check(show(accounts) === '[]', `It answered ${show(accounts)}.`);
    },
  },
  '1193-4100': {
    section: 'Provider Errors',
    checks: 'Refuses to sign for an account that is not connected with 4100',
    run: async ({ ask }) => {
      await rejects(async () => ask('personal_sign', [MESSAGE, STRANGER]), [4100]);
    },
  },
  '1193-4001-connect': {
    section: 'Provider Errors',
    checks: 'Answers 4001 if the user refuses to connect',
    run: async ({ ask, user }) => {
      await user.reject('the connection');
      await rejects(async () => ask('eth_requestAccounts'), [4001]);
    },
  },
};

const connected: Cases = {
  '1193-connect': {
    section: 'eth_requestAccounts',
    checks: 'Connects accounts, and shows them by eth_accounts',
    run: async ({ ask, user, setAccounts }) => {
      await user.approve('the connection');
      const accounts = await ask('eth_requestAccounts');
      check(isAccounts(accounts), `It answered ${show(accounts)}.`);
      check(accounts.length > 0, 'It answered no account.');
      setAccounts(accounts);
      const again = await ask('eth_accounts');
      check(show(again) === show(accounts), `eth_accounts answered ${show(again)}.`);
    },
  },
  '1193-accountsChanged': {
    section: 'accountsChanged',
    checks: 'Emits accountsChanged when accounts are connected',
    run: async ({ account, hear }) => {
      const own = account();
      const [accounts] = await hear('accountsChanged', 1);
      const isRight = isAccounts(accounts) && accounts[0] === own;
      check(isRight, `It sent ${show(accounts)}.`);
    },
  },
  '1193-connect-event': {
    section: 'connect',
    checks: 'Emits connect with the chain id',
    run: ({ events }) => {
      const [info] = events('connect');
      if (info === undefined) skip('It was connected before anyone listened.');
      check(isObject(info) && isHex(info['chainId']), `It sent ${show(info)}.`);
    },
  },
  '1193-32602': {
    section: 'RPC Errors',
    checks: 'Refuses wrong params with -32602',
    run: async ({ ask, account }) => {
      const own = account();
      await rejects(async () => ask('personal_sign', [{}, own]), [-32602]);
    },
  },
  '1193-4001-sign': {
    section: 'Provider Errors',
    checks: 'Answers 4001 if the user refuses to sign',
    run: async ({ ask, user, account }) => {
      const own = account();
      await user.reject('the message');
      await rejects(async () => ask('personal_sign', [MESSAGE, own]), [4001]);
    },
  },
  '1193-sign': {
    section: 'request',
    checks: 'Signs a message',
    run: async ({ ask, user, account }) => {
      const own = account();
      await user.approve('the message');
      const signature = await ask('personal_sign', [MESSAGE, own]);
      check(isHex(signature), `It answered ${show(signature)}.`);
    },
  },
  '1193-chainChanged': {
    section: 'chainChanged',
    checks: 'Emits chainChanged in hex, before eth_chainId is asked again',
    run: async (context) => {
      const { ask, events, hear, chainId, otherChainId } = context;
      if (otherChainId === undefined) return skip('The run has no second chain.');
      const before = events('chainChanged').length;
      await switchTo(context, otherChainId);
      try {
        const heard = await hear('chainChanged', before + 1);
        check(heard.at(-1) === toHex(otherChainId), `It sent ${show(heard.at(-1))}.`);
        const answer = await ask('eth_chainId');
        check(answer === toHex(otherChainId), `eth_chainId answered ${show(answer)}.`);
      } finally {
        await switchTo(context, chainId);
      }
    },
  },
  '1193-removeListener': {
    section: 'Events',
    checks: 'Calls no listener that was removed',
    run: async (context) => {
      const { provider, chainId, otherChainId, events, hear } = context;
      if (otherChainId === undefined) return skip('The run has no second chain.');
      const heard: unknown[] = [];
      const listener = (value: unknown): void => void heard.push(value);
      provider.on?.('chainChanged', listener);
      check(provider.removeListener !== undefined, 'removeListener is missing.');
      provider.removeListener('chainChanged', listener);
      const before = events('chainChanged').length;
      await switchTo(context, otherChainId);
      await switchTo(context, chainId);
      await hear('chainChanged', before + 2);
      check(heard.length === 0, `It sent ${show(heard)}.`);
    },
  },
};

const last: Cases = {
  '1193-disconnect': {
    section: 'disconnect',
    checks: 'Emits disconnect, with a code of CloseEvent',
    run: async ({ provider, user, hear }) => {
      if (!user.disconnect) return skip('The run cannot take the wallet away.');
      await user.disconnect();
      // A provider may notice at the next request.
      await provider.request({ method: 'eth_accounts' }).catch(() => undefined);
      const [error] = await hear('disconnect', 1);
      const { code } = Object(error) as { code?: unknown };
      const isRight = typeof code === 'number' && code >= 1000 && code <= 4999;
      check(isRight, `It sent the code ${show(code)}.`);
    },
  },
};

export const eip1193 = { fresh, connected, last };
