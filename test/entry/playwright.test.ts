// tollkeeper-snap/playwright: a test decides on the dialogs of a page, which Node simulates here.
import { types } from 'node:util';
import { runInNewContext } from 'node:vm';

import { jest } from '@jest/globals';

import { installTollkeeper } from '../../packages/playwright/src';
import type { WalletPage } from '../../packages/playwright/src';
import { bridge } from '../../packages/playwright/src/bridge';
import { ProviderRpcError } from '../../packages/provider/src';
import type { Listener, RequestArguments } from '../../packages/provider/src';
import { createEmitter } from '../../packages/provider/src/eip1193';
import { errorOf } from '../support/error-of';
import { settle } from '../support/gate';

type PageProvider = {
  request: (args?: RequestArguments) => Promise<unknown>;
  on: (event: string, listener: (value: unknown) => void) => unknown;
};

/** Creates a page whose frame can go to another site. */
function createPage() {
  const window: Record<string, unknown> = new EventTarget() as never;
  const frame = {
    url: () => 'http://localhost/',
    evaluate: async (script: string) =>
      Promise.resolve<unknown>(runInNewContext(script, { window })),
  };
  const page: WalletPage = {
    exposeBinding: async (name, callback) => {
      window[name] = async (args: RequestArguments) =>
        Promise.resolve(callback({ frame }, args));
      return Promise.resolve();
    },
    addInitScript: async ({ content }) => {
      runInNewContext(content, { window, CustomEvent, Event });
      return Promise.resolve();
    },
  };
  return { page, frame, findProvider: () => window.ethereum as PageProvider };
}

async function openPage() {
  const { page, findProvider } = createPage();
  // A node that never answers.
  const chains = [{ id: 31_337, rpcUrl: async () => new Promise(() => undefined) }];
  const wallet = await installTollkeeper(page, { chains });
  return { wallet, ethereum: findProvider() };
}

const connect = { method: 'eth_requestAccounts' };

describe('a decision of a test', () => {
  it('applies to the open dialog, or to the next one if none is open', async () => {
    const { wallet, ethereum } = await openPage();
    const connecting = ethereum.request(connect);
    expect(await wallet.approve()).toHaveProperty('method', connect.method);
    const [account] = (await connecting) as string[];
    const approving = wallet.approve();
    const signing = ethereum.request({
      method: 'personal_sign',
      params: ['0x', account],
    });
    expect(await approving).toHaveProperty('method', 'personal_sign');
    expect(await signing).toMatch(/^0x/u);
  });

  it('fails if no dialog opens, and names the request that the page waits for', async () => {
    const { wallet, ethereum } = await openPage();
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      const first = errorOf(wallet.approve);
      jest.advanceTimersByTime(4_000);
      expect((await first).message).toBe(
        'No dialog opened within 4 s. The page is not waiting for a request; no dialog has opened yet.',
      );
      // A decision that timed out does not consume a later dialog.
      const connecting = ethereum.request(connect);
      await settle();
      jest.advanceTimersByTime(0);
      await wallet.approve();
      await connecting;
      void ethereum.request({ method: 'eth_blockNumber' });
      const second = errorOf(wallet.reject);
      jest.advanceTimersByTime(4_000);
      expect((await second).message).toMatch(
        /^No dialog opened within 4 s\. The page is waiting for eth_blockNumber; the last dialog was ".+"\.$/u,
      );
    } finally {
      jest.useRealTimers();
    }
  });
});

describe('an event of the wallet', () => {
  const setup = async () => {
    const { page, frame, findProvider } = createPage();
    const createSite = () => {
      const { add, emit } = createEmitter();
      return {
        emit,
        request: async () => Promise.resolve(null),
        on: (event: string, listener: Listener) => add(event, listener, false),
      };
    };
    const [site, other] = [createSite(), createSite()];
    const visit = (origin: string) => (origin === 'http://localhost' ? site : other);
    await bridge(page, { name: 'Wallet', visit });
    const ethereum = findProvider();
    await ethereum.request({ method: 'eth_chainId' });
    return { frame, ethereum, emit: site.emit };
  };

  it.each<[string, unknown]>([
    ['accountsChanged', ['0xa']],
    ['chainChanged', '0x1'],
    ['connect', { chainId: '0x1' }],
    ['message', { type: 'eth_subscription', data: { result: '0x1' } }],
  ])('reaches the page: %s', async (event, value) => {
    const { ethereum, emit } = await setup();
    const heard: unknown[] = [];
    ethereum.on(event, (each) => heard.push(each));
    emit(event, value);
    expect(JSON.parse(JSON.stringify(heard))).toStrictEqual([value]);
  });

  it('reaches the page as an error: disconnect', async () => {
    const { ethereum, emit } = await setup();
    const heard: unknown[] = [];
    ethereum.on('disconnect', (error) => heard.push(error));
    emit('disconnect', new ProviderRpcError(4900, 'It was removed.'));
    expect(heard).toMatchObject([{ code: 4900, message: 'It was removed.' }]);
    expect(types.isNativeError(heard[0])).toBe(true);
  });

  it('does not reach a frame that has gone to another site', async () => {
    const { frame, ethereum, emit } = await setup();
    const heard: unknown[] = [];
    ethereum.on('accountsChanged', (accounts) => heard.push(accounts));
    frame.url = () => 'http://other.example/';
    await ethereum.request({ method: 'eth_chainId' });
    emit('accountsChanged', ['0xa']);
    expect(heard).toStrictEqual([]);
  });
});

describe('an error in the page', () => {
  it('is an invalid request if there are no arguments', async () => {
    const { ethereum } = await openPage();
    expect(await errorOf(async () => ethereum.request())).toMatchObject({
      code: -32600,
    });
  });

  it('keeps its code and message as JSON', async () => {
    const { ethereum } = await openPage();
    const error = await errorOf(async () =>
      ethereum.request({ method: 'wallet_switchEthereumChain', params: null as never }),
    );
    expect(JSON.parse(JSON.stringify(error))).toStrictEqual({
      code: -32602,
      message: 'wallet_switchEthereumChain: params must be an object in an array.',
    });
  });
});
