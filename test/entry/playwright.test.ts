// tollkeeper-snap/playwright: a test decides on the dialogs of a page, which Node simulates here.
import { runInNewContext } from 'node:vm';

import { jest } from '@jest/globals';

import { installTollkeeper } from '../../packages/playwright/src';
import type { WalletPage } from '../../packages/playwright/src';
import type { RequestArguments } from '../../packages/provider/src';
import { errorOf } from '../support/error-of';
import { settle } from '../support/gate';

type PageProvider = { request: (args: RequestArguments) => Promise<unknown> };

async function openPage() {
  const frame = {
    url: () => 'http://localhost/',
    evaluate: async () => Promise.resolve(),
  };
  const window: Record<string, unknown> = new EventTarget() as never;
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
  // A node that never answers.
  const chains = [{ id: 31_337, rpcUrl: async () => new Promise(() => undefined) }];
  const wallet = await installTollkeeper(page, { chains });
  return { wallet, ethereum: window.ethereum as PageProvider };
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

describe('an error in the page', () => {
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
