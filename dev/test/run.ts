// npm test: every check there is, and a last line that counts them.
import { buildSnap } from '../build/build';
import { buildClient, clientModule } from '../build/client';
import { describeSize } from '../build/size';
import { check, report } from './check';
import type { Outcome } from './check';
import { runJest } from './jest';
import { checkPackage } from './package';

const start = Date.now();

// Lint is the longest and keeps one core: the build goes on beside it, and writes nothing
// that the others read.
const checks = await Promise.all([
  check('lint', ['node_modules/eslint/bin/eslint.js', '.', '--max-warnings', '0']),
  check('format', ['node_modules/prettier/bin/prettier.cjs', '--check', '.']),
  check('types', ['node_modules/typescript/bin/tsc', '--noEmit']),
  check('dead code', ['node_modules/knip/bin/knip.js']),
  checkBuild().then(async (built) => [built, await checkPackage()]),
]);
const outcomes = [...checks.flat(), await runJest()];

const total = outcomes.reduce((sum, { passed, failed }) => ({
  passed: sum.passed + passed,
  failed: sum.failed + failed,
}));
process.stdout.write(`\ntests took ${Math.round((Date.now() - start) / 1000)} s\n`);
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed === 0 ? 0 : 1;

// The checksum in the manifest is what MetaMask verifies: it must be the committed one.
async function checkBuild(): Promise<Outcome> {
  const buildStart = Date.now();
  try {
    const [{ isManifestChanged }] = await Promise.all([buildSnap(), buildClient()]);
    const seconds = ((Date.now() - buildStart) / 1000).toFixed(1);
    const bundle = await describeSize('dist/bundle.js');
    const client = await describeSize(clientModule);
    return report({
      name: 'build',
      isPassed: !isManifestChanged,
      summary: `${seconds} s, bundle ${bundle}; client ${client}`,
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
