// Time and chance under a test's control: waits are recorded and take no time.
import type { HttpOptions } from '../../packages/client/src';

/** Services whose clock advances only by waits and {@link FakeTime.advance}. */
export type FakeTime = Required<NonNullable<HttpOptions['services']>> & {
  /** Every wait so far, in ms. */
  waits: number[];
  advance: (ms: number) => void;
};

/**
 * Creates a clock at zero.
 *
 * @param random - The random number: at least 0, and below 1.
 */
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
