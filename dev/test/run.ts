// npm test, and with `--all` npm run test:all: every check, and a last line that counts them.
// `--seed N` repeats a run of the random tests, `--runs N` makes each of them N times as long.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

import { NO_REDIS } from '../stack/redis';
import { CACHE, check, type Outcome } from './check';
import { checkBuild, checkBundle, checkDocs, checkPackage, checkSite } from './checks';
import { runJest } from './jest';

const { values } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    runs: { type: 'string', default: '1' },
  },
});

const start = Date.now();

// test/support/runs.ts reads them.
process.env.TEST_SEED = values.seed;
process.env.TEST_RUNS = values.runs;
const repeat = `repeat with --seed ${values.seed} --runs ${values.runs}`;
process.stdout.write(`random tests: ${repeat}\n`);

// Files are compared by content: a new clone or another branch leaves the caches valid.
const cached = (name: string): string[] => [
  '--cache',
  '--cache-strategy=content',
  `--cache-location=${CACHE}/${name}`,
];

// Two at a time, one a core: lint, which is the longest, and the build, on which the others
// stand; then those, each as soon as a core is free.
const left = [
  ...(values.all
    ? [
        checkBundle,
        checkPackage,
        checkSite,
        async () => check('dead code', ['node_modules/knip/bin/knip.js']),
      ]
    : []),
  async () =>
    check('types', [
      'node_modules/typescript/bin/tsc',
      ...['--noEmit', '--incremental', '--tsBuildInfoFile', `${CACHE}/types`],
    ]),
  async () => check('workflows', ['dev/lint/workflows.mjs']),
  async () =>
    check('format', [
      'node_modules/prettier/bin/prettier.cjs',
      ...['--check', '.', ...cached('format')],
    ]),
  checkDocs,
];
const lint = check('lint', [
  'node_modules/eslint/bin/eslint.js',
  ...['.', '--max-warnings', '0'],
  // Rules that know types look beyond the file that they are in: test:all trusts no cache.
  ...(values.all ? [] : cached('lint')),
]);
const build = checkBuild();
const others = await Promise.all([
  build.then(runLeft),
  Promise.all([lint, build]).then(runLeft),
]);
const jest = await runJest({ isAll: values.all });
const outcomes = [await lint, await build, ...others.flat(), jest];

const total = outcomes.reduce((sum, { passed, failed }) => ({
  passed: sum.passed + passed,
  failed: sum.failed + failed,
}));
const { skipped = 0 } = jest;
process.stdout.write(`\nrandom tests: ${repeat}\n`);
process.stdout.write(`tests took ${Math.round((Date.now() - start) / 1000)} s\n`);
if (skipped > 0) process.stdout.write(`${skipped} skipped: ${NO_REDIS}\n`);
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed === 0 ? 0 : 1;

/** Run what is left and nobody else has begun, one after another. */
async function runLeft(): Promise<Outcome[]> {
  const ended: Outcome[] = [];
  for (let run = left.shift(); run; run = left.shift()) ended.push(await run());
  return ended;
}
