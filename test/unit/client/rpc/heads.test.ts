import { watchHeads } from '../../../../src/client';
import type { Head, ServerSubscription, TopicListener } from '../../../../src/client';

const HEAD = { number: '0x10', hash: `0x${'ab'.repeat(32)}`, timestamp: '0x1' };

function setup(): {
  watch: (onHead?: (head: Head) => void) => ReturnType<typeof watchHeads>;
  tell: (value: unknown) => void;
  state: { subscription: ServerSubscription | undefined; now: number; stops: number };
} {
  const listeners = new Set<TopicListener>();
  const state: ReturnType<typeof setup>['state'] = {
    subscription: { id: '0x1' },
    now: 0,
    stops: 0,
  };
  const transport = {
    findSubscription: () => state.subscription,
    subscribe: async (_topic: string, listener: TopicListener) => {
      listeners.add(listener);
      return Promise.resolve(async () => {
        state.stops += 1;
        return Promise.resolve();
      });
    },
  };
  return {
    state,
    watch: async (onHead) => watchHeads(transport, onHead, () => state.now),
    tell: (value) => listeners.forEach((listener) => void listener(value)),
  };
}

describe('the newest block', () => {
  it('is unknown until the subscription tells of one', async () => {
    const { watch, tell } = setup();
    const { latest } = await watch();
    expect(latest()).toBeUndefined();
    tell({ ...HEAD, extra: 'of some chain' });
    expect(latest()).toMatchObject(HEAD);
    tell({ ...HEAD, number: '0x11' });
    expect(latest()).toHaveProperty('number', '0x11');
  });

  it.each([null, 'x', [], {}, { ...HEAD, number: 16 }, { ...HEAD, hash: '0x' }])(
    'is not taken from %j',
    async (value) => {
      const heads: unknown[] = [];
      const { watch, tell } = setup();
      const { latest } = await watch((head) => heads.push(head));
      tell(value);
      expect(latest()).toBeUndefined();
      expect(heads).toStrictEqual([]);
    },
  );

  it('is unknown while the subscription is lost, and until the next tells', async () => {
    const { watch, tell, state } = setup();
    const { latest } = await watch();
    tell(HEAD);
    state.subscription = undefined;
    expect(latest()).toBeUndefined();
    // By the same name: servers count from one on every connection.
    state.subscription = { id: '0x1' };
    expect(latest()).toBeUndefined();
    tell(HEAD);
    expect(latest()).toMatchObject(HEAD);
  });

  it('is unknown when nothing was told for a minute', async () => {
    const { watch, tell, state } = setup();
    const { latest } = await watch();
    tell(HEAD);
    state.now = 59_999;
    expect(latest()).toMatchObject(HEAD);
    state.now = 60_000;
    expect(latest()).toBeUndefined();
  });

  it('is unknown once the watching has ended', async () => {
    const { watch, tell, state } = setup();
    const { latest, stop } = await watch();
    tell(HEAD);
    await stop();
    expect(latest()).toBeUndefined();
    expect(state.stops).toBe(1);
  });

  it('is told to who watches', async () => {
    const heads: Head[] = [];
    const { watch, tell } = setup();
    await watch((head) => heads.push(head));
    tell(HEAD);
    expect(heads).toMatchObject([HEAD]);
  });
});
