// Time and chance under a test's control: waits are recorded and take no time.
import type { HttpOptions } from '../../packages/client/src';

/** Services whose clock is only advanced by waits. */
export type FakeTime = Required<NonNullable<HttpOptions['services']>> & {
  /** Every wait so far, in ms. */
  waits: number[];
  /** Advances the time. */
  pass: (ms: number) => void;
};

/**
 * Creates a clock at zero.
 *
 * @param random - The random number, from 0 to below 1.
 */
export function createFakeTime(random = 0): FakeTime {
  let now = 0;
  const waits: number[] = [];
  const pass = (ms: number): void => {
    now += ms;
  };
  return {
    waits,
    pass,
    now: () => now,
    random: () => random,
    sleep: async (ms) => {
      waits.push(ms);
      pass(ms);
      await Promise.resolve();
    },
  };
}
