// How property tests run: the same values every time, so that a failure can be repeated.
import type { Parameters } from 'fast-check';

const SEED = 20_151_118;

/** Settings for fast-check. */
export function runs(numRuns: number): Pick<Parameters, 'seed' | 'numRuns'> {
  return { seed: SEED, numRuns };
}
