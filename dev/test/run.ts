// npm test and npm run test:all. `--seed N` repeats a run of the random tests, and `--runs N` makes
// each of them N times as long.
import { randomInt } from 'node:crypto';

import { readArgs } from '../args';
import { NO_REDIS } from '../stack/redis';
import { CACHE, check, type Outcome, QUICK_SECONDS, runTool } from './check';
import {
  checkBuild,
  checkBundle,
  checkDocs,
  checkLibraries,
  checkPackage,
  checkSite,
} from './checks';
import { runJest } from './jest';

const { values } = readArgs(
  `npm test [-- --seed N] [--runs N], or npm run test:all

Runs every check. --seed repeats a run of the random tests, --runs makes each of them N times as
long: 0.25 in npm test, and 1 in test:all.`,
  {
    all: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    runs: { type: 'string' },
  },
);
const { all: isAll, seed, runs = isAll ? '1' : '0.25' } = values;

const start = Date.now();

// test/support/runs.ts reads these variables.
process.env.TEST_SEED = seed;
process.env.TEST_RUNS = runs;
const repeat = `repeat with --seed ${seed} --runs ${runs}`;
process.stdout.write(`random tests: ${repeat}\n`);

// Two checks run at a time: one of the sources, and a build or a check of its output.
const [sources, builds] = await Promise.all([
  inTurn([
    toCheck('lint', 'node_modules/oxlint/bin/oxlint', '--config', 'oxlint.config.mjs'),
    toCheck(
      'format',
      'node_modules/prettier/bin/prettier.cjs',
      '--check',
      '.',
      // With this strategy, the cache stays valid in new clones and on other branches.
      '--cache',
      '--cache-strategy=content',
      `--cache-location=${CACHE}/format`,
    ),
    checkDocs,
    toCheck('workflows', 'dev/lint/workflows.mjs'),
    ...(isAll
      ? [
          // oxlint checks types with TypeScript 7, but TypeScript 6 builds the declarations.
          toCheck('types', 'node_modules/typescript/bin/tsc', '--noEmit'),
          toCheck('dead code', 'node_modules/knip/bin/knip.js'),
        ]
      : []),
  ]),
  inTurn([
    checkBuild,
    ...(isAll ? [checkLibraries, checkBundle, checkPackage, checkSite] : []),
  ]),
]);
const jest = await runJest({ isAll });
const outcomes = [...sources, ...builds, jest];

const count = (kind: 'passed' | 'failed'): number =>
  outcomes.reduce((sum, outcome) => sum + outcome[kind], 0);
const { skipped = 0 } = jest;
process.stdout.write(`\nrandom tests: ${repeat}\n`);
const limit = isAll ? '' : ` (on 2 quiet cores, at most ${QUICK_SECONDS} s)`;
process.stdout.write(
  `tests took ${Math.round((Date.now() - start) / 1000)} s${limit}\n`,
);
if (skipped > 0) process.stdout.write(`${skipped} skipped: ${NO_REDIS}\n`);
process.stdout.write(`${count('passed')} passed, ${count('failed')} failed\n`);
process.exitCode = count('failed') === 0 ? 0 : 1;

function toCheck(name: string, ...args: string[]) {
  return async () => check(name, async () => runTool(...args));
}

async function inTurn(checks: readonly (() => Promise<Outcome>)[]): Promise<Outcome[]> {
  const ended: Outcome[] = [];
  for (const run of checks) ended.push(await run());
  return ended;
}
