// Time and chance in a test's hand: waits are noted and over at once.
import type { HttpOptions } from '../../packages/client/src';

/** Services whose clock moves by the waits alone. */
export type FakeTime = Required<NonNullable<HttpOptions['services']>> & {
  /** Every wait so far, in ms. */
  waits: number[];
  /** Lets time pass. */
  pass: (ms: number) => void;
};

/**
 * Creates a clock at zero.
 *
 * @param random - The chance, from 0 to below 1.
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
