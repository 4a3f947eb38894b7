import { jest } from '@jest/globals';

import { createProvider } from '../../../src/provider';
import type { Provider } from '../../../src/provider';
import { errorOf } from '../../support/error-of';
import { createFakeWallet } from '../../support/fake-wallet';
import type { FakeWallet } from '../../support/fake-wallet';
import { settle } from '../../support/gate';

type World = FakeWallet & {
  provider: Provider;
  /** What was told, without its id. */
  told: unknown[];
  /** Let the next question be asked, with the chain at this block. */
  reach: (block: number) => Promise<void>;
  subscribe: (...params: unknown[]) => Promise<unknown>;
};

function setup(): World {
  const wallet = createFakeWallet();
  const provider = createProvider({ ethereum: wallet.ethereum });
  const told: unknown[] = [];
  provider.on('message', ({ data }) => told.push((data as { result: unknown }).result));
  wallet.answers.eth_blockNumber = () => '0x64';
  wallet.answers.eth_getBlockByNumber = (params) => (params as unknown[])[0];
  return {
    ...wallet,
    provider,
    told,
    reach: async (block) => {
      wallet.answers.eth_blockNumber = () => `0x${block.toString(16)}`;
      jest.advanceTimersByTime(3_000);
      await settle();
    },
    subscribe: async (...params) =>
      provider.request({ method: 'eth_subscribe', params }),
  };
}

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
});

afterEach(() => {
  jest.useRealTimers();
});

describe('newHeads', () => {
  it('tells each block that comes after the subscription', async () => {
    const { subscribe, reach, told } = setup();
    await subscribe('newHeads');
    await reach(100);
    expect(told).toStrictEqual([]);
    await reach(102);
    await reach(103);
    expect(told).toStrictEqual(['0x65', '0x66', '0x67']);
  });

  it('names its subscription', async () => {
    const { provider, subscribe, reach } = setup();
    const messages: unknown[] = [];
    provider.on('message', (message: unknown) => messages.push(message));
    const subscription = await subscribe('newHeads');
    expect(subscription).toMatch(/^0x[0-9a-f]{32}$/u);
    await reach(101);
    expect(messages).toStrictEqual([
      { type: 'eth_subscription', data: { subscription, result: '0x65' } },
    ]);
  });

  it('leaves out all but the newest after a pause', async () => {
    const { subscribe, reach, told } = setup();
    await subscribe('newHeads');
    await reach(1_000);
    expect(told).toHaveLength(16);
    expect(told.at(-1)).toBe('0x3e8');
  });

  it('goes on after another, shorter chain was chosen', async () => {
    const { subscribe, reach, told } = setup();
    await subscribe('newHeads');
    await reach(7);
    await reach(8);
    expect(told).toStrictEqual(['0x7', '0x8']);
  });

  it('makes up for a question that failed', async () => {
    const { subscribe, reach, told, answers } = setup();
    await subscribe('newHeads');
    answers.eth_getBlockByNumber = () => {
      throw new Error('The node is away.');
    };
    await reach(101);
    answers.eth_getBlockByNumber = (params) => (params as unknown[])[0];
    await reach(102);
    expect(told).toStrictEqual(['0x65', '0x66']);
  });
});

describe('logs', () => {
  it('asks for those of the new blocks, by the filter', async () => {
    const { subscribe, reach, told, answers, asked } = setup();
    answers.eth_getLogs = () => ['log 1', 'log 2'];
    await subscribe('logs', { address: '0xa', fromBlock: '0x0' });
    await reach(102);
    expect(asked.at(-1)).toStrictEqual({
      method: 'eth_getLogs',
      params: [{ address: '0xa', fromBlock: '0x65', toBlock: '0x66' }],
    });
    expect(told).toStrictEqual(['log 1', 'log 2']);
  });
});

it('tells nothing after the subscription has ended, and leaves no timer', async () => {
  const { provider, subscribe, reach, told } = setup();
  const id = await subscribe('newHeads');
  const end = { method: 'eth_unsubscribe', params: [id] };
  expect(await provider.request(end)).toBe(true);
  expect(await provider.request(end)).toBe(false);
  await reach(105);
  expect(told).toStrictEqual([]);
  expect(jest.getTimerCount()).toBe(0);
});

it.each([[['newPendingTransactions']], [['constructor']], [[]]])(
  'refuses %j',
  async (params) => {
    const { subscribe } = setup();
    expect(await errorOf(async () => subscribe(...params))).toMatchObject({
      code: 4200,
      message: 'Only newHeads and logs can be subscribed to.',
    });
  },
);
