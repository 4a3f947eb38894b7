// npm test: every check there is, and a last line that counts them.
import { buildSnap } from '../build/build';
import { buildLibraries, libraries, moduleOf } from '../build/libraries';
import { describeSize } from '../build/size';
import { checkBundle } from './bundle';
import { check, report } from './check';
import type { Outcome } from './check';
import { runJest } from './jest';
import { checkPackage } from './package';

const start = Date.now();

// Lint is the longest and keeps one core; the others go on beside it in turn, since more than
// two at a time take longer than one after another.
const [lint, others] = await Promise.all([
  check('lint', ['node_modules/eslint/bin/eslint.js', '.', '--max-warnings', '0']),
  inTurn([
    checkBuild,
    checkBundle,
    checkPackage,
    async () => check('types', ['node_modules/typescript/bin/tsc', '--noEmit']),
    async () =>
      check('format', ['node_modules/prettier/bin/prettier.cjs', '--check', '.']),
    async () => check('dead code', ['node_modules/knip/bin/knip.js']),
  ]),
]);
const outcomes = [lint, ...others, await runJest()];

const total = outcomes.reduce((sum, { passed, failed }) => ({
  passed: sum.passed + passed,
  failed: sum.failed + failed,
}));
process.stdout.write(`\ntests took ${Math.round((Date.now() - start) / 1000)} s\n`);
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed === 0 ? 0 : 1;

async function inTurn(runs: readonly (() => Promise<Outcome>)[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const run of runs) outcomes.push(await run());
  return outcomes;
}

// The checksum in the manifest is what MetaMask verifies: it must be the committed one.
async function checkBuild(): Promise<Outcome> {
  const buildStart = Date.now();
  try {
    const [{ isManifestChanged }] = await Promise.all([buildSnap(), buildLibraries()]);
    const seconds = ((Date.now() - buildStart) / 1000).toFixed(1);
    const sizes = [`bundle ${await describeSize('dist/bundle.js')}`];
    for (const each of libraries) {
      sizes.push(`${each} ${await describeSize(moduleOf(each))}`);
    }
    return report({
      name: 'build',
      isPassed: !isManifestChanged,
      summary: `${seconds} s, ${sizes.join('; ')}`,
      details: 'The build changed snap.manifest.json: commit it as it is now.',
    });
  } catch (error) {
    return report({
      name: 'build',
      isPassed: false,
      summary: '',
      details: String(error),
    });
  }
}
