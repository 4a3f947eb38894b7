import type { FeeLevels } from '../../../src/fees/level';
import type { FeeChain } from '../../../src/fees/level-sources';
import { createLiveLevels } from '../../../src/handlers/live-levels';
import type { LiveLevels } from '../../../src/handlers/live-levels';

const LEVELS = { source: 'gas-api' } as FeeLevels;

/** Live levels over a list of what they do; `wanted` tells whether somebody asked lately. */
function setup({ wanted = true, broken = false, isWatched = false } = {}): {
  live: LiveLevels;
  done: string[];
} {
  const done: string[] = [];
  const act = async (name: string): Promise<void> => {
    done.push(name);
    if (broken) throw new Error('It does not work.');
    return Promise.resolve();
  };
  const live = createLiveLevels({
    levels: {
      get: async () => act('get').then(() => LEVELS),
      prepare: async () => Promise.resolve(async () => act('get').then(() => LEVELS)),
      refresh: async () => act('refresh').then(() => LEVELS),
      wasAskedWithin: (chainId, ms) => {
        done.push(`asked ${chainId} ${ms}`);
        return wanted;
      },
    },
    live: {
      watch: async (chainId) => act(`watch ${chainId}`),
      unwatch: async (chainId) => act(`unwatch ${chainId}`),
    },
    chains: { connect: async (id) => Promise.resolve({ id } as never) },
    isWatched: () => isWatched,
  });
  return { live, done };
}

const chain = (head?: () => bigint): FeeChain =>
  ({ id: 7n, ...(head && { head }) }) as FeeChain;

describe('live levels', () => {
  it('watch the blocks of a chain that has a socket', async () => {
    const { live, done } = setup();
    expect(await live.get(chain(() => 1n))).toBe(LEVELS);
    expect(done).toStrictEqual(['watch 7', 'get']);
  });

  it('wait for the watching that they began, though there are no levels', async () => {
    const events: string[] = [];
    const live = createLiveLevels({
      levels: {
        prepare: async () =>
          Promise.resolve(async () => Promise.reject(new Error('There are none.'))),
      } as never,
      live: {
        watch: async () => {
          for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
          events.push('watched');
        },
        unwatch: async () => Promise.resolve(),
      },
      chains: {} as never,
      isWatched: () => false,
    });
    await expect(live.get(chain(() => 1n))).rejects.toThrow('There are none.');
    expect(events).toStrictEqual(['watched']);
  });

  it('watch nothing where there is no socket', async () => {
    const { live, done } = setup();
    await live.get(chain());
    expect(done).toStrictEqual(['get']);
  });

  it('are fetched anew at a new block while somebody asks', async () => {
    const { live, done } = setup();
    await live.onHead(7n);
    expect(done).toStrictEqual(['asked 7 60000', 'refresh']);
  });

  it('are left alone, and the blocks too, when nobody asks any more', async () => {
    const { live, done } = setup({ wanted: false });
    await live.onHead(7n);
    expect(done).toStrictEqual(['asked 7 60000', 'unwatch 7']);
  });

  it.each([true, false])('survive what fails at a new block: %s', async (wanted) => {
    const { live } = setup({ wanted, broken: true });
    expect(await live.onHead(7n)).toBeUndefined();
  });
});
