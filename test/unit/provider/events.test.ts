// Events of the provider: those of the wallet, accounts, and subscriptions.
import { jest } from '@jest/globals';

import { createProvider, ProviderRpcError } from '../../../packages/provider/src';
import { errorOf } from '../../support/error-of';
import { createFakeWallet } from '../../support/fake-wallet';
import { createGate, settle } from '../../support/gate';

function setup() {
  const wallet = createFakeWallet();
  const provider = createProvider({ ethereum: wallet.ethereum });
  const events: [event: string, value: unknown][] = [];
  const names = ['connect', 'disconnect', 'accountsChanged', 'chainChanged'] as const;
  for (const event of names) {
    provider.on(event, (value: unknown) => events.push([event, value]));
  }
  return {
    ...wallet,
    provider,
    events,
    ask: async (method: string, params: unknown = []) =>
      provider.request({ method, params }),
    /** The announced accounts, in order. */
    accounts: () =>
      events.filter(([event]) => event === 'accountsChanged').map(([, value]) => value),
  };
}

it('announces once that it is connected, and the same accounts once', async () => {
  const { ask, events, snapAnswers } = setup();
  snapAnswers.eth_requestAccounts = () => ['0xa', '0xb'];
  snapAnswers.eth_accounts = () => ['0xa', '0xb'];
  await ask('eth_requestAccounts');
  await ask('eth_accounts');
  expect(events).toStrictEqual([
    ['connect', { chainId: '0x7a69' }],
    ['accountsChanged', ['0xa', '0xb']],
  ]);
});

it('passes on the events of the wallet', async () => {
  const { events, emit } = setup();
  await settle();
  emit('chainChanged', '0x1');
  emit('disconnect', { code: 4900, message: 'No chain is left.' });
  expect(events).toStrictEqual([
    ['chainChanged', '0x1'],
    ['disconnect', new ProviderRpcError(4900, 'No chain is left.')],
  ]);
  expect(events[1]?.[1]).toHaveProperty('code', 4900);
});

describe('accountsChanged', () => {
  it.each([
    ['wallet_revokePermissions', 'answers'],
    ['wallet_disconnect', 'answers'],
    ['wallet_requestPermissions', 'answers'],
    ['personal_sign', 'is refused'],
  ])('is announced after %s %s', async (method, end) => {
    const { ask, accounts, snapAnswers } = setup();
    snapAnswers.eth_accounts = () => ['0xa'];
    await ask('eth_accounts');
    snapAnswers[method] = () => {
      snapAnswers.eth_accounts = () => [];
      if (end === 'is refused') {
        throw Object.assign(new Error('It is not yours.'), { code: 4100 });
      }
      return null;
    };
    await ask(method).catch(() => undefined);
    // The caller who changes them sees the event.
    if (!method.startsWith('wallet_')) await settle();
    expect(accounts()).toStrictEqual([['0xa'], []]);
  });

  it('is not announced for an older request that is answered later', async () => {
    const { ask, accounts, snapAnswers } = setup();
    const late = createGate();
    snapAnswers.eth_accounts = async () => late.opened.then(() => ['0xa']);
    const first = ask('eth_accounts');
    await settle();
    snapAnswers.eth_accounts = () => ['0xb'];
    await ask('eth_accounts');
    late.open();
    expect(await first).toStrictEqual(['0xa']);
    expect(accounts()).toStrictEqual([['0xb']]);
  });

  describe('in a page', () => {
    const page = globalThis as unknown as { document?: EventTarget };

    // Open channels would keep the process alive.
    const { BroadcastChannel: Channel } = globalThis;
    const channels: BroadcastChannel[] = [];

    /** Tabs of a site that are open; `visible` is the state of all of them. */
    let document: EventTarget & { visibilityState: string };

    beforeEach(() => {
      jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance'] });
      document = Object.assign(new EventTarget(), { visibilityState: 'visible' });
      page.document = document;
      globalThis.BroadcastChannel = class extends Channel {
        constructor(name: string) {
          super(name);
          channels.push(this);
        }
      };
    });

    afterEach(() => {
      for (const channel of channels.splice(0)) channel.close();
      globalThis.BroadcastChannel = Channel;
      delete page.document;
      jest.useRealTimers();
    });

    const pass = async (ms: number): Promise<void> => {
      jest.advanceTimersByTime(ms);
      await settle();
    };

    it('is announced within 3 s of a change elsewhere, while the page is visible', async () => {
      const { ask, accounts, askedSnap, snapAnswers } = setup();
      snapAnswers.eth_accounts = () => ['0xa'];
      await ask('eth_accounts');
      snapAnswers.eth_accounts = () => [];
      document.visibilityState = 'hidden';
      await pass(60_000);
      expect([accounts(), askedSnap.length]).toStrictEqual([[['0xa']], 1]);
      document.visibilityState = 'visible';
      document.dispatchEvent(new Event('visibilitychange'));
      await settle();
      expect(accounts()).toStrictEqual([['0xa'], []]);
      snapAnswers.eth_accounts = () => ['0xb'];
      await pass(3_000);
      expect(accounts()).toStrictEqual([['0xa'], [], ['0xb']]);
    });

    it('is announced to other tabs at once, without a request', async () => {
      const [one, other] = [setup(), setup()];
      other.snapAnswers.personal_sign = () => '0x';
      await other.ask('personal_sign');
      one.snapAnswers.eth_requestAccounts = () => ['0xa'];
      await one.ask('eth_requestAccounts');
      while (other.accounts().length === 0) await settle();
      expect(other.accounts()).toStrictEqual([['0xa']]);
      expect(other.askedSnap).toHaveLength(1);
    });

    it('is announced if pages have no channels', async () => {
      globalThis.BroadcastChannel = class {
        constructor() {
          throw new DOMException('The operation is insecure.', 'SecurityError');
        }
      } as never;
      const { ask, accounts, snapAnswers } = setup();
      snapAnswers.eth_accounts = () => ['0xa'];
      expect(await ask('eth_accounts')).toStrictEqual(['0xa']);
      snapAnswers.eth_accounts = () => [];
      await pass(3_000);
      expect(accounts()).toStrictEqual([['0xa'], []]);
    });

    it('asks nothing for a page that has no account', async () => {
      const { ask, askedSnap } = setup();
      await ask('eth_accounts');
      await pass(60_000);
      expect(askedSnap).toHaveLength(1);
    });

    it('comes with disconnect when the snap is removed, and with connect after it', async () => {
      const { ask, events, answers, snapAnswers } = setup();
      const { wallet_getSnaps: getSnaps, wallet_invokeSnap: invoke } = answers;
      snapAnswers.eth_accounts = () => ['0xa'];
      await ask('eth_requestAccounts').catch(() => undefined);
      await ask('eth_accounts');
      events.length = 0;
      answers.wallet_getSnaps = () => ({});
      answers.wallet_invokeSnap = () => {
        throw Object.assign(new Error('Unknown snap.'), { code: -32603 });
      };
      await pass(3_000);
      await pass(3_000);
      expect(events).toStrictEqual([
        ['disconnect', expect.objectContaining({ code: 4900 })],
        ['accountsChanged', []],
      ]);
      Object.assign(answers, { wallet_getSnaps: getSnaps, wallet_invokeSnap: invoke });
      await pass(3_000);
      expect(events.slice(2)).toStrictEqual([
        ['connect', { chainId: '0x7a69' }],
        ['accountsChanged', ['0xa']],
      ]);
    });
  });

  it('costs no request without listeners, and no installation', async () => {
    const { ethereum, asked, askedSnap, snapAnswers, answers } = createFakeWallet();
    snapAnswers.personal_sign = () => '0x';
    const provider = createProvider({ ethereum });
    await provider.request({ method: 'personal_sign', params: [] });
    await settle();
    expect(askedSnap.map(({ method }) => method)).toStrictEqual(['personal_sign']);
    answers.wallet_getSnaps = () => ({});
    answers.wallet_requestSnaps = () => {
      throw new Error('No.');
    };
    const other = createProvider({ ethereum }).on('accountsChanged', () => undefined);
    await errorOf(async () => other.request({ method: 'wallet_requestPermissions' }));
    const installs = asked.filter(({ method }) => method === 'wallet_requestSnaps');
    expect(installs).toHaveLength(1);
  });
});

describe('listeners', () => {
  it('come and go in the ways that EventEmitter has', async () => {
    const { ethereum, emit } = createFakeWallet();
    const provider = createProvider({ ethereum });
    const [once, left, added, off] = [jest.fn(), jest.fn(), jest.fn(), jest.fn()];
    provider.once('chainChanged', once);
    await settle();
    emit('chainChanged', '0x0');
    provider
      .once('chainChanged', left)
      .addListener('chainChanged', added)
      .on('chainChanged', off)
      .removeListener('chainChanged', left)
      .removeListener('message', left)
      .off('chainChanged', off);
    emit('chainChanged', '0x1');
    emit('chainChanged', '0x2');
    expect(once.mock.calls).toStrictEqual([['0x0']]);
    expect(added.mock.calls).toStrictEqual([['0x1'], ['0x2']]);
    expect([left.mock.calls, off.mock.calls]).toStrictEqual([[], []]);
  });

  it('all go, of one event or of every event', async () => {
    const { provider, emit, events } = setup();
    await settle();
    provider.removeAllListeners('chainChanged');
    emit('chainChanged', '0x1');
    emit('connect', { chainId: '0x1' });
    provider.removeAllListeners();
    emit('connect', { chainId: '0x2' });
    expect(events).toStrictEqual([['connect', { chainId: '0x1' }]]);
  });
});

describe('while time passes', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('an error of a listener is reported to the page, and does not stop others', async () => {
    const { provider, emit, events } = setup();
    provider.on('chainChanged', () => {
      throw new Error('A mistake of the page.');
    });
    const after = jest.fn();
    provider.on('chainChanged', after);
    await settle();
    emit('chainChanged', '0x1');
    expect([events, after.mock.calls]).toStrictEqual([
      [['chainChanged', '0x1']],
      [['0x1']],
    ]);
    expect(() => jest.runAllTimers()).toThrow('A mistake of the page.');
  });

  /** Subscribe; `reach` lets the next question be asked, with the chain at a block. */
  async function subscribe(...params: unknown[]) {
    const world = setup();
    const { answers, provider } = world;
    const [heads, messages]: unknown[][] = [[], []];
    provider.on('message', (message) => {
      messages?.push(message);
      heads?.push((message.data as { result: unknown }).result);
    });
    answers.eth_blockNumber = () => '0x64';
    answers.eth_getBlockByNumber = (asked) => (asked as unknown[])[0];
    const id = await world.ask('eth_subscribe', params);
    const reach = async (...blocks: number[]): Promise<void> => {
      for (const block of blocks) {
        answers.eth_blockNumber = () => `0x${block.toString(16)}`;
        jest.advanceTimersByTime(3_000);
        await settle();
      }
    };
    return { world, id, heads: heads ?? [], messages: messages ?? [], reach };
  }

  it.each([
    ['that comes after the subscription', [100, 102, 103], ['0x65', '0x66', '0x67']],
    ['of another, shorter chain', [7, 8], ['0x7', '0x8']],
  ])('newHeads announces each block %s', async (_which, blocks, announced) => {
    const { heads, messages, id, reach } = await subscribe('newHeads');
    await reach(...blocks);
    expect(heads).toStrictEqual(announced);
    expect(id).toMatch(/^0x[0-9a-f]{32}$/u);
    const data = { subscription: id, result: announced[0] };
    expect(messages[0]).toStrictEqual({ type: 'eth_subscription', data });
  });

  it('newHeads leaves out all but the newest after a pause', async () => {
    const { heads, reach } = await subscribe('newHeads');
    await reach(116, 1_000);
    expect(heads).toHaveLength(32);
    expect([heads[0], heads.at(-1)]).toStrictEqual(['0x65', '0x3e8']);
  });

  it('newHeads makes up for a question that failed', async () => {
    const { heads, reach, world } = await subscribe('newHeads');
    const { eth_getBlockByNumber: find = () => null } = world.answers;
    world.answers.eth_getBlockByNumber = () => {
      throw new Error('The node is away.');
    };
    await reach(101);
    world.answers.eth_getBlockByNumber = find;
    await reach(102);
    expect(heads).toStrictEqual(['0x65', '0x66']);
  });

  it('logs are those of the new blocks, by the filter', async () => {
    const filter = { address: '0xa', fromBlock: '0x0' };
    const { heads, reach, world } = await subscribe('logs', filter);
    world.answers.eth_getLogs = () => ['log 1', 'log 2'];
    await reach(102);
    expect(world.asked.at(-1)).toStrictEqual({
      method: 'eth_getLogs',
      params: [{ address: '0xa', fromBlock: '0x65', toBlock: '0x66' }],
    });
    expect(heads).toStrictEqual(['log 1', 'log 2']);
  });

  it('a subscription that has ended sends nothing, and leaves no timer', async () => {
    const { heads, reach, id, world } = await subscribe('newHeads');
    expect(await world.ask('eth_unsubscribe', [id])).toBe(true);
    expect(await world.ask('eth_unsubscribe', [id])).toBe(false);
    await reach(105);
    expect([heads, jest.getTimerCount()]).toStrictEqual([[], 0]);
  });

  it.each([[['newPendingTransactions']], [['constructor']], [[]]])(
    'there is no subscription to %j',
    async (params) => {
      expect(await errorOf(async () => subscribe(...params))).toMatchObject({
        code: 4200,
        message: 'Only newHeads and logs can be subscribed to.',
      });
    },
  );
});
