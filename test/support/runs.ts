// Settings of random tests: each run takes a new seed, which `npm test` prints and `npm test --
// --seed N` repeats. `-- --runs N` multiplies the number of random cases by N.
import type { Parameters } from 'fast-check';

/** Seed of this run. Without `npm test`, each file takes its own; failures print it. */
export const SEED = Number(process.env.TEST_SEED ?? Date.now() % 2 ** 31);

const TIMES = Number(process.env.TEST_RUNS ?? 1);

export function runs(numRuns: number): Required<Pick<Parameters, 'seed' | 'numRuns'>> {
  return { seed: SEED, numRuns: Math.ceil(numRuns * TIMES) };
}
