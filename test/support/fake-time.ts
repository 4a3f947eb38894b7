// Time and chance under a test's control: waits are recorded and take no time.
import type { HttpOptions } from '../../packages/client/src';

/**
 * The transport's services, with a clock that advances only by waits and {@link FakeTime.advance}.
 */
export type FakeTime = Required<NonNullable<HttpOptions['services']>> & {
  /** The length of each wait, in ms. */
  waits: number[];
  advance: (ms: number) => void;
};

export function createFakeTime(random = 0): FakeTime {
  let now = 0;
  const waits: number[] = [];
  const advance = (ms: number): void => {
    now += ms;
  };
  return {
    waits,
    advance,
    now: () => now,
    random: () => random,
    sleep: async (ms) => {
      waits.push(ms);
      advance(ms);
      await Promise.resolve();
    },
  };
}
