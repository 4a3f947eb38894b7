// npm test: every check there is, and a last line that counts them.
import { buildDevSnap, buildSnap } from '../build/build';
import { buildLibraries, libraries, moduleOf } from '../build/libraries';
import { describeSize } from '../build/size';
import { checkBundle } from './bundle';
import { check, report } from './check';
import type { Outcome } from './check';
import { runJest } from './jest';
import { checkPackage } from './package';

const start = Date.now();

// Two at a time, one a core: lint, which is the longest, and the build, on which the others
// stand; then those, each as soon as a core is free.
const left = [
  checkBundle,
  checkPackage,
  async () => check('types', ['node_modules/typescript/bin/tsc', '--noEmit']),
  async () =>
    check('format', ['node_modules/prettier/bin/prettier.cjs', '--check', '.']),
  async () => check('dead code', ['node_modules/knip/bin/knip.js']),
];
const lint = check('lint', [
  'node_modules/eslint/bin/eslint.js',
  '.',
  '--max-warnings',
  '0',
]);
const build = checkBuild();
const others = await Promise.all([
  build.then(runLeft),
  Promise.all([lint, build]).then(runLeft),
]);
const outcomes = [await lint, await build, ...others.flat(), await runJest()];

const total = outcomes.reduce((sum, { passed, failed }) => ({
  passed: sum.passed + passed,
  failed: sum.failed + failed,
}));
process.stdout.write(`\ntests took ${Math.round((Date.now() - start) / 1000)} s\n`);
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed === 0 ? 0 : 1;

/** Run what is left and nobody else has begun, one after another. */
async function runLeft(): Promise<Outcome[]> {
  const ended: Outcome[] = [];
  for (let run = left.shift(); run; run = left.shift()) ended.push(await run());
  return ended;
}

// The checksum in the manifest is what MetaMask verifies: it must be the committed one.
async function checkBuild(): Promise<Outcome> {
  const buildStart = Date.now();
  try {
    const [{ isManifestChanged }] = await Promise.all([buildSnap(), buildLibraries()]);
    await buildDevSnap();
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
