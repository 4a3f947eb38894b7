// How random tests run: with a new seed each time, which `npm test` prints and
// `npm test -- --seed N` repeats. `-- --runs N` makes each of them N times as long.
import type { Parameters } from 'fast-check';

/** Seed of this run. Under Jest alone each file takes its own; failures print it. */
export const SEED = Number(process.env.TEST_SEED ?? Date.now() % 2 ** 31);

const TIMES = Number(process.env.TEST_RUNS ?? 1);

/** Settings for fast-check. */
export function runs(numRuns: number): Required<Pick<Parameters, 'seed' | 'numRuns'>> {
  return { seed: SEED, numRuns: Math.ceil(numRuns * TIMES) };
}
