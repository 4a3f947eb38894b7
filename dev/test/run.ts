// npm test, and with `--all` npm run test:all: every check, and a last line that counts them.
// `--seed N` repeats a run of the random tests, `--runs N` makes each of them N times as long:
// 1 in test:all, and a quarter of that in npm test.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

import { NO_REDIS } from '../stack/redis';
import { CACHE, check, type Outcome, QUICK_SECONDS } from './check';
import {
  checkBuild,
  checkBundle,
  checkDocs,
  checkLibraries,
  checkPackage,
  checkSite,
} from './checks';
import { runJest } from './jest';

const { values } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    runs: { type: 'string' },
  },
});
const { all: isAll, seed, runs = isAll ? '1' : '0.25' } = values;

const start = Date.now();

// test/support/runs.ts reads them.
process.env.TEST_SEED = seed;
process.env.TEST_RUNS = runs;
const repeat = `repeat with --seed ${seed} --runs ${runs}`;
process.stdout.write(`random tests: ${repeat}\n`);

// Two at a time, one a core: what reads the sources, and the builds with what reads them.
const [sources, builds] = await Promise.all([
  inTurn([
    async () =>
      check('lint', [
        'node_modules/oxlint/bin/oxlint',
        '--config',
        'oxlint.config.mjs',
      ]),
    async () =>
      check('format', [
        'node_modules/prettier/bin/prettier.cjs',
        '--check',
        '.',
        // By content: in a new clone and on another branch the cache stays valid.
        '--cache',
        '--cache-strategy=content',
        `--cache-location=${CACHE}/format`,
      ]),
    checkDocs,
    async () => check('workflows', ['dev/lint/workflows.mjs']),
    ...(isAll
      ? [
          // Lint has checked the types with TypeScript 7; the declarations are built with 6.
          async () => check('types', ['node_modules/typescript/bin/tsc', '--noEmit']),
          async () => check('dead code', ['node_modules/knip/bin/knip.js']),
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

const total = outcomes.reduce((sum, { passed, failed }) => ({
  passed: sum.passed + passed,
  failed: sum.failed + failed,
}));
const { skipped = 0 } = jest;
process.stdout.write(`\nrandom tests: ${repeat}\n`);
const limit = isAll ? '' : ` (on 2 quiet cores, at most ${QUICK_SECONDS} s)`;
process.stdout.write(
  `tests took ${Math.round((Date.now() - start) / 1000)} s${limit}\n`,
);
if (skipped > 0) process.stdout.write(`${skipped} skipped: ${NO_REDIS}\n`);
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed === 0 ? 0 : 1;

async function inTurn(checks: readonly (() => Promise<Outcome>)[]): Promise<Outcome[]> {
  const ended: Outcome[] = [];
  for (const run of checks) ended.push(await run());
  return ended;
}
